/** Modality tags: their grammar, and their agreement with a document (0025 §3.2, §4). */
import type { DeclarationArguments, ItemTypeDocument, ResolvedType, TaggedType, TypeIdentity } from "../../../ts/conformance/implementation.js";
import { multihash, unbase32 } from "../support/address.js";
import { type Cbor, CborMap, compareBytes, decode } from "./cbor.js";
import { type Document, identityOf, PAIRS, projection, readDocument, tagOf } from "./documents.js";
import { Refusal } from "./refusal.js";

const STORAGES = Array.from(PAIRS.values(), ({ storage }) => storage);
const OBJECT_KINDS = ["unbucketed", "time-batch", "constant", "spatial-bucket", "fragment"];
const CLASSES = new Set([
  "array", "image", "audio", "video", "scalar", "embedding", "transcript", "title", "author", "text", "description", "license", "source",
  "sensor", "annotation", "scene",
]);
/** Classes that are stored in another way than arrays can be. */
const ELSEWHERE = new Set(["image", "audio", "video", "scalar", "embedding"]);
const PLAIN = /^[a-z0-9_]+$/;

/** A segment behind the first two, cut at its first `=`. */
function cut(segment: string): { key: string; value: string | undefined } {
  const at = segment.indexOf("=");
  return at === -1 ? { key: segment, value: undefined } : { key: segment.slice(0, at), value: segment.slice(at + 1) };
}

/** The segments of a tag from its class on, if the grammar holds. */
export function parseModality(tag: string): [string, string, ...string[]] {
  if (tag === "") throw new Refusal("EmptyModality");
  if (new TextEncoder().encode(tag).byteLength > 256) throw new Refusal("ModalityTooLong");
  const segments = tag.split(".");
  if (segments.includes("")) throw new Refusal("EmptySegment");
  const start = classIndex(segments);
  const [ownClass = "", encoding, ...rest] = segments.slice(start);
  if (encoding === undefined) throw new Refusal("MissingEncoding");
  if (!PLAIN.test(ownClass) || !PLAIN.test(encoding)) throw new Refusal("InvalidSegment");
  if (start > 0 && CLASSES.has(ownClass)) throw new Refusal("ReservedClass");
  if (!segments.slice(0, start).every((segment) => PLAIN.test(segment))) throw new Refusal("InvalidSegment");
  for (const { key, value } of rest.map(cut)) {
    if (value !== undefined && key === "") throw new Refusal("EmptyParameterKey");
    if (!PLAIN.test(key)) throw new Refusal("InvalidSegment");
    if (!/^[A-Za-z0-9_]*$/.test(value ?? "")) throw new Refusal("InvalidParameterValue");
  }
  return [ownClass, encoding, ...rest];
}

/** Where the class stands: in front, or behind three segments or more of a reverse-DNS name. */
function classIndex(segments: readonly string[]): number {
  if (CLASSES.has(segments[0] ?? "")) return 0;
  if (segments.length < 4) throw new Refusal("UserDefinedRequiresReverseDns");
  const parameter = segments.findIndex((segment) => segment.includes("="));
  const leading = parameter === -1 ? segments.length : parameter;
  if (leading < 4) throw new Refusal("AmbiguousNamespace");
  const builtIn = segments.findIndex((segment, at) => at >= 3 && at < leading && CLASSES.has(segment));
  if (builtIn !== -1) return builtIn;
  if (leading < 5) throw new Refusal("UserDefinedRequiresReverseDns");
  return leading - 2;
}

/** The first value of a parameter, wherever it stands. */
function parameter(segments: readonly string[], wanted: string): string | undefined {
  return segments.slice(2).map(cut).find(({ key, value }) => key === wanted && value !== undefined)?.value;
}

function derivedKind(tag: string, segments: readonly string[]): string | undefined {
  const [kind = "", storage = ""] = [parameter(segments, "kind"), parameter(segments, "storage")];
  if (segments[0] === "array" && !(PAIRS.has(kind) && STORAGES.includes(storage))) throw new Refusal("UnresolvedModality", tag);
  return parameter(segments, "kind");
}

