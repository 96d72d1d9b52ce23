/** Sparse matrices with their zeros: only on demand, and up to a size that was agreed to. */
import { kindOf, refused } from "../codec/arguments.js";
import { allocate } from "../codec/buffer.js";
import { bytesPerElement, type DType, typedView } from "../codec/dtype.js";
import { toNumber } from "../codec/integers.js";
import { units } from "../codec/order.js";
import { type CsrArray, type DenseArray, stridesOf } from "../codec/values.js";
import { DreamDbError } from "../errors.js";
import { isCsr } from "./arguments.js";

/** 64 MiB: what a page can spare, and far below what a sparse shape may come to. */
const MAX_BYTES = 64 * 2 ** 20;

/** Options of {@link toDense}. */
export interface DenseOptions {
  /** Bytes that the dense array may take, `TooLarge` above it; 64 MiB unless said otherwise. */
  readonly maxBytes?: number | undefined;
}

/**
 * A sparse matrix as a dense array in C order, all bits of its stored elements kept.
 *
 * A shape is declared in a few bytes and may come to exabytes, so nothing is allocated before it was found small enough. Costs rows × columns ×
 * the size of an element, and time for each stored one.
 *
 * @throws {DreamDbError} `TooLarge` above `maxBytes`, for more than a buffer of this runtime holds, and for an extent beyond 2^53 − 1;
 * `InvalidArgument` for anything but a sparse matrix, or one whose parts contradict each other
 */
export function toDense<D extends DType>(matrix: CsrArray<D>, { maxBytes = MAX_BYTES }: DenseOptions = {}): DenseArray<D, [number, number]> {
  if (!isCsr(matrix)) throw refused("matrix", "a sparse matrix", kindOf(matrix));
  if (typeof maxBytes !== "number" || !(maxBytes >= 0)) throw refused("maxBytes", "a number of bytes, or Infinity", maxBytes);
  const { dtype, shape: extents, rowOffsets, columnIndices, values } = matrix;
  const width = bytesPerElement(dtype);
  const bytes = extents[0] * extents[1] * BigInt(width);
  if (bytes > maxBytes) {
    const message = `a dense array of shape [${extents.join(", ")}] takes ${bytes} bytes, maxBytes is ${maxBytes}`;
    throw new DreamDbError("TooLarge", message, { expected: `at most ${maxBytes}`, actual: String(bytes) });
  }
  const [rows, columns] = [toNumber("the number of rows", extents[0]), toNumber("the number of columns", extents[1])];
  if (rowOffsets.length !== rows + 1 || columnIndices.length !== values.length) {
    throw refused("matrix", "a sparse matrix with an offset more than rows, and a column for each value", "one whose parts differ in length");
  }

  const data = typedView(dtype, new Uint8Array(allocate(toNumber("the size of the dense array", bytes), "the dense array")));
  const [from, to] = [units(values, width), units(data, width)];
  const perElement = width === 8 ? 2 : 1;
  let stored = 0;
  for (let row = 0; row < rows; row++) {
    const end = Number(rowOffsets[row + 1]);
    for (; stored < end; stored++) {
      const column = Number(columnIndices[stored]);
      if (!(column < columns)) throw refused("columnIndices", `columns below ${columns}`, columnIndices[stored]);
      const place = (row * columns + column) * perElement;
      for (let unit = 0; unit < perElement; unit++) to[place + unit] = from[stored * perElement + unit] as number;
    }
  }
  const [down = 0, right = 0] = stridesOf([rows, columns], "c");
  return { family: "dense-array", dtype, data, shape: [rows, columns], strides: [down, right], order: "c" };
}
