/** The cell that is looked at in a spy plot: what it says, and where keys take it. */
import type { CsrArray } from "dreamdb-arrays";
import { countText, valueText } from "../../data/numbers.js";
import { rowFinder } from "../table/structured.js";
import { binOf, cellsOf, placeFrom, type Plot, storedAt } from "./bins.js";

/** A cell of a matrix. */
export interface MatrixCell {
  readonly row: bigint;
  readonly column: bigint;
}

/** What stands in a cell: `row 3, column 5: 0.5 N`. */
export function cellText(matrix: CsrArray, { row, column }: MatrixCell, [rowAxis = "row", columnAxis = "column"]: readonly string[], units: string): string {
  const place = storedAt(matrix, Number(row), column);
  const value = place === undefined ? "not stored" : `${valueText(matrix.values[place] ?? NaN, matrix.dtype)}${units}`;
  return `${rowAxis} ${row}, ${columnAxis} ${column}: ${value}`;
}

/** Which cells the bin of a cell has; nothing if it is that one. */
export function binText({ rows, columns, across, down }: Plot, counts: Uint32Array, { row, column }: MatrixCell): string {
  const [line, bin] = [binOf(row, rows, down), binOf(column, columns, across)];
  const [top, bottom] = cellsOf(line, rows, down);
  const [left, right] = cellsOf(bin, columns, across);
  const cells = (bottom - top) * (right - left);
  return cells === 1n ? "" : `${countText(counts[line * across + bin] ?? 0)} stored of ${countText(cells)} cells in this pixel`;
}

/** The cell that a key goes to: arrows by a cell, with Shift by a bin; Page keys to the stored element before and after; Home and End to the ends. */
export function movedCell(matrix: CsrArray, plot: Plot, { row, column }: MatrixCell, key: string, isShift: boolean): MatrixCell | undefined {
  const step = (extent: bigint, bins: number): bigint => (isShift && extent > BigInt(bins) ? extent / BigInt(bins) : 1n);
  const [by, along] = [step(plot.rows, plot.down), step(plot.columns, plot.across)];
  const at = (toRow: bigint, toColumn: bigint): MatrixCell => ({ row: clamped(toRow, plot.rows), column: clamped(toColumn, plot.columns) });
  switch (key) {
    case "ArrowUp":
      return at(row - by, column);
    case "ArrowDown":
      return at(row + by, column);
    case "ArrowLeft":
      return at(row, column - along);
    case "ArrowRight":
      return at(row, column + along);
    case "PageDown":
      return storedCell(matrix, placeFrom(matrix, Number(row), column + 1n)) ?? { row, column };
    case "PageUp":
      return storedCell(matrix, placeFrom(matrix, Number(row), column) - 1) ?? { row, column };
    case "Home":
      return storedCell(matrix, 0);
    case "End":
      return storedCell(matrix, matrix.values.length - 1);
    default:
      return undefined;
  }
}

/** The cell of a stored element by its place. */
function storedCell({ rowOffsets, columnIndices }: CsrArray, place: number): MatrixCell | undefined {
  const column = columnIndices[place];
  return column === undefined ? undefined : { row: BigInt(rowFinder(rowOffsets)(place)), column };
}

function clamped(cell: bigint, extent: bigint): bigint {
  return cell < 0n ? 0n : cell >= extent ? extent - 1n : cell;
}
