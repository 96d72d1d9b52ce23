/** Tables as text: comma-separated values as RFC 4180 has them, and tab-separated ones for the clipboard. */

/** Lines end as the RFC says. */
const END = "\r\n";

/** A comma-separated file. Numbers are written exactly; texts that a spreadsheet would take for a formula are quoted and get an apostrophe. */
export function csvOf(names: readonly string[], lines: Iterable<readonly string[]>): string {
  const parts = [names.map(quoted).join(",")];
  for (const line of lines) parts.push(line.map(quoted).join(","));
  return parts.join(END) + END;
}

/** The same with tabs, as spreadsheets paste it. */
export function tsvOf(names: readonly string[], lines: Iterable<readonly string[]>): string {
  const cell = (text: string): string => guarded(text).replaceAll(/[\t\r\n]/g, " ");
  const parts = [names.map(cell).join("\t")];
  for (const line of lines) parts.push(line.map(cell).join("\t"));
  return parts.join("\n");
}

function quoted(text: string): string {
  const safe = guarded(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Numbers, the infinite ones among them, begin with signs as well. */
const NUMBER = /^[+-]?(\d[\d.]*(e[+-]?\d+)?|Inf)$/i;

function guarded(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
