/**
 * Numbers that are the same on every machine, so that the episode is, byte for byte.
 *
 * `+ - * /` and `sqrt` are exact to the last bit wherever JavaScript runs; `Math.sin` and `**` are not, as engines have their own. And
 * the noise comes from a seed.
 */

const TURN = 2 * Math.PI;

/**
 * The sine, to some 13 digits.
 * @param {number} x radians
 */
export function sin(x) {
  // Into half a turn around zero, then into a quarter of it, where the series is short.
  let r = x - TURN * Math.round(x / TURN);
  if (r > Math.PI / 2) r = Math.PI - r;
  else if (r < -Math.PI / 2) r = -Math.PI - r;
  const square = r * r;
  let [term, sum] = [r, r];
  for (let n = 2; n <= 20; n += 2) {
    term *= -square / (n * (n + 1));
    sum += term;
  }
  return sum;
}

/**
 * The cosine, as {@link sin}.
 * @param {number} x radians
 */
export function cos(x) {
  return sin(x + Math.PI / 2);
}

/**
 * From 0 to 1 while x goes from `from` to `to`, without a jerk at either end.
 * @param {number} x
 * @param {number} from
 * @param {number} to
 */
export function ease(x, from, to) {
  const u = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return u * u * u * (u * (6 * u - 15) + 10);
}

/** What looks random and is not: mulberry32 of a seed. */
export class Noise {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed | 0;
  }

  /** From 0 up to 1, the latter excluded. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * A whole number from 0 up to `below`.
   * @param {number} below
   */
  int(below) {
    return Math.floor(this.next() * below);
  }

  /** Around 0 with deviation 1: the sum of twelve. */
  normal() {
    let sum = -6;
    for (let at = 0; at < 12; at++) sum += this.next();
    return sum;
  }
}
