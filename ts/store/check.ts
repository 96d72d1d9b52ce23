/**
 * Argument checks that all stores share, so that a key or range that one store refuses is refused by every other.
 */

import { isBytes, refused } from "../codec/arguments.js";
import { DreamDbError } from "../errors.js";

/** Keys as datasets have them: every segment begins otherwise than by a dot, and nothing is there that a URL or a path could read differently. */
const USUAL = /^[\w=@-][\w=@.-]*(?:\/[\w=@-][\w=@.-]*)*$/;

/** Whether a key is of the usual kind, which needs no further look. */
export function isUsualKey(key: string): boolean {
  return typeof key === "string" && USUAL.test(key);
}

/**
 * Refuses what is no key.
 *
 * Errors: as {@link keySegments}.
 */
export function checkKey(key: string): void {
  if (!isUsualKey(key)) keySegments(key);
}

/**
 * The segments of a key.
 *
 * Errors: `InvalidArgument` for anything but a relative path of non-empty segments, none of them `.` or `..`, without NUL.
 */
export function keySegments(key: string): string[] {
  const segments = typeof key === "string" ? key.split("/") : [];
  if (segments.length === 0 || segments.some((s) => s === "" || s === "." || s === ".." || s.includes("\0"))) {
    throw new DreamDbError(
      "InvalidArgument",
      `object key ${JSON.stringify(key)} must be a relative path without empty, "." or ".." segments`,
      { subject: "key" },
    );
  }
  return segments;
}

/**
 * Refuses what is no object to put.
 *
 * Errors: `InvalidArgument` for anything but a Uint8Array.
 */
export function checkBytes(key: string, bytes: Uint8Array): void {
  if (isBytes(bytes)) return;
  throw new DreamDbError("InvalidArgument", `the object under ${JSON.stringify(key)} must be a Uint8Array`, { subject: "bytes", key });
}

/**
 * Checks that `[offset, offset + length)` can be counted exactly.
 *
 * Errors: `InvalidArgument` for anything but non-negative integers whose sum is a safe integer.
 */
export function checkRange(key: string, offset: number, length: number): void {
  const whole = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (whole && Number.isSafeInteger(offset + length)) return;
  throw new DreamDbError("InvalidArgument", `offset ${offset} and length ${length} are no byte range`, {
    subject: "range",
    key,
  });
}

/**
 * A byte limit: `value`, or `fallback` if there is none.
 *
 * Errors: `InvalidArgument` for negative numbers and NaN. Infinity is no limit.
 */
export function byteLimit(value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= 0) return value;
  throw refused("maxBytes", "a number from 0", value);
}

/** The error of an object that ends before the asked range does. */
export function endsEarly(place: string, key: string, offset: number, length: number, size: number): DreamDbError {
  const held = Math.max(0, size - offset);
  return new DreamDbError(
    "BodyLength",
    `${place} holds ${size} bytes, so ${held} of the ${length} asked from byte ${offset}`,
    { key, expected: String(length), actual: String(held) },
  );
}

/** The error of a whole object above its limit; `size` in bytes, or a description of it. */
export function tooLarge(place: string, key: string, limit: number, size: number | string): DreamDbError {
  return new DreamDbError("TooLarge", `${place} is too large: ${size} bytes, at most ${limit} accepted`, {
    key,
    expected: `at most ${limit}`,
    actual: String(size),
  });
}
