/**
 * Reading ahead in objects that are read from front to back.
 *
 * When a read begins where the one before it ended, as many bytes more as were read in a row so far will probably be wanted next. They are
 * fetched with the read that needs a request anyway, so that iterating over a pack's Items one by one costs few requests, no byte comes
 * twice, and whoever stops has fetched at most as much in vain as was read.
 */
import type { ProvableObject } from "./outboards.js";
import type { Span } from "./spans.js";

/** Objects whose last reads are remembered. */
const REMEMBERED = 64;

/** The last read of an object: where it ended, and how many bytes were read in a row up to there. */
interface Run {
  readonly end: number;
  readonly bytes: number;
}

/** Remembers how objects are read. */
export class Ahead {
  readonly #limit: number;
  readonly #runs = new Map<string, Run>();

  /** @param limit bytes to read ahead at most */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What to read ahead of this read, if anything. */
  after({ key, length }: ProvableObject, wanted: readonly Span[]): Span | undefined {
    let [start, end] = [Infinity, 0];
    for (const span of wanted) {
      if (span.end === span.start) continue;
      start = Math.min(start, span.start);
      end = Math.max(end, span.end);
    }
    if (start >= end) return undefined;
    const run = this.#runs.get(key);
    const inRow = run !== undefined && run.end === start;
    const bytes = end - start + (inRow ? run.bytes : 0);
    this.#runs.delete(key);
    this.#runs.set(key, { end, bytes });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > REMEMBERED && oldest !== undefined) this.#runs.delete(oldest);
    const until = Math.min(length, end + Math.min(bytes, this.#limit));
    return inRow && until > end ? { start: end, end: until } : undefined;
  }
}
