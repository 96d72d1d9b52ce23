/**
 * Values apart from any implementation, every bit of them: elements are base64 of C order, little-endian, whatever a field declares; 64-bit
 * integers are decimal texts. Made to be compared as they stand, and to pass through JSON.
 */
import { type AnyTypedArray, type ArrayValue, type DType, isDreamDbError } from "dreamdb-arrays";

/** Bytes of an element. */
export const WIDTHS: Readonly<Record<DType, number>> = { f32: 4, f64: 8, i8: 1, i16: 2, i32: 4, i64: 8, u8: 1, u16: 2, u32: 4, u64: 8 };

export interface DenseBits {
  readonly family: "dense-array";
  readonly dtype: DType;
  readonly shape: readonly string[];
  readonly data: string;
}

export interface RaggedBits {
  readonly family: "ragged-array";
  readonly dtype: DType;
  readonly innerShape: readonly string[];
  readonly rowOffsets: string;
  readonly values: string;
}

/** Its shape is the declared one, and not said again. */
export interface CsrBits {
  readonly family: "sparse-csr";
  readonly dtype: DType;
  readonly rowOffsets: string;
  readonly columnIndices: string;
  readonly values: string;
}

/** Of an image, audio or video. */
export interface MediaBits {
  readonly bytes: string;
}

export type ArrayBits = DenseBits | RaggedBits | CsrBits;
export type Bits = ArrayBits | MediaBits;

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** 64-bit integers as elements are spelled. */
export function u64s(integers: readonly bigint[]): string {
  return base64(rawOf(BigUint64Array.from(integers)));
}

/** The bytes of an array; every host that runs these tests is little-endian. */
function rawOf({ buffer, byteOffset, byteLength }: AnyTypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Elements by their strides, put into C order. */
function inOrder(data: AnyTypedArray, shape: readonly number[], strides: readonly number[]): Uint8Array {
  const [raw, width] = [rawOf(data), data.BYTES_PER_ELEMENT];
  let positions = [0];
  for (const [axis, extent] of shape.entries()) {
    const stride = strides[axis] ?? 0;
    positions = positions.flatMap((position) => Array.from({ length: extent }, (_, index) => position + index * stride));
  }
  const out = new Uint8Array(positions.length * width);
  for (const [at, position] of positions.entries()) out.set(raw.subarray(position * width, (position + 1) * width), at * width);
  return out;
}

/** What the package gave as an array's value. */
export function bitsOfArray(value: ArrayValue): ArrayBits {
  const { dtype } = value;
  switch (value.family) {
    case "dense-array":
      return { family: value.family, dtype, shape: value.shape.map(String), data: base64(inOrder(value.data, value.shape, value.strides)) };
    case "ragged-array": {
      const { family, innerShape, rowOffsets, values } = value;
      return { family, dtype, innerShape: innerShape.map(String), rowOffsets: base64(rawOf(rowOffsets)), values: base64(rawOf(values)) };
    }
    case "sparse-csr": {
      const { family, rowOffsets, columnIndices, values } = value;
      return { family, dtype, rowOffsets: base64(rawOf(rowOffsets)), columnIndices: base64(rawOf(columnIndices)), values: base64(rawOf(values)) };
    }
  }
}

/** What the package gave as a field's value, of any kind but scalars. */
export function bitsOf(value: unknown): Bits | string {
  if (isDreamDbError(value)) return `${value.code}: ${value.message}`;
  if (typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array) return { bytes: base64(value.bytes) };
  if (typeof value === "object" && value !== null && "family" in value) return bitsOfArray(value as ArrayValue);
  return String(value);
}
