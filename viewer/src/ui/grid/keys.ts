/** Keys that move the cursor of a grid, as the ARIA authoring practices have them. */

/** A cell. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Extents of a grid, and rows that are in sight at once. */
export interface Extents {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

/** The cell that a key goes to; `undefined` for a key that moves nothing. */
export function moved({ row, column }: Cell, key: string, isCtrl: boolean, { rows, columns, page }: Extents): Cell | undefined {
  const at = (toRow: number, toColumn: number): Cell => ({ row: clamped(toRow, rows), column: clamped(toColumn, columns) });
  switch (key) {
    case "ArrowUp":
      return at(row - 1, column);
    case "ArrowDown":
      return at(row + 1, column);
    case "ArrowLeft":
      return at(row, column - 1);
    case "ArrowRight":
      return at(row, column + 1);
    case "PageUp":
      return at(row - page, column);
    case "PageDown":
      return at(row + page, column);
    case "Home":
      return isCtrl ? at(0, 0) : at(row, 0);
    case "End":
      return isCtrl ? at(rows - 1, columns - 1) : at(row, columns - 1);
    default:
      return undefined;
  }
}

function clamped(at: number, count: number): number {
  return Math.max(0, Math.min(count - 1, at));
}
