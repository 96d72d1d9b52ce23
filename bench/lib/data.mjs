/**
 * The dataset that is measured: made by one deterministic script, with an exact Bao outboard beside every pack.
 *
 * Content is noise from a fixed seed, so that addresses, and with them requests and bytes, are the same in every run. Items of a field
 * have the anchors 0, 1, 2 … in the order in which they lie in packs.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codec, init } from "dreamdb-arrays";
// The package reads; what writes is in its core already.
import { addressBytes, makeOutboard } from "../../pkg/dreamdb_arrays.js";
import { cbor } from "./cbor.mjs";

const MODALITY = "image.png";

/** What of a field its measurements must know. */
/** @typedef {{ packs: number, perPack: number, itemBytes: number }} Shape packs of 0: every Item is an object of its own */

/** Bytes of an Item: about 4 KiB, and no multiple of the chunks that are verified. */
const ITEM = 4100;

/** Fields, in the order of their names, which the manifest asks for. */
export const FIELDS = /** @satisfies {Record<string, Shape>} */ ({
  /** Packs of 0.4 MB. */
  many: { packs: 100, perPack: 100, itemBytes: ITEM },
  /** Of 0.26 MB to 66 MB. */
  pack1: { packs: 1, perPack: 64, itemBytes: ITEM },
  pack2: { packs: 1, perPack: 250, itemBytes: ITEM },
  pack3: { packs: 1, perPack: 1000, itemBytes: ITEM },
  pack4: { packs: 1, perPack: 2000, itemBytes: ITEM },
  pack5: { packs: 1, perPack: 16_000, itemBytes: ITEM },
  singles: { packs: 0, perPack: 5000, itemBytes: ITEM },
  small: { packs: 1, perPack: 10_000, itemBytes: 300 },
});

/** @typedef {keyof typeof FIELDS} FieldName */

/**
 * Bytes of a pack of a field.
 * @param {FieldName} field
 */
export function packBytes(field) {
  return FIELDS[field].perPack * FIELDS[field].itemBytes;
}

/**
 * Bytes of the whole outboard of a pack of a field: its length, and a node of 64 bytes fewer than it has chunks.
 * @param {FieldName} field
 */
export function outboardBytes(field) {
  return 8 + 64 * (Math.ceil(packBytes(field) / 1024) - 1);
}

/**
 * Writes the dataset below a folder.
 * @param {string} folder
 */
export async function writeDataset(folder) {
  await init();
  const write = (/** @type {string} */ key, /** @type {Uint8Array} */ bytes) => {
    const path = join(folder, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  };
  const timeline = codec.addressOf(Buffer.from("the timeline of the benchmark"));
  const place = `${timeline}/${MODALITY}`;
  const common = { modality: MODALITY, timeline: addressBytes(timeline) };

  /** @type {import("./cbor.mjs").Value[]} */
  const bindings = [];
  for (const [at, [field, shape]] of Object.entries(FIELDS).entries()) {
    const entries = writeItems(shape, at + 1, (address, bytes, outboard) => {
      write(`${place}/0000000000000000/${address}`, bytes);
      if (outboard !== undefined) write(`bao-outboard/${address}`, outboard);
    });
    const coverage = [0, entries.length];
    const track = cbor({ coverage, modality: MODALITY, timeline: common.timeline, object_index: entries });
    const address = codec.addressOf(track);
    write(`${place}/track/${address}`, track);
    bindings.push({ kind: "continuous", role: "base", field, address: addressBytes(address), coverage, ...common });
  }
  const fields = Object.keys(FIELDS).map((name) => ({ kind: "image", mime: "png", name }));
  const manifest = cbor({
    ts: 1,
    tracks: { form: "lineage-v1", edges: [], active: bindings, lineage: [] },
    writer: "bench/lib/data.mjs",
    parents: [],
    timelines: [common.timeline],
    registry: { "dreamdb.schema": { v: 1, fields } },
  });
  const address = codec.addressOf(manifest);
  write(`manifests/${address}`, manifest);
  write("refs/main", addressBytes(address));
}

/**
 * Writes the objects of a field; the entries of its Track.
 * @param {Shape} shape
 * @param {number} seed
 * @param {(address: string, bytes: Uint8Array, outboard?: Uint8Array) => void} put
 * @returns {import("./cbor.mjs").Value[]}
 */
function writeItems({ packs, perPack, itemBytes }, seed, put) {
  const noise = noiseFrom(seed);
  if (packs === 0) {
    return Array.from({ length: perPack }, (_, anchor) => {
      const bytes = noise(itemBytes);
      const address = codec.addressOf(bytes);
      put(address, bytes);
      return [anchor, anchor + 1, itemBytes, addressBytes(address)];
    });
  }
  return Array.from({ length: packs }, (_, pack) => {
    const bytes = noise(perPack * itemBytes);
    const { address, bytes: outboard } = makeOutboard(bytes);
    put(address, bytes, outboard);
    const raw = addressBytes(address);
    return Array.from({ length: perPack }, (_, at) => {
      const anchor = pack * perPack + at;
      return [anchor, anchor + 1, itemBytes, raw, false, at * itemBytes];
    });
  }).flat();
}

/**
 * A source of noise: xorshift of 32 bits.
 * @param {number} seed not 0
 */
function noiseFrom(seed) {
  let state = seed;
  return (/** @type {number} */ length) => {
    const words = new Uint32Array(Math.ceil(length / 4));
    for (let at = 0; at < words.length; at++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      words[at] = state;
    }
    return new Uint8Array(words.buffer, 0, length);
  };
}
