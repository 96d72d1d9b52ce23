/** Verified bytes in memory, the least recently used ones given up first. Failures never get here. */
import type { Verified } from "./verifier.js";

/** Bytes of an object from a position on. */
export interface Segment {
  readonly start: number;
  /** Shared by all who read from them: not to be changed or handed out. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What was checked of them. */
  readonly verified: Verified;
}

/** Where a segment ends. */
export function endOf({ start, bytes }: Segment): number {
  return start + bytes.byteLength;
}

/** A cache of segments of objects, limited by their bytes. */
export class SegmentCache {
  readonly #limit: number;
  /** Segments of each object, by ascending starts and ends: none lies within another. */
  readonly #objects = new Map<string, Segment[]>();
  /** A Map keeps the order of insertion: what is used goes to the end. */
  readonly #order = new Map<Segment, string>();
  #bytes = 0;

  /** @param limit bytes to hold at most; a segment larger than that is not kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The segment that holds the byte at `position`, of several the one that goes farthest. */
  find(object: string, position: number): Segment | undefined {
    const segments = this.#objects.get(object);
    const segment = segments?.[after(segments, position) - 1];
    if (segment === undefined || endOf(segment) <= position) return undefined;
    this.#order.delete(segment);
    this.#order.set(segment, object);
    return segment;
  }

  /** Where the first segment after `position` begins. */
  next(object: string, position: number): number | undefined {
    const segments = this.#objects.get(object);
    return segments?.[after(segments, position)]?.start;
  }

  /** Keep bytes that nobody else changes. */
  put(object: string, segment: Segment): void {
    const size = segment.bytes.byteLength;
    if (size > this.#limit || size === 0) return;
    const segments = this.#objects.get(object) ?? [];
    const before = segments[after(segments, segment.start) - 1];
    if (before !== undefined && endOf(before) >= endOf(segment)) return;
    const from = after(segments, segment.start - 1);
    let to = from;
    for (let covered = segments[to]; covered !== undefined && endOf(covered) <= endOf(segment); covered = segments[++to]) this.#forget(covered);
    segments.splice(from, to - from, segment);
    this.#objects.set(object, segments);
    this.#order.set(segment, object);
    this.#bytes += size;
    for (const [oldest, owner] of this.#order) {
      if (this.#bytes <= this.#limit) break;
      this.#forget(oldest);
      this.#remove(owner, oldest);
    }
  }

  /** Forget what is kept of an object. */
  drop(object: string): void {
    for (const segment of this.#objects.get(object) ?? []) this.#forget(segment);
    this.#objects.delete(object);
  }

  #forget(segment: Segment): void {
    this.#order.delete(segment);
    this.#bytes -= segment.bytes.byteLength;
  }

  #remove(object: string, segment: Segment): void {
    const segments = this.#objects.get(object) ?? [];
    segments.splice(after(segments, segment.start) - 1, 1);
    if (segments.length === 0) this.#objects.delete(object);
  }
}

/** Number of segments that begin at or before a position. */
function after(segments: readonly Segment[], position: number): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segments[middle]?.start ?? Infinity) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
