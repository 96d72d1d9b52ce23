/** Tables as text: comma-separated values as RFC 4180 has them, and tab-separated ones for the clipboard. */

/** Lines end as the RFC says. */
const END = "\r\n";

/** A file is made in pieces of about so many characters: a text of all of a large one is more than a browser makes. */
const PIECE = 1 << 20;

/**
 * A comma-separated file, in pieces. Numbers are written exactly; texts that a spreadsheet would take for a formula get an apostrophe in front.
 *
 * @returns pieces that together are the file
 */
export function csvPieces(names: readonly string[], lines: Iterable<readonly string[]>): string[] {
  const pieces: string[] = [];
  let piece = lineOf(names);
  for (const line of lines) {
    piece += lineOf(line);
    if (piece.length < PIECE) continue;
    pieces.push(piece);
    piece = "";
  }
  pieces.push(piece);
  return pieces;
}

/** The same with tabs, as spreadsheets paste it. */
export function tsvOf(names: readonly string[], lines: Iterable<readonly string[]>): string {
  const cell = (text: string): string => guarded(text).replaceAll(/[\t\r\n]/g, " ");
  const parts = [names.map(cell).join("\t")];
  for (const line of lines) parts.push(line.map(cell).join("\t"));
  return parts.join("\n");
}

function lineOf(cells: readonly string[]): string {
  // A line of nothing is one of no cells to many readers.
  if (cells.length === 1 && cells[0] === "") return `""${END}`;
  return cells.map(quoted).join(",") + END;
}

/** Most numbers, and words: nothing in them means anything to a reader. */
const PLAIN = /^[\w.]+$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return text;
  const safe = guarded(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Numbers, the infinite ones among them, begin with signs as well. */
const NUMBER = /^[+-]?(\d[\d.]*(e[+-]?\d+)?|Inf)$/i;

/** What begins a formula: also in the wide forms that some take for the same, and behind what is cut off in front. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

function guarded(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
