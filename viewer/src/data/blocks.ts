/**
 * A long list that is read in blocks, those alone that are looked at: what has gone out of sight while it was read is cancelled, and only so many
 * blocks are kept.
 */

/** Reads the entries from `start` to `end`, the latter excluded. */
export type ReadBlock<T> = (start: number, end: number, signal: AbortSignal) => Promise<readonly T[]>;

/** What a list is like. */
export interface BlocksInit<T> {
  readonly count: number;
  /** Entries of a block. */
  readonly size: number;
  /** Blocks that are kept. */
  readonly most: number;
  readonly read: ReadBlock<T>;
  /** Told whenever entries have come, or failed to. */
  tell(): void;
}

/** The list. */
export class Blocks<T> {
  readonly #init: BlocksInit<T>;
  /** Oldest use first. */
  readonly #kept = new Map<number, readonly T[]>();
  readonly #reads = new Map<number, AbortController>();
  readonly #failures = new Map<number, unknown>();

  constructor(init: BlocksInit<T>) {
    this.#init = init;
  }

  /** An entry, if it is there. */
  get(at: number): T | undefined {
    const block = Math.floor(at / this.#init.size);
    return this.#kept.get(block)?.[at - block * this.#init.size];
  }

  /** Why a block in sight could not be read. */
  get failure(): unknown {
    return this.#failures.values().next().value;
  }

  /** Blocks that are being read. */
  get isReading(): boolean {
    return this.#reads.size > 0;
  }

  /** Has the entries from `first` to `last` read, both included, and no others. */
  want(first: number, last: number): void {
    const { size, count } = this.#init;
    if (count === 0 || last < first) return;
    const wanted = new Set<number>();
    for (let block = Math.floor(first / size); block <= Math.floor(last / size); block++) wanted.add(block);
    for (const [block, controller] of this.#reads) {
      if (wanted.has(block)) continue;
      controller.abort();
      this.#reads.delete(block);
    }
    for (const block of this.#failures.keys()) if (!wanted.has(block)) this.#failures.delete(block);
    for (const block of wanted) {
      const kept = this.#kept.get(block);
      if (kept !== undefined) {
        this.#kept.delete(block);
        this.#kept.set(block, kept);
      } else if (!this.#reads.has(block) && !this.#failures.has(block)) this.#read(block);
    }
  }

  /** Tries again what failed. */
  retry(): void {
    const failed = [...this.#failures.keys()];
    this.#failures.clear();
    for (const block of failed) this.#read(block);
  }

  /** Cancels all reads. */
  end(): void {
    for (const controller of this.#reads.values()) controller.abort();
    this.#reads.clear();
  }

  #read(block: number): void {
    const { size, count, most, read, tell } = this.#init;
    const controller = new AbortController();
    this.#reads.set(block, controller);
    const settle = (keep: () => void): void => {
      if (this.#reads.get(block) !== controller) return;
      this.#reads.delete(block);
      keep();
      tell();
    };
    read(block * size, Math.min(count, (block + 1) * size), controller.signal).then(
      (entries) =>
        settle(() => {
          this.#kept.set(block, entries);
          for (const [oldest] of this.#kept) {
            if (this.#kept.size <= most) break;
            this.#kept.delete(oldest);
          }
        }),
      (error: unknown) => settle(() => this.#failures.set(block, error)),
    );
  }
}
