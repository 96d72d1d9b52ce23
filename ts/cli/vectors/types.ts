/** The package's own operations on types, tags and payloads. */
import * as codec from "../../codec.js";
import { sameType } from "../../dataset/registries.js";
import type { DeclarationArguments, DecodedPayload, Implementation, ItemTypeDocument, ResolvedType } from "../../conformance/implementation.js";
import { type DType, typedView } from "../../codec/dtype.js";
import type { ItemTypeInit, TrackKind } from "../../codec/item-type.js";
import { type ArrayValue, type DenseArray, stridesOf } from "../../codec/values.js";
import { DreamDbError, isDreamDbError } from "../../errors.js";
import { call } from "../../wasm.js";
import { concat, head, itemsOf, map, text, textOf, valueOf } from "./cbor.js";
import { arrayField, type BindingInit, manifest, schema } from "./documents.js";

/** Any field. */
const FIELD = "x";

/** Tag of any type, for bindings whose own tag does not matter. */
const SOME_TAG = `array.f32.kind=event.storage=unbucketed.shape=3.item=d${"a".repeat(52)}`;

/** A document that differs from all others. */
const SOUND: ItemTypeInit = { dtype: "f64", shape: [], endianness: "big", layout: "f", semanticType: "a sound document" };

const OBJECT_KINDS: { readonly [kind: string]: string } = { event: "unbucketed", continuous: "time-batch", constant: "constant" };

/** What `use` gives, or `undefined` if it refuses. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (isDreamDbError(error)) return undefined;
    throw error;
  }
}

/** Arguments as a caller of this package passes them: extents as bigints where they are integers, as they are where they are not. */
function initOf(declaration: Omit<DeclarationArguments, "trackKind" | "objectKind">): ItemTypeInit {
  const { shape, ...rest } = declaration;
  const extents = shape.map((extent) => (/^-?[0-9]+$/.test(extent) ? BigInt(extent) : extent));
  return { ...rest, ...(rest.family === "ragged-array" ? { innerShape: extents } : { shape: extents }) } as ItemTypeInit;
}

function encodeItemType(itemType: ItemTypeDocument): Uint8Array {
  const { family, dtype, shape, innerShape, endianness, layout, codec: codecName } = itemType;
  const { semanticType, units, frame, axisOrder } = itemType;
  const init = { family, dtype, shape, innerShape, endianness, layout, codec: codecName, semanticType, units, frame, axisOrder };
  return codec.encodeItemType(init as ItemTypeInit);
}

/** What a manifest says of a field. */
function resolved(bytes: Uint8Array, name: string): ResolvedType {
  const { fields } = call((core) => core.decodeManifest(bytes));
  const { typeCbor, itemId, trackKind, objectKind } = fields.find((field) => field.name === name) ?? {};
  if (typeCbor === undefined || itemId === undefined || trackKind === undefined || objectKind === undefined) {
    throw new Error(`the manifest has no array field ${name}`);
  }
  return { typeCbor, itemId, trackKind, objectKind };
}

/**
 * The registered document stands at the very end of a manifest, twice.
 *
 * First beside a schema that declares another type, so that the registered document is seen to be judged itself; it must then be refused
 * at last because the two differ. Only then with the same document in the schema, which tells what it resolves to.
 */
function resolveTag(tag: string, document: Uint8Array, bindingKind: string | undefined): ResolvedType {
  const kind = bindingKind ?? attempt(() => codec.parseModality(tag).trackKind) ?? "event";
  const registry = (declared: Uint8Array) =>
    map([
      ["dreamdb.schema", schema([arrayField(FIELD, declared, kind, OBJECT_KINDS[kind] ?? "")])],
      [tag, map([["item_type", document]])],
    ]);
  const resolveWith = (declared: Uint8Array) => resolved(manifest([{ field: FIELD, kind, modality: tag }], registry(declared)), FIELD);
  try {
    resolveWith(codec.encodeItemType(SOUND));
  } catch (error) {
    if (isDreamDbError(error, "FieldIdentityMismatch")) return resolveWith(document);
    throw error;
  }
  throw new Error("a manifest whose schema and registry differ was accepted");
}

/** The registry with one more entry in front; as it is, if it is no map. */
function withSchema(registry: Uint8Array, schemaCbor: Uint8Array): Uint8Array {
  const [first = 0, next = 0] = registry;
  const [count, rest] = first >= 0xa0 && first < 0xb8 ? [first - 0xa0, 1] : first === 0xb8 ? [next, 2] : [-1, 0];
  if (count < 0) return registry;
  return concat(head(5, count + 1), text("dreamdb.schema"), schemaCbor, registry.subarray(rest));
}

/** Bindings of the schema's other array fields, to the tags of the types that they declare. */
function otherBindings(schemaCbor: Uint8Array, but: string): BindingInit[] {
  const fields = valueOf(schemaCbor, "fields");
  return (fields === undefined ? [] : itemsOf(fields)).flatMap((field) => {
    const [name, kind, document] = [textOf(valueOf(field, "name")), textOf(valueOf(field, "track_kind")), valueOf(field, "item_type")];
    if (name === undefined || kind === undefined || document === undefined || name === but) return [];
    const modality = attempt(() => codec.modalityOf(document, kind as TrackKind));
    return modality === undefined ? [] : [{ field: name, kind, modality }];
  });
}

