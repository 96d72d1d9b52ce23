/** Item types: documents read in the order of Spec 0025 §3, their canonical bytes, identities and tags. */
import type { TypeIdentity } from "../../../ts/conformance/implementation.js";
import { address } from "../support/address.js";
import { type Cbor, CborMap, compareBytes, decodeFirst, encodeSorted, isList, isUint } from "./cbor.js";
import { Refusal } from "./refusal.js";

/** Bytes of an element of each dtype. */
export const SIZES: ReadonlyMap<string, number> = new Map([
  ["f32", 4], ["f64", 8], ["i8", 1], ["i16", 2], ["i32", 4], ["i64", 8], ["u8", 1], ["u16", 2], ["u32", 4], ["u64", 8],
]);
const TEXTS = ["semantic_type", "units", "frame", "axis_order"] as const;
const COMMON = ["family", "version", "dtype", "endianness", "layout", "codec", "codec_version", ...TEXTS];
const FAMILIES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["dense-array", new Set([...COMMON, "shape"])],
  ["ragged-array", new Set([...COMMON, "inner_shape"])],
  ["sparse-csr", new Set([...COMMON, "shape", "index_dtype"])],
]);
/** Storage in a tag, and wire name of the object kind, of each Track kind (0025 §4). */
export const PAIRS: ReadonlyMap<string, { readonly storage: string; readonly objectKind: string }> = new Map([
  ["event", { storage: "unbucketed", objectKind: "unbucketed" }],
  ["continuous", { storage: "time_batch", objectKind: "time-batch" }],
  ["constant", { storage: "constant", objectKind: "constant" }],
]);

/** A document without faults. */
export interface Document {
  readonly family: string;
  readonly dtype: string;
  readonly elementSize: number;
  /** `shape`, or `inner_shape` of a ragged array. */
  readonly extents: readonly bigint[];
  readonly endianness: string;
  readonly layout: string;
  readonly codec: string;
  /** Canonical CBOR. */
  readonly cbor: Uint8Array<ArrayBuffer>;
}

/** The document, or its first fault in the prescribed order. */
export function readDocument(value: Cbor): Document {
  if (!(value instanceof CborMap)) throw new Refusal("NotAMap");
  const keys: string[] = [];
  for (const [key] of value.pairs) {
    if (typeof key !== "string") throw new Refusal("NonStringKey");
    keys.push(key);
  }
  const repeated = keys.find((key, at) => keys.indexOf(key) < at);
  if (repeated !== undefined) throw new Refusal("DuplicateField", repeated);

  const get = <T extends Cbor>(key: string, legal: (item: Cbor) => item is T): T => {
    const item = value.get(key);
    if (item === undefined) throw new Refusal("MissingField", key);
    if (!legal(item)) throw new Refusal("FieldType", key);
    return item;
  };
  const isText = (item: Cbor): item is string => typeof item === "string";
  const isExtents = (item: Cbor): item is readonly bigint[] => isList(item) && item.every(isUint);
  const word = (key: string, ...legal: string[]): string => {
    const found = get(key, isText);
    if (!legal.includes(found)) throw new Refusal("InvalidValue", key);
    return found;
  };
  const one = (key: string): void => {
    if (get(key, isUint) !== 1n) throw new Refusal("InvalidValue", key);
  };
  const elementSizeOf = (): number => {
    const size = SIZES.get(get("dtype", isText));
    if (size === undefined) throw new Refusal("UnsupportedDtype", "dtype");
    return size;
  };
  const texts = (): void => TEXTS.forEach((key) => get(key, isText));
  const whole = (fields: Omit<Document, "family" | "dtype" | "cbor">): Document => {
    const pairs = value.pairs.map(([key, item]) => [String(key), item] as const);
    return { ...fields, family, dtype: get("dtype", isText), cbor: encodeSorted(pairs) };
  };

  const family = word("family", ...FAMILIES.keys());
  const known = FAMILIES.get(family);
  const utf8 = new TextEncoder();
  const unknown = keys.filter((key) => !known?.has(key)).sort((a, b) => compareBytes(utf8.encode(a), utf8.encode(b)));
  if (unknown[0] !== undefined) throw new Refusal("UnknownField", unknown[0]);
  one("version");
  if (family === "dense-array") {
    const elementSize = elementSizeOf();
    const extents = get("shape", isExtents);
    const endianness = word("endianness", "little", "big");
    const layout = word("layout", "c", "f");
    const codec = word("codec", "raw", "npy");
    one("codec_version");
    texts();
    byteLength(extents, elementSize);
    return whole({ elementSize, extents, endianness, layout, codec });
  }
  one("codec_version");
  const layout = word("layout", "c");
  const ragged = family === "ragged-array";
  const codec = word("codec", ragged ? "offsets-values" : "raw");
  if (!ragged) word("index_dtype", "u64");
  const extents = get(ragged ? "inner_shape" : "shape", isExtents);
  const elementSize = elementSizeOf();
  const endianness = word("endianness", "little", "big");
  texts();
  if (ragged) byteLength(extents, elementSize);
  else if (extents.length !== 2) throw new Refusal("InvalidValue", "shape");
  return whole({ elementSize, extents, endianness, layout, codec });
}

/** Product of the extents, left to right, then times the element size; each step must fit in 64 bits. */
export function byteLength(extents: readonly bigint[], elementSize: number): bigint {
  return [...extents, BigInt(elementSize)].reduce((product, factor) => {
    if (product * factor >= 1n << 64n) throw new Refusal("ShapeOverflow");
    return product * factor;
  }, 1n);
}

/** The document in bytes that must be its canonical encoding. Its own faults go first. */
export function readDocumentBytes(data: Uint8Array): Document {
  const document = readDocument(decodeFirst(data).value);
  if (compareBytes(document.cbor, data) !== 0) throw new Refusal("Cbor");
  return document;
}

/** Shape as tags project it. */
export function projection({ family, extents }: Document): string {
  if (family === "ragged-array") return `r${extents.map((extent) => `x${extent}`).join("")}`;
  return extents.join("x") || "0d";
}

/** The tag of a type on Tracks of a kind. */
export function tagOf(document: Document, kind: string): string {
  const { dtype, cbor } = document;
  const storage = PAIRS.get(kind)?.storage ?? "";
  return `array.${dtype}.kind=${kind}.storage=${storage}.shape=${projection(document)}.item=${address(cbor)}`;
}

/** Bytes and address of a type. */
export function identityOf({ cbor }: Document): TypeIdentity {
  return { typeCbor: cbor, itemId: address(cbor) };
}
