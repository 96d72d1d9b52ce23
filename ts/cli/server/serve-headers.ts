/**
 * The parts of RFC 9110 that a static server needs: byte ranges, entity tags, request paths. Pure functions over header text; what a
 * request gets is decided by the server.
 */

/** What a Range header asks of an object. */
export type RangeAnswer =
  /** No usable range: the whole object. */
  | { readonly kind: "whole" }
  /** One range, `last` inclusive and inside the object. */
  | { readonly kind: "part"; readonly first: number; readonly last: number }
  /** A valid range that touches no byte. */
  | { readonly kind: "unsatisfiable" };

const WHOLE: RangeAnswer = { kind: "whole" };

/**
 * Reads a Range header for an object of `size` bytes: `a-b`, `a-`, `-n`. Malformed and multiple ranges are ignored, as §14.2 allows; an end
 * behind the object is moved to its last byte.
 */
export function parseRange(header: string | undefined, size: number): RangeAnswer {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (from === "") {
    if (to === "") return WHOLE;
    const suffix = Number(to);
    if (suffix === 0) return { kind: "unsatisfiable" };
    // Satisfiable by the grammar, but no Content-Range can say "nothing".
    if (size === 0) return WHOLE;
    return { kind: "part", first: Math.max(0, size - suffix), last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? Infinity : Number(to);
  if (last < first) return WHOLE;
  if (first >= size) return { kind: "unsatisfiable" };
  return { kind: "part", first, last: Math.min(last, size - 1) };
}

/** Whether an If-Match or If-None-Match list holds `etag`; a weak tag counts only where `weak` comparison is asked. */
export function matchesEtag(list: string, etag: string, weak: boolean): boolean {
  if (list.trim() === "*") return true;
  for (const [, isWeak, tag] of list.matchAll(/(W\/)?("[^"]*")/g)) {
    if (tag === etag && (weak || !isWeak)) return true;
  }
  return false;
}

/**
 * The segments of a request target, percent-decoded exactly once; `undefined` if they name nothing below a root: traversal (however it is
 * encoded), empty segments, NUL, malformed escapes.
 *
 * Not by `URL`, which would resolve `..` and `%2e%2e` before anyone could refuse them.
 */
export function targetSegments(target: string): string[] | undefined {
  const path = /^(?:https?:\/\/[^/?#]*)?\/([^?#]*)/i.exec(target)?.[1];
  if (path === undefined) return undefined;
  let segments: string[];
  try {
    segments = decodeURIComponent(path).split("/");
  } catch {
    return undefined;
  }
  return segments.some((s) => s === "" || s === "." || s === ".." || s.includes("\0")) ? undefined : segments;
}
