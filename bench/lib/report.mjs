/** The numbers as tables, and the budgets as lines. */
import { table } from "../../scripts/lib/report.mjs";

/** @typedef {Omit<import("./measure.mjs").Cost, "requests">} Cost */

/**
 * @typedef {object} Results
 * @property {string} node
 * @property {readonly { bytes: number, outboardBytes: number, cost: Cost }[]} packs
 * @property {readonly { name: string, verify: string, items: number, cost: Cost, times: import("./measure.mjs").Times | undefined, itemTimes: import("./measure.mjs").Times | undefined }[]} cases
 * @property {readonly { name: string, verify: string, memory: import("./memory.mjs").Memory, mostInFlight: number }[]} large
 * @property {readonly import("./budgets.mjs").Verdict[]} verdicts
 */

const kb = (/** @type {number} */ bytes) => (bytes / 1000).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 }).padStart(9);
const fixed = (/** @type {number | undefined} */ value, digits = 2) => (value?.toFixed(digits) ?? "").padStart(6);

/**
 * All tables.
 * @param {Results} results
 */
export function tables({ node, packs, cases, large }) {
  const bySize = table(
    ["pack, KB", "  whole", "requests", "data, KB", "proof, KB", "all, KB", "÷ wanted", "÷ pack"],
    packs.map(({ bytes, outboardBytes, cost }) => [
      kb(bytes),
      kb(outboardBytes),
      `${cost.data} + ${cost.proofs}`,
      kb(cost.bytes - cost.proofBytes),
      kb(cost.proofBytes),
      kb(cost.bytes),
      fixed(cost.bytes / cost.wanted, 1),
      fixed(cost.bytes / bytes, 3),
    ]),
  );
  const byCase = table(
    ["Items", "verify", "data", "proof", "÷ wanted", "÷ fetch", "quartiles", "rounds", "ms", "fetch, ms", "÷ by Item"],
    cases.map(({ name, verify, cost, times, itemTimes }) => [
      name,
      verify,
      cost.data,
      cost.proofs,
      fixed(cost.bytes / cost.wanted),
      fixed(times?.ratio),
      times === undefined ? "" : `${times.low.toFixed(2)}–${times.high.toFixed(2)}`,
      times?.rounds ?? "",
      fixed(times?.ms, 1),
      fixed(times?.plainMs, 1),
      fixed(itemTimes?.ratio),
    ]),
  );
  const byCall = table(
    ["call", "verify", "in flight", "results, MB", "held at most, MB", "at the end, MB"],
    large.map(({ name, verify, memory, mostInFlight }) => [name, verify, mostInFlight, ...[memory.results, memory.peak, memory.end].map((bytes) => fixed(bytes / 1e6, 1))]),
  );
  return [
    `Node ${node.slice(1)}\n`,
    `One Item of 4,100 bytes, verified, by the size of its pack (whole: its outboard)\n${bySize}`,
    `Requests, bytes ÷ bytes wanted, time ÷ that of plain fetch\n${byCase}`,
    `Calls of 5,000 Items\n${byCall}`,
    "",
  ].join("\n");
}

/**
 * A line for each budget, or for those that do not hold, and how many hold.
 * @param {readonly import("./budgets.mjs").Verdict[]} verdicts
 * @param {boolean} all
 */
export function verdictLines(verdicts, all) {
  const broken = verdicts.filter(({ holds }) => !holds);
  const lines = (all ? verdicts : broken).map(({ name, holds, said }) => `${holds ? "ok    " : "BROKEN"}  ${name}: ${said}\n`);
  return `${lines.join("")}${verdicts.length - broken.length} of ${verdicts.length} budgets hold\n`;
}
