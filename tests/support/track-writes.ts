/** Tracks that get entries, and what is in them afterwards: the Track, every page below it, held against its parent, its size, and the counts of the Track. */
import { codec } from "dreamdb-arrays";
import { expect } from "vitest";
import type { CoreBinding, CoreEntries } from "../../pkg/dreamdb_arrays.js";
import { addressAt, startsOf } from "../../ts/dataset/entries.js";
import { call } from "../../ts/wasm.js";
import type { NewEntries } from "../../ts/write/store-items.js";
import { emptyTrack } from "../../ts/write/tracks.js";
import { type GrownTrack, grownTrack } from "../../ts/write/tracks/append.js";
import { decoded, inside } from "../conformance/support/cbor-reader.js";

export const EVENT = "array.f32.kind=event.storage=unbucketed.shape=3.item=x";
export const CONTINUOUS = "array.f32.kind=continuous.storage=time_batch.shape=3.item=x";
export const PAGE_BYTES = 16 << 10;

/** Address of a text. */
export const addressOfText = (text: string): string => codec.addressOf(new TextEncoder().encode(text));

/** An entry. */
export interface Entry {
  readonly anchor: bigint;
  readonly object: string;
  readonly size?: bigint;
  readonly form?: number;
  readonly offset?: number;
}

/** Pages by address. */
export type PageMap = Map<string, Uint8Array>;

/** Entries as columns; those of arrays have no sizes, forms and offsets. */
export function columnsOf(entries: readonly Entry[], isArray: boolean): NewEntries {
  const addresses = new Uint8Array(33 * entries.length);
  const bytes = new Map<string, Uint8Array>();
  for (const [at, { object }] of entries.entries()) {
    const own = bytes.get(object) ?? call((core) => core.addressBytes(object));
    bytes.set(object, own);
    addresses.set(own, 33 * at);
  }
  const media = isArray ? [] : entries;
  return {
    anchors: BigUint64Array.from(entries, ({ anchor }) => anchor),
    addresses,
    sizes: BigUint64Array.from(media, ({ size = 0n }) => size),
    forms: Uint8Array.from(media, ({ form = 0 }) => form),
    offsets: Uint32Array.from(media, ({ offset = 0 }) => offset),
  };
}

/** What a Track says of itself, by an independent decoder. */
export function bindingOf(track: Uint8Array): CoreBinding {
  const content = decoded(track);
  const [start, end] = inside(content, "coverage") as readonly bigint[];
  const timeline = inside(content, "timeline") as Uint8Array;
  const modality = inside(content, "modality") as string;
  const text = call((core) => core.addressTexts(timeline));
  return { field: "x", kind: "event", modality, timeline: text, track: codec.addressOf(track), start: start ?? 0n, end: end ?? 0n };
}

/** A Track without Items. */
export function empty(modality: string, timeline = addressOfText("a timeline")): Uint8Array {
  const { objects, start, end } = emptyTrack({ modality }, timeline);
  expect([objects.length, start, end]).toEqual([1, 0n, 1n]);
  return objects[0]?.bytes ?? new Uint8Array(0);
}

/** Adds entries, keeps the pages that this makes, and says which were read: each once. */
export async function grow(pages: PageMap, track: Uint8Array, entries: NewEntries, binding = bindingOf(track)): Promise<GrownTrack & { readonly read: readonly string[] }> {
  const read: string[] = [];
  const grown = await grownTrack(binding, track, entries, async (address) => {
    read.push(address);
    const page = pages.get(address);
    if (page === undefined) throw new Error(`page ${address} was not made`);
    return page;
  });
  expect(new Set(read).size).toBe(read.length);
  for (const { address, object } of grown.pages) {
    expect(codec.addressOf(object)).toBe(address);
    pages.set(address, object);
  }
  return { ...grown, read };
}

/** Decodes a Track by what it says of itself. */
export function decodeOf(track: Uint8Array) {
  const { modality, timeline, start, end } = bindingOf(track);
  return call((core) => core.decodeTrack(track, modality, timeline, start, end));
}

/** All entries of a Track in order. */
export function entriesIn(pages: ReadonlyMap<string, Uint8Array>, track: Uint8Array): Entry[] {
  const { modality } = bindingOf(track);
  const index = decodeOf(track);
  if (index.form === "constant" || index.form === "unread") throw new Error("a Constant or a scalar column has no entries");
  if (index.form !== "paged") return listed(index);
  const all: Entry[] = [];
  let count = 0n;
  const visit = (address: string, level: bigint, bounds: BigUint64Array): void => {
    count++;
    const page = pages.get(address) ?? new Uint8Array(0);
    if (codec.addressOf(page) !== address || page.byteLength > PAGE_BYTES) throw new Error(`a page of ${page.byteLength} bytes is not ${address}`);
    const below = call((core) => core.decodeIndexPage(page, modality, level, index.fanout, bounds));
    if (below.form !== "internal") all.push(...listed(below));
    else for (const [at, start] of below.starts.entries()) visit(addressAt(below.addresses, at), level - 1n, BigUint64Array.of(start, below.ends[at] ?? 0n));
  };
  visit(index.root, index.height, new BigUint64Array(0));
  expect([count, BigInt(all.length)]).toEqual([index.pages, index.items]);
  return all;
}

function listed(entries: CoreEntries): Entry[] {
  return Array.from(startsOf(entries), (anchor, at) => {
    if (entries.form !== "fragments") return { anchor, object: addressAt(entries.addresses, at) };
    const object = addressAt(entries.addresses, entries.objects[at] ?? 0);
    return { anchor, object, size: entries.sizes[at] ?? 0n, form: entries.forms[at] ?? 0, offset: entries.offsets[at] ?? 0 };
  });
}
