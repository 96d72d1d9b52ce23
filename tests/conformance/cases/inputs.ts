/** Cases that say themselves what was put in: documents, tags, registries, declarations, payloads and packs. */
import { bytesOf, extentOf, type Fields, fieldsOf, hexOf, type Json, type JsonObject, listOf } from "../../../ts/conformance/vector.js";
import { decodeFirst } from "../naive/cbor.js";
import { type Document, readDocument } from "../naive/documents.js";
import { readFragments } from "../naive/fragments.js";
import { Refusal } from "../naive/refusal.js";
import { declare } from "../naive/tags.js";
import type { Meaning } from "./messages.js";

/** A case, taken apart. */
export interface Inputs {
  readonly operation: string;
  /** Input fields of the vector. */
  readonly inputs: JsonObject;
  /** Fields of the expected results, for an input that is accepted. */
  readonly results: () => JsonObject;
  /** The expected outcome if it is not the reference's: a class, or `null` for acceptance. */
  readonly instead?: Meaning | null;
}

const OBJECT_KINDS: { readonly [kind: string]: string } = { event: "unbucketed", continuous: "time-batch", constant: "constant" };

/** What an accepted type resolves to, as far as the case tells. */
function typeResults(cborHex: string | undefined, itemId: string | undefined, kind: string | undefined): JsonObject {
  return {
    ...(cborHex === undefined ? {} : { expected_type_cbor_hex: cborHex }),
    ...(itemId === undefined ? {} : { expected_item_id: itemId }),
    ...(kind === undefined ? {} : { expected_track_kind: kind, expected_object_kind: OBJECT_KINDS[kind] }),
  };
}

