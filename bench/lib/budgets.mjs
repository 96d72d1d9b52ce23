/** What must hold of the numbers. Counts are exact; times are ratios, since a machine's own speed proves nothing. */
import { CONCURRENCY } from "./plain.mjs";

/** Bytes that verification may add to each range: what of its first and last chunk is not wanted. */
const CHUNK_WASTE = 2048;
/** Packs whose outboards are one request. */
const ONE_OUTBOARD = 4 << 20;
/** The most that the time of 1,000 Items may be over that of plain fetch. */
const TIME = 1.25;
/** Where it is checked. */
const TIMED = new Set(["1,000 of one pack, neighbours", "1,000 of one pack, apart", "1,000 of 100 packs, apart", "1,000 objects of their own"]);

/**
 * Whether a case's time is checked.
 * @param {{ name: string }} asked
 */
export function isTimed({ name }) {
  return TIMED.has(name);
}

/** Memory beside the results' own bytes: for what is in flight, and for keeping track of each Item. */
const MARGIN = { fixed: 6e6, perItem: 3e3 };

/** @typedef {{ name: string, holds: boolean, said: string }} Verdict */

/**
 * @param {string} name
 * @param {number} actual
 * @param {"=" | "≤"} relation
 * @param {number} budget
 * @returns {Verdict}
 */
function verdict(name, actual, relation, budget) {
  const holds = relation === "=" ? actual === budget : actual <= budget;
  const plain = (/** @type {number} */ value) => value.toLocaleString("en", { maximumFractionDigits: 2 });
  return { name, holds, said: `${plain(actual)} ${holds ? relation : relation === "=" ? "≠" : ">"} ${plain(budget)}` };
}

/**
 * Budgets of a case's requests and bytes.
 * @param {import("./cases.mjs").Case} asked
 * @param {Omit<import("./measure.mjs").Cost, "requests">} cost
 * @param {{ packBytes: number, outboardBytes: number }} field of one of its packs
 * @returns {Verdict[]}
 */
export function countVerdicts({ name, anchors, lie, packs, verify }, cost, { packBytes, outboardBytes }) {
  const what = `${name}, ${verify === "never" ? "unverified" : "verified"}`;
  const verdicts = [verdict(`${what}: requests for data`, cost.data, "=", lie === "neighbours" ? packs : anchors.length)];
  if (verify === "never" || lie === "single") {
    verdicts.push(verdict(`${what}: bytes that nobody wanted`, cost.bytes - cost.wanted, "=", 0));
    verdicts.push(verdict(`${what}: requests for outboards`, cost.proofs, "=", 0));
  } else {
    const proofs = packBytes <= ONE_OUTBOARD ? 1 : 2 + Math.ceil(Math.log2(packBytes / 2 ** 20));
    verdicts.push(verdict(`${what}: requests for outboards`, cost.proofs, "≤", packs * proofs));
    verdicts.push(verdict(`${what}: bytes`, cost.bytes, "≤", cost.wanted + CHUNK_WASTE * cost.data + outboardBytes * packs));
  }
  verdicts.push(verdict(`${what}: requests in flight`, cost.mostInFlight, "≤", CONCURRENCY));
  return verdicts;
}

/**
 * The budget of a case's time.
 * @param {{ name: string, verify: "always" | "never" }} asked
 * @param {import("./measure.mjs").Times} times
 * @returns {Verdict}
 */
export function timeVerdict({ name, verify }, { ratio }) {
  return verdict(`${name}, ${verify === "never" ? "unverified" : "verified"}: time over that of plain fetch`, ratio, "≤", TIME);
}

/**
 * Budgets of a large call.
 * @param {{ name: string, verify: "always" | "never" }} job
 * @param {import("./memory.mjs").Memory} memory
 * @param {number} mostInFlight
 * @returns {Verdict[]}
 */
export function largeVerdicts({ name, verify }, { items, results, peak }, mostInFlight) {
  const what = `${name}, ${verify === "never" ? "unverified" : "verified"}`;
  return [
    verdict(`${what}: requests in flight`, mostInFlight, "≤", CONCURRENCY),
    verdict(`${what}: MB held at most`, peak / 1e6, "≤", (results + items * MARGIN.perItem + MARGIN.fixed) / 1e6),
  ];
}
