/** Values and errors in the lines of a report. Knows no host, as tests in browsers use it, too. */

/** The longest text of a value in a failure. */
const SHOWN = 200;

/**
 * A value in one short line, with bigints, −0 and bytes told from what they resemble.
 * @param {unknown} value
 * @returns {string}
 */
export function spelled(value) {
  const text = JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return `${part}n`;
    if (typeof part === "number" && (Object.is(part, -0) || !Number.isFinite(part))) return Object.is(part, -0) ? "-0" : String(part);
    if (part instanceof Map) return Object.fromEntries(part);
    return ArrayBuffer.isView(part) ? `${part.constructor.name} of ${part.byteLength} bytes` : part;
  });
  const whole = text ?? String(value);
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}

/** An error in one line, by its code where it has one. */
export function errorLine(/** @type {unknown} */ error) {
  const { code, message } = /** @type {{ code?: unknown, message?: unknown }} */ (error ?? {});
  const said = String(message ?? error).replace(/\s*\n\s*/g, " ");
  return typeof code === "string" ? `${code}: ${said}` : said;
}