function declare(declaration: DeclarationArguments) {
  const { trackKind, objectKind } = declaration;
  const typeCbor = encodeDeclared(declaration);
  const tag = attempt(() => codec.modalityOf(typeCbor, trackKind as TrackKind));
  const registry = (modality: string) =>
    map([
      ["dreamdb.schema", schema([arrayField(FIELD, typeCbor, trackKind, objectKind)])],
      [modality, map([["item_type", typeCbor]])],
    ]);
  const [modality, kind] = tag === undefined ? [SOME_TAG, "event"] : [tag, trackKind];
  try {
    return { ...resolved(manifest([{ field: FIELD, kind, modality }], registry(modality)), FIELD), modality };
  } catch (error) {
    // The words of a schema are a caller's arguments here.
    if (isDreamDbError(error, "SchemaField")) throw new DreamDbError("InvalidArgument", error.message, { subject: error.subject });
    throw error;
  }
}

function encodeDeclared({ trackKind: _, objectKind: __, ...declaration }: DeclarationArguments): Uint8Array {
  try {
    return codec.encodeItemType(initOf(declaration));
  } catch (error) {
    if (!isDreamDbError(error, "InvalidArgument")) throw error;
    // The argument that the vectors call `shape` is `innerShape` here for a ragged type.
    const subject = /\b(innerShape|shape)\b/.test(error.subject ?? "") ? "shape" : error.subject;
    throw new DreamDbError("InvalidArgument", error.message, { subject });
  }
}

function decodePayload(typeCbor: Uint8Array, payload: Uint8Array): DecodedPayload {
  const value: ArrayValue = codec.decode(typeCbor, payload);
  switch (value.family) {
    case "dense-array": {
      const values = inCOrder(value);
      return { shape: value.shape, values, bits: bytesOf(values) };
    }
    case "ragged-array": {
      const { rowOffsets, values, innerShape } = value;
      return { shape: [rowOffsets.at(-1) ?? 0n, ...innerShape], values, bits: bytesOf(values), rowOffsets };
    }
    case "sparse-csr": {
      const { rowOffsets, columnIndices, values } = value;
      return { shape: [values.length], values, bits: bytesOf(values), rowOffsets, columnIndices };
    }
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>) => new Uint8Array(buffer, byteOffset, byteLength);

/** The elements with the last axis fastest, found by the value's own strides. */
function inCOrder({ data, dtype, shape, strides }: DenseArray<DType>) {
  const width = data.BYTES_PER_ELEMENT;
  const [from, to] = [bytesOf(data), new Uint8Array(data.byteLength)];
  const steps = stridesOf(shape, "c");
  for (let at = 0; at < data.length; at++) {
    const place = shape.reduce((sum, extent, axis) => sum + (Math.floor(at / (steps[axis] ?? 1)) % extent) * (strides[axis] ?? 0), 0);
    to.set(from.subarray(place * width, (place + 1) * width), at * width);
  }
  return typedView(dtype, to);
}

/** Operations on types, tags and payloads. */
export const types = {
  decodeItemType({ typeCbor }) {
    return { typeCbor: codec.encodeItemType(codec.decodeItemType(typeCbor)), itemId: codec.itemTypeId(typeCbor) };
  },
  encodeItemType({ itemType, trackKind }) {
    const typeCbor = encodeItemType(itemType);
    const identity = { typeCbor, itemId: codec.itemTypeId(typeCbor) };
    if (trackKind === undefined) return identity;
    const modality = codec.modalityOf(typeCbor, trackKind);
    const bound = codec.bindModality(modality, typeCbor);
    const { objectKind } = codec.parseModality(modality);
    return { ...identity, modality, trackKind: bound, ...(objectKind === undefined ? {} : { objectKind }) };
  },
  declare,
  parseModality({ modality }) {
    try {
      return { class: codec.parseModality(modality).class };
    } catch (error) {
      // This package looks further than the grammar: a sound array tag must have a known kind and storage.
      if (isDreamDbError(error, "UnresolvedModality")) return { class: "array" };
      throw error;
    }
  },
  resolveTag: ({ modality, typeCbor, bindingKind }) => resolveTag(modality, typeCbor, bindingKind),
  resolveRegistry({ modality, bindingKind, field, registryCbor, schemaCbor }) {
    const bindings = [{ field, kind: bindingKind, modality }];
    if (schemaCbor === undefined) return resolved(manifest(bindings, registryCbor), field);
    return resolved(manifest([...bindings, ...otherBindings(schemaCbor, field)], withSchema(registryCbor, schemaCbor)), field);
  },
  // Tags are texts in this package; nothing in it compares them otherwise.
  compareModalities: ({ modality, other }) => sameType(modality, other),
  decodePayload: ({ typeCbor, payload }) => decodePayload(typeCbor, payload),
  checkPayload: ({ typeCbor, payload }) => codec.validate(typeCbor, payload),
} as const satisfies Implementation;
