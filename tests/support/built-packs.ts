/** Datasets of one media field whose Items lie in packs, built by hand: any sizes, with outboards or without. */

import { manifest, mediaField, schema, TIMELINE, track } from "../../ts/cli/vectors/documents.js";
import { address, base32, multihash } from "../conformance/support/address.js";
import { array, bytes, concat, FALSE, map, uint } from "../conformance/support/cbor-writer.js";
import { call } from "../../ts/wasm.js";

/** One pack. */
export interface BuiltPack {
  readonly key: string;
  readonly address: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly outboardKey: string;
}

/** A dataset, and what is in it. */
export interface BuiltPacks {
  readonly objects: Map<string, Uint8Array<ArrayBuffer>>;
  /** Address of the manifest. */
  readonly manifest: string;
  /** Items by anchor: 0, 1, … */
  readonly items: readonly Uint8Array<ArrayBuffer>[];
  readonly packs: readonly BuiltPack[];
}

/** Noise that is the same in every run. */
export function noise(size: number, seed: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4));
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  for (let at = 0; at < words.length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  return new Uint8Array(words.buffer).slice(0, size);
}

/** The Track of the field `m` with these entries and the manifest that names it, by key. */
export function aroundEntries(entries: readonly Uint8Array[]): { readonly manifest: string; readonly objects: ReadonlyMap<string, Uint8Array<ArrayBuffer>> } {
  const index = track("image.png", array(entries));
  const binding = { field: "m", kind: "continuous", modality: "image.png", track: address(index) };
  const head = manifest([binding], map([["dreamdb.schema", schema([mediaField("m", "image", "png")])]]));
  const objects = new Map([[`${TIMELINE}/image.png/track/${address(index)}`, index], [`manifests/${address(head)}`, head]]);
  return { manifest: address(head), objects };
}

/**
 * Build the field `m`, with one pack for each list of Item sizes. The core must be loaded.
 *
 * @param outboards whether packs have outboards, which the core makes: they are pinned by vectors of other origin
 */
export function buildPacks(packs: readonly (readonly number[])[], { outboards = true } = {}): BuiltPacks {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const items: Uint8Array<ArrayBuffer>[] = [];
  const entries: Uint8Array[] = [];
  const built = packs.map((sizes, number): BuiltPack => {
    const own = sizes.map((size, at) => noise(size, 1000 * number + at + 1));
    const body = concat(...own);
    const name = multihash(body);
    let offset = 0;
    for (const item of own) {
      entries.push(array([uint(items.length), uint(items.length + 1), uint(item.byteLength), bytes(name), FALSE, uint(offset)]));
      items.push(item);
      offset += item.byteLength;
    }
    const text = base32(name);
    const pack = { key: `${TIMELINE}/image.png/0000000000000000/${text}`, address: text, body, outboardKey: `bao-outboard/${text}` };
    objects.set(pack.key, body);
    if (outboards) objects.set(pack.outboardKey, new Uint8Array(call((core) => core.makeOutboard(body)).bytes));
    return pack;
  });
  const root = aroundEntries(entries);
  for (const [key, object] of root.objects) objects.set(key, object);
  return { objects, manifest: root.manifest, items, packs: built };
}
