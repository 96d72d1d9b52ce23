/**
 * Datasets of several fields built by hand: event, continuous and media Items, in one index or in trees of pages, with deletions. From the
 * definitions, by nothing of the package but the documents of types.
 */
import { codec, memoryStore, openDataset, type OpenOptions } from "dreamdb-arrays";
import type { ItemTypeInit } from "../../ts/codec/item-type.js";
import { arrayField, manifest, mediaField, schema, TIMELINE, track } from "../../ts/cli/vectors/documents.js";
import { address, base32, multihash } from "../conformance/support/address.js";
import { array, bytes, concat, FALSE, map, text, uint } from "../conformance/support/cbor-writer.js";
import { outboardOf } from "./built.js";
import { recording, type RecordingStore } from "./recording.js";

/** Objects by key. */
export type Objects = Map<string, Uint8Array<ArrayBuffer>>;

/** An entry of an index, from whatever base its anchors count; in a page, its end is a duration. */
export interface EntryInit {
  readonly anchor: bigint;
  entry(base?: bigint): Uint8Array;
}

/** An Item as it is to be stored. */
export interface StoredItem {
  readonly anchor: bigint | number;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A field to be built. */
export interface FieldInit {
  readonly name: string;
  /** Of an array field; a field without is of images. */
  readonly type?: ItemTypeInit;
  readonly kind?: "event" | "continuous";
  readonly items: readonly StoredItem[];
  /** Children of a page, in every level; one index object unless said. */
  readonly fanout?: number;
  /** Items of a pack, of images; each an object of its own unless said. */
  readonly perPack?: number;
  readonly outboards?: boolean;
}

/** Extent of an anchor. */
const endOf = (anchor: bigint): bigint => anchor + 3n;

/** Place of a field's objects. */
export function placeOf({ type, kind = "event" }: Pick<FieldInit, "type" | "kind">): string {
  return `${TIMELINE}/${type === undefined ? "image.png" : codec.modalityOf(type, kind)}`;
}

const hex = (anchor: bigint): string => anchor.toString(16).padStart(16, "0");

/** Key of an Item of its own. */
export function itemKeyOf(field: Pick<FieldInit, "type" | "kind">, { anchor, body }: StoredItem): string {
  return `${placeOf(field)}/${hex(field.type === undefined ? 0n : BigInt(anchor))}/${address(body)}`;
}

function extent(anchor: bigint, third: bigint, hash: Uint8Array, rest: readonly Uint8Array[]): EntryInit {
  const entry = (base?: bigint) => {
    const [start, end] = base === undefined ? [anchor, endOf(anchor)] : [anchor - base, endOf(anchor) - anchor];
    return array([uint(start), uint(end), uint(third), bytes(hash), ...rest]);
  };
  return { anchor, entry };
}

/** Puts the Items of a field; their entries. */
export function putItems(objects: Objects, field: FieldInit): EntryInit[] {
  const { type, kind = "event", items, perPack, outboards = true } = field;
  if (type !== undefined || perPack === undefined) {
    return items.map((item) => {
      const [anchor, hash] = [BigInt(item.anchor), multihash(item.body)];
      objects.set(itemKeyOf(field, item), item.body);
      if (type === undefined) return extent(anchor, BigInt(item.body.byteLength), hash, []);
      if (kind === "continuous") return extent(anchor, anchor, hash, []);
      return { anchor, entry: (base = 0n) => array([bytes(hash), uint(anchor - base)]) };
    });
  }
  const entries: EntryInit[] = [];
  for (let from = 0; from < items.length; from += perPack) {
    const own = items.slice(from, from + perPack);
    const pack = concat(...own.map(({ body }) => body));
    const hash = multihash(pack);
    objects.set(`${placeOf(field)}/${hex(0n)}/${base32(hash)}`, pack);
    if (outboards) objects.set(`bao-outboard/${base32(hash)}`, new Uint8Array(outboardOf(pack)));
    let offset = 0;
    for (const { anchor, body } of own) {
      entries.push(extent(BigInt(anchor), BigInt(body.byteLength), hash, [FALSE, uint(offset)]));
      offset += body.byteLength;
    }
  }
  return entries;
}

/** What is said of a page above it. */
export interface PageSummary {
  readonly min: bigint;
  readonly max: bigint;
  readonly hash: Uint8Array;
  readonly items: bigint;
}

/** A page; `parts` stand in for what it would have. */
export function page(type: "leaf" | "internal", modality: string, min: bigint, max: bigint, entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return map([["type", text(type)], ["t_min", uint(min)], ["t_max", uint(max)], ["entries", array(entries)], ["modality", text(modality)]]);
}

/** Entry of an internal page. */
export const summary = ({ min, max, hash, items }: PageSummary): Uint8Array => array([uint(min), uint(max), bytes(hash), uint(items)]);

/** Puts a page where it belongs. */
export function putPage(objects: Objects, modality: string, object: Uint8Array<ArrayBuffer>): Uint8Array {
  objects.set(`${TIMELINE}/${modality}/index/${address(object)}`, object);
  return multihash(object);
}

/** A leaf of these entries. */
export function putLeaf(objects: Objects, modality: string, entries: readonly EntryInit[], min = entries[0]?.anchor ?? 0n, max?: bigint): PageSummary {
  const end = max ?? (entries.at(-1)?.anchor ?? 0n) + 1n;
  const hash = putPage(objects, modality, page("leaf", modality, min, end, entries.map(({ entry }) => entry(min))));
  return { min, max: end, hash, items: BigInt(entries.length) };
}

/** A page above these. */
export function putInternal(objects: Objects, modality: string, below: readonly PageSummary[]): PageSummary {
  const min = below.reduce((least, own) => (own.min < least ? own.min : least), below[0]?.min ?? 0n);
  const max = below.reduce((most, own) => (own.max > most ? own.max : most), 1n);
  const hash = putPage(objects, modality, page("internal", modality, min, max, below.map(summary)));
  return { min, max, hash, items: below.reduce((sum, own) => sum + own.items, 0n) };
}

/** What a Track says of its tree. */
export interface TreeFacts {
  readonly fanout: bigint;
  readonly height: bigint;
  readonly pages: bigint;
  readonly items: bigint;
}

/** The index of a paged Track. */
export const pagedIndex = (root: Uint8Array, { fanout, height, pages, items }: TreeFacts): Uint8Array =>
  map([
    ["form", text("paged")],
    ["root", bytes(root)],
    ["fanout", uint(fanout)],
    ["page_count", uint(pages)],
    ["total_items", uint(items)],
    ["tree_height", uint(height)],
  ]);

/** A tree of pages over entries in their order, `fanout` children a page. */
export function putTree(objects: Objects, modality: string, entries: readonly EntryInit[], fanout: number): Uint8Array {
  const groups = <T>(all: readonly T[]): T[][] => Array.from({ length: Math.ceil(all.length / fanout) }, (_, at) => all.slice(at * fanout, (at + 1) * fanout));
  let level = entries.length === 0 ? [putLeaf(objects, modality, [])] : groups(entries).map((own) => putLeaf(objects, modality, own));
  let [height, pages] = [1n, BigInt(level.length)];
  while (level.length > 1) {
    level = groups(level).map((own) => putInternal(objects, modality, own));
    [height, pages] = [height + 1n, pages + BigInt(level.length)];
  }
  return pagedIndex(level[0]?.hash ?? new Uint8Array(33), { fanout: BigInt(fanout), height, pages, items: BigInt(entries.length) });
}

/** A dataset of fields whose indexes are given. */
export function putManifest(objects: Objects, fields: readonly { readonly field: Pick<FieldInit, "name" | "type" | "kind">; readonly index: Uint8Array }[], deleted: readonly (bigint | number)[] = []): string {
  const bindings = fields.map(({ field, index }) => {
    const modality = placeOf(field).slice(TIMELINE.length + 1);
    const object = track(modality, index);
    objects.set(`${TIMELINE}/${modality}/track/${address(object)}`, object);
    return { field: field.name, kind: field.type === undefined ? "continuous" : (field.kind ?? "event"), modality, track: address(object) };
  });
  const documents = fields.flatMap(({ field }) => (field.type === undefined ? [] : [[placeOf(field).slice(TIMELINE.length + 1), codec.encodeItemType(field.type)] as const]));
  const declared = fields.map(({ field: { name, type, kind = "event" } }) =>
    type === undefined ? mediaField(name, "image", "png") : arrayField(name, codec.encodeItemType(type), kind, kind === "event" ? "unbucketed" : "time-batch"),
  );
  const registry: [string, Uint8Array][] = [["dreamdb.schema", schema(declared)]];
  for (const [modality, document] of new Map(documents)) registry.push([modality, map([["item_type", document]])]);
  if (deleted.length > 0) {
    const anchors = [...deleted].map(BigInt).sort((a, b) => (a < b ? -1 : 1));
    const list = map([["kind", text("dreamdb.tombstone-list.v1")], ["anchors", array(anchors.map((anchor) => map([["anchor", uint(anchor)]])))], ["parents", array([])]]);
    objects.set(`tombstones/${address(list)}`, list);
    registry.push(["dreamdb.tombstones", map([["head", bytes(multihash(list))]])]);
  }
  const root = manifest(bindings, map(registry));
  objects.set(`manifests/${address(root)}`, root);
  return address(root);
}

/** A dataset of these fields. */
export function build(fields: readonly FieldInit[], deleted: readonly (bigint | number)[] = []): { readonly objects: Objects; readonly manifest: string } {
  const objects: Objects = new Map();
  const indexes = fields.map((field) => {
    const entries = putItems(objects, field);
    const modality = placeOf(field).slice(TIMELINE.length + 1);
    return { field, index: field.fanout === undefined ? array(entries.map(({ entry }) => entry())) : putTree(objects, modality, entries, field.fanout) };
  });
  return { objects, manifest: putManifest(objects, indexes, deleted) };
}

/** Opens a built dataset over a store that remembers what is read. */
export async function openBuilt({ objects, manifest: version }: { readonly objects: Objects; readonly manifest: string }, options: OpenOptions = {}, around = (store: RecordingStore): RecordingStore => store) {
  const store = around(recording(memoryStore(objects)));
  const ds = await openDataset(store, { manifest: version }, options);
  store.forget();
  return { ds, store, objects };
}

/** Numbers below `count`, `step` apart, as anchors. */
export const anchorsTo = (count: number, step = 1): bigint[] => Array.from({ length: count }, (_, at) => BigInt(at * step));

/** A f32 Item of those values. */
export const f32 = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(Float32Array.from(values).buffer);
