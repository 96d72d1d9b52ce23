/** The package's own operations on Tracks, fragments, objects, proofs and requests: over a store, as a dataset is read. */
import * as codec from "../../codec.js";
import { openDataset } from "../../dataset/open.js";
import { memoryStore } from "../../store/memory.js";
import type { ByteSpan, FragmentEntry, Implementation, RangeProof, RequestPlan, StoredObject, TrackEntry, WantedSpans } from "../../conformance/implementation.js";
import { placeOf, trackKey } from "../../dataset/keys.js";
import { addressAt } from "../../dataset/entries.js";
import { Track } from "../../dataset/track.js";
import { LIMITS, ObjectReader } from "../../io/objects.js";
import type { CoreBinding, CoreIndex } from "../../../pkg/dreamdb_arrays.js";
import { call } from "../../wasm.js";
import { map } from "./cbor.js";
import { manifest, mediaField, schema, TIMELINE, track } from "./documents.js";

const MEDIA = { field: "m", kind: "continuous", modality: "image.png" } as const;

/** The index of a Track Object, fetched, hashed and decoded as a field's is. */
async function indexOf(object: Uint8Array, advertised: Pick<CoreBinding, "kind" | "modality" | "timeline" | "start" | "end">): Promise<CoreIndex> {
  const binding: CoreBinding = { field: "x", track: codec.addressOf(object), ...advertised };
  const store = memoryStore([[trackKey(placeOf(binding), binding.track), object]]);
  const content = await new Track(new ObjectReader(store, { ...LIMITS, verify: "always", concurrency: 6 }), binding).content();
  if (content.form === "pages") throw new Error("the vectors have no pages");
  if (content.form === "entries") return content.part.entries;
  return { form: "constant", ...(content.address === undefined ? {} : { address: content.address }) };
}

function trackEntries(index: CoreIndex): TrackEntry[] {
  switch (index.form) {
    case "event":
      return Array.from(index.anchors, (anchor, at) => ({ anchor, address: addressAt(index.addresses, at) }));
    case "continuous":
      return Array.from(index.starts, (start, at) => {
        const [end = 0n, bucket = 0n] = [index.ends[at], index.buckets[at]];
        return { start, end, bucket, address: addressAt(index.addresses, at) };
      });
    case "constant":
      return index.address === undefined ? [] : [{ address: index.address }];
    case "paged":
    case "unread":
    case "fragments":
      throw new Error("an array Track has fragment entries");
  }
}

async function fragmentEntries(objectIndex: Uint8Array): Promise<FragmentEntry[]> {
  const object = track(MEDIA.modality, objectIndex);
  const index = await indexOf(object, { kind: MEDIA.kind, modality: MEDIA.modality, timeline: TIMELINE, start: 0n, end: 1n });
  if (index.form !== "fragments") throw new Error("a media Track has other entries");
  return Array.from(index.starts, (start, at) => {
    const form = (["single", "chunked", "packed"] as const)[index.forms[at] ?? 0] ?? "single";
    const [end = 0n, byteSize = 0n, object = 0, packOffset] = [index.ends[at], index.sizes[at], index.objects[at], index.offsets[at]];
    return { start, end, byteSize, address: addressAt(index.addresses, object), form, ...(form === "packed" ? { packOffset } : {}) };
  });
}

/** A whole dataset of one media field around the index and the objects, opened and read. */
async function readFragments(objectIndex: Uint8Array, objects: readonly StoredObject[], window: readonly [bigint, bigint] | undefined) {
  const trackObject = track(MEDIA.modality, objectIndex);
  const trackAddress = codec.addressOf(trackObject);
  const registry = map([["dreamdb.schema", schema([mediaField(MEDIA.field, "image", "png")])]]);
  const manifestObject = manifest([{ ...MEDIA, track: trackAddress }], registry);
  const manifestAddress = codec.addressOf(manifestObject);
  const store = memoryStore([
    [`manifests/${manifestAddress}`, manifestObject],
    [`${TIMELINE}/${MEDIA.modality}/track/${trackAddress}`, trackObject],
    ...objects.map(({ path, bytes }) => [`${TIMELINE}/${MEDIA.modality}/${path}`, bytes] as const),
  ]);
  // The vectors ask what the bytes are, not what one cares to hold.
  const dataset = await openDataset(store, { manifest: manifestAddress }, { maxItemBytes: Infinity });
  const field = dataset.media(MEDIA.field);
  const items: [bigint, Uint8Array][] = [];
  for (const anchor of await field.anchors()) {
    if (window !== undefined && (anchor < window[0] || anchor >= window[1])) continue;
    const item = await field.read(anchor);
    if (item === undefined) throw new Error(`the Item at ${anchor} is listed and not there`);
    items.push([anchor, item.bytes]);
  }
  return items;
}

/** The range that a proof proves, cut out of its bytes. */
function verifyRange({ address, length, range: [start, end], span, bytes, nodeBytes }: RangeProof): Uint8Array {
  call((core) => core.verifyRange(address, length, start, end, bytes, nodeBytes));
  return bytes.subarray(Number(start - span[0]), Number(end - span[0]));
}

function spansOf(starts: BigUint64Array, ends: BigUint64Array): ByteSpan[] {
  return Array.from(starts, (start, at) => [start, ends[at] ?? 0n]);
}

function planRequests({ length, spans, maxGap, maxRequest, proof }: WantedSpans): RequestPlan {
  const [starts, sizes] = [BigUint64Array.from(spans, ([start]) => start), BigUint64Array.from(spans, ([, size]) => size)];
  const { maxGap: proofGap, known } = proof ?? { maxGap: 0n, known: false };
  const plan = call((core) => core.planRequests(length, starts, sizes, proof !== undefined, maxGap, maxRequest, proofGap, known));
  const { slices, whole } = plan;
  return { requests: spansOf(plan.starts, plan.ends), slices, whole, proofRequests: spansOf(plan.proofStarts, plan.proofEnds) };
}

/** Operations on Tracks, fragments, objects, proofs and requests. */
export const storage = {
  async decodeTrack({ trackCbor, binding: { kind, modality, timeline, coverage } }) {
    const [start, end] = coverage;
    return trackEntries(await indexOf(trackCbor, { kind: kind as CoreBinding["kind"], modality, timeline, start, end }));
  },
  async decodeFragmentEntries({ objectIndexCbor }) {
    return { entries: await fragmentEntries(objectIndexCbor), sorted: true };
  },
  readFragments: ({ objectIndexCbor, objects, window }) => readFragments(objectIndexCbor, objects, window),
  makeOutboard({ data }) {
    const { address, bytes } = call((core) => core.makeOutboard(data));
    return { address, outboard: bytes };
  },
  planRange({ length, range }) {
    const { start, end, nodes } = call((core) => core.planRange(length, ...range));
    return { span: [start, end], nodes: Array.from(nodes, Number) };
  },
  verifyRange,
  planRequests,
  verifyObject: ({ address, bytes }) => codec.verifyAddress(bytes, address),
} as const satisfies Implementation;
