/** One row: of a dense array along its first axis, of a ragged array, of a sparse matrix. */
import { bytesPerElement, type DType, type DTypeArrays, typedView } from "../codec/dtype.js";
import { toNumber, type U64 } from "../codec/integers.js";
import { units } from "../codec/order.js";
import { type CsrArray, elementsOf, type RaggedArray, stridesOf } from "../codec/values.js";
import { indexArgument, isCsr, isRagged, shapedArgument, wrongRank } from "./arguments.js";
import type { ElementArray, RowShape, Shaped, ShapedArray } from "./types.js";

/** The stored elements of a row of a sparse matrix, as views. */
export interface CsrRowView<D extends DType = DType> {
  /** Column of each stored element, strictly increasing. */
  readonly columnIndices: BigUint64Array<ArrayBuffer>;
  /** The stored elements; stored zeros are among them. */
  readonly values: DTypeArrays[D];
}

/**
 * Row `index`: what NumPy's `array[index]` is, of the same order; the cells of a ragged array, `[cells, ...innerShape]`; the stored elements
 * of a sparse matrix.
 *
 * A view of the array's own memory, and as cheap, but for one case: the rows of an array in Fortran order, unless each is one element or the
 * array has one row, do not lie together and are copied.
 *
 * @throws {DreamDbError} `InvalidArgument` for a row that is not there, or of a scalar; `TooLarge` for more than 2^53 − 1 ragged cells
 */
export function row<D extends DType>(matrix: CsrArray<D>, index: U64): CsrRowView<D>;
export function row<D extends DType, S extends readonly number[]>(ragged: RaggedArray<D, S>, index: U64): ShapedArray<DTypeArrays[D], [number, ...S]>;
export function row<A extends ElementArray, S extends readonly number[]>(array: Shaped<A, S>, index: U64): ShapedArray<A, RowShape<S>>;
export function row(array: Shaped | RaggedArray | CsrArray, index: U64): ShapedArray<ElementArray, readonly number[]> | CsrRowView {
  if (isCsr(array)) {
    const { shape, rowOffsets, columnIndices, values } = array;
    const at = indexArgument("the row", index, shape[0]);
    const [start, end] = [Number(rowOffsets[at]), Number(rowOffsets[at + 1])];
    return { columnIndices: columnIndices.subarray(start, end), values: values.subarray(start, end) };
  }
  if (isRagged(array)) return raggedRow(array, index);
  const dtype = shapedArgument(array);
  const { data, order } = array;
  const [rows, ...shape] = array.shape;
  if (rows === undefined) throw wrongRank(0, 1);
  const at = indexArgument("the row", index, rows);
  const length = data.length / rows;
  const together = order === "c" || rows === 1;
  const own = together ? data.subarray(at * length, (at + 1) * length) : everyNth(dtype, data, at, rows);
  return { data: own, shape, strides: stridesOf(shape, order), order };
}

function raggedRow({ rowOffsets, values, innerShape }: RaggedArray, index: U64): ShapedArray {
  const at = indexArgument("the row", index, rowOffsets.length - 1);
  const [start, end] = [rowOffsets[at] ?? 0n, rowOffsets[at + 1] ?? 0n];
  const shape = [toNumber("the number of a row's cells", end - start), ...innerShape];
  const cell = elementsOf(innerShape);
  const data = values.subarray(Number(start) * cell, Number(end) * cell);
  return { data, shape, strides: stridesOf(shape, "c"), order: "c" };
}

/** The elements at `first`, `first + step` and so on: a view if there is one at most, otherwise a copy. */
function everyNth(dtype: DType, data: ElementArray, first: number, step: number): ElementArray {
  const length = data.length / step;
  if (length <= 1) return data.subarray(first, first + length);
  const width = bytesPerElement(dtype);
  const copy = typedView(dtype, new Uint8Array(length * width));
  const [from, to] = [units(data, width), units(copy, width)];
  const perElement = to.length / length;
  for (let at = 0; at < length; at++) {
    for (let unit = 0; unit < perElement; unit++) {
      to[at * perElement + unit] = from[(first + at * step) * perElement + unit] as number;
    }
  }
  return copy;
}
