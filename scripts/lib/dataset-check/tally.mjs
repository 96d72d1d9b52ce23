/** Counting what agrees and keeping what does not. */
import { equal } from "./equal.mjs";
import { spelled } from "./words.mjs";

/** Comparisons made so far. */
export class Tally {
  passed = 0;
  /** @type {string[]} one line each: where, what was expected, what was found */
  failures = [];
  /** @type {string} */
  #place = "";

  /**
   * Does some work, whose failures tell this place.
   * @param {string} place
   * @param {() => void} work
   */
  at(place, work) {
    const before = this.#place;
    this.#place = before === "" ? place : `${before}, ${place}`;
    try {
      work();
    } finally {
      this.#place = before;
    }
  }

  /** @param {string} what */
  fail(what) {
    this.failures.push(this.#place === "" ? what : `${this.#place}: ${what}`);
  }

  /**
   * @param {string} what what is compared
   * @param {string | undefined} difference how it differs; `undefined` if it does not
   */
  count(what, difference) {
    if (difference === undefined) this.passed++;
    else this.fail(`${what}: ${difference}`);
  }

  /**
   * Equal to the bit.
   * @param {string} what
   * @param {unknown} actual
   * @param {unknown} expected
   */
  equal(what, actual, expected) {
    this.count(what, equal(actual, expected) ? undefined : `${spelled(actual)}, expected ${spelled(expected)}`);
  }

  /** @param {Tally} other */
  add(other) {
    this.passed += other.passed;
    this.failures.push(...other.failures);
  }
}
