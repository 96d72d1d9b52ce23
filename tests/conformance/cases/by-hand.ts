/** Cases that tell in words what was done; their inputs are built here, as they were when the cases were recorded. */
import { itemTypeOf } from "../../../ts/conformance/operations.js";
import { type Fields, hexOf, type JsonObject } from "../../../ts/conformance/vector.js";
import { type Cbor, encode, encodeSorted } from "../naive/cbor.js";
import { declare, encodeItemType, pairsOf } from "../naive/tags.js";
import { address, multihash } from "../support/address.js";
import { array, bytes, map, text, TRUE, uint } from "../support/cbor-writer.js";
import type { Inputs } from "./inputs.js";

const F32_3 = {
  family: "dense-array", dtype: "f32", shape: ["3"], endianness: "little", layout: "c", codec: "raw",
  semanticType: "none", units: "none", frame: "none", axisOrder: "none",
};
const EVENT = declare({ ...F32_3, trackKind: "event", objectKind: "unbucketed" });
const CONSTANT = declare({ ...F32_3, trackKind: "constant", objectKind: "constant" });
const DOCUMENT = EVENT.typeCbor;
const THREE_FLOATS = "0000803f0000004000004040";
const GENESIS = encodeSorted([["nonce", new Uint8Array(16)]]);

/** A schema of array fields, each with its document. */
function schemaOf(fields: readonly (readonly [name: string, document: Uint8Array])[]): Uint8Array {
  const field = ([name, document]: readonly [string, Uint8Array]) =>
    map([
      ["kind", text("array")], ["name", text(name)], ["required", TRUE], ["item_type", document],
      ["track_kind", text("event")], ["object_kind", text("unbucketed")],
    ]);
  return map([["v", uint(1)], ["fields", array(fields.map(field))]]);
}

const nothing = (): JsonObject => ({});

/** An append call of three floats each. */
function append(modality: string, samples: readonly JsonObject[], existing?: readonly string[]): () => Inputs {
  const inputs = { type_cbor_hex: hexOf(DOCUMENT), modality, samples, ...(existing === undefined ? {} : { existing_anchors: existing }) };
  return () => ({ operation: "append-items", inputs, results: nothing });
}

/** What was done to a whole dataset, by a word in the case's id. */
export const DATASETS: { readonly [label: string]: (fields: Fields) => Inputs } = {
  "repeat-anchor-in-call": append(EVENT.modality, [{ anchor: "6", payload_hex: THREE_FLOATS }, { anchor: "6", payload_hex: THREE_FLOATS }]),
  "repeat-anchor-existing": append(EVENT.modality, [{ anchor: "5", payload_hex: THREE_FLOATS }], ["5"]),
  "constant-empty": append(CONSTANT.modality, []),
  "constant-write-short": append(CONSTANT.modality, [{ payload_hex: THREE_FLOATS.slice(0, -2) }]),
  "add-array-same-type-ok": () => {
    const entry = [EVENT.modality, map([["item_type", DOCUMENT]])] as const;
    return {
      operation: "resolve-registry",
      inputs: {
        modality: EVENT.modality, binding_kind: "event", field: "second",
        registry_cbor_hex: hexOf(map([entry, entry])), schema_cbor_hex: hexOf(schemaOf([["first", DOCUMENT], ["second", DOCUMENT]])),
      },
      results: () => ({ expected_item_id: EVENT.itemId }),
    };
  },
  "item-bytes-corrupt": () => {
    const stored = Uint8Array.from(THREE_FLOATS.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const named = address(stored);
    stored[0] = (stored[0] ?? 0) ^ 1;
    return { operation: "verify-object", inputs: { address: named, bytes_hex: hexOf(stored) }, results: nothing };
  },
};

function trackWith(index: (item: Uint8Array) => Cbor): (fields: Fields) => Inputs {
  return (fields) => track(fields, fields.text("modality"), index(multihash(fields.bytes("payload_hex"))));
}

function track(fields: Fields, inTrack: string, index: Cbor): Inputs {
  const object = map([
    ["coverage", array([uint(7), uint(8)])], ["modality", text(inTrack)], ["timeline", bytes(multihash(GENESIS))], ["object_index", encode(index)],
  ]);
  const binding = { kind: "event", modality: fields.text("modality"), timeline: address(GENESIS), coverage: ["7", "8"] };
  return { operation: "decode-track", inputs: { track_cbor_hex: hexOf(object), binding }, results: nothing };
}

/** Tracks with an index that is none of theirs, by a word in the case's id. */
export const TRACKS: { readonly [label: string]: (fields: Fields) => Inputs } = {
  "track-index-continuous-shaped": trackWith((item) => [[7n, 8n, 7n, item]]),
  "track-index-dup-anchor": trackWith((item) => [[item, 7n], [item, 7n]]),
  "track-index-constant-shaped": trackWith((item) => [item]),
};

/** Cases whose document or Track is not where their fields say. */
export function built(fields: Fields, label: string): Inputs | undefined {
  const other = /but the Track says `(.*)`/.exec(fields.text("expect"))?.[1];
  if (other !== undefined) return track(fields, other, [[multihash(fields.bytes("payload_hex")), 7n]]);
  if (fields.optionalText("group") !== "tag-precedence" || !/(no|bad)registry/.test(label)) return undefined;
  // Nothing registered, or a document with a bad layout, behind a tag that is faulty itself.
  const modality = fields.text("modality");
  const type = itemTypeOf(fields.object("item_type"));
  const document = encodeItemType(type, undefined).typeCbor;
  const faulty = encodeSorted(pairsOf({ ...type, layout: "x" }));
  const entries = label.includes("badregistry") ? [[modality, map([["item_type", faulty]])] as const] : [];
  return {
    operation: "resolve-registry",
    inputs: {
      modality, binding_kind: "event", field: "x",
      registry_cbor_hex: hexOf(map(entries)), schema_cbor_hex: hexOf(schemaOf([["x", document]])),
    },
    results: nothing,
  };
}
