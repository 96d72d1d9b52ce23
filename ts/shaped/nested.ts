/** Arrays as lists within lists, for JSON, templates and everything that knows no TypedArray. */
import { kindOf, refused } from "../codec/arguments.js";
import type { DType, DTypeArrays } from "../codec/dtype.js";
import { type RaggedArray, stridesOf } from "../codec/values.js";
import { DreamDbError } from "../errors.js";
import { isCsr, isRagged, shapedArgument } from "./arguments.js";
import { row } from "./row.js";
import type { Element, ElementArray, Nested, Shaped } from "./types.js";

/** Lists that may be made of nothing: an extent is declared in a few bytes, a list takes many. */
const MAX_EMPTY_LISTS = 1 << 20;

/**
 * The elements as lists within lists, like NumPy's `tolist()`: the last axis innermost, whatever the array's order is. A scalar is its one
 * element; a ragged array is the list of its rows.
 *
 * Elements are numbers, or bigints for 64-bit integers, which JSON does not have. Costs some ten bytes an element and time for each.
 *
 * @throws {DreamDbError} `InvalidArgument` for a sparse matrix, whose zeros nobody stored: see `toDense`; `TooLarge` for more than 2^20 lists
 * around no elements
 */
export function toNested<D extends DType, S extends readonly number[]>(ragged: RaggedArray<D, S>): Nested<Element<D>, readonly [number, number, ...S]>;
export function toNested<A extends ElementArray, S extends readonly number[]>(array: Shaped<A, S>): Nested<Element<A>, S>;
export function toNested(array: Shaped | RaggedArray): unknown {
  if (isCsr(array)) throw refused("array", "a dense or ragged array; toDense(matrix) makes one", "a sparse matrix");
  if (isRagged(array)) return raggedRows(array);
  shapedArgument(array);
  const { data, shape, order } = array;
  refuseEmptyLists(shape);
  return lists(data, shape, stridesOf(shape, order), 0, 0);
}

function raggedRows(array: RaggedArray): unknown[] {
  const { rowOffsets, values, innerShape } = array;
  if (!ArrayBuffer.isView(rowOffsets) || !Array.isArray(innerShape)) throw refused("array", "a ragged array", kindOf(array));
  if (values.length === 0) refuseEmptyLists([Number(rowOffsets.at(-1) ?? 0n), ...innerShape]);
  return Array.from({ length: rowOffsets.length - 1 }, (_, at) => toNested(row<DType, readonly number[]>(array, at) as Shaped<DTypeArrays[DType]>));
}

/** The lists of an array from an axis on. */
function lists(data: ElementArray, shape: readonly number[], strides: readonly number[], axis: number, start: number): unknown {
  const [extent, stride] = [shape[axis], strides[axis]];
  if (extent === undefined || stride === undefined) return data[start];
  if (axis === shape.length - 1 && stride === 1) return Array.from<number | bigint>(data.subarray(start, start + extent));
  return Array.from({ length: extent }, (_, at) => lists(data, shape, strides, axis + 1, start + at * stride));
}

function refuseEmptyLists(shape: readonly number[]): void {
  const zero = shape.indexOf(0);
  if (zero < 0) return;
  const count = shape.slice(0, zero).reduce((product, extent) => product * extent, 1);
  if (count <= MAX_EMPTY_LISTS) return;
  const message = `an array of shape [${shape.join(", ")}] has no elements, and would be ${count} empty lists`;
  throw new DreamDbError("TooLarge", message, { expected: `at most ${MAX_EMPTY_LISTS}`, actual: String(count) });
}
