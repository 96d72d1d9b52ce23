/** JSON that keeps its integers, and the forms in which files hold vectors or recorded cases. */
import type { Json, JsonObject } from "../../conformance/vector.js";

/** Strings and numbers of JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Extents in JSON text, as far as they are numbers. */
const EXTENTS = /"shape":\s*\[[^\]"]*\]/g;

/**
 * Parsed JSON in which integers beyond 2^53 − 1 are texts of their digits, as vectors write them.
 *
 * So are fractions among extents: 2.0 is another argument than 2.
 */
export function parseJson(text: string): Json {
  const whole = text.replace(TOKENS, (token) => (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token));
  const kept = whole.replace(EXTENTS, (extents) => extents.replace(/-?\d+\.\d+/g, '"$&"'));
  return JSON.parse(kept) as Json;
}

/** The objects that a file holds: one, an array of them, or one on each line. */
export function objectsIn(text: string): JsonObject[] {
  const found = attempt(() => parseJson(text)) ?? text.split("\n").filter((line) => line.trim() !== "").map(parseJson);
  return (Array.isArray(found) ? (found as Json[]) : [found]).map((value) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
    throw new TypeError(`neither a vector nor a case: ${JSON.stringify(value).slice(0, 80)}`);
  });
}

function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
