/** Objects of scalar columns by hand: Tracks, pages and what describes an index, item by item, and what is read of them. */
import { TIMELINE } from "../../ts/cli/vectors/documents.js";
import { checkScalarIndex, decodeScalarPage, decodeScalarTrack, type ScalarPage, type ScalarRoot } from "../../ts/dataset/scalars/index-objects.js";
import type { LeafEntries } from "../../ts/dataset/scalars/entries.js";
import type { ScalarType } from "../../ts/dataset/scalar-values.js";
import { isDreamDbError } from "../../ts/errors.js";
import { call } from "../../ts/wasm.js";
import { multihash } from "../conformance/support/address.js";
import { array, bytes, map, text, uint } from "../conformance/support/cbor-writer.js";

/** Types of columns, with the encodings of their tags and the algorithms of their indexes. */
export const TYPES: Readonly<Record<ScalarType, readonly [encoding: string, algorithm: string]>> = {
  categorical: ["cat", "dreamdb.bitmap-categorical"],
  bool: ["bool", "dreamdb.bitmap-categorical"],
  int: ["i64", "dreamdb.btree-int64"],
  float: ["f64", "dreamdb.btree-float64"],
  string: ["str", "dreamdb.btree-string"],
  timestamp: ["ts", "dreamdb.btree-int64"],
};

/** The address of an object, 33 bytes. */
export const OBJECT = multihash(new TextEncoder().encode("a pack"));

/** The tag of a type. */
export const tagOf = (type: ScalarType): string => `scalar.${TYPES[type][0]}.field=x`;

/** An entry of an encoded value. */
export const entry = (value: readonly number[] | Uint8Array): Uint8Array => array([bytes(Uint8Array.from(value)), uint(3), uint(9), bytes(OBJECT), uint(5), uint(31)]);

/** A Track with an index. */
export function trackOf(type: ScalarType, index: Uint8Array): Uint8Array {
  return map([
    ["coverage", array([uint(0), uint(1)])],
    ["modality", text(tagOf(type))],
    ["timeline", bytes(call((core) => core.addressBytes(TIMELINE)))],
    ["object_index", index],
  ]);
}

/** A page. */
export const page = (kind: string, level: number, algorithm: string, entries: readonly Uint8Array[]): Uint8Array =>
  map([["type", text(kind)], ["level", uint(level)], ["entries", array([...entries])], ["algorithm", text(algorithm)]]);

/** A leaf of one value. */
export const leafOf = (type: ScalarType, value: readonly number[] | Uint8Array): Uint8Array => page("leaf", 0, TYPES[type][1], [entry(value)]);

/** Reads a Track. */
export function readTrack(type: ScalarType, object: Uint8Array, modality = tagOf(type)): ScalarRoot {
  return call((core) => decodeScalarTrack(core, object, { modality, timeline: TIMELINE, start: 0n, end: 1n }, type));
}

/** Reads a page. */
export const readPage = (type: ScalarType, object: Uint8Array, level = 0): ScalarPage => call((core) => decodeScalarPage(core, object, tagOf(type), type, BigInt(level)));

/** Checks what describes an index. */
export const checkIndex = (type: ScalarType, object: Uint8Array, field = "x"): void => call((core) => checkScalarIndex(core, object, tagOf(type), type, field));

/** Entries of a leaf. */
export function entriesOf(object: Uint8Array, type: ScalarType): LeafEntries {
  const { entries } = readPage(type, object);
  if (entries === undefined) throw new Error("no leaf");
  return entries;
}

/** The code that a call is refused with; `undefined` if it is not. Anything but a refusal fails the test. */
export function codeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (isDreamDbError(error) && error.code !== "Internal") return error.code;
    throw error;
  }
}
