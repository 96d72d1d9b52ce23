/**
 * Payloads as writers make them: from arrays in memory to the bytes of an Item (0025 §6, §7, §11).
 *
 * What is given must be what is declared: nothing is cast, sorted, merged or dropped, and elements keep their bits. Every payload is judged by
 * the core as a reader's is before it is given out. What plain numbers and lists become is given-elements.ts's matter.
 */
import { DreamDbError, isDreamDbError } from "../errors.js";
import { call } from "../wasm.js";
import { extentsArgument, isBytes, kindOf, refused } from "./arguments.js";
import { allocate } from "./buffer.js";
import { bytesPerElement, type DType } from "./dtype.js";
import { type ElementsInit, elementBytes, type NestedElements } from "./given-elements.js";
import { toU64, type U64 } from "./integers.js";
import type { CsrType, DenseType, ItemType, RaggedType } from "./item-type.js";
import { npyHeader } from "./npy-header.js";
import { toCOrder, toFortranOrder } from "./order.js";
import { checkPayload, type DeclaredType, requireLittleEndian, swapValues } from "./payload.js";

/** Elements with what their maker knows of them, all of which must be as declared; a dense value as it was read is one. */
export interface ShapedInit<D extends DType = DType> {
  /** Of a value as it was read. */
  readonly family?: "dense-array" | undefined;
  /** Must be the declared one, if given. */
  readonly dtype?: D | undefined;
  /** The elements. */
  readonly data: ElementsInit[D];
  /** Must be the declared one, if given. */
  readonly shape?: readonly U64[] | undefined;
  /** Order of `data`, which is turned to the declared layout where it is another. The declared one, unless said. */
  readonly order?: "c" | "f" | undefined;
}

/**
 * A dense value to write: a TypedArray of the dtype in the declared layout, a shaped array, or numbers in lists as deep as the shape.
 *
 * Numbers are rounded to the nearest f32 where that is declared; integers must be in range.
 */
export type DenseInit<D extends DType = DType> = ElementsInit[D] | ShapedInit<D> | NestedElements;

/** A ragged value to write (0025 §11.1, §14.1): `values` are a TypedArray of the dtype, or bytes in declared order. */
export interface RaggedInit<D extends DType = DType> {
  /** Of a value as it was read. */
  readonly family?: "ragged-array" | undefined;
  /** Of a value as it was read. */
  readonly kind?: "ragged-array" | undefined;
  /** Must be the declared one, if given. */
  readonly dtype?: D | undefined;
  /** Number of rows + 1 offsets into the cells. */
  readonly rowOffsets: BigUint64Array | ArrayLike<U64>;
  /** The cells, each the elements of the inner shape in C order. */
  readonly values: ElementsInit[D] | Uint8Array;
  /** Must be the declared one, if given. */
  readonly innerShape?: readonly U64[] | undefined;
}

/** A sparse matrix to write (0025 §11.2, §14.1): `values` are a TypedArray of the dtype, or bytes in declared order. */
export interface CsrInit<D extends DType = DType> {
  /** Of a value as it was read. */
  readonly family?: "sparse-csr" | undefined;
  /** Of a value as it was read. */
  readonly kind?: "sparse-csr" | undefined;
  /** Must be the declared one, if given. */
  readonly dtype?: D | undefined;
  /** Rows and columns; must be the declared ones, if given. */
  readonly shape?: readonly U64[] | undefined;
  /** Number of rows + 1 offsets into the stored elements. */
  readonly rowOffsets: BigUint64Array | ArrayLike<U64>;
  /** Column of each stored element, strictly increasing within a row. */
  readonly columnIndices: BigUint64Array | ArrayLike<U64>;
  /** The stored elements. */
  readonly values: ElementsInit[D] | Uint8Array;
}

/** A value to write, of any family. */
export type ArrayInit<D extends DType = DType> = DenseInit<D> | RaggedInit<D> | CsrInit<D>;

/** The payload of a value of any family; see the three functions below. */
export function encodePayload(declared: DeclaredType, value: ArrayInit): Uint8Array<ArrayBuffer> {
  const { type, cbor } = declared;
  switch (type.family) {
    case "dense-array":
      return encodeDensePayload({ type, cbor }, value as DenseInit);
    case "ragged-array":
      return encodeRaggedPayload({ type, cbor }, value as RaggedInit);
    case "sparse-csr":
      return encodeCsrPayload({ type, cbor }, value as CsrInit);
  }
}

