/**
 * Where a sparse matrix has stored elements, binned to what a canvas can show. Memory is that of the stored elements and of the canvas, whatever
 * the shape says: extents are u64, and only bins are numbers.
 */
import type { CsrArray } from "dreamdb-arrays";

/** How a matrix lies on a canvas: bins across and down, and its pixels. */
export interface Plot {
  readonly rows: bigint;
  readonly columns: bigint;
  readonly across: number;
  readonly down: number;
  /** Pixels of all of it: as many as bins, or more. */
  readonly width: number;
  readonly height: number;
}

/** Pixels of the thinner side of a matrix of any shape, at least, and those of a cell, at most. */
const [THIN, CELL] = [96, 28];

/** The plot in a place of so many pixels: cells as squares where there is room, else bins of cells, a pixel each. */
export function plotOf([rows, columns]: CsrArray["shape"], width: number, height: number): Plot {
  const [r, c] = [Math.max(1, Number(rows)), Math.max(1, Number(columns))];
  const scale = Math.min(width / c, height / r, CELL);
  const side = (extent: number, room: number): number => Math.max(1, Math.floor(Math.min(room, Math.max(extent * scale, THIN))));
  const [w, h] = [side(c, width), side(r, height)];
  return { rows, columns, across: Math.min(c, w), down: Math.min(r, h), width: w, height: h };
}

/** Bin of a cell along an axis. */
export function binOf(cell: bigint, extent: bigint, bins: number): number {
  if (extent < 0x8000_0000n) return Math.floor((Number(cell) * bins) / Number(extent));
  return Number((cell * BigInt(bins)) / extent);
}

/** First cell of a bin, and the one after its last. */
export function cellsOf(bin: number, extent: bigint, bins: number): readonly [start: bigint, end: bigint] {
  const first = (at: number): bigint => (BigInt(at) * extent + BigInt(bins) - 1n) / BigInt(bins);
  return [first(bin), first(bin + 1)];
}

/** What is stored in each bin, row by row. */
export interface Bins {
  readonly counts: Uint32Array;
  /** Greatest magnitude; NaN where a NaN is among them. */
  readonly peaks: Float64Array;
  /** Of the fullest bin. */
  readonly most: number;
  /** Greatest finite magnitude of all. */
  readonly greatest: number;
}

/** Bins the stored elements. */
export function binned({ rowOffsets, columnIndices, values }: CsrArray, { rows, columns, across, down }: Plot): Bins {
  const [counts, peaks] = [new Uint32Array(across * down), new Float64Array(across * down)];
  let [most, greatest] = [0, 0];
  for (let row = 0; row + 1 < rowOffsets.length; row++) {
    const [start, end] = [Number(rowOffsets[row] ?? 0n), Number(rowOffsets[row + 1] ?? 0n)];
    if (start === end) continue;
    const line = binOf(BigInt(row), rows, down) * across;
    for (let at = start; at < end; at++) {
      const bin = line + binOf(columnIndices[at] ?? 0n, columns, across);
      const count = (counts[bin] ?? 0) + 1;
      counts[bin] = count;
      if (count > most) most = count;
      const magnitude = Math.abs(Number(values[at] ?? 0));
      const peak = peaks[bin] ?? 0;
      peaks[bin] = magnitude > peak ? magnitude : magnitude <= peak ? peak : NaN;
      if (magnitude > greatest && magnitude < Infinity) greatest = magnitude;
    }
  }
  return { counts, peaks, most, greatest };
}

/** Counts of a matrix. */
export interface Stored {
  readonly stored: number;
  readonly zeros: number;
  readonly nan: number;
  /** Stored elements for each cell. */
  readonly density: number;
}

/** What is stored. */
export function storedOf({ shape, values }: CsrArray): Stored {
  let [zeros, nan] = [0, 0];
  for (const value of values) {
    if (value === 0 || value === 0n) zeros += 1;
    else if (typeof value === "number" && Number.isNaN(value)) nan += 1;
  }
  const cells = Number(shape[0]) * Number(shape[1]);
  return { stored: values.length, zeros, nan, density: cells === 0 ? 0 : values.length / cells };
}

/** Place of the first stored element of a row at or after a column. */
export function placeFrom({ rowOffsets, columnIndices }: CsrArray, row: number, column: bigint): number {
  let [low, high] = [Number(rowOffsets[row] ?? 0n), Number(rowOffsets[row + 1] ?? 0n)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((columnIndices[middle] ?? 0n) < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Place of the stored element of a cell; `undefined` where none is stored. */
export function storedAt(matrix: CsrArray, row: number, column: bigint): number | undefined {
  const place = placeFrom(matrix, row, column);
  return place < Number(matrix.rowOffsets[row + 1] ?? 0n) && matrix.columnIndices[place] === column ? place : undefined;
}

/** The first stored element in a bin: its row and column. */
export function firstIn(matrix: CsrArray, plot: Plot, line: number, bin: number): readonly [row: number, column: bigint] | undefined {
  const [top, bottom] = cellsOf(line, plot.rows, plot.down);
  const [left, right] = cellsOf(bin, plot.columns, plot.across);
  for (let row = Number(top); row < Number(bottom); row++) {
    const place = placeFrom(matrix, row, left);
    const column = matrix.columnIndices[place];
    if (place < Number(matrix.rowOffsets[row + 1] ?? 0n) && column !== undefined && column < right) return [row, column];
  }
  return undefined;
}
