/**
 * Deletions as a writer makes them: the head and pages that say of more anchors that they are deleted.
 *
 * The tree is the reference's: anchors go to the first page that reaches as far, or else to the last; a page that would have more than 128 entries or
 * children becomes as few as can hold them, of sizes that differ by one at most, the larger ones first; pages that nothing goes to are not read. An
 * anchor that is deleted again has the later entry. A head that is a plain list, or of another timeline, becomes a parent of a new index.
 *
 * What the core's decoders pass is refused here as well where the reference would not append to it. Which deletions there are is dataset/tombstones.ts's
 * matter.
 */
import type { CoreTombstoneSummary } from "../../pkg/dreamdb_arrays.js";
import { addressBytesOf, addressOf } from "../codec/hash.js";
import { upperBound } from "../dataset/entries.js";
import { tombstoneKey } from "../dataset/keys.js";
import { DreamDbError } from "../errors.js";
import { call } from "../wasm.js";
import { body, bytes, compared, type Item, list, map, nothing, text, uint } from "./cbor.js";
import { close, entriesOf, type Frame, frameOf, framesOf, recordOf, refused, spelt } from "./deletion-entries.js";
import type { NewObject } from "./objects.js";

/** Kinds of the objects. */
const [INDEX, PAGE] = ["dreamdb.tombstone-index.v1", "dreamdb.tombstone-page.v1"];

/** Most entries, or children, of a page; the fewest children are two. */
const MOST = 128;

/** Most bytes of a page. */
const MOST_PAGE_BYTES = 65_536;

/** Most bytes of a reason. */
const MOST_REASON_BYTES = 256;

/** Levels beyond which a tree is not followed: all anchors that there are would fit into fewer. */
const MOST_LEVELS = 16n;

/** What is to be deleted. */
export interface Deletion {
  /** Of the anchors. */
  readonly timeline: string;
  /** In any order; those that are deleted already or never were are no fault. */
  readonly anchors: BigUint64Array;
  /** For people. */
  readonly reason: string | undefined;
  /** Milliseconds since the epoch. */
  readonly nowMs: bigint;
}

/**
 * Deletes anchors below a head, if there is one. Costs the pages on the way to them, siblings at once.
 *
 * @param read an object of deletions, checked against its address
 * @returns the new head's address, and the objects to be stored: pages, and at last the head
 * @throws {DreamDbError} `InvalidArgument` if there are no anchors, or for a reason of more than 256 bytes; `Tombstones` for what is damaged, and for
 * what the reference would not append to: unsorted parents, unknown keys, pages of one child; `Cbor`; what `read` throws
 */
