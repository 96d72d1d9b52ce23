/** What a topic of the benchmarks gets and gives, and what several of them use. */

/**
 * @typedef {object} Context
 * @property {boolean} quick fewer and smaller measurements, for CI
 * @property {string} folder a temporary one
 * @property {() => Promise<import("./native.mjs").Native>} native
 * @property {string} python that has the reference
 * @property {(text: string) => void} say
 * @property {(close: () => unknown) => void} atEnd what is to be closed, the last one first
 */

/**
 * @typedef {object} Topic
 * @property {string} title
 * @property {readonly import("./measurements.mjs").Measurement[]} measurements
 * @property {readonly import("./measurements.mjs").Verdict[]} [facts] what is no time
 * @property {{ head: string[], rows: (string | number)[][] }} [table] in place of that of the measurements
 */

/**
 * Does something so many times; milliseconds.
 * @param {number} times
 * @param {() => unknown} work
 */
export function timed(times, work) {
  const start = performance.now();
  for (let time = 0; time < times; time++) work();
  return performance.now() - start;
}

/**
 * Does something so many times, each after a preparation that does not count; milliseconds.
 * @param {number} times
 * @param {() => void} prepare
 * @param {() => unknown} work
 */
export function timedAfter(times, prepare, work) {
  let ms = 0;
  for (let time = 0; time < times; time++) {
    prepare();
    ms += timed(1, work);
  }
  return ms;
}

/**
 * Refuses to measure what is not right.
 * @param {boolean} holds
 * @param {string} what
 */
export function right(holds, what) {
  if (!holds) throw new Error(`${what} is not as it should be`);
}

/**
 * A count of bytes in words.
 * @param {number} bytes
 */
export function sizeOf(bytes) {
  const [unit, name] = [/** @type {const} */ ([2 ** 30, "GiB"]), /** @type {const} */ ([2 ** 20, "MiB"]), /** @type {const} */ ([2 ** 10, "KiB"]), /** @type {const} */ ([1, "B"])].find(([least]) => bytes >= least) ?? [1, "B"];
  return `${(bytes / unit).toLocaleString("en", { maximumFractionDigits: 1 })} ${name}`;
}
