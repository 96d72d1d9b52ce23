/** Datasets of images that no fixture holds: many packs, large ones, thousands of Items; as scripts of the broken server. */

import { treeOf } from "../../ts/conformance/outboard.js";
import { TIMELINE } from "../../ts/cli/vectors/documents.js";
import { address, base32, multihash } from "../conformance/support/address.js";
import { array, bytes, concat, FALSE, uint } from "../conformance/support/cbor-writer.js";
import type { ObjectSpec } from "./broken-log.js";
import { aroundEntries } from "./built-packs.js";
import { pattern } from "./bytes.js";

/** The one field of these datasets. */
export const FIELD = "m";
const PLACE = `${TIMELINE}/image.png`;

/** A pack to be built. */
export interface PackInit {
  /** Bytes of its Items, one after another. */
  readonly sizes: readonly number[];
  /** Bytes by which the pack is shorter than its Items together, so that the index lies. */
  readonly lacks?: number;
  /** Whether there is an outboard that proves its ranges. */
  readonly outboard?: boolean;
  /** What the server has in its place; the pack itself if absent. */
  readonly served?: (pack: Uint8Array) => Uint8Array;
}

/** A dataset that was built. */
export interface Built {
  readonly objects: Record<string, ObjectSpec>;
  /** To be opened by its manifest: there is no Ref. */
  readonly version: { readonly manifest: string };
  /** Bytes of the Item at each anchor, from 0. */
  readonly items: readonly Uint8Array[];
  /** Keys of the packs, or of the single Items. */
  readonly keys: readonly string[];
}

/** Bytes as a script carries them. */
export function base64Of(data: Uint8Array): ObjectSpec {
  let text = "";
  for (const byte of data) text += String.fromCharCode(byte);
  return { base64: btoa(text) };
}

/** Items in packs, numbered through them by their anchors. */
export function packedDataset(packs: readonly PackInit[]): Built {
  const objects: Record<string, ObjectSpec> = {};
  const items: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  const keys: string[] = [];
  for (const [number, { sizes, lacks = 0, outboard = false, served }] of packs.entries()) {
    const length = sizes.reduce((sum, size) => sum + size, 0);
    // The same pattern from another byte on, so that every pack has an address of its own.
    const pack = pattern(length - lacks + number).slice(number);
    const hash = multihash(pack);
    const key = `${PLACE}/0000000000000000/${base32(hash)}`;
    keys.push(key);
    objects[key] = number === 0 && served === undefined ? { pattern: pack.byteLength } : base64Of(served?.(pack) ?? pack);
    if (outboard) objects[`bao-outboard/${base32(hash)}`] = base64Of(outboardOf(pack));
    let offset = 0;
    for (const size of sizes) {
      entries.push(array([uint(items.length), uint(items.length + 1), uint(size), bytes(hash), FALSE, uint(offset)]));
      items.push(pack.slice(offset, (offset += size)));
    }
  }
  return { ...finished(objects, entries), items, keys };
}

/** Items that are objects of their own, each of a few bytes. */
export function singlesDataset(count: number): Built {
  const objects: Record<string, ObjectSpec> = {};
  const items = Array.from({ length: count }, (_, anchor) => new TextEncoder().encode(`Item ${anchor}`));
  const keys = items.map(fragmentKey);
  const entries = items.map((item, anchor) => {
    objects[keys[anchor] ?? ""] = { text: `Item ${anchor}` };
    return array([uint(anchor), uint(anchor + 1), uint(item.byteLength), bytes(multihash(item))]);
  });
  return { ...finished(objects, entries), items, keys };
}

/** Any entries around objects that are there already. */
export function finished(objects: Record<string, ObjectSpec>, entries: readonly Uint8Array[]): Pick<Built, "objects" | "version"> {
  const root = aroundEntries(entries);
  const documents = Array.from(root.objects, ([key, object]) => [key, base64Of(object)] as const);
  return { objects: { ...objects, ...Object.fromEntries(documents) }, version: { manifest: root.manifest } };
}

/** Where a single Item or a pack lies. */
export function fragmentKey(data: Uint8Array): string {
  return `${PLACE}/0000000000000000/${address(data)}`;
}

/** Where the outboard of an object lies. */
export function outboardKey(data: Uint8Array): string {
  return `bao-outboard/${address(data)}`;
}

/** The outboard of an object, by the definition. */
export function outboardOf(data: Uint8Array): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(data.byteLength), true);
  return concat(length, ...treeOf(data).nodes);
}
