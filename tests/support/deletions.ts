/** Objects of deletions by hand, writing to them, and what they say: by the core's decoders, which pages are what their parents say, and by naive CBOR, what entries hold. */
import type { CoreTombstoneSummary } from "../../pkg/dreamdb_arrays.js";
import { addressOf } from "../../ts/codec/hash.js";
import { DreamDbError, isDreamDbError } from "../../ts/errors.js";
import { call } from "../../ts/wasm.js";
import { type Deletion, deletedAnchors } from "../../ts/write/deletions.js";
import { type Cbor, CborMap, decodeFirst, isList } from "../conformance/naive/cbor.js";
import { multihash } from "../conformance/support/address.js";
import { array, bytes, map, text, uint } from "../conformance/support/cbor-writer.js";

/** Objects by their addresses. */
export type Objects = Map<string, Uint8Array>;

/** Pairs of a map as they are to be encoded. */
export type Pairs = readonly (readonly [key: string, value: Uint8Array])[];

/** Reason and time of deleted anchors. */
export type Entries = Map<bigint, readonly [reason: Cbor | undefined, deletedAt: Cbor | undefined]>;

/** The timeline that objects here are of. */
export const TIMELINE = multihash(new TextEncoder().encode("a timeline"));

/** A page with these items under that key. */
export const page = (level: number, key: "entries" | "children", items: readonly Uint8Array[]): Uint8Array =>
  map([["kind", text("dreamdb.tombstone-page.v1")], ["level", uint(level)], [key, array(items)]]);

/** An entry of a leaf. */
export const entry = (anchor: bigint | number, more: Pairs = [["deleted_at", uint(7)]]): Uint8Array => map([["anchor", uint(anchor)], ...more]);

/** What a parent says of a page with that multihash. */
export const summary = (hash: Uint8Array, [min, max, count, level]: readonly (bigint | number)[]): Uint8Array =>
  map([["max", uint(max ?? 0)], ["min", uint(min ?? 0)], ["hash", bytes(hash)], ["count", uint(count ?? 0)], ["level", uint(level ?? 0)]]);

/** The head of an index. */
export const index = (root: Uint8Array, parents: readonly Uint8Array[] = [], more: Pairs = []): Uint8Array =>
  map([
    ["kind", text("dreamdb.tombstone-index.v1")],
    ["root", root],
    ["parents", array(parents.map(bytes))],
    ["timeline", bytes(TIMELINE)],
    ["issued_at", uint(1)],
    ...more,
  ]);

/** Those objects by their addresses. */
export const stored = (...objects: readonly Uint8Array[]): Objects => new Map(objects.map((object) => [addressOf(object), object]));

/** Deletes anchors, and puts what is written among the objects; gives it, and what was read. */
export async function deleteIn(objects: Objects, head: string | undefined, deletion: Deletion): Promise<{ head: string; made: Objects; read: string[] }> {
  const read: string[] = [];
  const reading = async (address: string): Promise<Uint8Array> => {
    read.push(address);
    const object = await Promise.resolve(objects.get(address));
    if (object === undefined) throw new DreamDbError("NotFound", address);
    return object;
  };
  const written = await deletedAnchors(reading, head, deletion);
  const made: Objects = new Map(written.objects.map(({ key, bytes: object }) => [key.replace("tombstones/", ""), object]));
  for (const [address, object] of made) objects.set(address, object);
  return { head: written.head, made, read };
}

/**
 * Every deleted anchor below a head, without those of its parents.
 *
 * @param isLenient pages that cannot be read are passed over
 * @throws {DreamDbError} `NotFound`, and those of the core's decoders
 */
export function entriesBelow(objects: Objects, head: string, isLenient = false): Entries {
  const get = (address: string): Uint8Array => {
    const object = objects.get(address);
    if (object === undefined) throw new DreamDbError("NotFound", address);
    return object;
  };
  const { root, anchors } = call((core) => core.decodeTombstones(get(head)));
  const entries: Entries = new Map([...anchors].map((anchor) => [anchor, [undefined, undefined]]));
  const below = ({ min, max, count, level, page: address }: CoreTombstoneSummary): void => {
    const object = get(address);
    const decoded = call((core) => core.decodeTombstonePage(object, min, max, count, level, address));
    for (const child of decoded.children ?? []) one(child);
    const list = inMap(decodeFirst(object).value, "entries");
    for (const [at, anchor] of (decoded.anchors ?? []).entries()) {
      const own = isList(list) ? list[at] : undefined;
      entries.set(anchor, [inMap(own, "reason"), inMap(own, "deleted_at")]);
    }
  };
  const one = (summary: CoreTombstoneSummary): void => {
    try {
      below(summary);
    } catch (error) {
      if (!isLenient || !isDreamDbError(error, "NotFound", "Cbor", "Tombstones")) throw error;
    }
  };
  if (root !== undefined) one(root);
  return entries;
}

/** Anchors in ascending order, each once. */
export const sortedAnchors = (anchors: Iterable<bigint>): bigint[] => [...new Set(anchors)].sort((first, second) => (first < second ? -1 : 1));

function inMap(value: Cbor | undefined, key: string): Cbor | undefined {
  return value instanceof CborMap ? value.get(key) : undefined;
}
