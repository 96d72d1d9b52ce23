/** Counters of what a dataset asked for, fetched and checked. Single events are in events.ts. */

/** What was fetched and checked so far. Bytes are those of object bodies. */
export interface Stats {
  /** Requests sent: whole objects and ranges, outboards and tries that failed included. */
  readonly requests: number;
  /** Of these, ranges. */
  readonly ranges: number;
  /** Of these, tries after the first. */
  readonly retries: number;
  /** Bytes of the Items that were asked for. */
  readonly bytesWanted: number;
  /** Bytes that the store gave: Items, what stands between and around them, indexes, proofs. */
  readonly bytesFetched: number;
  /** Of these, bytes of outboards. */
  readonly bytesOfProofs: number;
  /** Bytes that were hashed and found to be what their address names. */
  readonly bytesVerified: number;
  /** Whole objects among these. */
  readonly objectsVerified: number;
  /** Ranges among these. */
  readonly rangesVerified: number;
  /** Spans that were served, in whole or in part, from verified bytes in memory. */
  readonly cacheHits: number;
}

/** The counters while they run. */
export type Counters = { -readonly [K in keyof Stats]: number };

/** Counters at zero. */
export function newCounters(): Counters {
  return {
    requests: 0,
    ranges: 0,
    retries: 0,
    bytesWanted: 0,
    bytesFetched: 0,
    bytesOfProofs: 0,
    bytesVerified: 0,
    objectsVerified: 0,
    rangesVerified: 0,
    cacheHits: 0,
  };
}
