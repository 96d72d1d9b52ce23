/** The same numbers as Zarr has them (version 3, uncompressed), and reading them by zarrita. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as zarr from "zarrita";
import { CONCURRENCY } from "./plain.mjs";

/** What Zarr calls types of elements. */
const NAMES = { f32: "float32", u8: "uint8", u64: "uint64" };
const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/**
 * Writes an array of two axes, or more that are not cut, in chunks of so many rows; or in shards of so many chunks, which readers take apart by
 * ranges.
 * @param {string} folder of the array
 * @param {{ data: ArrayBufferView, dtype: keyof typeof NAMES, shape: readonly number[], rows: number, perShard?: number }} array
 */
export function writeZarr(folder, { data, dtype, shape, rows, perShard }) {
  const [count = 0, ...rest] = shape;
  const [own, together] = [[rows, ...rest], [rows * (perShard ?? 1), ...rest]];
  const shards = { name: "sharding_indexed", configuration: { chunk_shape: own, codecs: [LITTLE], index_codecs: [LITTLE], index_location: "end" } };
  mkdirSync(folder, { recursive: true });
  const metadata = zarrMetadata({ dtype, shape, chunk: together, ...(perShard === undefined ? {} : { codec: shards }) });
  writeFileSync(join(folder, "zarr.json"), JSON.stringify(metadata));
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const rowBytes = bytes.byteLength / count;
  for (let first = 0, at = 0; first < count; first += rows * (perShard ?? 1), at++) {
    // Chunks at the end are as long as the others.
    const body = new Uint8Array(rows * (perShard ?? 1) * rowBytes);
    body.set(bytes.subarray(first * rowBytes, first * rowBytes + body.byteLength));
    const index = BigUint64Array.from({ length: 2 * (perShard ?? 0) }, (_, half) => BigInt((half % 2 === 0 ? half / 2 : 1) * rows * rowBytes));
    writeFileSync(join(folder, `c.${[at, ...rest.map(() => 0)].join(".")}`), Buffer.concat([body, new Uint8Array(index.buffer)]));
  }
}

/**
 * What `zarr.json` says of an array whose chunks are called `c.0.0`.
 * @param {{ dtype: keyof typeof NAMES, shape: readonly number[], chunk: readonly number[], codec?: object }} array
 */
export function zarrMetadata({ dtype, shape, chunk, codec = LITTLE }) {
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: NAMES[dtype],
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator: "." } },
    fill_value: 0,
    codecs: [codec],
    attributes: {},
  };
}

/**
 * Opens an array.
 * @param {string} url
 */
export function openZarr(url) {
  return zarr.open.v3(new zarr.FetchStore(url), { kind: "array" });
}

/** @typedef {Awaited<ReturnType<typeof openZarr>>} ZarrArray */

/**
 * Reads some of an array, or all; as many chunks at once as our own reader.
 * @param {ZarrArray} array
 * @param {null | (number | null | ReturnType<typeof zarr.slice>)[]} [selection]
 */
export async function readZarr(array, selection = null) {
  const { data } = await zarr.get(array, selection, { opts: {}, createQueue });
  if (!ArrayBuffer.isView(data)) throw new Error("zarrita gave no numbers");
  return /** @type {Float32Array | Uint8Array | BigUint64Array} */ (/** @type {unknown} */ (data));
}

export const { slice } = zarr;

/** A queue as zarrita asks for one, which without has everything in flight at once. */
function createQueue() {
  /** @type {(() => Promise<void>)[]} */
  const waiting = [];
  return {
    add: (/** @type {() => Promise<void>} */ work) => void waiting.push(work),
    onIdle: async () => {
      const all = waiting.values();
      const lane = async () => {
        for (const work of all) await work();
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, lane));
      return [];
    },
  };
}
