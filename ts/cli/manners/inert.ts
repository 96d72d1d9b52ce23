/**
 * Text from datasets made harmless for terminals: names, units, notes and values may hold escape sequences that move the cursor or forge output,
 * and marks that turn the direction of text around.
 */

/** Controls of both ranges, separators of lines, marks of direction, and halves of surrogate pairs. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text on one line, with what could act on a terminal written as `\u{1b}`. */
export function inert(text: string): string {
  return text.replace(HARMFUL, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
}

/** JSON text with everything escaped that could act on a terminal; it parses to the same. */
export function inertJson(json: string): string {
  return json.replace(HARMFUL, (char) => (char === "\n" ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`));
}
