/**
 * Objects in memory: for tests, for bytes that came some other way, for small datasets shipped with an application.
 *
 * Bytes are copied in and out, so neither the caller's arrays nor the results are tied to the store. No eviction: this is no cache.
 */

import { DreamDbError } from "../errors.js";
import { markAttentive, throwIfAborted } from "./abort.js";
import { byteLimit, checkBytes, checkKey, checkRange, endsEarly, tooLarge } from "./check.js";
import { observed, type Tally } from "./observe.js";
import type { StoreOptions, WritableStore } from "./types.js";

/** A store whose objects can be put and removed. */
export interface MemoryStore extends WritableStore {
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
    checkBytes(key, bytes);
    objects.set(key, copyOf(bytes));
  };
  const tags = new Tags();
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

  /** Writes, a turn later, as reads: two at once are two turns, and none can come between what one looks at and what it does. */
  function write<T>(key: string, bytes: Uint8Array, signal: AbortSignal | undefined, put: (held: Uint8Array<ArrayBuffer> | undefined) => T): Promise<T> {
    checkKey(key);
    checkBytes(key, bytes);
    return observed(onRequest, { kind: "put", key }, async (tally) => {
      throwIfAborted(signal);
      tally.bytes = bytes.byteLength;
      await Promise.resolve();
      throwIfAborted(signal);
      return put(objects.get(key));
    });
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

    async getTagged(key, { signal } = {}) {
      checkKey(key);
      return await observed(onRequest, { kind: "get", key }, async (tally) => {
        const bytes = await find(key, signal);
        return { bytes: handOut(bytes, tally), tag: tags.of(bytes) };
      });
    },

    async create(key, bytes, { signal } = {}) {
      return await write(key, bytes, signal, (held) => {
        if (held) return "exists";
        objects.set(key, copyOf(bytes));
        return "created";
      });
    },

    async replace(key, bytes, tag, { signal } = {}) {
      return await write(key, bytes, signal, (held) => {
        if (!held || tags.of(held) !== tag) return "conflict";
        objects.set(key, copyOf(bytes));
        return "replaced";
      });
    },

    describe,
    set,
    delete: (key) => objects.delete(key),
  };
  // It answers at once.
  return markAttentive(store);
}

/** Names of states: each put makes a state of its own, be the bytes the same. */
class Tags {
  readonly #tags = new WeakMap<Uint8Array, string>();
  #count = 0;

  of(bytes: Uint8Array): string {
    const tag = this.#tags.get(bytes) ?? String(++this.#count);
    this.#tags.set(bytes, tag);
    return tag;
  }
}

/** A copy with a buffer of its own; `slice` would keep the subclass and its pooling (Node's `Buffer`). */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
