/** Pseudo-random choices that a seed repeats: the same in every release of Node, as what they make must be reproducible. */

/** Choices, one after another. */
export class Random {
  #state: number;

  /** Equal words give equal choices. */
  constructor(...words: readonly number[]) {
    this.#state = 0x9e3779b9;
    for (const word of words) {
      this.#state = (this.#state ^ word) >>> 0;
      this.#state = this.#next();
    }
  }

  /** 32 bits: splitmix32. */
  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + (this.#next() % (most - least + 1));
  }

  /** Whether something of this likelihood happens. */
  chance(likelihood: number): boolean {
    return this.#next() / 2 ** 32 < likelihood;
  }

  /** One of several. */
  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error("nothing to pick from");
    return choices[this.integer(0, choices.length - 1)] as T;
  }

  /** The choices in another order. */
  shuffled<T>(choices: readonly T[]): T[] {
    const left = [...choices];
    return choices.map(() => left.splice(this.integer(0, left.length - 1), 1)[0] as T);
  }

  /** Any 64 bits. */
  u64(): bigint {
    return (BigInt(this.#next()) << 32n) | BigInt(this.#next());
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#next() >>> 24);
  }
}
