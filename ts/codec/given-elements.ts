/**
 * Elements that a writer is given, as bytes of the declared dtype: TypedArrays as they are, numbers in lists one by one.
 *
 * A TypedArray says its dtype, so one of another is a mistake and refused; a number says none, and becomes what is declared if that holds it.
 */
import { DreamDbError } from "../errors.js";
import { kindOf, refused } from "./arguments.js";
import { bytesPerElement, type DType, TYPED_ARRAYS } from "./dtype.js";

/** The TypedArray of each dtype, over memory of any kind. */
export interface ElementsInit {
  /** IEEE 754, 32 bits. */
  f32: Float32Array;
  /** IEEE 754, 64 bits. */
  f64: Float64Array;
  /** Signed, 8 bits. */
  i8: Int8Array;
  /** Signed, 16 bits. */
  i16: Int16Array;
  /** Signed, 32 bits. */
  i32: Int32Array;
  /** Signed, 64 bits, as bigints. */
  i64: BigInt64Array;
  /** Unsigned, 8 bits. */
  u8: Uint8Array;
  /** Unsigned, 16 bits. */
  u16: Uint16Array;
  /** Unsigned, 32 bits. */
  u32: Uint32Array;
  /** Unsigned, 64 bits, as bigints. */
  u64: BigUint64Array;
}

/** Numbers in lists within lists, or one number for a scalar; bigints for integers of 64 bits beyond 2^53. */
export type NestedElements = number | bigint | readonly NestedElements[];

/**
 * The bytes of elements in this host's order; those of a TypedArray are not copied.
 *
 * @param shape what the elements must be as many as, and lists as deep as; of any number unless given
 * @throws {DreamDbError} `InvalidArgument` for a TypedArray of another dtype, no list, and numbers that the dtype does not hold;
 * `ShapeMismatch` for another number of elements or another depth
 */
export function elementBytes(dtype: DType, shape: readonly bigint[] | undefined, given: unknown): Uint8Array {
  if (ArrayBuffer.isView(given)) {
    const { name } = TYPED_ARRAYS[dtype];
    if (kindOf(given) !== name) {
      throw refused("data", `a ${name}, as dtype ${dtype} is declared and nothing is converted silently`, `a ${kindOf(given)}`);
    }
    const { byteLength, byteOffset, buffer } = given;
    if (shape !== undefined) requireCount(shape, byteLength / bytesPerElement(dtype));
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
  return listedBytes(dtype, shape ?? [], given);
}

function requireCount(shape: readonly bigint[], elements: number): void {
  const declared = shape.reduce((product, extent) => product * extent, 1n);
  if (declared === BigInt(elements)) return;
  const message = `shape [${shape.join(", ")}] has ${declared} elements, and ${elements} are given`;
  throw new DreamDbError("ShapeMismatch", message, { subject: "data", expected: String(declared), actual: String(elements) });
}

/** Numbers in lists, put into a TypedArray in C order. */
function listedBytes(dtype: DType, shape: readonly bigint[], given: unknown): Uint8Array {
  const elements: (number | bigint)[] = [];
  const put = elementOf(dtype);
  const walk = (value: unknown, axis: number): void => {
    if (axis === shape.length) {
      elements.push(put(value));
      return;
    }
    if (!Array.isArray(value)) throw refused("value", `a TypedArray, or lists as deep as shape [${shape.join(", ")}]`, kindOf(value));
    if (BigInt(value.length) !== shape[axis]) {
      const message = `axis ${axis} of shape [${shape.join(", ")}] has ${shape[axis]} elements, and a list of ${value.length} is given`;
      throw new DreamDbError("ShapeMismatch", message, { subject: "value", expected: String(shape[axis]), actual: String(value.length) });
    }
    for (const part of value as readonly unknown[]) walk(part, axis + 1);
  };
  walk(given, 0);
  const array = new TYPED_ARRAYS[dtype](new ArrayBuffer(elements.length * bytesPerElement(dtype)), 0, elements.length);
  (array as { set(from: readonly (number | bigint)[]): void }).set(elements);
  return new Uint8Array(array.buffer);
}

/** What takes one number of a list. */
function elementOf(dtype: DType): (value: unknown) => number | bigint {
  if (dtype.startsWith("f")) {
    return (value) => {
      const held = typeof value === "number" && (dtype === "f64" || !Number.isFinite(value) || Number.isFinite(Math.fround(value)));
      if (!held) throw refused("value", `numbers that ${dtype} holds`, shown(value));
      return value;
    };
  }
  const bits = BigInt(dtype.slice(1));
  const least = dtype.startsWith("i") ? -(2n ** (bits - 1n)) : 0n;
  const most = least + 2n ** bits - 1n;
  const wide = bits === 64n;
  return (value) => {
    // A number beyond 2^53 may have been another before it was rounded.
    const exact = typeof value === "bigint" ? value : typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : undefined;
    if (exact === undefined || exact < least || exact > most) throw refused("value", `integers from ${least} to ${most}${wide ? ", bigints beyond 2^53" : ""}`, shown(value));
    return wide ? exact : Number(exact);
  };
}

function shown(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" ? String(value) : kindOf(value);
}
