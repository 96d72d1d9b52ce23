/**
 * The ten dtypes of Spec 0025 and the TypedArray that holds each.
 *
 * The list stands in the Rust core; a test compares this table with it. 64-bit integers become BigInt64Array and BigUint64Array, so no
 * value ever passes through a double.
 */

/** The TypedArray of each dtype. */
export interface DTypeArrays {
  /** IEEE 754, 32 bits. */
  f32: Float32Array<ArrayBuffer>;
  /** IEEE 754, 64 bits. */
  f64: Float64Array<ArrayBuffer>;
  /** Signed, 8 bits. */
  i8: Int8Array<ArrayBuffer>;
  /** Signed, 16 bits. */
  i16: Int16Array<ArrayBuffer>;
  /** Signed, 32 bits. */
  i32: Int32Array<ArrayBuffer>;
  /** Signed, 64 bits, as bigints. */
  i64: BigInt64Array<ArrayBuffer>;
  /** Unsigned, 8 bits. */
  u8: Uint8Array<ArrayBuffer>;
  /** Unsigned, 16 bits. */
  u16: Uint16Array<ArrayBuffer>;
  /** Unsigned, 32 bits. */
  u32: Uint32Array<ArrayBuffer>;
  /** Unsigned, 64 bits, as bigints. */
  u64: BigUint64Array<ArrayBuffer>;
}

/** Name of an element type (0025 §3). */
export type DType = keyof DTypeArrays;

/** A TypedArray of any dtype. */
export type AnyTypedArray = DTypeArrays[DType];

interface TypedArrayClass<D extends DType> {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): DTypeArrays[D];
}

/** The TypedArray class of each dtype. */
export const TYPED_ARRAYS: { readonly [D in DType]: TypedArrayClass<D> } = {
  f32: Float32Array,
  f64: Float64Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
};

/** Bytes of one element: 1, 2, 4 or 8. */
export function bytesPerElement(dtype: DType): number {
  return TYPED_ARRAYS[dtype].BYTES_PER_ELEMENT;
}

/**
 * The elements that `bytes` are, in the host's byte order.
 *
 * A view where the bytes lie on a multiple of the element size, otherwise a view of a copy.
 */
export function typedView<D extends DType>(dtype: D, bytes: Uint8Array<ArrayBuffer>): DTypeArrays[D] {
  const array: TypedArrayClass<D> = TYPED_ARRAYS[dtype];
  const width = array.BYTES_PER_ELEMENT;
  const aligned = bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  return new array(aligned.buffer, aligned.byteOffset, aligned.byteLength / width);
}
