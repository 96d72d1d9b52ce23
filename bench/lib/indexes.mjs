/**
 * Datasets that are nothing but an index: a Track of a million entries in one object or in pages, and what leads to it.
 *
 * There are no Items. Anchors are nanoseconds at 30 a second, so that they take nine bytes as real ones do; addresses are noise.
 */
import { codec } from "dreamdb-arrays";
import { addressBytes, decodeIndexPage, decodeTrack } from "../../pkg/dreamdb_arrays.js";
import { cbor, Encoded, head } from "./cbor.mjs";

/** Entries of each Track. */
export const ENTRIES = 1_000_000;
/** Media Items in a pack, and bytes of each. */
const PACK_ITEMS = 64;
const ITEM_BYTES = 8192;
/** About the bytes of a leaf, and pages below an internal page. */
const LEAF_BYTES = 16 * 1024;
const FANOUT = 250;

const FIRST = 1_700_000_000_000_000_000n;
const STEP = 33_333_333n;

/** First anchor of the Item of that number. */
export const anchorOf = (/** @type {number} */ at) => FIRST + BigInt(at) * STEP;

/** @typedef {"event" | "continuous" | "fragments"} Kind */
/** @typedef {{ field: string, objects: Map<string, Uint8Array>, version: { manifest: string }, bytes: number, pages: number, decode: () => void }} Built bytes of the index; what decodes all of it */

/** Every address begins so: BLAKE3 of 32 bytes. */
const ADDRESS_HEAD = Buffer.of(0x58, 33);

/**
 * Writes entries one after another into one buffer.
 * @param {Kind} kind
 * @param {Uint8Array} addresses
 * @param {number} from
 * @param {number} to
 * @param {bigint} base what their anchors are counted from
 */
function entriesOf(kind, addresses, from, to, base) {
  const out = Buffer.allocUnsafe(80 * (to - from));
  let at = 0;
  const put = (/** @type {number} */ major, /** @type {number | bigint} */ value) => {
    if (value < 24) out[at++] = (major << 5) | Number(value);
    else at += head(major, value).copy(out, at);
  };
  const address = (/** @type {number} */ number) => {
    at += ADDRESS_HEAD.copy(out, at);
    out.set(addresses.subarray(33 * number, 33 * (number + 1)), at);
    at += 33;
  };
  // Those of pages have a duration in place of the end.
  const end = (/** @type {bigint} */ start) => (base > 0n ? STEP : start + STEP);
  for (let item = from; item < to; item++) {
    const start = anchorOf(item) - base;
    put(4, kind === "event" ? 2 : kind === "continuous" ? 4 : 6);
    if (kind === "event") {
      address(item);
      put(0, start);
      continue;
    }
    put(0, start);
    put(0, end(start));
    put(0, kind === "continuous" ? item >>> 10 : ITEM_BYTES);
    address(kind === "continuous" ? item : Math.floor(item / PACK_ITEMS));
    if (kind === "fragments") {
      out[at++] = 0xf4;
      put(0, (item % PACK_ITEMS) * ITEM_BYTES);
    }
  }
  return out.subarray(0, at);
}

/**
 * A dataset of one field with an Item at each of {@link ENTRIES} anchors.
 * @param {Kind} kind
 * @param {"inline" | "paged"} form
 * @returns {Built}
 */
