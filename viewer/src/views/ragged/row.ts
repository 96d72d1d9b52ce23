/** One row of a ragged Item as a dense array of its cells, wherever it comes from. */
import { type DenseArray, type Item, type RaggedArray, type RaggedField, row as rowView, type Verified } from "dreamdb-arrays";

/** A row as it was read. */
export interface ReadRow {
  readonly row: number;
  /** Cells, then the extents of one. */
  readonly array: DenseArray;
  readonly anchor: bigint | undefined;
  readonly verified: Verified;
}

/** A row of an Item that is in memory. */
export function rowOfItem(item: Item<RaggedArray>, row: number): ReadRow {
  const { data, shape, strides } = rowView(item, row);
  return { row, array: { family: "dense-array", dtype: item.dtype, data, shape: [...shape], strides: [...strides], order: "c" }, anchor: item.anchor, verified: item.verified };
}

/** A row without the rest of its Item. */
export async function readRow(field: RaggedField, anchor: bigint, row: number, signal: AbortSignal): Promise<ReadRow | undefined> {
  const read = await field.readRow(anchor, row, { signal });
  if (read === undefined) return undefined;
  const { dtype, data, shape, strides, verified } = read;
  return { row, array: { family: "dense-array", dtype, data, shape, strides, order: "c" }, anchor, verified };
}