/** The Track kind, if a tag and its registered document agree. */
export function bind(tag: string, segments: readonly string[], document: Document): string {
  const kind = parameter(segments, "kind") ?? "";
  const legal = PAIRS.get(kind)?.storage === parameter(segments, "storage") && PAIRS.has(kind);
  if (document.family !== "dense-array") {
    const [ownClass = ""] = segments;
    if (ownClass !== "array") throw new Refusal(ELSEWHERE.has(ownClass) ? "InvalidKindStorage" : "ProjectionMismatch");
    if (!legal) throw new Refusal("InvalidKindStorage");
    if (tag !== tagOf(document, kind)) throw new Refusal("ProjectionMismatch");
    return kind;
  }
  if (segments[0] !== "array") throw new Refusal("InvalidModality");
  const parameters = segments.slice(2).map(cut);
  const keys = parameters.map(({ key, value }) => (value === undefined ? "?" : key));
  if (keys.join() !== "kind,storage,shape,item") throw new Refusal("InvalidParameters");
  if (segments[1] !== document.dtype || parameter(segments, "shape") !== projection(document)) throw new Refusal("ProjectionMismatch");
  const named = unbase32(parameter(segments, "item") ?? "");
  if (named === undefined || named[0] !== 0x1e) throw new Refusal("Multihash");
  if (compareBytes(named, multihash(document.cbor)) !== 0) throw new Refusal("IdentityMismatch");
  if (!legal) throw new Refusal("InvalidKindStorage");
  return kind;
}

function resolved(document: Document, kind: string): ResolvedType {
  return { ...identityOf(document), trackKind: kind, objectKind: PAIRS.get(kind)?.objectKind ?? "" };
}

/** Resolve a tag whose registry entry holds this document inline. */
export function resolveTag(tag: string, document: Uint8Array, bindingKind: string | undefined): ResolvedType {
  const value = decode(document, true);
  const segments = parseModality(tag);
  const kind = derivedKind(tag, segments);
  if (bindingKind !== undefined && bindingKind !== kind) throw new Refusal("RegistryAgreement");
  const read = readDocument(value);
  return resolved(read, bind(tag, segments, read));
}

/** What a writer does with a caller's arguments. */
export function declare(declaration: DeclarationArguments): TaggedType {
  const { family, dtype, shape, endianness, layout, codec, trackKind, objectKind } = declaration;
  if (!shape.every((extent) => /^[0-9]+$/.test(extent) && BigInt(extent) < 1n << 64n)) throw new Refusal("InvalidArgument", "shape");
  const pairs: [string, Cbor][] = [
    ["family", family], ["version", 1n], ["dtype", dtype], [family === "ragged-array" ? "inner_shape" : "shape", shape.map(BigInt)],
    ["endianness", endianness], ["layout", layout], ["codec", codec], ["codec_version", 1n],
    ["semantic_type", declaration.semanticType], ["units", declaration.units], ["frame", declaration.frame], ["axis_order", declaration.axisOrder],
  ];
  if (family === "sparse-csr") pairs.push(["index_dtype", "u64"]);
  const document = readDocument(new CborMap(pairs));
  const pair = PAIRS.get(trackKind);
  if (pair === undefined) throw new Refusal("InvalidArgument", "track_kind");
  if (!OBJECT_KINDS.includes(objectKind)) throw new Refusal("InvalidArgument", "object_kind");
  if (pair.objectKind !== objectKind) throw new Refusal("InvalidKindStorage");
  const modality = tagOf(document, trackKind);
  if (modality.length > 256) throw new Refusal("InvalidModality");
  return { ...resolved(document, trackKind), modality };
}

/** The pairs of a type's document. */
export function pairsOf(itemType: ItemTypeDocument): [string, Cbor][] {
  const names: [string, Cbor | undefined][] = [
    ["family", itemType.family], ["version", BigInt(itemType.version)], ["dtype", itemType.dtype], ["shape", itemType.shape],
    ["inner_shape", itemType.innerShape], ["endianness", itemType.endianness], ["layout", itemType.layout], ["codec", itemType.codec],
    ["codec_version", BigInt(itemType.codecVersion)], ["index_dtype", itemType.indexDtype], ["semantic_type", itemType.semanticType],
    ["units", itemType.units], ["frame", itemType.frame], ["axis_order", itemType.axisOrder],
  ];
  return names.flatMap(([key, value]): [string, Cbor][] => (value === undefined ? [] : [[key, value]]));
}

/** Write a type; with a Track kind, also its tag. */
export function encodeItemType(itemType: ItemTypeDocument, trackKind: string | undefined): TypeIdentity & Partial<TaggedType> {
  const document = readDocument(new CborMap(pairsOf(itemType)));
  if (trackKind === undefined) return identityOf(document);
  return { ...resolved(document, trackKind), modality: tagOf(document, trackKind) };
}
