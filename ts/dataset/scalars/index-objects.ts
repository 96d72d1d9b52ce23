/**
 * The objects of a scalar column's index: the Track, what describes the index, and pages, of which leaves have entries.
 *
 * The tree is ordered by keys that are made of the values. Who reads a whole column visits all pages from front to back and needs none of them, so keys are not
 * interpreted. Each of these is to be called within `call()`, as a part of the core: the core has said before that the object is well-formed.
 */
import type { CoreBinding } from "../../../pkg/dreamdb_arrays.js";
import type { Core } from "../../wasm.js";
import type { ScalarType } from "../scalar-values.js";
import { BYTES, Fields, Items, LIST, MAP } from "./cbor.js";
import { ADDRESS, type LeafEntries, readEntries } from "./entries.js";
import { refusal } from "./refusal.js";
import { algorithmOf, checkType, isInline } from "./types.js";

/** What a Track has: entries, or what it says of its tree of pages. */
export type ScalarRoot =
  | { readonly entries: LeafEntries; readonly root?: undefined }
  | { readonly entries?: undefined; readonly root: string; readonly pages: bigint; readonly height: bigint; readonly total: bigint };

/** A page: entries, or the addresses of the pages below, 33 bytes each. */
export type ScalarPage = { readonly entries: LeafEntries; readonly children?: undefined } | { readonly entries?: undefined; readonly children: Uint8Array };

/** Bytes of the shortest entry of a page that is no leaf. */
const LEAST = 38;

/**
 * Decodes a Track, which must be the one that the manifest advertises.
 *
 * @throws as the core: `ScalarIndex`, `UnsupportedIndex`; the codes of Tracks and tags
 */
export function decodeScalarTrack(
  core: Core,
  object: Uint8Array,
  { modality, timeline, start, end }: Pick<CoreBinding, "modality" | "timeline" | "start" | "end">,
  type: ScalarType,
): ScalarRoot {
  checkType(core, type, modality);
  if (core.decodeTrack(object, modality, timeline, start, end).form !== "unread") throw refusal("the Track is not one of a scalar column");
  const items = new Fields(new Items(object), "the Track").at("object_index");
  const index = items.at;
  const major = items.head();
  if (major === LIST && (isInline(type) || items.low === 0)) return { entries: readEntries(items, items.low, type) };
  if (major !== MAP || isInline(type)) throw refusal("the `object_index` of a scalar Track does not have the form that its type asks for");
  const tree = new Fields(new Items(object, index), "the `object_index` of the Track");
  tree.close("form", "root", "page_count", "tree_height", "total_entries");
  if (tree.text("form") !== "scalar-btree-v1") throw tree.wrong("form", "`scalar-btree-v1`");
  const root = core.addressTexts(tree.address("root"));
  const [pages, height, total] = [tree.uint("page_count"), tree.uint("tree_height"), tree.uint("total_entries")];
  if (height === 0n || pages < height || total === 0n) throw refusal("a tree of scalar values cannot have so few pages, levels or entries");
  return { root, pages, height, total };
}

/**
 * Decodes a page with so many levels below it.
 *
 * @throws as the core: `Cbor`; `ScalarIndex` for a missing, unknown or wrongly typed key, a page of another type, level or algorithm, one without entries, and a
 * malformed entry or value
 */
export function decodeScalarPage(core: Core, object: Uint8Array, modality: string, type: ScalarType, level: bigint): ScalarPage {
  checkType(core, type, modality);
  const end = core.checkCbor(object);
  const page = new Fields(new Items(object), "a page of the scalar index");
  page.close("type", "level", "entries", "algorithm");
  const kind = level === 0n ? "leaf" : "internal";
  if (page.text("type") !== kind || page.uint("level") !== level) {
    throw page.refusal("level", `is not of type \`${kind}\` at level ${level}, as it must be`);
  }
  if (page.text("algorithm") !== algorithmOf(type)) throw page.wrong("algorithm", algorithmOf(type));
  const entries = page.list("entries");
  const count = entries.low;
  if (count === 0 || end < object.byteLength) throw page.refusal("entries", "has no entries, or further bytes behind its own");
  return level === 0n ? { entries: readEntries(entries, count, type) } : { children: readChildren(entries, count) };
}

function readChildren(items: Items, count: number): Uint8Array {
  const { bytes } = items;
  // More do not fit, and what is none is refused before it is put anywhere.
  const children = new Uint8Array(ADDRESS * Math.min(count, Math.floor((bytes.byteLength - items.at) / LEAST)));
  for (let number = 0; number < count; number++) {
    const size = items.head() === LIST ? items.low : 0;
    const child = size > 2 && items.body(BYTES) >= 0 && items.body(BYTES) >= 0 ? items.address() : -1;
    if (child < 0) throw refusal("an entry of a page is not two keys and the address of a page");
    children.set(bytes.subarray(child, child + ADDRESS), ADDRESS * number);
    for (let more = 3; more < size; more++) items.skip();
  }
  return children;
}

/**
 * Checks what describes the index of a column: that of the field, by the algorithm of its type.
 *
 * @throws as the core: `Cbor`; `ScalarIndex` for another form, type or field
 */
export function checkScalarIndex(core: Core, object: Uint8Array, modality: string, type: ScalarType, field: string): void {
  checkType(core, type, modality);
  core.checkCbor(object);
  const descriptor = new Fields(new Items(object), "the descriptor of a scalar index");
  const wanted = { metric: isInline(type) ? "categorical" : "ordinal", algorithm: algorithmOf(type), field_name: field };
  descriptor.close("metric", "params", "algorithm", "field_name");
  for (const [key, expected] of Object.entries(wanted)) {
    const actual = descriptor.text(key);
    if (actual !== expected) throw descriptor.refusal(key, `says \`${key}\` ${actual}`, { expected, actual });
  }
  const params = new Fields(descriptor.at("params"), "`params` of a scalar index");
  if (params.uint("version") !== 1n) throw params.wrong("version", "1");
}
