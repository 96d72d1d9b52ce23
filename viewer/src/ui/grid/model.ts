/** What a grid shows: cells that are made as they come into sight. Nothing here knows what they mean, or the page. */

/** Cells by row and column. */
export interface GridModel {
  readonly rows: number;
  readonly columns: number;
  /** What rows and columns are counted by: `row`, `anchor`, `row \ column`. */
  readonly corner: string;
  rowName(row: number): string;
  columnName(column: number): string;
  /** Where a cell is, in words: `row 3, column 5`. */
  place(row: number, column: number): string;
  /** The cell, exactly; `undefined` while it is being read. */
  cell(row: number, column: number): string | undefined;
  /** Characters of the widest cell, and of the widest name of a row. */
  readonly width: number;
  readonly headWidth: number;
  /** Whether the cells of a column are in the declared units; all are, unless it says so. */
  isValue?(column: number): boolean;
  /** Whether the cells of a column are running text, which begins at the left. */
  isText?(column: number): boolean;
  /** Characters of each column, where they are few and unlike each other. */
  readonly widths?: readonly number[] | undefined;
  /** Where a person goes who types this; `undefined` if it is nowhere. */
  find(text: string): number | undefined;
}

/** Cells of which widths are made up at most. */
const SAMPLED = 4000;

/** Widest and narrowest column, in characters. Longer texts are cut on screen, and told whole at the cell cursor. */
const [LEAST, MOST] = [6, 26];

/** Characters that columns need: of all texts if there are few, else of some from all over. */
export function widthOf(count: number, textAt: (at: number) => string, names: Iterable<string> = []): number {
  const step = Math.max(1, Math.floor(count / SAMPLED));
  let widest = LEAST;
  for (const name of names) widest = Math.max(widest, name.length);
  for (let at = 0; at < count; at += step) widest = Math.max(widest, textAt(at).length);
  // What was not looked at may be a little longer.
  return Math.min(MOST, step > 1 ? widest + 1 : widest);
}

/** A row by its number, from 0. */
export function rowByNumber(rows: number): (text: string) => number | undefined {
  return (text) => {
    const digits = text.replaceAll(/[\s_,]/g, "");
    if (!/^\d{1,16}$/.test(digits)) return undefined;
    const row = Number(digits);
    return row < rows ? row : undefined;
  };
}
