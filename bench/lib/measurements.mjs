/**
 * Our way beside others' in turns: how often they are measured, what must hold of them, and their table.
 *
 * A budget is a limit and, beside it, a gate: machines are noisy, so what fails where other programs run as well is what is beyond the gate.
 */
import { wordFor } from "./turns.mjs";

/** @typedef {import("./turns.mjs").Turns<string>} AnyTurns */
/** @typedef {import("./turns.mjs").Rounds} Rounds */

/**
 * What is held against a side.
 * @typedef {object} Budget
 * @property {string} side
 * @property {string} [of] whose it is, if not that of the side `ours`
 * @property {"ratio" | "times as fast" | "µs an Item more"} what
 * @property {number} limit the most, or of "times as fast" the least
 * @property {number} gate
 */

/**
 * @typedef {object} Measurement
 * @property {string} name
 * @property {number} count what a side's work is worth: so many Items, calls or bytes
 * @property {"Item" | "call" | "byte"} per
 * @property {AnyTurns} turns
 * @property {readonly Budget[]} budgets
 * @property {Rounds} [rounds] its own
 */

/** @typedef {{ name: string, what: string, value: number, limit: number, gate: number, holds: boolean, passes: boolean, said: string }} Verdict */
/** @typedef {Measurement & { verdicts: Verdict[] }} Result */

/** How often what does not hold is measured again. */
const SECOND_TRIES = 2;

/**
 * Measures one after another.
 * @param {readonly Measurement[]} measurements
 * @param {Rounds} rounds of each
 * @param {(text: string) => void} say
 * @param {"holds" | "passes"} [wanted] of whichever this is not so is measured again
 * @returns {Promise<Result[]>}
 */
export async function measureAll(measurements, rounds, say, wanted = "holds") {
  const results = [];
  for (const measurement of measurements) {
    const { name, turns, budgets, rounds: own = rounds } = measurement;
    say(name);
    const verdicts = () => budgets.map((budget) => verdictOf(measurement, budget));
    await turns.more(own);
    // Machines are noisy: what is above its budget is measured more often.
    for (const { said, [wanted]: isSo } of verdicts()) if (!isSo) say(said);
    for (let tries = 0; tries < SECOND_TRIES && verdicts().some(({ [wanted]: isSo }) => !isSo); tries++) await turns.more(own);
    results.push({ ...measurement, verdicts: verdicts() });
  }
  return results;
}

/**
 * @param {Measurement} measurement
 * @param {Budget} budget
 * @returns {Verdict}
 */
function verdictOf({ name, count, turns }, { side, of = "ours", what, limit, gate }) {
  const who = of === "ours" ? name : `${name}, ${of}`;
  if (what === "times as fast") return atLeast(`${who}: times as fast as ${side}`, turns.ratio(side, of).median, limit, gate);
  if (what === "ratio") return atMost(`${who}: time over that of ${side}`, turns.ratio(of, side).median, limit, gate);
  return atMost(`${who}: µs an Item more than ${side}`, (turns.difference(of, side) * 1000) / count, limit, gate);
}

/**
 * A value that may be no more than a limit.
 * @param {string} what
 * @param {number} value
 * @param {number} limit
 * @param {number} gate
 * @returns {Verdict}
 */
export function atMost(what, value, limit, gate = limit) {
  return verdict(what, value, value <= limit, value <= gate, "≤", ">", limit, gate);
}

/**
 * A value that may be no less than a limit.
 * @param {string} what
 * @param {number} value
 * @param {number} limit
 * @param {number} gate
 * @returns {Verdict}
 */
export function atLeast(what, value, limit, gate = limit) {
  return verdict(what, value, value >= limit, value >= gate, "≥", "<", limit, gate);
}

/**
 * @param {string} what
 * @param {number} value
 * @param {boolean} holds
 * @param {boolean} passes
 * @param {string} relation
 * @param {string} other the relation that it has if it does not hold
 * @param {number} limit
 * @param {number} gate
 */
function verdict(what, value, holds, passes, relation, other, limit, gate) {
  const plain = (/** @type {number} */ number) => number.toLocaleString("en", { maximumFractionDigits: 2 });
  return { name: what, what: relation, value, limit, gate, holds, passes, said: `${what}: ${plain(value)} ${holds ? relation : other} ${plain(limit)}` };
}

/**
 * A line for each verdict.
 * @param {readonly Verdict[]} verdicts
 */
export function verdictLines(verdicts) {
  return verdicts.map((one) => `${wordFor(one)}  ${one.said}\n`).join("");
}

/** Heads of {@link rowsOf}. */
export const HEAD = ["what", "by", "speed", "ours ÷", "quartiles", "rounds"];

/**
 * Rows of a table, one for each side: its speed, and our time over its own.
 * @param {readonly Result[]} results
 */
export function rowsOf(results) {
  return results.flatMap((result) => {
    const { name, turns } = result;
    return Object.keys(turns.times).map((side, at) => {
      const ratio = side === "ours" ? undefined : turns.ratio("ours", side);
      const quartiles = ratio && `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`;
      return [at === 0 ? name : "", side, speedOf(result, turns.ms(side)), ratio?.median.toFixed(2) ?? "", quartiles ?? "", at === 0 ? turns.rounds : ""];
    });
  });
}

/**
 * @param {Measurement} measurement
 * @param {number} ms
 */
function speedOf({ count, per }, ms) {
  const digits = (/** @type {number} */ value) => value.toLocaleString("en", { maximumSignificantDigits: 3 });
  if (per === "byte") return `${digits(count / ms / 1e3)} MB/s`;
  const us = (ms * 1e3) / count;
  const time = us < 1000 ? `${digits(us)} µs` : `${digits(us / 1000)} ms`;
  return per === "Item" ? `${time}/Item` : time;
}

/**
 * What JSON says of results.
 * @param {readonly Result[]} results
 */
export function plainOf(results) {
  return results.map(({ name, count, per, turns, verdicts }) => ({ name, count, per, rounds: turns.rounds, times: turns.times, verdicts }));
}