export async function deletedAnchors(
  read: (address: string) => Promise<Uint8Array>,
  base: string | undefined,
  { timeline, anchors, reason, nowMs }: Deletion,
): Promise<{ head: string; objects: NewObject[] }> {
  const words = reason === undefined ? undefined : text(reason);
  if (anchors.length === 0) throw new DreamDbError("InvalidArgument", "there is no anchor to be deleted");
  if (words !== undefined && body(words).byteLength > MOST_REASON_BYTES) {
    throw new DreamDbError("InvalidArgument", "the reason of a deletion has at most 256 bytes of UTF-8");
  }
  const frame = frameOf(uint(nowMs), words);
  const objects: NewObject[] = [];

  const store = (item: Item): string => {
    const address = addressOf(item);
    objects.push({ key: tombstoneKey(address), bytes: item });
    return address;
  };

  const stored = (level: bigint, key: string, within: Item, min: bigint, max: bigint, count: bigint): CoreTombstoneSummary => {
    const page = map({ kind: text(PAGE), level: uint(level), [key]: within });
    if (page.byteLength > MOST_PAGE_BYTES) throw refused("a page of tombstones would have more than 65,536 bytes");
    return { min, max, count, level, page: store(page) };
  };

  const leaves = (all: BigUint64Array, kept: ReadonlyMap<bigint, Frame>): CoreTombstoneSummary[] =>
    extents(all.length).map(([start, end]) => {
      const own = all.subarray(start, end);
      const entries = entriesOf(own, Array.from(own, (anchor) => kept.get(anchor) ?? frame));
      return stored(0n, "entries", entries, all[start] ?? 0n, all[end - 1] ?? 0n, BigInt(end - start));
    });

  const internals = (all: readonly CoreTombstoneSummary[]): CoreTombstoneSummary[] =>
    extents(all.length).flatMap(([start, end]) => {
      const children = all.slice(start, end);
      const [first, last] = [children[0], children.at(-1)];
      if (first === undefined || last === undefined) return [];
      const count = children.reduce((sum, child) => sum + child.count, 0n);
      if (count >> 64n !== 0n) throw refused("the tree of tombstones counts more anchors than there are");
      return [stored(first.level + 1n, "children", list(children.map(summaryOf)), first.min, last.max, count)];
    });

  /** Puts anchors below a page; gives what takes its place, or the page itself if there are none. */
  const inserted = async (summary: CoreTombstoneSummary, more: BigUint64Array): Promise<CoreTombstoneSummary[]> => {
    if (more.length === 0) return [summary];
    const { min, max, count, level, page: address } = summary;
    const object = await read(address);
    if (level > MOST_LEVELS) throw refused("the tree of tombstones is deeper than any that holds 64-bit anchors");
    const page = call((core) => core.decodeTombstonePage(object, min, max, count, level, address));
    if (page.anchors !== undefined) {
      const kept = framesOf(object, page.anchors);
      for (const anchor of more) kept.delete(anchor);
      return leaves(ascending(page.anchors, more), kept);
    }
    const { children } = page;
    if (children.length < 2 || children.length > MOST) throw refused("a page of tombstones has not 2 to 128 children");
    let from = 0;
    const below = children.map((child, at) => {
      const to = at === children.length - 1 ? more.length : upperBound(more, child.max);
      return inserted(child, more.subarray(from, (from = to)));
    });
    return internals((await Promise.all(below)).flat());
  };

  const { parents, root } = await start(read, base, timeline);
  const all = ascending(anchors);
  let tops = root === undefined ? leaves(all, new Map()) : await inserted(root, all);
  while (tops.length > 1) tops = internals(tops);
  const made = map({ kind: text(INDEX), root: tops[0] && summaryOf(tops[0]), parents: list(parents), timeline: addressItem(timeline), issued_at: uint(nowMs) });
  return { head: store(made), objects };
}

/** What a new head goes on from. */
async function start(
  read: (address: string) => Promise<Uint8Array>,
  base: string | undefined,
  timeline: string,
): Promise<{ readonly parents: readonly Item[]; readonly root?: CoreTombstoneSummary | undefined }> {
  if (base === undefined) return { parents: [] };
  const object = await read(base);
  const { timeline: its, parents, root } = call((core) => core.decodeTombstones(object));
  const record = recordOf(object);
  if (its !== timeline || spelt(record.get("kind") ?? nothing()) !== INDEX) return { parents: [addressItem(base)] };
  close("the head of tombstones", record, ["kind", "root", "parents", "timeline", "issued_at"]);
  const encoded = parents.map(addressItem);
  if (encoded.some((parent, at) => at > 0 && compared(encoded[at - 1] ?? parent, parent) >= 0)) {
    throw refused("the parents of an index of tombstones are not in strictly ascending order");
  }
  return { parents: encoded, root };
}

const addressItem = (address: string): Item => bytes(addressBytesOf(address));

const summaryOf = ({ min, max, count, level, page }: CoreTombstoneSummary): Item =>
  map({ max: uint(max), min: uint(min), hash: addressItem(page), count: uint(count), level: uint(level) });

/** Anchors in ascending order, each once. */
function ascending(...runs: readonly BigUint64Array[]): BigUint64Array {
  const all = new BigUint64Array(runs.reduce((sum, run) => sum + run.length, 0));
  let at = 0;
  for (const run of runs) {
    all.set(run, at);
    at += run.length;
  }
  let kept = 0;
  for (const anchor of all.sort()) if (kept === 0 || anchor !== all[kept - 1]) all[kept++] = anchor;
  return all.subarray(0, kept);
}

/** Where the least number of pages for so many entries begin and end: their sizes differ by one at most, the larger ones come first. */
function extents(count: number): (readonly [start: number, end: number])[] {
  const pages = Math.ceil(count / MOST);
  const start = (page: number): number => page * Math.floor(count / pages) + Math.min(page, count % pages);
  return Array.from({ length: pages }, (_, page) => [start(page), start(page + 1)] as const);
}
