/**
 * Arguments of public functions, looked at before they reach the core.
 *
 * The types say what is allowed, but callers in plain JavaScript have none, and the core's glue takes whatever has a `length`: a
 * Float32Array would be hashed as its values cut to bytes, a number would end the core. What cannot be meant is refused here.
 */
import { DreamDbError } from "../errors.js";
import { toU64, type U64 } from "./integers.js";

/** Whether `value` is a Uint8Array, be it a subclass such as Node's Buffer or of another realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/**
 * `value`, if it is bytes that can be read. Shared memory is allowed: the core and every result work on copies.
 *
 * @throws {DreamDbError} `InvalidArgument` for anything but a Uint8Array, and for one whose buffer is detached
 */
export function bytesArgument(what: string, value: unknown): Uint8Array {
  if (!isBytes(value)) throw refused(what, "a Uint8Array", kindOf(value));
  if (value.byteLength === 0 && isDetached(value)) throw refused(what, "a Uint8Array", "one whose buffer was transferred away");
  return value;
}

/**
 * `value`, if it is text.
 *
 * @throws {DreamDbError} `InvalidArgument` for anything but a string, and for half a surrogate pair: no UTF-8 has it, and all of them
 * would become one and the same replacement character
 */
export function textArgument(what: string, value: unknown): string {
  if (typeof value !== "string") throw refused(what, "a string", kindOf(value));
  if (/\p{Surrogate}/u.test(value)) throw refused(what, "well-formed text", "a string with half a surrogate pair");
  return value;
}

/**
 * Extents as bigints.
 *
 * @throws {DreamDbError} `InvalidArgument` for anything but an array of u64
 */
export function extentsArgument(what: string, value: readonly U64[]): bigint[] {
  if (!Array.isArray(value)) throw refused(what, "an array of extents", kindOf(value));
  return Array.from(value as readonly U64[], (extent) => toU64(`an extent of \`${what}\``, extent));
}

/** The error of an argument of the wrong kind; `what` is its name. `actual` may be the argument itself: not everything can be made a text. */
export function refused(what: string, expected: string, actual: unknown): DreamDbError {
  const said = Object(actual) === actual ? kindOf(actual) : String(actual);
  return new DreamDbError("InvalidArgument", `\`${what}\` must be ${expected}, not ${said}`, { subject: what, expected, actual: said });
}

/** What a value is, in a word or two. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

function isDetached(bytes: Uint8Array): boolean {
  try {
    // Node 20 knows no `detached`; copying no bytes asks the same.
    Uint8Array.prototype.slice.call(bytes);
    return false;
  } catch {
    return true;
  }
}
