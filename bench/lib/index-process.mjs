/**
 * One index, measured in a process of its own, so that memory is that of nothing else.
 *
 * Time is processor time of the process, user and system: all of it is work here, and what else the machine does is not counted. It is
 * that of `count()`, which fetches, hashes and decodes an inline index, and of an empty window and `anchors()`, which reads all pages of
 * another. Memory is heap and external memory after forced collections, above what there was before the dataset was opened.
 */
import { codec, init, memoryStore, openDataset } from "dreamdb-arrays";
// The core's memory is no part of the public API.
import { initSync } from "../../pkg/dreamdb_arrays.js";
import { isMain } from "../../scripts/lib/paths.mjs";
import { inProcess } from "./child.mjs";
import { anchorOf, buildIndex, ENTRIES } from "./indexes.mjs";
import { processorMs, quantile } from "./turns.mjs";

const ROUNDS = 7;

/**
 * @typedef {object} IndexCost
 * @property {number} bytes of the index
 * @property {number} pages
 * @property {number} decodeNs decoding an entry, from the bytes of objects to columns of JavaScript
 * @property {number} ns processor time for each entry, with all that comes before and after
 * @property {number} wallNs the same by the clock on the wall
 * @property {number} hashNs of these, by the wall, what hashing takes
 * @property {number} pointUs finding one Item by its anchor, in a dataset that has read the index
 * @property {number} held bytes for each entry
 * @property {number} core bytes of the core's memory afterwards
 */

/**
 * Measures an index in a fresh process.
 * @param {import("./indexes.mjs").Kind} kind
 * @param {"inline" | "paged"} form
 * @returns {Promise<IndexCost>}
 */
export function measureIndex(kind, form) {
  return inProcess(import.meta.url, [kind, form], { execArgv: ["--expose-gc"] });
}

/** Bytes in use after a collection. */
function inUse() {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * @param {import("./indexes.mjs").Kind} kind
 * @param {"inline" | "paged"} form
 * @returns {Promise<IndexCost>}
 */
async function run(kind, form) {
  await init();
  const { field, objects, version, bytes, pages, decode } = buildIndex(kind, form);
  const store = memoryStore(objects);
  const hashing = /** @type {number[]} */ ([]);
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (const object of objects.values()) codec.addressOf(object);
    hashing.push(performance.now() - start);
  }
  objects.clear();
  const fresh = async () => {
    const ds = await openDataset(store, version);
    return kind === "fragments" ? ds.media(field) : ds.array(field);
  };
  const read = async (/** @type {Awaited<ReturnType<typeof fresh>>} */ opened) => {
    const count = await opened.count();
    const empty = await opened.column({ start: 0n, end: 1n });
    // An inline index is there by now; of a paged one every page is read.
    const anchors = form === "paged" ? (await opened.anchors()).length : count;
    if (count !== ENTRIES || anchors !== ENTRIES || empty.anchors.length !== 0) throw new Error(`${kind}, ${form}: ${count} Items and ${anchors} anchors`);
  };
  // What the core's memory grows to stays, so it is no part of what is held.
  const warmUp = async () => read(await fresh());
  await warmUp();
  const base = inUse();
  const opened = await fresh();
  await read(opened);
  const held = inUse() - base;
  const times = /** @type {number[]} */ ([]);
  const walls = /** @type {number[]} */ ([]);
  for (let round = 0; round < ROUNDS; round++) {
    const other = await fresh();
    globalThis.gc?.();
    const start = performance.now();
    times.push((await processorMs(() => read(other))) * 1e6);
    walls.push((performance.now() - start) * 1e6);
  }
  const decoding = [];
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.();
    decoding.push((await processorMs(async () => decode())) * 1e6);
  }
  // It runs already, so nothing is started.
  const { memory } = initSync({ module: new Uint8Array(0) });
  const points = [];
  for (let at = 1; at <= 100; at++) {
    const anchor = anchorOf(Math.floor((at * ENTRIES) / 101));
    const start = performance.now();
    const { items } = await opened.plan([anchor]);
    points.push((performance.now() - start) * 1e3);
    if (items !== 1) throw new Error(`${kind}, ${form}: there is nothing at ${anchor}`);
  }
  const per = (/** @type {number[]} */ values) => quantile(values, 0.5) / ENTRIES;
  return { bytes, pages, decodeNs: per(decoding), ns: per(times), wallNs: per(walls), hashNs: per(hashing) * 1e6, pointUs: quantile(points, 0.5), held: held / ENTRIES, core: memory.buffer.byteLength };
}

if (isMain(import.meta.url)) {
  const [, , kind, form] = process.argv;
  process.send?.(await run(/** @type {any} */ (kind), /** @type {any} */ (form)));
  process.disconnect();
}
