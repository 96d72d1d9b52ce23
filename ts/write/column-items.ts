/**
 * Whole columns to write, as payloads by field, without an object for each row. What a reader's `column()` gives can be written as it is.
 */
import { extentsArgument, isBytes, kindOf, refused } from "../codec/arguments.js";
import type { RaggedInit, ShapedInit } from "../codec/encode.js";
import type { ElementsInit } from "../codec/given-elements.js";
import { toU64, type U64 } from "../codec/integers.js";
import type { DenseType } from "../codec/item-type.js";
import type { BoundField } from "../dataset/bound-fields.js";
import { type ArrayFieldInfo, isArrayField, isFamily, isScalarField, type ScalarFieldInfo } from "../dataset/fields.js";
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";
import { type FieldItems, type ItemInit, missingValue, type NewRows, type Payload, payloadOf, requiredFields, type ScalarInit, writableField } from "./items.js";

/** Dense Items one after another: `[n, …shape]` in C order. */
export interface DenseColumnInit {
  /** Where it has Items; at all anchors of the call, unless said. */
  readonly anchors?: BigUint64Array | undefined;
  /** The elements of all Items. */
  readonly data: ElementsInit[keyof ElementsInit];
  /** Number of Items, then the declared extents; checked, if given. */
  readonly shape?: readonly U64[] | undefined;
  /** Of a column as it was read. */
  readonly order?: "c" | undefined;
}

/** Ragged Items one after another: Item `i` has the rows from `itemOffsets[i]` to `itemOffsets[i + 1]`. */
export interface RaggedColumnInit {
  /** Where it has Items; at all anchors of the call, unless said. */
  readonly anchors?: BigUint64Array | undefined;
  /** Number of Items + 1 offsets into the rows. */
  readonly itemOffsets: BigUint64Array;
  /** Number of rows + 1 offsets into the cells of all Items. */
  readonly rowOffsets: BigUint64Array;
  /** The cells, each the elements of the inner shape in C order. */
  readonly values: ElementsInit[keyof ElementsInit];
}

/** Values of a scalar column, as a column of it is read: truth values are 0 or 1. */
export interface ScalarColumnInit {
  /** Where it has values; at all anchors of the call, unless said. */
  readonly anchors?: BigUint64Array | undefined;
  /** A value for each. */
  readonly values: readonly string[] | Uint8Array | BigInt64Array | Float64Array;
}

/** Items in a list, as columns of sparse matrices and media have them. */
export interface ListColumnInit {
  /** Where it has Items; at all anchors of the call, unless said. */
  readonly anchors?: BigUint64Array | undefined;
  /** A value for each anchor, or `undefined` for none. */
  readonly items: readonly (ItemInit | undefined)[];
}

/**
 * A column to write: a TypedArray `[n, …shape]` in C order, a list with a value or `undefined` at each anchor, or a column as it was read. One that has
 * anchors of its own has Items at these alone.
 */
export type ColumnInit = ElementsInit[keyof ElementsInit] | readonly (ItemInit | undefined)[] | DenseColumnInit | RaggedColumnInit | ScalarColumnInit | ListColumnInit;

/** Many rows to write, as columns. */
export interface ColumnsInit {
  /** Anchors of the rows. */
  readonly anchors: BigUint64Array | ArrayLike<U64>;
  /** The columns by field. */
  readonly fields: Readonly<Record<string, ColumnInit | undefined>>;
}

/**
 * Columns, taken apart.
 *
 * @throws {DreamDbError} as `itemsOfRows`; `ShapeMismatch` for a column of another length
 */
export function itemsOfColumns(columns: ColumnsInit, bound: ReadonlyMap<string, BoundField>): NewRows {
  if (typeof columns !== "object" || columns === null) throw refused("columns", "{ anchors, fields }", kindOf(columns));
  const { anchors: given, fields } = columns;
  if (typeof fields !== "object" || fields === null) throw refused("fields", "an object with columns by field", kindOf(fields));
  const anchors = Array.from(listArgument<U64>("anchors", given), (anchor, at) => toU64(`anchors[${at}]`, anchor));
  const found: FieldItems[] = [];
  for (const [name, column] of Object.entries(fields)) {
    if (column !== undefined) found.push(itemsOf(writableField(bound, name), column, anchors));
  }
  for (const name of requiredFields(bound)) {
    const items = found.find(({ info }) => info.name === name);
    const has = new Set(items?.anchors);
    const missing = anchors.find((anchor) => !has.has(anchor));
    if (missing !== undefined) throw missingValue(name, missing);
  }
  return { anchors, items: found.filter((items) => items.anchors.length > 0) };
}

function itemsOf(info: FieldItems["info"], column: ColumnInit, rows: readonly bigint[]): FieldItems {
  try {
    if (typeof column !== "object" || column === null) throw noColumn(column);
    const anchors = ownAnchors(column, rows);
    const values = valuesOf(info, column, anchors.length);
    const kept: { anchors: bigint[]; payloads: Payload[] } = { anchors: [], payloads: [] };
    for (const [at, anchor] of anchors.entries()) {
      const value = values(at);
      if (value === undefined) continue;
      kept.anchors.push(anchor);
      kept.payloads.push(payloadOf(info, value, anchor));
    }
    return { info, ...kept };
  } catch (error) {
    throw withContext(error, { field: info.name });
  }
}

