/**
 * The operations on types, tags and payloads: each reads its inputs from a vector, calls the implementation, and puts what it gave under
 * the names of the vector's `expected_…` fields.
 *
 * Nothing is judged here; comparing is compare.ts's matter. Tracks, fragments and proofs are in operations-storage.ts.
 */
import type { DecodedPayload, Implementation, ItemTypeDocument, PayloadInput, TaggedType, TrackKindName } from "./implementation.js";
import { extentOf, type Fields, hexOf, type Json, MalformedVector, textOf } from "./vector.js";

/** What an operation gave, by the names of the `expected_…` fields. */
export type Results = { readonly [name: string]: Json };

/** What an implementation is asked for, and how. */
export interface Operation {
  /** Name of its function in {@link Implementation}. */
  readonly needs: keyof Implementation;
  /** Carry out a vector. Throws what the implementation throws, and {@link MalformedVector}. */
  run(vector: Fields, implementation: Required<Implementation>, signal: AbortSignal | undefined): Promise<Results>;
}

const KINDS: readonly string[] = ["event", "continuous", "constant"];

function typeResults({ typeCbor, itemId, modality, trackKind, objectKind }: Partial<TaggedType>): Results {
  return present({
    expected_type_cbor_hex: typeCbor && hexOf(typeCbor),
    expected_item_id: itemId,
    expected_modality: modality,
    expected_track_kind: trackKind,
    expected_object_kind: objectKind,
  });
}

/** The fields that have a value. */
export function present(fields: { readonly [name: string]: Json | undefined }): Results {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** What an item type's JSON projection says. */
export function itemTypeOf(fields: Fields): ItemTypeDocument {
  const extents = (name: string) => fields.list(name).map((extent) => extentOf(extent, name));
  return {
    family: fields.text("family"),
    version: fields.integer("version"),
    dtype: fields.text("dtype"),
    ...(fields.has("shape") ? { shape: extents("shape") } : {}),
    ...(fields.has("inner_shape") ? { innerShape: extents("inner_shape") } : {}),
    endianness: fields.text("endianness"),
    layout: fields.text("layout"),
    codec: fields.text("codec"),
    codecVersion: fields.integer("codec_version"),
    ...(fields.has("index_dtype") ? { indexDtype: fields.text("index_dtype") } : {}),
    semanticType: fields.text("semantic_type"),
    units: fields.text("units"),
    frame: fields.text("frame"),
    axisOrder: fields.text("axis_order"),
  };
}

function trackKindOf(text: string | undefined): TrackKindName | undefined {
  if (text !== undefined && !KINDS.includes(text)) throw new MalformedVector("`track_kind` is no Track kind");
  return text as TrackKindName | undefined;
}

function payloadOf(vector: Fields): PayloadInput {
  return { typeCbor: vector.bytes("type_cbor_hex"), payload: vector.bytes("payload_hex"), modality: vector.optionalText("modality") };
}

function payloadResults({ shape, values, bits, rowOffsets, columnIndices }: DecodedPayload): Results {
  return present({
    expected_shape: shape.map(extentJson),
    expected_values: Array.from(values, elementJson),
    expected_bits_hex: hexOf(bits),
    expected_row_offsets: rowOffsets && Array.from(rowOffsets, String),
    expected_column_indices: columnIndices && Array.from(columnIndices, String),
  });
}

/** An extent as vectors write it. */
function extentJson(extent: number | bigint): Json {
  return extent > Number.MAX_SAFE_INTEGER ? String(extent) : Number(extent);
}

/** An element as vectors write it: 64-bit integers in digits, and floats that JSON has no number for by name. */
function elementJson(element: number | bigint): Json {
  if (typeof element === "bigint") return String(element);
  if (Object.is(element, -0)) return "-0.0";
  if (Number.isFinite(element)) return element;
  return Number.isNaN(element) ? "nan" : element > 0 ? "inf" : "-inf";
}

/** Operations on types, tags and payloads. */
export const TYPE_OPERATIONS = {
  "decode-item-type": {
    needs: "decodeItemType",
    async run(vector, implementation) {
      return typeResults(await implementation.decodeItemType({ typeCbor: vector.bytes("type_cbor_hex") }));
    },
  },
  "encode-item-type": {
    needs: "encodeItemType",
    async run(vector, implementation) {
      const trackKind = trackKindOf(vector.optionalText("track_kind"));
      return typeResults(await implementation.encodeItemType({ itemType: itemTypeOf(vector.object("item_type")), trackKind }));
    },
  },
  "declare": {
    needs: "declare",
    async run(vector, implementation) {
      const declaration = vector.object("declaration");
      const tagged = await implementation.declare({
        family: declaration.text("family"),
        dtype: declaration.text("dtype"),
        shape: declaration.list("shape").map((extent) => textOf(extent, "shape")),
        endianness: declaration.text("endianness"),
        layout: declaration.text("layout"),
        codec: declaration.text("codec"),
        semanticType: declaration.text("semantic_type"),
        units: declaration.text("units"),
        frame: declaration.text("frame"),
        axisOrder: declaration.text("axis_order"),
        trackKind: declaration.text("track_kind"),
        objectKind: declaration.text("object_kind"),
      });
      return typeResults(tagged);
    },
  },
  "parse-modality": {
    needs: "parseModality",
    async run(vector, implementation) {
      const parsed = await implementation.parseModality({ modality: vector.text("modality") });
      return { expected_class: parsed.class };
    },
  },
  "resolve-tag": {
    needs: "resolveTag",
    async run(vector, implementation) {
      const [modality, typeCbor] = [vector.text("modality"), vector.bytes("type_cbor_hex")];
      return typeResults(await implementation.resolveTag({ modality, typeCbor, bindingKind: vector.optionalText("binding_kind") }));
    },
  },
  "resolve-registry": {
    needs: "resolveRegistry",
    async run(vector, implementation) {
      const resolved = await implementation.resolveRegistry({
        modality: vector.text("modality"),
        bindingKind: vector.text("binding_kind"),
        field: vector.text("field"),
        registryCbor: vector.bytes("registry_cbor_hex"),
        schemaCbor: vector.has("schema_cbor_hex") ? vector.bytes("schema_cbor_hex") : undefined,
      });
      return typeResults(resolved);
    },
  },
  "compare-modalities": {
    needs: "compareModalities",
    async run(vector, implementation) {
      const [modality, other] = [vector.text("modality"), vector.text("other_modality")];
      return { expected_same: await implementation.compareModalities({ modality, other }) };
    },
  },
  "decode-payload": {
    needs: "decodePayload",
    async run(vector, implementation) {
      return payloadResults(await implementation.decodePayload(payloadOf(vector)));
    },
  },
  "check-payload": {
    needs: "checkPayload",
    async run(vector, implementation) {
      await implementation.checkPayload(payloadOf(vector));
      return {};
    },
  },
} as const satisfies { readonly [name: string]: Operation };
