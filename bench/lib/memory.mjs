/**
 * What a large call holds in memory, in a process of its own.
 *
 * Memory is what is left after a full collection: heap and external memory (in which buffers lie), above what there was before the call.
 * It is looked at every so many requests, in the middle of them, and at the end, while the results are held. Nothing is kept by the
 * dataset (`cacheBytes: 0`), so all that there may be is the results and what is in flight.
 */
import { once } from "node:events";
import { openDataset } from "dreamdb-arrays";
import { isMain } from "../../scripts/lib/paths.mjs";
import { inProcess } from "./child.mjs";
import { CONCURRENCY } from "./plain.mjs";

/** Requests between two looks. */
const EVERY = 250;

/** @typedef {{ field: string, anchors: readonly number[], verify: "always" | "never" }} Job */
/** @typedef {{ items: number, results: number, peak: number, end: number, looks: number }} Memory bytes of the results; bytes in use at most, and at the end */

/**
 * Runs a call in a fresh process.
 * @param {string} url
 * @param {Job} job
 * @returns {Promise<Memory>}
 */
export function memoryOf(url, { field, anchors, verify }) {
  return inProcess(import.meta.url, [url], { execArgv: ["--expose-gc"], message: { field, anchors: [...anchors], verify } });
}

/** Bytes in use after a collection. */
function inUse() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * @param {string} url
 * @param {Job} job
 * @returns {Promise<Memory>}
 */
async function run(url, { field, anchors, verify }) {
  let [requests, base, peak, looks] = [0, Infinity, 0, 0];
  const onEvent = (/** @type {import("dreamdb-arrays").DatasetEvent} */ event) => {
    if (base === Infinity || event.type !== "request" || requests++ % EVERY !== 0) return;
    peak = Math.max(peak, inUse() - base);
    looks++;
  };
  const ds = await openDataset(url, "main", { verify, concurrency: CONCURRENCY, cacheBytes: 0, onEvent });
  const media = ds.media(field);
  // Connections and code are there before the clean start.
  await media.readMany(anchors.slice(0, 2 * CONCURRENCY));
  inUse();
  base = inUse();
  const outcomes = await media.readMany(anchors);
  const end = inUse() - base;
  const results = outcomes.reduce((sum, outcome) => sum + (outcome.status === "value" ? outcome.value.bytes.byteLength : Number.NaN), 0);
  return { items: outcomes.length, results, peak: Math.max(peak, end), end, looks };
}

if (isMain(import.meta.url)) {
  const [job] = await once(process, "message");
  process.send?.(await run(process.argv[2] ?? "", job));
  process.disconnect();
}
