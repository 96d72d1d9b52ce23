/**
 * BLAKE3 beside other packages and native code.
 *
 * What users call is `codec.addressOf`: bytes are copied into the core, those beyond 128 KiB window by window, and the address comes out as
 * text. Small objects come in crowds, of columns, and are checked many in one call.
 */
import { blake3 as noble } from "@noble/hashes/blake3.js";
import { hash as jit } from "blake3-jit";
import { hash as wasm } from "blake3-wasm";
import { codec } from "dreamdb-arrays";
import { createBLAKE3 } from "hash-wasm";
// What columns call is no part of the public API.
import { addressBytes, verifyObjects } from "../../pkg/dreamdb_arrays.js";
import { right, sizeOf, timed } from "./topic.mjs";
import { Turns } from "./turns.mjs";

/** Bytes in a round: objects are hashed again and again. */
const ROUND = 2 ** 21;
/** What a call is worth beside its bytes, so that rounds of small objects are no longer than others. */
const CALL = 600;
/** Objects of a column. */
const CROWD = 1000;
/** Bytes and objects that a column checks in one call (`ts/dataset/column/dense.ts`). */
const RUN = { bytes: 2 ** 16, objects: 1024 };
/** Beyond, one of the others would take seconds. */
const SLOW = 2 ** 20;

const PEERS = ["blake3-jit", "hash-wasm", "blake3-wasm", "@noble/hashes"];

/**
 * @param {import("./topic.mjs").Context} context
 * @returns {Promise<import("./topic.mjs").Topic>}
 */
export async function hashing({ quick, native }) {
  const [hasher, program] = [await createBLAKE3(), await native()];
  const sizes = quick ? [64, 2 ** 12, 2 ** 20] : [64, 2 ** 12, 2 ** 16, 2 ** 20, 2 ** 26];
  const measurements = sizes.map((size) => {
    const times = Math.ceil(ROUND / (size + CALL));
    const bytes = new Uint8Array(size).map((_, at) => at * 7 + (at >> 8));
    const digest = hasher.init().update(bytes).digest("hex");
    const agree = [Buffer.from(addressBytes(codec.addressOf(bytes)).subarray(1)), Buffer.from(jit(bytes)), Buffer.from(wasm(bytes)), Buffer.from(noble(bytes))];
    right(agree.every((other) => other.toString("hex") === digest), `a hash of ${size} bytes`);
    /** @type {import("./turns.mjs").Sides<string>} */
    const sides = {
      ours: () => timed(times, () => codec.addressOf(bytes)),
      ...(size < 2 ** 16 ? { "ours, many at once": crowd(bytes, times) } : {}),
      "blake3-jit": () => timed(times, () => jit(bytes)),
      "hash-wasm": () => timed(times, () => hasher.init().update(bytes).digest("binary")),
      "blake3-wasm": () => timed(times, () => wasm(bytes)),
      ...(size <= SLOW && !quick ? { "@noble/hashes": () => timed(times, () => noble(bytes)) } : {}),
      native: () => program.run("hash", size, times),
    };
    const of = "ours, many at once" in sides ? "ours, many at once" : "ours";
    return {
      name: `BLAKE3 of ${sizeOf(size)}`,
      count: size * times,
      per: /** @type {const} */ ("byte"),
      turns: new Turns(sides),
      budgets: PEERS.filter((side) => side in sides).map((side) => ({ side, of, what: /** @type {const} */ ("times as fast"), limit: 1.3, gate: 1 })),
    };
  });
  return { title: "Hashing, the copy into WebAssembly included", measurements };
}

/**
 * Copies of one object behind one another, as a column has them, against their addresses: in runs, as columns check them. Of so many, to compare.
 * @param {Uint8Array} bytes
 * @param {number} times
 */
function crowd(bytes, times) {
  const size = bytes.byteLength;
  const [all, addresses] = [new Uint8Array(CROWD * size), new Uint8Array(CROWD * 33)];
  for (let at = 0; at < CROWD; at++) {
    all.set(bytes, at * size);
    addresses.set(addressBytes(codec.addressOf(bytes)), at * 33);
  }
  const most = Math.min(RUN.objects, Math.floor(RUN.bytes / size));
  const runs = Array.from({ length: Math.ceil(CROWD / most) }, (_, at) => {
    const [from, to] = [at * most, Math.min((at + 1) * most, CROWD)];
    const ends = Uint32Array.from({ length: to - from }, (__, of) => (of + 1) * size);
    return { addresses: addresses.subarray(from * 33, to * 33), ends, bytes: all.subarray(from * size, to * size) };
  });
  const check = () => {
    for (const run of runs) right(verifyObjects(run.addresses, run.ends, run.bytes) === run.ends.length, "a check");
  };
  const calls = Math.ceil(times / CROWD);
  return () => (timed(calls, check) * times) / (calls * CROWD);
}
