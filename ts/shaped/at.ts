/** One element by its index. */
import { kindOf, refused } from "../codec/arguments.js";
import type { DType } from "../codec/dtype.js";
import type { U64 } from "../codec/integers.js";
import type { CsrArray } from "../codec/values.js";
import { fieldsOf, indexArgument, isCsr, wrongRank } from "./arguments.js";
import type { Element, ElementArray, IndexOf, Shaped } from "./types.js";

/**
 * The element at an index: a bigint for 64-bit integers, otherwise a number. Of a sparse matrix the stored element, or zero.
 *
 * `at(pose, 1, 2)` is NumPy's `pose[1, 2]` whatever the array's order is; of a scalar, `at(scalar)`. Costs a multiplication for each axis, a
 * binary search within the row for a sparse matrix.
 *
 * @throws {DreamDbError} `InvalidArgument` for an index out of range, negative ones included, or with too few or too many numbers
 */
export function at<D extends DType>(matrix: CsrArray<D>, row: U64, column: U64): Element<D>;
export function at<A extends ElementArray, S extends readonly number[]>(array: Shaped<A, S>, ...index: IndexOf<S>): Element<A>;
export function at(array: Shaped | CsrArray, ...index: U64[]): number | bigint {
  if (isCsr(array)) return atCsr(array, index);
  // What a read gives where there is no Item is passed on as easily.
  const { data, shape, order } = fieldsOf(array) as Shaped;
  if (!ArrayBuffer.isView(data) || !Array.isArray(shape)) throw refused("array", "a shaped array or a sparse matrix", kindOf(data));
  const rank = shape.length;
  if (index.length !== rank) throw wrongRank(rank, index.length);
  let position = 0;
  for (let step = 0; step < rank; step++) {
    // Horner's rule, from the slowest axis to the fastest.
    const axis = order === "f" ? rank - 1 - step : step;
    const extent = shape[axis] as number;
    position = position * extent + indexArgument(`the index along axis ${axis}`, index[axis] as U64, extent);
  }
  const element = data[position];
  if (element === undefined) throw refused("data", `the elements of shape [${shape.join(", ")}]`, `${data.length} elements`);
  return element;
}

function atCsr(matrix: CsrArray, index: readonly U64[]): number | bigint {
  const { dtype, shape: [rows, columns], rowOffsets, columnIndices, values } = matrix;
  if (index.length !== 2) throw wrongRank(2, index.length);
  const row = indexArgument("the row", index[0] as U64, rows);
  indexArgument("the column", index[1] as U64, columns);
  const column = BigInt(index[1] as U64);
  let [low, high] = [Number(rowOffsets[row]), Number(rowOffsets[row + 1])];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((columnIndices[middle] ?? columns) < column) low = middle + 1;
    else high = middle;
  }
  const found = low < Number(rowOffsets[row + 1]) && columnIndices[low] === column;
  const zero = dtype === "i64" || dtype === "u64" ? 0n : 0;
  return found ? (values[low] ?? zero) : zero;
}