/**
 * The payload of a dense value, under the declared codec.
 *
 * @throws {DreamDbError} `InvalidArgument` for what is not of the declared dtype, for numbers that it does not hold, and for no array;
 * `ShapeMismatch` for another shape or number of elements
 */
export function encodeDensePayload(declared: DeclaredType<DenseType>, value: DenseInit): Uint8Array<ArrayBuffer> {
  requireLittleEndian();
  const { type } = declared;
  const { dtype, layout, endianness, shape } = type;
  const { bytes, order } = denseElements(type, value);
  const front = type.codec === "npy" ? npyHeader({ dtype, endianness, fortran: layout === "f", shape }) : undefined;
  const payload = new Uint8Array(allocate((front?.byteLength ?? 0) + bytes.byteLength, "an Item"));
  if (front !== undefined) payload.set(front);
  const values = payload.subarray(front?.byteLength ?? 0);
  if (order === layout || values.byteLength === 0) values.set(bytes);
  else {
    // Both lie on whole elements: what is turned is copied to a buffer of its own.
    const turned = new Uint8Array(bytes.byteLength);
    (layout === "c" ? toCOrder : toFortranOrder)(bytes.slice(), turned, bytesPerElement(dtype), shape.map(Number));
    values.set(turned);
  }
  if (endianness === "big") swapValues(values, bytesPerElement(dtype));
  checkPayload(declared, payload);
  return payload;
}

/**
 * The payload of a ragged value.
 *
 * @throws {DreamDbError} `InvalidArgument` as {@link encodeDensePayload}; `OffsetTerminal`, `OffsetOrder`; `PayloadLength` for another number of
 * elements than the offsets count; `ShapeMismatch` for cells of another shape
 */
export function encodeRaggedPayload(declared: DeclaredType<RaggedType>, value: RaggedInit): Uint8Array<ArrayBuffer> {
  const { type } = declared;
  const given = structured(type, value, "ragged-array", ["rowOffsets", "values"]);
  requireShape("innerShape", type.innerShape, value.innerShape);
  const rowOffsets = indices("rowOffsets", given.rowOffsets);
  const values = valueBytes(type, given.values);
  return structuredPayload(declared, rowOffsets, [rowOffsets], values);
}

/**
 * The payload of a sparse matrix.
 *
 * @throws {DreamDbError} `InvalidArgument` as {@link encodeDensePayload}; `ShapeMismatch` for another shape or number of rows; `OffsetTerminal`,
 * `OffsetOrder`; `ColumnOrder`, `ColumnBounds`; `PayloadLength` for another number of columns or elements than the offsets count
 */
export function encodeCsrPayload(declared: DeclaredType<CsrType>, value: CsrInit): Uint8Array<ArrayBuffer> {
  const { type } = declared;
  const given = structured(type, value, "sparse-csr", ["rowOffsets", "columnIndices", "values"]);
  requireShape("shape", type.shape, value.shape);
  const rowOffsets = indices("rowOffsets", given.rowOffsets);
  const columnIndices = indices("columnIndices", given.columnIndices);
  const values = valueBytes(type, given.values);
  const count = rowOffsets.at(-1) ?? 0n;
  if (BigInt(columnIndices.length) !== count) {
    const message = `the row offsets end at ${count}, and there are ${columnIndices.length} column indices`;
    throw new DreamDbError("PayloadLength", message, { subject: "columnIndices", expected: String(count), actual: String(columnIndices.length) });
  }
  try {
    return structuredPayload(declared, rowOffsets, [rowOffsets, columnIndices], values);
  } catch (error) {
    if (!isDreamDbError(error, "ColumnOrder")) throw error;
    const { code, message, expected, actual } = error;
    const advice = "sort the columns of each row, and merge what stands at one place, before writing";
    throw new DreamDbError(code, `${message}; ${advice}`, { subject: "columnIndices", expected, actual, cause: error });
  }
}

