/**
 * Objects in memory: for tests, for bytes that came some other way, for small datasets shipped with an application.
 *
 * Bytes are copied in and out, so neither the caller's arrays nor the results are tied to the store. No eviction: this is no cache.
 */

import { DreamDbError } from "../errors.js";
import { markAttentive, throwIfAborted } from "./abort.js";
import { byteLimit, checkKey, checkRange, endsEarly, tooLarge } from "./check.js";
import { observed, type Tally } from "./observe.js";
import type { Store, StoreOptions } from "./types.js";

/** A store whose objects can be put and removed. */
export interface MemoryStore extends Store {
  /** Puts an object, in place of the one that is there. Copies. Errors: `InvalidArgument` for a key that is no relative path. */
  set(key: string, bytes: Uint8Array): void;
  /** Removes an object; whether there was one. */
  delete(key: string): boolean;
}

/**
 * A store of `entries`: pairs (a `Map` is an iterable of them) or a plain object by key.
 *
 * Reads reject with `NotFound`, `BodyLength`, `TooLarge`. Errors: `InvalidArgument` for a key that is no relative path.
 */
export function memoryStore(
  entries: Iterable<readonly [string, Uint8Array]> | Readonly<Record<string, Uint8Array>> = [],
  { onRequest }: StoreOptions = {},
): MemoryStore {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const set = (key: string, bytes: Uint8Array): void => {
    checkKey(key);
    if (!ArrayBuffer.isView(bytes)) {
      throw new DreamDbError("InvalidArgument", `the object under ${JSON.stringify(key)} must be a Uint8Array`, { subject: "bytes", key });
    }
    objects.set(key, copyOf(bytes));
  };
  const pairs = Symbol.iterator in entries ? entries : Object.entries(entries);
  for (const [key, bytes] of pairs) set(key, bytes);

  const describe = (key: string): string => `memory:${key}`;

  /** The object, a turn later: an abort right after the call must still be heard, as it is by stores that wait. */
  async function find(key: string, signal: AbortSignal | undefined): Promise<Uint8Array<ArrayBuffer>> {
    throwIfAborted(signal);
    await Promise.resolve();
    throwIfAborted(signal);
    const bytes = objects.get(key);
    if (!bytes) throw new DreamDbError("NotFound", `no such object: ${describe(key)}`, { key });
    return bytes;
  }

  function handOut(bytes: Uint8Array<ArrayBuffer>, tally: Tally): Uint8Array<ArrayBuffer> {
    tally.bytes = bytes.byteLength;
    return copyOf(bytes);
  }

  const store: MemoryStore = {
    async get(key, { signal, maxBytes } = {}) {
      checkKey(key);
      const limit = byteLimit(maxBytes, Infinity);
      return await observed(onRequest, { kind: "get", key }, async (tally) => {
        const bytes = await find(key, signal);
        if (bytes.byteLength > limit) throw tooLarge(describe(key), key, limit, bytes.byteLength);
        return handOut(bytes, tally);
      });
    },

    async getRange(key, offset, length, { signal } = {}) {
      checkKey(key);
      checkRange(key, offset, length);
      throwIfAborted(signal);
      if (length === 0) return new Uint8Array(0);
      return await observed(onRequest, { kind: "range", key, offset, length }, async (tally) => {
        const bytes = await find(key, signal);
        if (offset + length > bytes.byteLength) throw endsEarly(describe(key), key, offset, length, bytes.byteLength);
        return handOut(bytes.subarray(offset, offset + length), tally);
      });
    },

    describe,
    set,
    delete: (key) => objects.delete(key),
  };
  // It answers at once.
  return markAttentive(store);
}

/** A copy with a buffer of its own; `slice` would keep the subclass and its pooling (Node's `Buffer`). */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
