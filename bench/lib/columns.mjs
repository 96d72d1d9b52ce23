/**
 * Ways to read a whole field, and what they are held against. Each opens the dataset anew, before the clock starts; the Track's index is read
 * within the time, by all of them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryStore, openDataset } from "dreamdb-arrays";
import { CONCURRENCY } from "./plain.mjs";

/** What the reference wrote: `pose` of 64 bytes, an object for each Item, and `frame`, in packs. */
export const SIZES = { items: 10_000, mediaBytes: 8192, packItems: 64 };

/** @typedef {"pose" | "frame"} Field */

/**
 * Reads a field as a column; milliseconds.
 * @param {import("dreamdb-arrays").Store | string} source
 * @param {Field} field
 */
export async function readColumn(source, field) {
  const ds = await openDataset(source, "main", { concurrency: CONCURRENCY, cacheBytes: 0 });
  const start = performance.now();
  const column = field === "pose" ? await ds.array(field).column() : await ds.media(field).column();
  const ms = performance.now() - start;
  if (column.anchors.length !== SIZES.items || column.verified === "none") throw new Error(`${field} was not read as it should be`);
  return ms;
}

/**
 * The keys of the Items of `pose`: those below buckets of the array modality.
 * @param {readonly string[]} keys
 */
export function poseKeys(keys) {
  const own = keys.filter((key) => /\/array\.[^/]*\/[0-9a-f]{16}\//.test(key)).toSorted();
  if (own.length !== SIZES.items) throw new Error(`${own.length} objects of pose were written, not ${SIZES.items}`);
  return own;
}

/**
 * The dataset in memory.
 * @param {string} folder
 * @param {readonly string[]} keys
 */
export function inMemory(folder, keys) {
  return memoryStore(keys.map((key) => /** @type {const} */ ([key, readFileSync(join(folder, key))])));
}

/**
 * A bare loop over a store; milliseconds.
 * @param {import("dreamdb-arrays").Store} store
 * @param {readonly string[]} keys
 */
export async function readEach(store, keys) {
  let bytes = 0;
  const start = performance.now();
  for (const key of keys) bytes += (await store.get(key)).byteLength;
  const ms = performance.now() - start;
  if (bytes !== 64 * keys.length) throw new Error(`the store gave ${bytes} bytes`);
  return ms;
}