/** Anchors of the Items: the column's own, all of which are rows, or those of the rows. */
function ownAnchors(column: ColumnInit, rows: readonly bigint[]): readonly bigint[] {
  const own = "anchors" in column ? column.anchors : undefined;
  if (own === undefined) return rows;
  const known = new Set(rows);
  return Array.from(listArgument<U64>("anchors", own), (anchor, at) => {
    const item = toU64(`anchors[${at}] of the column`, anchor);
    if (!known.has(item)) throw refused("anchors", "those of the rows", `${item}, at which there is no row`);
    return item;
  });
}

/** The value of each Item of a column. */
function valuesOf(info: FieldItems["info"], column: ColumnInit, count: number): (at: number) => ItemInit | undefined {
  if (isScalarField(info)) return scalarValues(info, column, count);
  if (Array.isArray(column) || "items" in column) {
    const items = listArgument<ItemInit | undefined>("items", Array.isArray(column) ? column : column.items);
    requireCount(items.length, count);
    return (at) => items[at];
  }
  if (isArrayField(info) && isFamily(info, "dense-array")) return denseValues(info, column as DenseColumnInit | DenseColumnInit["data"], count);
  if (isArrayField(info) && isFamily(info, "ragged-array") && "itemOffsets" in column) return raggedValues(column, count);
  throw noColumn(column);
}

function noColumn(column: unknown): DreamDbError {
  return refused("column", isBytes(column) ? "a list of Items, one for each anchor" : "a column as this field is read, or a list of Items", kindOf(column));
}

/**
 * `given`, if it has a length.
 *
 * @throws {DreamDbError} `InvalidArgument`
 */
export function listArgument<T>(what: string, given: unknown): ArrayLike<T> {
  if (typeof given === "object" && given !== null && "length" in given) return given as ArrayLike<T>;
  throw refused(what, "a list", kindOf(given));
}

/** Values as they are given; what they may be is judged where they are encoded. */
function scalarValues({ valueType }: ScalarFieldInfo, column: ColumnInit, count: number): (at: number) => ItemInit | undefined {
  const list = listArgument<ScalarInit | undefined>("values", "length" in column ? column : (column as ScalarColumnInit).values);
  requireCount(list.length, count);
  // Truth values are read as 0 and 1.
  return valueType === "bool" && isBytes(list) ? (at) => [false, true][Number(list[at])] ?? list[at] : (at) => list[at];
}

function denseValues({ type }: ArrayFieldInfo<DenseType>, column: DenseColumnInit | DenseColumnInit["data"], count: number): (at: number) => ShapedInit {
  const shaped: DenseColumnInit = ArrayBuffer.isView(column) ? { data: column } : column;
  const { data, shape, order = "c" } = shaped;
  if (!ArrayBuffer.isView(data) || data instanceof DataView) throw refused("data", "a TypedArray", kindOf(data));
  if (order !== "c") throw refused("order", '"c": Items stand one after another', order);
  const declared = [BigInt(count), ...type.shape];
  const given = shape === undefined ? declared : extentsArgument("shape", shape);
  const elements = type.shape.reduce((product, extent) => product * extent, 1n);
  const same = given.length === declared.length && given.every((extent, axis) => extent === declared[axis]);
  if (!same || BigInt(data.length) !== elements * BigInt(count)) {
    const [expected, actual] = [`[${declared.join(", ")}]`, shape === undefined ? `${data.length} elements` : `[${given.join(", ")}] with ${data.length} elements`];
    throw new DreamDbError("ShapeMismatch", `the column of ${count} anchors is to be ${expected}, and has ${actual}`, { subject: "data", expected, actual });
  }
  const size = Number(elements);
  return (at) => ({ data: data.subarray(at * size, (at + 1) * size), order: "c" });
}

function raggedValues({ itemOffsets, rowOffsets, values }: RaggedColumnInit, count: number): (at: number) => RaggedInit {
  const whole = [itemOffsets, rowOffsets].every((offsets) => kindOf(offsets) === "BigUint64Array" && offsets[0] === 0n);
  if (!whole) throw refused("itemOffsets, rowOffsets", "BigUint64Arrays that begin with 0", "others");
  requireCount(itemOffsets.length - 1, count);
  const cells = rowOffsets.at(-1) ?? 0n;
  if (itemOffsets.at(-1) !== BigInt(rowOffsets.length - 1)) {
    throw new DreamDbError("OffsetTerminal", `item offsets end at ${itemOffsets.at(-1)}, rows at ${rowOffsets.length - 1}`);
  }
  const { length } = listArgument("values", values);
  const perCell = cells === 0n ? 0 : length / Number(cells);
  if (!Number.isInteger(perCell) || (cells === 0n && length > 0)) {
    throw new DreamDbError("PayloadLength", `${length} values for ${cells} cells`, { subject: "values" });
  }
  return (at) => {
    const [first, last] = [itemOffsets[at] ?? 0n, itemOffsets[at + 1] ?? 0n];
    if (last < first) throw new DreamDbError("OffsetOrder", `item offset ${at + 1} is ${last}, after ${first}`, { subject: "itemOffsets" });
    const own = rowOffsets.subarray(Number(first), Number(last) + 1);
    const [from, to] = [own[0] ?? 0n, own.at(-1) ?? 0n];
    const part = values.subarray(Number(from) * perCell, Number(to) * perCell) as never;
    // A falling offset stays one, modulo 2^64.
    return { rowOffsets: own.map((offset) => offset - from), values: part };
  };
}

function requireCount(items: number, anchors: number): void {
  if (items === anchors) return;
  const message = `${items} Items for ${anchors} anchors`;
  throw new DreamDbError("ShapeMismatch", message, { subject: "fields", expected: String(anchors), actual: String(items) });
}