export function buildIndex(kind, form) {
  const timeline = codec.addressOf(Buffer.from("the timeline of the benchmark"));
  const type = codec.encodeItemType({ family: "dense-array", dtype: "f32", shape: [4, 4], semanticType: "pose", units: "m", frame: "camera", axisOrder: "row_major" });
  const trackKind = kind === "event" ? "event" : "continuous";
  const modality = kind === "fragments" ? "image.png" : codec.modalityOf(type, trackKind);
  const field = kind === "fragments" ? "frame" : "pose";
  const place = `${timeline}/${modality}`;
  const addresses = noise(kind === "fragments" ? Math.ceil(ENTRIES / PACK_ITEMS) : ENTRIES);
  /** @type {Built["objects"]} */
  const objects = new Map();
  /** @type {(() => unknown)[]} */
  const decodes = [];
  let [bytes, pages] = [0, 0];
  const put = (/** @type {string} */ folder, /** @type {Buffer} */ object) => {
    const address = codec.addressOf(object);
    objects.set(`${folder}/${address}`, object);
    return address;
  };
  const page = (/** @type {bigint} */ level, /** @type {bigint} */ start, /** @type {bigint} */ end, /** @type {number} */ count, /** @type {Buffer} */ body) => {
    const object = cbor({ type: level === 1n ? "leaf" : "internal", t_max: end, t_min: start, entries: new Encoded(Buffer.concat([head(4, count), body])), modality });
    bytes += object.byteLength;
    pages++;
    decodes.push(() => decodeIndexPage(object, modality, level, BigInt(FANOUT), BigUint64Array.of(start, end)));
    return { start, end, address: addressBytes(put(`${place}/index`, object)) };
  };

  /** @type {[bigint, bigint]} */
  const coverage = [FIRST, anchorOf(ENTRIES)];
  /** @type {import("./cbor.mjs").Value} */
  let index;
  if (form === "inline") {
    const body = entriesOf(kind, addresses, 0, ENTRIES, 0n);
    index = new Encoded(Buffer.concat([head(4, ENTRIES), body]));
  } else {
    const perLeaf = Math.floor(LEAF_BYTES / (entriesOf(kind, addresses, 0, 300, anchorOf(0)).byteLength / 300));
    /** @type {{ start: bigint, end: bigint, address: Uint8Array, items: number }[]} */
    let level = [];
    for (let from = 0; from < ENTRIES; from += perLeaf) {
      const to = Math.min(ENTRIES, from + perLeaf);
      level.push({ ...page(1n, anchorOf(from), anchorOf(to), to - from, entriesOf(kind, addresses, from, to, anchorOf(from))), items: to - from });
    }
    let height = 1;
    for (; level.length > 1; height++) {
      const above = /** @type {typeof level} */ ([]);
      for (let from = 0; from < level.length; from += FANOUT) {
        const children = level.slice(from, from + FANOUT);
        const [first, last] = [children[0], children.at(-1)];
        if (first === undefined || last === undefined) break;
        const items = children.reduce((sum, child) => sum + child.items, 0);
        const body = Buffer.concat(children.map((child) => cbor([child.start, child.end, child.address, child.items])));
        above.push({ ...page(BigInt(height + 1), first.start, last.end, children.length, body), items });
      }
      level = above;
    }
    index = { form: "paged", root: level[0]?.address ?? new Uint8Array(0), fanout: FANOUT, page_count: pages, total_items: ENTRIES, tree_height: height };
  }
  const [start, end] = coverage;
  const track = cbor({ coverage, modality, timeline: addressBytes(timeline), object_index: index });
  bytes += track.byteLength;
  decodes.push(() => decodeTrack(track, modality, timeline, start, end));
  const binding = { kind: trackKind, role: "base", field, address: addressBytes(put(`${place}/track`, track)), coverage, modality, timeline: addressBytes(timeline) };
  const document = new Encoded(Buffer.from(type));
  const objectKind = kind === "event" ? "unbucketed" : "time-batch";
  const schema = kind === "fragments" ? { kind: "image", mime: "png", name: field } : { kind: "array", name: field, required: true, track_kind: trackKind, object_kind: objectKind, item_type: document };
  const manifest = cbor({
    ts: 1,
    tracks: { form: "lineage-v1", edges: [], active: [binding], lineage: [] },
    writer: "bench/lib/indexes.mjs",
    parents: [],
    timelines: [addressBytes(timeline)],
    registry: { "dreamdb.schema": { v: 1, fields: [schema] }, ...(kind !== "fragments" && { [modality]: { item_type: document } }) },
  });
  return { field, objects, version: { manifest: put("manifests", manifest) }, bytes, pages, decode: () => decodes.forEach((decode) => decode()) };
}

/**
 * So many addresses: xorshift of 32 bits behind the prefix of BLAKE3.
 * @param {number} count
 */
function noise(count) {
  const [prefix = 0] = addressBytes(codec.addressOf(Buffer.from("any")));
  const bytes = new Uint8Array(33 * count);
  const words = new Uint32Array(8);
  const own = new Uint8Array(words.buffer);
  let state = 1;
  for (let at = 0; at < count; at++) {
    for (let word = 0; word < 8; word++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      words[word] = state;
    }
    bytes[33 * at] = prefix;
    bytes.set(own, 33 * at + 1);
  }
  return bytes;
}
