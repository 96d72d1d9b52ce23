/** What a dataset tells while it reads, one event at a time. Sums are in stats.ts. No event holds a URL or its query. */
import type { ErrorCode } from "../errors.js";

/** A request that ended. */
export interface RequestEvent {
  /** Tells it from other events. */
  readonly type: "request";
  /** A whole object, or a range of one. */
  readonly kind: "get" | "range";
  /** Key of the object below the dataset's root. */
  readonly key: string;
  /** First byte, of a range. */
  readonly offset?: number;
  /** Bytes asked for, of a range. */
  readonly length?: number;
  /** Bytes that came; 0 for a request that failed. */
  readonly bytes: number;
  /** Which try of this request it was, from 1. */
  readonly attempt: number;
  /** Why it failed; absent if it did not. `Aborted` for any abort reason. */
  readonly code?: ErrorCode;
  /** Milliseconds in flight. */
  readonly ms: number;
}

/** A failed request will be sent again. */
export interface RetryEvent {
  /** Tells it from other events. */
  readonly type: "retry";
  /** Key of the object below the dataset's root. */
  readonly key: string;
  /** Why the last try failed. */
  readonly code: ErrorCode;
  /** Number of the failed try, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delayMs: number;
}

/** Bytes that turned out to be what their address names. */
export interface VerifiedEvent {
  /** Tells it from other events. */
  readonly type: "verified";
  /** Key of the object below the dataset's root. */
  readonly key: string;
  /** How many they are. */
  readonly bytes: number;
  /** Whether they are a whole object or a range of one. */
  readonly by: "object" | "range";
}

/** Bytes that were served from memory. */
export interface CacheEvent {
  /** Tells it from other events. */
  readonly type: "cache";
  /** Key of the object below the dataset's root. */
  readonly key: string;
  /** How many they are. */
  readonly bytes: number;
}

/** What a dataset tells while it reads. */
export type DatasetEvent = RequestEvent | RetryEvent | VerifiedEvent | CacheEvent;

/** Receives each event as it happens. It must not throw: what it throws rejects the read. */
export type DatasetObserver = (event: DatasetEvent) => void;