/** Header, tables, values, judged as one. */
function structuredPayload(
  declared: DeclaredType<RaggedType | CsrType>,
  rowOffsets: BigUint64Array,
  tables: readonly BigUint64Array[],
  values: Values,
): Uint8Array<ArrayBuffer> {
  requireLittleEndian();
  const { type, cbor } = declared;
  if (rowOffsets.length === 0) throw refused("rowOffsets", "one offset more than there are rows", "empty");
  const header = call((core) => core.payloadHeader(cbor, BigInt(rowOffsets.length - 1), rowOffsets.at(-1) ?? 0n));
  const tableBytes = tables.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const payload = new Uint8Array(allocate(header.byteLength + tableBytes + values.bytes.byteLength, "an Item"));
  payload.set(header);
  let at = header.byteLength;
  for (const { buffer, byteOffset, byteLength } of tables) {
    payload.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  swapValues(payload.subarray(header.byteLength, at), 8);
  payload.set(values.bytes, at);
  if (type.endianness === "big" && !values.declaredOrder) swapValues(payload.subarray(at), bytesPerElement(type.dtype));
  try {
    checkPayload(declared, payload);
  } catch (error) {
    // The core speaks of bytes, which the caller has not seen.
    if (!isDreamDbError(error, "PayloadLength")) throw error;
    const given = values.bytes.byteLength / bytesPerElement(type.dtype);
    const counted = `${rowOffsets.at(-1)} ${type.family === "sparse-csr" ? "stored elements" : `cells of shape [${type.innerShape.join(", ")}]`}`;
    const { code, expected, actual } = error;
    const message = `the row offsets end at ${counted}, and ${given} values are given`;
    throw new DreamDbError(code, message, { subject: "values", expected, actual, cause: error });
  }
  return payload;
}

/** The elements of a dense value as they lie in memory, and their order. */
function denseElements(type: DenseType, value: unknown): { bytes: Uint8Array; order: "c" | "f" } {
  const { dtype, shape, layout } = type;
  if (!isShaped(value)) {
    const listed = !ArrayBuffer.isView(value);
    return { bytes: elementBytes(dtype, shape, value), order: listed ? "c" : layout };
  }
  const { order = layout } = value;
  if (value.family !== undefined && value.family !== "dense-array") throw refused("value", "a value of family dense-array", value.family);
  requireDtype(dtype, value.dtype);
  requireShape("shape", shape, value.shape);
  if (order !== "c" && order !== "f") throw refused("order", '"c" or "f"', order);
  if (!ArrayBuffer.isView(value.data)) throw refused("data", "a TypedArray", kindOf(value.data));
  return { bytes: elementBytes(dtype, shape, value.data), order };
}

function isShaped(value: unknown): value is ShapedInit {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !Array.isArray(value);
}

/** The parts of a structured value, all of which must be there. */
function structured<P extends string>(type: ItemType, value: unknown, kind: string, parts: readonly P[]): Record<P, unknown> {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) throw refused("value", `{ ${parts.join(", ")} }`, kindOf(value));
  const given = value as Readonly<Record<string, unknown>>;
  const said = given["kind"] ?? given["family"] ?? kind;
  if (said !== kind) throw refused("value", `a value of family ${kind}`, said);
  requireDtype(type.dtype, given["dtype"]);
  for (const part of parts) if (given[part] === undefined) throw refused(part, "given", "missing");
  return given as Record<P, unknown>;
}

/** Elements of a structured value, and whether they are in declared order already. */
interface Values {
  readonly bytes: Uint8Array;
  readonly declaredOrder: boolean;
}

function valueBytes({ dtype }: ItemType, values: unknown): Values {
  if (isBytes(values) && dtype !== "u8") return { bytes: values, declaredOrder: true };
  if (!ArrayBuffer.isView(values)) throw refused("values", "a TypedArray, or bytes in declared order", kindOf(values));
  return { bytes: elementBytes(dtype, undefined, values), declaredOrder: false };
}

/** Offsets or column indices as u64. */
function indices(what: string, given: unknown): BigUint64Array {
  if (kindOf(given) === "BigUint64Array") return given as BigUint64Array;
  const list = typeof given === "object" && given !== null && "length" in given && !(given instanceof DataView);
  if (!list) throw refused(what, "a BigUint64Array, or a list of integers", kindOf(given));
  return BigUint64Array.from(given as ArrayLike<U64>, (value) => toU64(`an element of \`${what}\``, value));
}

function requireDtype(declared: DType, said: unknown): void {
  if (said === undefined || said === declared) return;
  throw refused("dtype", `${declared}, as the field declares`, said);
}

function requireShape(what: string, declared: readonly bigint[], said: readonly U64[] | undefined): void {
  if (said === undefined) return;
  const extents = extentsArgument(what, said);
  if (extents.length === declared.length && extents.every((extent, axis) => extent === declared[axis])) return;
  const [expected, actual] = [`[${declared.join(", ")}]`, `[${extents.join(", ")}]`];
  throw new DreamDbError("ShapeMismatch", `\`${what}\` is declared as ${expected}, and the value has ${actual}`, { subject: what, expected, actual });
}