/** An inline document, or nothing if it has faults. */
function documentOf(documentHex: string): Document | undefined {
  try {
    return readDocument(decodeFirst(bytesOf(documentHex, "type_cbor_hex")).value);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Canonical bytes of an inline document, or nothing if it has faults. */
function canonicalOf(documentHex: string): string | undefined {
  const document = documentOf(documentHex);
  return document && hexOf(document.cbor);
}

/** A parameter of a tag. */
const parameter = (tag: string, key: string): string | undefined => new RegExp(`\\.${key}=([A-Za-z0-9_]*)`).exec(tag)?.[1];

/** An item type that was stored, a document under a tag, or a registry. */
export function ordinary(fields: Fields): Inputs {
  const modality = fields.text("modality");
  if (fields.has("registry_cbor_hex")) return registry(fields, modality);
  if (fields.has("type_cbor_hex")) {
    const documentHex = fields.text("type_cbor_hex");
    // What is bound to a tag of another class has that class's kind.
    const other = !modality.startsWith("array.") && fields.optionalText("group") === "tag-other-class";
    return {
      operation: "resolve-tag",
      inputs: { modality, type_cbor_hex: documentHex, ...(other ? {} : { binding_kind: "event" }) },
      results: () => typeResults(canonicalOf(documentHex), fields.optionalText("item_id"), parameter(modality, "kind")),
    };
  }
  const kind = fields.optionalText("kind") ?? parameter(modality, "kind") ?? "";
  return {
    operation: "encode-item-type",
    inputs: { item_type: fields.raw("item_type"), track_kind: kind },
    results: () => ({ ...typeResults(fields.text("type_cbor_hex_expected"), fields.text("item_id"), kind), expected_modality: modality }),
  };
}

function registry(fields: Fields, modality: string): Inputs {
  return {
    operation: "resolve-registry",
    inputs: {
      modality,
      binding_kind: "event",
      field: "x",
      registry_cbor_hex: fields.text("registry_cbor_hex"),
      ...(fields.has("schema_cbor_hex") ? { schema_cbor_hex: fields.text("schema_cbor_hex") } : {}),
    },
    results: () => typeResults(undefined, parameter(modality, "item"), parameter(modality, "kind")),
  };
}

/** A writer's arguments, in which what has a usual value may be left out. */
export function declared(fields: Fields, expect: string): Inputs {
  const given = fields.object("api_args");
  const or = (name: string, usual: string) => given.optionalText(name) ?? usual;
  const declaration = {
    family: or("family", "dense-array"),
    dtype: given.text("dtype"),
    shape: given.list("shape").map(String),
    endianness: or("endianness", "little"),
    layout: or("layout", "c"),
    codec: or("codec", "raw"),
    semantic_type: or("semantic_type", "none"),
    units: or("units", "none"),
    frame: or("frame", "none"),
    axis_order: or("axis_order", "none"),
    track_kind: or("track_kind", "event"),
    object_kind: or("object_kind", "unbucketed"),
  };
  const results = (): JsonObject => {
    const { semantic_type: semanticType, axis_order: axisOrder, track_kind: trackKind, object_kind: objectKind, ...rest } = declaration;
    const { typeCbor, itemId, modality } = declare({ ...rest, semanticType, axisOrder, trackKind, objectKind });
    const named = typeResults(fields.optionalText("type_cbor_hex_expected") ?? hexOf(typeCbor), itemId, trackKind);
    return { ...named, expected_modality: fields.optionalText("modality") ?? modality };
  };
  // That a Constant has no value yet is a matter of provisioning; the declaration itself is legal.
  const provisioning = / is a Constant typed array and cannot be provisioned empty/.test(expect);
  return { operation: "declare", inputs: { declaration }, results, ...(provisioning ? { instead: null } : {}) };
}

/** A payload with its type. */
export function payload(fields: Fields): Inputs {
  const decoded = fields.has("decoded") ? fields.object("decoded") : undefined;
  const typeHex = fields.optionalText("type_cbor_hex_expected") ?? fields.text("type_cbor_hex");
  const type = documentOf(typeHex);
  const results = (): JsonObject => {
    if (decoded === undefined) return {};
    const values = decoded.has("values") ? decoded.object("values") : decoded;
    const wide = ["i64", "u64"].includes(type?.dtype ?? "");
    const digits = (name: string) => (decoded.has(name) ? { [`expected_${name}`]: decoded.list(name).map(String) } : {});
    return {
      expected_shape: values.list("shape"),
      expected_values: values.list("values_c_order").map((value) => (wide ? String(value) : value)),
      ...digits("row_offsets"),
      ...digits("column_indices"),
    };
  };
  // The reference scans a .npy header as text; one that NumPy itself does not read is refused here.
  const unread = type?.codec === "npy" && fields.has("python_decode_error");
  return {
    operation: decoded === undefined && fields.text("expect") === "ok" ? "check-payload" : "decode-payload",
    inputs: {
      type_cbor_hex: typeHex,
      payload_hex: fields.text("payload_hex"),
      ...(fields.has("modality") ? { modality: fields.text("modality") } : {}),
    },
    results,
    ...(unread ? { instead: { code: "InvalidNpyHeader", subject: undefined } } : {}),
  };
}

/** Fragment entries and the objects that they name. */
export function packed(fields: Fields, expect: string): Inputs {
  const objectIndex = fields.text("object_index_cbor_hex");
  const objects = fields.list("objects").map((object) => {
    const stored = fieldsOf(object, "objects");
    const folder = extentOf(stored.raw("bucket"), "bucket").toString(16).padStart(16, "0");
    return { path: `${folder}/${stored.text("hash")}`, bytes_hex: stored.text("bytes_hex") };
  });
  const results = (): JsonObject => {
    if (!fields.has("decoded")) return {};
    const items = fields.list("decoded").map((pair): Json => listOf(pair, "decoded").map(String));
    return { expected_items: items };
  };
  const instead = expect === "ok" ? refusedByRule(objectIndex, objects) : undefined;
  return { operation: "read-fragments", inputs: { object_index_cbor_hex: objectIndex, objects }, results, ...(instead ? { instead } : {}) };
}

/** The class with which the rules of 0022 refuse what the reference, which checks none of them, returned. */
function refusedByRule(objectIndexHex: string, objects: readonly { readonly path: string; readonly bytes_hex: string }[]): Meaning | undefined {
  const stored = objects.map(({ path, bytes_hex }) => ({ path, bytes: bytesOf(bytes_hex, "bytes_hex") }));
  try {
    readFragments(bytesOf(objectIndexHex, "object_index_cbor_hex"), stored, undefined);
  } catch (error) {
    const rules = ["EntryType", "PayloadLength", "PackInvariant", "PackLength", "HashMismatch"];
    if (error instanceof Refusal && rules.includes(error.code)) return { code: error.code, subject: undefined };
  }
  return undefined;
}
