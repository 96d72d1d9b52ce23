/**
 * Media Items that are read before they are looked at: the next few in the direction in which one goes, while one goes on.
 *
 * What nobody wants any more is cancelled, and no more is kept than is wanted.
 */
import type { MediaItem, Outcome } from "dreamdb-arrays";

/** Where Items come from: a field of the dataset. */
export interface Source {
  read(anchor: bigint, options: { readonly signal: AbortSignal }): Promise<MediaItem | undefined>;
  readMany(anchors: readonly bigint[], options: { readonly signal: AbortSignal }): Promise<Outcome<MediaItem>[]>;
}

/** Items that are read ahead at most, and bytes that they may come to. */
const MOST = 8;
const MOST_BYTES = 32e6;

interface Coming {
  readonly item: Promise<MediaItem | undefined>;
  readonly run: Run;
}

/** Items that were asked for together. */
interface Run {
  readonly controller: AbortController;
  wanted: number;
}

/** The next `count` anchors from one on, in a direction; ascending anchors are given. */
export function nextAnchors(live: BigUint64Array, at: number, direction: 1 | -1, count: number): bigint[] {
  const next: bigint[] = [];
  for (let step = 1; step <= count; step++) {
    const anchor = live[at + step * direction];
    if (anchor === undefined) break;
    next.push(anchor);
  }
  return next;
}

/** How many Items to read ahead, where one has so many bytes. */
export function countFor(bytes: number): number {
  return Math.min(MOST, Math.floor(MOST_BYTES / Math.max(1, bytes)));
}

/** Reads ahead of one field. */
export class Ahead {
  readonly #source: Source;
  readonly #coming = new Map<bigint, Coming>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Items that are there, or on their way. */
  get size(): number {
    return this.#coming.size;
  }

  /** The Item at an anchor: the one that was read ahead, or read now. One that comes too late for `signal` is none. */
  async take(anchor: bigint, signal: AbortSignal): Promise<MediaItem | undefined> {
    const coming = this.#coming.get(anchor);
    if (coming === undefined) {
      // Whoever jumps has no use for what was next before.
      this.want([]);
      return this.#source.read(anchor, { signal });
    }
    const item = await coming.item.catch(() => undefined);
    signal.throwIfAborted();
    // A failure is asked for again, by whom it concerns; so is what was cancelled meanwhile.
    return item ?? this.#source.read(anchor, { signal });
  }

  /** Says what will be wanted, soonest first. Begins what is missing once half of it is; ends what is not among it. */
  want(anchors: readonly bigint[]): void {
    const wanted = new Set(anchors);
    for (const [anchor, { run }] of this.#coming) {
      if (wanted.has(anchor)) continue;
      this.#coming.delete(anchor);
      run.wanted -= 1;
      if (run.wanted === 0) run.controller.abort();
    }
    const missing = anchors.filter((anchor) => !this.#coming.has(anchor));
    if (missing.length === 0 || missing.length * 2 < anchors.length) return;
    const run: Run = { controller: new AbortController(), wanted: missing.length };
    const read = this.#source.readMany(missing, { signal: run.controller.signal });
    for (const [at, anchor] of missing.entries()) {
      const item = read.then((outcomes) => {
        const outcome = outcomes[at];
        return outcome?.status === "value" ? outcome.value : undefined;
      });
      // Nobody may ever ask for it.
      item.catch(() => undefined);
      this.#coming.set(anchor, { item, run });
    }
  }

  /** Ends all of it. */
  close(): void {
    this.want([]);
  }
}
