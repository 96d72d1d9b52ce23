/** One row of a sparse matrix, wherever it comes from. */
import { type CsrArray, type CsrField, type Item, row as rowView, type Verified } from "dreamdb-arrays";

/** The stored elements of a row. */
export interface MatrixRow extends Pick<CsrArray, "columnIndices" | "values" | "dtype"> {
  readonly row: bigint;
  readonly verified: Verified;
}

/** The row that a choice names, within the matrix; the first unless it says so. */
export function chosenRow(text: string | undefined, rows: bigint): bigint {
  if (text === undefined || !/^\d{1,20}$/.test(text)) return 0n;
  const row = BigInt(text);
  return row < rows ? row : 0n;
}

/** A row of a matrix that is in memory; none if it has no rows. */
export function rowOfMatrix(item: Item<CsrArray>, row: bigint): MatrixRow | undefined {
  return row < item.shape[0] ? { ...rowView(item, row), dtype: item.dtype, row, verified: item.verified } : undefined;
}

/** A row without the rest of its matrix. */
export async function readMatrixRow(field: CsrField, anchor: bigint, row: bigint, signal: AbortSignal): Promise<MatrixRow | undefined> {
  return field.readRow(anchor, row, { signal });
}
