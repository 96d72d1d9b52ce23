/** The operations on Tracks, fragments, objects, range proofs and requests; as operations.ts otherwise. */
import { Disagreeing, same } from "./compare.js";
import type { ByteSpan, FragmentEntry, Implementation, MediaBatch, RangeProof, StoredObject, TrackEntry, WantedSpans } from "./implementation.js";
import { type Operation, present, type Results } from "./operations.js";
import { addressOfBytes, planOf, type Tree, treeOf } from "./outboard.js";
import { bytesOf, decimalOf, type Fields, fieldsOf, hexOf, type Json, listOf, MalformedVector, pairOf } from "./vector.js";

/** Outboards up to this length stand in vectors as they are. */
const OUTBOARD_HEX = 4096;

const digits = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : String(value));

function trackEntryJson({ address, anchor, start, end, bucket }: TrackEntry): Json {
  return present({ anchor: digits(anchor), t_start: digits(start), t_end: digits(end), bucket: digits(bucket), address });
}

function fragmentEntryJson({ start, end, byteSize, address, form, packOffset }: FragmentEntry): Json {
  return present({ t_start: `${start}`, t_end: `${end}`, byte_size: `${byteSize}`, address, form, pack_offset: packOffset });
}

/** Expected entries by ascending start, equal ones in wire order. */
function byStart(entries: readonly Json[]): Json[] {
  const start = (entry: Json) => decimalOf(fieldsOf(entry, "expected_entries").text("t_start"), "t_start");
  const order = (first: bigint, second: bigint) => (first < second ? -1 : first > second ? 1 : 0);
  return [...entries].sort((first, second) => order(start(first), start(second)));
}

function objectsIn(vector: Fields): StoredObject[] {
  return vector.list("objects").map((object) => {
    const fields = fieldsOf(object, "objects");
    return { path: fields.text("path"), bytes: fields.bytes("bytes_hex") };
  });
}

function batchOf(batch: Json): MediaBatch {
  const fields = fieldsOf(batch, "batches");
  const items = fields.list("items").map((pair) => {
    const [anchor, bytes] = listOf(pair, "items");
    return [decimalOf(anchor, "items"), bytesOf(bytes, "items")] as const;
  });
  const optional = (name: string) => (fields.has(name) ? fields.integer(name) : undefined);
  return { items, packItems: optional("pack_items"), chunkSize: optional("chunk_size") };
}

/** The bytes that a `data` field describes. */
function dataOf(vector: Fields): Uint8Array {
  const data = vector.object("data");
  if (data.text("pattern") !== "i%251") throw new MalformedVector("`data` has an unknown pattern");
  return Uint8Array.from({ length: data.integer("length") }, (_, at) => at % 251);
}

/** The range of a vector, as numbers too. */
function rangeOf(vector: Fields): { range: [bigint, bigint]; numbers: [number, number] } {
  const range = vector.pair("range");
  return { range, numbers: [Number(range[0]), Number(range[1])] };
}

/** Trees of the pattern by its length: many ranges are asked of few objects. */
const trees = new Map<number, Tree>();

function proofOf(vector: Fields): RangeProof {
  const data = dataOf(vector);
  const { range, numbers } = rangeOf(vector);
  const tree = trees.get(data.byteLength) ?? treeOf(data);
  trees.set(data.byteLength, tree);
  const { address, nodes: all } = tree;
  const { span, nodes } = planOf(data.byteLength, numbers);
  const nodeBytes = new Uint8Array(64 * nodes.length);
  nodes.forEach((node, at) => nodeBytes.set(all[node] ?? [], 64 * at));
  const bytes = data.slice(...span);
  return { address, length: BigInt(data.byteLength), range, span: [BigInt(span[0]), BigInt(span[1])], bytes, nodes, nodeBytes };
}

function wantedOf(vector: Fields): WantedSpans {
  const decimal = (fields: Fields, name: string) => decimalOf(fields.text(name), name);
  const proof = vector.has("proof") ? vector.object("proof") : undefined;
  return {
    length: decimal(vector, "length"),
    spans: vector.list("spans").map((span) => pairOf(span, "spans")),
    maxGap: decimal(vector, "max_gap"),
    maxRequest: decimal(vector, "max_request"),
    proof: proof && { maxGap: decimal(proof, "max_gap"), known: proof.boolean("known") },
  };
}

const spansJson = (spans: readonly ByteSpan[]): Json => spans.map((span) => span.map(String));

/** Verify with each of many bits changed, one at a time; gives on the refusal if all of them give the same. */
async function verifyChanged(
  vector: Fields,
  proof: RangeProof,
  implementation: Required<Implementation>,
  signal: AbortSignal | undefined,
): Promise<Results> {
  const flip = vector.object("flip");
  const place = flip.text("in");
  const [first, last] = flip.list("bits").map(Number);
  const target = place === "data" ? proof.bytes : proof.nodeBytes;
  if (first === undefined || last === undefined || !(first < last && last <= 8 * target.byteLength)) {
    throw new MalformedVector("`flip` names bits that are not there");
  }
  const expected = vector.text("expected_error");
  let refusal: unknown;
  for (let bit = first; bit < last; bit++) {
    signal?.throwIfAborted();
    const changed = target.slice();
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    try {
      await implementation.verifyRange(place === "data" ? { ...proof, bytes: changed } : { ...proof, nodeBytes: changed });
    } catch (error) {
      refusal = error;
      if ((error as { code?: unknown } | undefined)?.code === expected) continue;
      throw error;
    }
    throw new Disagreeing(`accepted although bit ${bit} of the ${place} is changed`);
  }
  throw refusal;
}

