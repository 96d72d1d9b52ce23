/** Counters of what a dataset fetched and checked. What a store tells of single transfers is its own `onRequest`. */
import type { ReadOptions, Store } from "../store/types.js";
import { given } from "./given.js";

/** What was fetched and checked so far. Bytes are those of object bodies. */
export interface Stats {
  /** Reads asked of the store: whole objects and ranges. */
  readonly requests: number;
  /** Of these, ranges. */
  readonly ranges: number;
  /** Bytes that the store gave. */
  readonly bytesFetched: number;
  /** Bytes that were hashed and found to be what their address names. */
  readonly bytesVerified: number;
  /** Whole objects among these. */
  readonly objectsVerified: number;
  /** Reads that were served from verified bytes in memory. */
  readonly cacheHits: number;
}

/** The counters while they run. */
export type Counters = { -readonly [K in keyof Stats]: number };

/** Counters at zero. */
export function newCounters(): Counters {
  return { requests: 0, ranges: 0, bytesFetched: 0, bytesVerified: 0, objectsVerified: 0, cacheHits: 0 };
}

/** `store`, counting what it gives. */
export function counted(store: Store, counters: Counters): Store {
  return {
    async get(key: string, options?: ReadOptions) {
      counters.requests++;
      const bytes = given(await store.get(key, options), key);
      counters.bytesFetched += bytes.byteLength;
      return bytes;
    },
    async getRange(key: string, offset: number, length: number, options?: ReadOptions) {
      if (length === 0) return given(await store.getRange(key, offset, length, options), key, length);
      counters.requests++;
      counters.ranges++;
      const bytes = given(await store.getRange(key, offset, length, options), key, length);
      counters.bytesFetched += bytes.byteLength;
      return bytes;
    },
    describe: (key: string) => store.describe(key),
  };
}
