/**
 * What a store gives, held to what the {@link Store} contract says.
 *
 * Our own stores keep it. A caller's may hand out Node Buffers, whose `slice` shares memory and which often lie in a pool, or
 * `undefined` for an absent object, or another number of bytes than asked; none of this must get further.
 */
import { isBytes, kindOf } from "../codec/arguments.js";
import { DreamDbError } from "../errors.js";

/**
 * The bytes that a store gave, as a plain Uint8Array over exactly its own buffer. Copied only where they are not that yet.
 *
 * @param length bytes that were asked for, of a range
 * @throws {DreamDbError} `InvalidArgument` for anything but a Uint8Array; `BodyLength` for another length than `length`
 */
export function given(bytes: unknown, key: string, length?: number): Uint8Array<ArrayBuffer> {
  // What our own stores give, told without a look at anything else.
  if (isPlain(bytes) && (length === undefined || bytes.byteLength === length)) return bytes;
  const { byteLength: actual } = givenToCopy(bytes, key);
  if (length !== undefined && actual !== length) {
    const message = `the store gave ${actual} bytes for a range of ${length}`;
    throw new DreamDbError("BodyLength", message, { key, expected: `${length}`, actual: `${actual}` });
  }
  return isPlain(bytes) ? bytes : new Uint8Array(bytes as Uint8Array);
}

/**
 * The bytes that a store gave, as they are, for who copies them at once. Nothing is asked of their buffer: one of a few bytes does not exist before
 * somebody does, and then costs more than the copy.
 *
 * @throws {DreamDbError} `InvalidArgument` for anything but a Uint8Array
 */
export function givenToCopy(bytes: unknown, key: string): Uint8Array {
  if (isOwn(bytes) || isBytes(bytes)) return bytes;
  const message = `the store gave ${kindOf(bytes)} for ${key}, not a Uint8Array; an absent object must be a NotFound error`;
  throw new DreamDbError("InvalidArgument", message, { subject: "store", key });
}

/** Whether bytes are a Uint8Array of this realm, and no subclass of it. */
function isOwn(bytes: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && Object.getPrototypeOf(bytes) === Uint8Array.prototype;
}

/** Whether bytes are that, over exactly their own buffer. */
function isPlain(bytes: unknown): bytes is Uint8Array<ArrayBuffer> {
  if (!isOwn(bytes)) return false;
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