/** Operations on Tracks, fragments, objects, proofs and requests. */
export const STORAGE_OPERATIONS = {
  "decode-track": {
    needs: "decodeTrack",
    async run(vector, implementation) {
      const binding = vector.object("binding");
      const [kind, modality, timeline] = [binding.text("kind"), binding.text("modality"), binding.text("timeline")];
      const coverage = binding.pair("coverage");
      const trackCbor = vector.bytes("track_cbor_hex");
      const entries = await implementation.decodeTrack({ trackCbor, binding: { kind, modality, timeline, coverage } });
      return { expected_entries: entries.map(trackEntryJson) };
    },
  },
  "append-items": {
    needs: "appendItems",
    async run(vector, implementation) {
      const samples = vector.list("samples").map((sample) => {
        const fields = fieldsOf(sample, "samples");
        const anchor = fields.has("anchor") ? decimalOf(fields.text("anchor"), "anchor") : undefined;
        return { anchor, payload: fields.bytes("payload_hex") };
      });
      const existing = vector.has("existing_anchors") ? vector.list("existing_anchors") : [];
      const existingAnchors = existing.map((anchor) => decimalOf(anchor, "existing_anchors"));
      const [typeCbor, modality] = [vector.bytes("type_cbor_hex"), vector.text("modality")];
      const { objectIndexCbor } = await implementation.appendItems({ typeCbor, modality, samples, existingAnchors });
      return { expected_object_index_cbor_hex: hexOf(objectIndexCbor) };
    },
  },
  "decode-fragment-entries": {
    needs: "decodeFragmentEntries",
    async run(vector, implementation) {
      const objectIndexCbor = vector.bytes("object_index_cbor_hex");
      const { entries, sorted = false } = await implementation.decodeFragmentEntries({ objectIndexCbor });
      const found = entries.map(fragmentEntryJson);
      if (!sorted || !vector.has("expected_entries")) return { expected_entries: found };
      // What is as expected once both are sorted is given as the vector has it.
      const expected = vector.list("expected_entries");
      return { expected_entries: same(found, byStart(expected)) ? expected : found };
    },
  },
  "read-fragments": {
    needs: "readFragments",
    async run(vector, implementation) {
      const [objectIndexCbor, objects] = [vector.bytes("object_index_cbor_hex"), objectsIn(vector)];
      const window = vector.has("window") ? vector.pair("window") : undefined;
      const items = await implementation.readFragments({ objectIndexCbor, objects, window });
      return { expected_items: items.map(([start, bytes]) => [String(start), hexOf(bytes)]) };
    },
  },
  "pack-items": {
    needs: "packItems",
    async run(vector, implementation) {
      const batches = vector.list("batches").map(batchOf);
      const { objects, objectIndexCbor, alternative } = await implementation.packItems({ batches });
      if (alternative !== undefined && alternative === vector.optionalText("accepted_alternative")) {
        const limit = Math.max(...batches.map(({ chunkSize = Number.POSITIVE_INFINITY }) => chunkSize));
        const large = objects.find(({ path, bytes }) => !path.startsWith("items/") && bytes.byteLength > limit);
        if (large !== undefined) throw new Disagreeing(`says \`${alternative}\`, but ${large.path} has ${large.bytes.byteLength} bytes`);
        return { accepted_alternative: alternative };
      }
      const byPath = [...objects].sort((first, second) => (first.path < second.path ? -1 : 1));
      return {
        expected_objects: byPath.map(({ path, bytes }) => ({ path, bytes_hex: hexOf(bytes) })),
        expected_object_index_cbor_hex: hexOf(objectIndexCbor),
      };
    },
  },
  "verify-object": {
    needs: "verifyObject",
    async run(vector, implementation) {
      await implementation.verifyObject({ address: vector.text("address"), bytes: vector.bytes("bytes_hex") });
      return {};
    },
  },
  "make-outboard": {
    needs: "makeOutboard",
    async run(vector, implementation) {
      const { address, outboard } = await implementation.makeOutboard({ data: dataOf(vector) });
      return present({
        expected_address: address,
        expected_outboard_length: outboard.byteLength,
        expected_outboard_hex: outboard.byteLength <= OUTBOARD_HEX ? hexOf(outboard) : undefined,
        expected_outboard_address: addressOfBytes(outboard),
      });
    },
  },
  "plan-range": {
    needs: "planRange",
    async run(vector, implementation) {
      const length = decimalOf(vector.text("length"), "length");
      const { span, nodes } = await implementation.planRange({ length, range: rangeOf(vector).range });
      return { expected_span: span.map(String), expected_nodes: [...nodes] };
    },
  },
  "verify-range": {
    needs: "verifyRange",
    async run(vector, implementation, signal) {
      const proof = proofOf(vector);
      if (vector.has("flip")) return verifyChanged(vector, proof, implementation, signal);
      const bytes = await implementation.verifyRange(proof);
      return {
        // What the runner handed out: a vector with another plan is a disagreement with the runner itself.
        expected_span: proof.span.map(String),
        expected_nodes: [...proof.nodes],
        expected_bytes_address: addressOfBytes(bytes),
      };
    },
  },
  "plan-requests": {
    needs: "planRequests",
    async run(vector, implementation) {
      const { requests, slices, whole, proofRequests } = await implementation.planRequests(wantedOf(vector));
      return {
        expected_requests: spansJson(requests),
        expected_proof_requests: spansJson(proofRequests),
        expected_whole: whole,
        expected_slices: Array.from(slices),
      };
    },
  },
} as const satisfies { readonly [name: string]: Operation };
