/** One scan in a process of its own, and the writing of what is scanned: see scan.mjs. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codec, openArrayField } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
// The core's memory is no part of the public API.
import { initSync } from "../../pkg/dreamdb_arrays.js";
import { isMain } from "../../scripts/lib/paths.mjs";

/** Items of 64 KiB, as many in a batch as make 16 MiB. */
const TYPE = /** @type {const} */ ({ family: "dense-array", dtype: "f32", shape: [128, 128] });
const ITEM = 2 ** 16;
const BATCH = 256;

/**
 * Writes a pack of numbers that are no two alike.
 * @param {string} folder
 * @param {number} bytes
 */
function write(folder, bytes) {
  const words = new Uint32Array(bytes / 4);
  for (let at = 0; at < words.length; at++) words[at] = Math.imul(at, 0x9e37_79b1);
  const all = new Uint8Array(words.buffer);
  const { address, body, outboard } = codec.packItems(Array.from({ length: bytes / ITEM }, (_, anchor) => ({ anchor, bytes: all.subarray(anchor * ITEM, (anchor + 1) * ITEM) })));
  for (const [key, object] of /** @type {const} */ ([[`a/0000000000000000/${address}`, body], [`bao-outboard/${address}`, outboard], ["entry", address]])) {
    mkdirSync(join(folder, key, ".."), { recursive: true });
    writeFileSync(join(folder, key), object);
  }
}

/**
 * Reads all Items, batch by batch.
 * @param {string} source
 * @param {string} address
 * @param {number} bytes
 * @param {"always" | "never"} verify
 */
async function ours(source, address, bytes, verify) {
  const entries = Array.from({ length: bytes / ITEM }, (_, start) => ({ start, size: ITEM, address, packOffset: start * ITEM }));
  const field = await openArrayField(source.startsWith("http") ? source : fsStore(source), { itemType: TYPE, entries, path: "a", verify });
  let [items, held] = [0, 0];
  const began = start();
  const before = inUse();
  for await (const { anchors, data, verified } of field.batches({ batchSize: BATCH })) {
    if (data.byteLength !== anchors.length * ITEM || (verified === "none") !== (verify === "never")) throw new Error("a batch was not read as it should be");
    items += anchors.length;
    held = Math.max(held, inUse() - before);
  }
  return { ...began(items * ITEM), held };
}

/** Bytes in use after a collection, where these can be forced. */
function inUse() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** @param {string} url */
async function whole(url) {
  const began = start();
  return began((await (await fetch(url)).arrayBuffer()).byteLength);
}

/** @param {string} url */
async function streamed(url) {
  const began = start();
  let bytes = 0;
  const { body } = await fetch(url);
  if (body !== null) for await (const chunk of body) bytes += chunk.byteLength;
  return began(bytes);
}

/** Starts the clock; what is given back is told how many bytes came. */
function start() {
  const before = process.memoryUsage.rss();
  const at = performance.now();
  return (/** @type {number} */ bytes) => {
    const ms = performance.now() - at;
    // The system counts in KiB.
    const peak = process.resourceUsage().maxRSS * 1024 - before;
    return { bytes, ms, peak, wasm: initSync({ module: new Uint8Array(0) }).memory.buffer.byteLength };
  };
}

if (isMain(import.meta.url)) {
  const [, , how = "", place = "", size = "", verify] = process.argv;
  const bytes = Number(size);
  if (how === "write") {
    write(place, bytes);
    process.send?.({});
  } else {
    const address = place.startsWith("http") ? await (await fetch(`${place}/entry`)).text() : readFileSync(join(place, "entry"), "utf8");
    const body = `${place}/a/0000000000000000/${address}`;
    const read = how === "ours" ? await ours(place, address, bytes, verify === "never" ? "never" : "always") : await (how === "fetch, whole" ? whole(body) : streamed(body));
    if (read.bytes !== bytes) throw new Error(`${read.bytes} bytes were read, not ${bytes}`);
    process.send?.(read);
  }
  process.disconnect();
}
