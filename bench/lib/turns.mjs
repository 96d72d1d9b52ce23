/**
 * Several ways to do one thing, measured in turns: what else the machine does meets all of them, and of the rounds' ratios the median counts.
 */

/**
 * @typedef {{ least: number, most: number, budgetMs: number, warmUps?: number }} Rounds at least so many, then more within the time, at most so
 * many, after the first of all, which warm up
 */
/**
 * Each does its work once, and says its milliseconds.
 * @template {string} Name
 * @typedef {Record<Name, () => Promise<number> | number>} Sides
 */

/** Rounds until compilers have seen enough. */
const WARM_UPS = 4;

/**
 * Milliseconds of each side, round by round.
 * @template {string} Name
 */
export class Turns {
  /** @type {Record<Name, number[]>} */
  times;
  #sides;
  #warm = 0;

  /** @param {Sides<Name>} sides */
  constructor(sides) {
    this.#sides = sides;
    const times = Object.keys(sides).map((name) => /** @type {const} */ ([name, /** @type {number[]} */ ([])]));
    this.times = /** @type {Record<Name, number[]>} */ (Object.fromEntries(times));
  }

  /** Rounds so far. */
  get rounds() {
    /** @type {number[][]} */
    const [first] = Object.values(this.times);
    return first?.length ?? 0;
  }

  /**
   * More rounds. Each begins with another side; the first ones warm up connections and code, and do not count.
   * @param {Rounds} rounds
   */
  async more({ least, most, budgetMs, warmUps = WARM_UPS }) {
    const names = /** @type {Name[]} */ (Object.keys(this.#sides));
    const end = performance.now() + budgetMs;
    for (let round = 0; round < least || (round < most && performance.now() < end); round++) {
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(round + turn) % names.length];
        if (name === undefined) continue;
        const ms = await this.#sides[name]();
        if (this.#warm >= warmUps) this.times[name].push(ms);
      }
      if (this.#warm < warmUps) [this.#warm, round] = [this.#warm + 1, round - 1];
    }
    return this;
  }

  /**
   * Median of a side's milliseconds.
   * @param {Name} side
   */
  ms(side) {
    return quantile(this.times[side], 0.5);
  }

  /**
   * Median and quartiles of the rounds' ratios of two sides.
   * @param {Name} side
   * @param {Name} other
   */
  ratio(side, other) {
    const ratios = this.times[side].map((ms, round) => ms / (this.times[other][round] ?? Number.NaN));
    return { median: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
  }

  /**
   * Median of the differences of two sides, in milliseconds.
   * @param {Name} side
   * @param {Name} other
   */
  difference(side, other) {
    return quantile(
      this.times[side].map((ms, round) => ms - (this.times[other][round] ?? Number.NaN)),
      0.5,
    );
  }
}

/**
 * Milliseconds of processor time, user and system, that this process spends on some work: for what waits for nothing, whatever else the
 * machine does meanwhile.
 * @param {() => Promise<unknown>} work
 */
export async function processorMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * What a verdict is in a word: the budget holds, does not hold, or is missed by more than noise.
 * @param {{ holds: boolean, passes: boolean }} verdict
 */
export function wordFor({ holds, passes }) {
  if (holds) return "ok    ";
  return passes ? "over  " : "BROKEN";
}

/**
 * @param {readonly number[]} values
 * @param {number} at between 0 and 1
 */
export function quantile(values, at) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * at;
  const [low, high] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN];
  return low + (high - low) * (place - Math.floor(place));
}
