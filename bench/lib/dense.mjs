/**
 * Dense arrays and `.npy` files: a view of the bytes that came, beside a bare view and npyjs.
 *
 * That nothing is copied is no matter of time, so it is looked at: the array's buffer is the one that the store gave.
 */
import { codec, openArrayField } from "dreamdb-arrays";
import { parse } from "npyjs";
import { decodeOwned } from "../../dist/codec/payload.js";
import { atMost } from "./measurements.mjs";
import { right, sizeOf, timed } from "./topic.mjs";
import { Turns } from "./turns.mjs";

/** Calls in a round. */
const CALLS = 2000;

/**
 * @param {import("./topic.mjs").Context} context
 * @returns {Promise<import("./topic.mjs").Topic>}
 */
export async function dense({ quick }) {
  const sizes = quick ? [64] : [64, 2 ** 24];
  return {
    title: "Dense arrays without a copy",
    measurements: sizes.flatMap((bytes) => [raw(bytes), npy(bytes)]),
    facts: [await copiesOf("raw"), await copiesOf("npy")],
  };
}

/** @param {import("dreamdb-arrays").ItemTypeInit} init */
function typed(init) {
  const cbor = codec.encodeItemType(init);
  return { type: codec.decodeItemType(cbor), cbor };
}

/**
 * @param {number} bytes
 * @returns {import("./measurements.mjs").Measurement}
 */
function raw(bytes) {
  const declared = typed({ family: "dense-array", dtype: "f32", shape: [bytes / 16, 4] });
  const payload = new Uint8Array(bytes);
  return {
    name: `raw, ${sizeOf(bytes)}`,
    count: CALLS,
    per: "call",
    turns: new Turns({
      ours: () => timed(CALLS, () => decodeOwned(declared, payload)),
      "new Float32Array": () => timed(CALLS, () => new Float32Array(payload.buffer, 0, bytes / 4)),
    }),
    budgets: [],
  };
}

/**
 * @param {number} bytes
 * @returns {import("./measurements.mjs").Measurement}
 */
function npy(bytes) {
  const init = /** @type {const} */ ({ family: "dense-array", dtype: "f32", shape: [bytes / 16, 4], codec: "npy" });
  const declared = typed(init);
  const file = codec.encodeNpy(init, new Float32Array(bytes / 4).fill(1.5));
  const theirs = parse(file.buffer);
  const own = decodeOwned(declared, file);
  right(own.family === "dense-array" && own.data.byteOffset === theirs.data.byteOffset && own.data.byteLength === theirs.data.byteLength, "a .npy file");
  return {
    name: `npy, ${sizeOf(bytes)}`,
    count: CALLS,
    per: "call",
    turns: new Turns({ ours: () => timed(CALLS, () => decodeOwned(declared, file)), npyjs: () => timed(CALLS, () => parse(file.buffer)) }),
    budgets: [],
  };
}

/**
 * Items of a field whose arrays do not lie in the buffer that the store gave, of whose bytes all were verified.
 * @param {"raw" | "npy"} encoding
 */
async function copiesOf(encoding) {
  const type = /** @type {const} */ ({ family: "dense-array", dtype: "f32", shape: [256, 4], codec: encoding });
  const payloads = Array.from({ length: 32 }, (_, item) => codec.encodeDense(type, new Float32Array(1024).fill(item)));
  const entries = payloads.map((payload, anchor) => ({ anchor, address: codec.addressOf(payload) }));
  /** @type {ArrayBufferLike[]} */
  const given = [];
  const store = {
    get: async (/** @type {string} */ key) => {
      const bytes = new Uint8Array(payloads[entries.findIndex(({ address }) => key.endsWith(address))] ?? []);
      given.push(bytes.buffer);
      return bytes;
    },
    getRange: () => Promise.reject(new Error("a whole Item is read whole")),
    describe: (/** @type {string} */ key) => key,
  };
  const field = await openArrayField(store, { itemType: type, entries, path: "a" });
  let copies = 0;
  for (const { anchor } of entries) {
    const item = await field.read(anchor);
    right(item?.verified === "object" && item.data[0] === anchor, "an Item");
    if (item?.data.buffer !== given.at(-1)) copies += 1;
  }
  return atMost(`dense arrays, ${encoding}: copies of ${entries.length} Items`, copies, 0);
}
