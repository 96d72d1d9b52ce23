/** How long the rows of a ragged array are: exact counts in bins of whole lengths. */

/** Rows of the lengths from `from` to `to`, both included. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Lengths and what they come to. */
export interface Lengths {
  readonly rows: number;
  readonly cells: number;
  readonly least: number;
  readonly greatest: number;
  readonly empty: number;
  readonly bins: readonly Bin[];
}

/** Bins at most; each has the same number of lengths. */
const BINS = 40;

/** The lengths of all rows. */
export function lengthsOf(rowOffsets: BigUint64Array): Lengths {
  const rows = rowOffsets.length - 1;
  const lengths = Float64Array.from({ length: Math.max(0, rows) }, (_, row) => Number((rowOffsets[row + 1] ?? 0n) - (rowOffsets[row] ?? 0n)));
  let [least, greatest, empty, cells] = [Infinity, 0, 0, 0];
  for (const length of lengths) {
    if (length < least) least = length;
    if (length > greatest) greatest = length;
    if (length === 0) empty += 1;
    cells += length;
  }
  if (lengths.length === 0) return { rows: 0, cells: 0, least: 0, greatest: 0, empty: 0, bins: [] };
  const width = Math.max(1, Math.ceil((greatest - least + 1) / BINS));
  const counts = new Uint32Array(Math.ceil((greatest - least + 1) / width));
  for (const length of lengths) {
    const bin = Math.floor((length - least) / width);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const bins = Array.from(counts, (count, at) => ({ from: least + at * width, to: Math.min(greatest, least + (at + 1) * width - 1), count }));
  return { rows, cells, least, greatest, empty, bins };
}

/** `3`, `3 to 5`. */
export function binText({ from, to }: Bin): string {
  return from === to ? String(from) : `${from} to ${to}`;
}
