/** Tracks and pages made at random, and damaged: what gets an entry is refused with a code, or has exactly the old entries and the new one afterwards. */
import { init, isDreamDbError } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { CoreBinding } from "../../pkg/dreamdb_arrays.js";
import { call } from "../../ts/wasm.js";
import { array, bytes, FALSE, head, map, text, TRUE, uint } from "../conformance/support/cbor-writer.js";
import { address, base32, multihash } from "../conformance/support/address.js";
import { addressOfText, bindingOf, columnsOf, CONTINUOUS, entriesIn, type Entry, EVENT, grow, type PageMap } from "../support/track-writes.js";

const LAST = 2n ** 64n - 1n;
const TIMELINE = "a timeline";

beforeAll(() => init());

const hashOf = (name: string): Uint8Array => multihash(new TextEncoder().encode(name));

const anchor = fc.oneof(fc.bigInt(0n, 60n), fc.bigInt(LAST - 30n, LAST), fc.bigInt(2n ** 32n - 5n, 2n ** 32n + 5n));
const modality = fc.constantFrom("image.png", EVENT, CONTINUOUS);
const further = fc.array(fc.constantFrom(uint(7), text("ä"), array([uint(1), FALSE]), head(1, 4)), { maxLength: 2 });
const entry = fc.record({ anchor, span: fc.bigInt(1n, 9n), size: fc.bigInt(0n, 70_000n), form: fc.constantFrom(0, 1, 2), further });

type EntryInit = typeof entry extends fc.Arbitrary<infer T> ? T : never;

/** An entry as it is encoded, relative to a page. */
function encodedEntry(tag: string, { anchor, span, size, form, further }: EntryInit, base?: bigint): Uint8Array {
  const object = bytes(hashOf(`${anchor} ${size}`));
  const start = anchor - (base ?? 0n);
  if (tag === EVENT) return array([object, uint(start), ...further]);
  const end = anchor + span > LAST ? LAST : anchor + span;
  const extent = [uint(start), uint(base === undefined ? end : end - anchor)];
  if (tag === CONTINUOUS) return array([...extent, uint(anchor), object, ...further]);
  return array([...extent, uint(size), object, ...(form === 0 ? [] : form === 1 ? [TRUE] : [FALSE, uint(size), ...further])]);
}

interface Stored {
  readonly track: Uint8Array;
  readonly pages: PageMap;
  readonly binding: CoreBinding;
}

/** A Track of these entries, in itself or in a tree of two levels, in the given order. */
function stored(tag: string, entries: readonly EntryInit[], perLeaf: number | undefined, damage: (object: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): Stored {
  const pages: PageMap = new Map();
  const put = (type: string, start: bigint, end: bigint, own: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
    const page = damage(map([["type", text(type)], ["t_max", uint(end)], ["t_min", uint(start)], ["entries", array(own)], ["modality", text(tag)]]));
    pages.set(address(page), page);
    return page;
  };
  let index = array(entries.map((one) => encodedEntry(tag, one)));
  if (perLeaf !== undefined) {
    const ascending = [...entries].sort((a, b) => (a.anchor < b.anchor ? -1 : Number(a.anchor > b.anchor)));
    const summaries: Uint8Array[] = [];
    let end = 0n;
    for (let at = 0; at < ascending.length; at += perLeaf) {
      const own = ascending.slice(at, at + perLeaf);
      const start = own[0]?.anchor ?? 0n;
      end = (own.at(-1)?.anchor ?? 0n) + 1n;
      const leaf = put("leaf", start, end, own.map((one) => encodedEntry(tag, one, start)));
      summaries.push(array([uint(start), uint(end), bytes(multihash(leaf)), uint(own.length)]));
    }
    const root = put("internal", ascending[0]?.anchor ?? 0n, end, summaries);
    index = map([["form", text("paged")], ["root", bytes(multihash(root))], ["fanout", uint(summaries.length)], ["page_count", uint(pages.size)], ["total_items", uint(entries.length)], ["tree_height", uint(2)]]);
  }
  const whole = map([["coverage", array([uint(0), uint(LAST)])], ["modality", text(tag)], ["timeline", bytes(hashOf(TIMELINE))], ["object_index", index]]);
  return { track: damage(whole), pages, binding: { ...bindingOf(whole), track: address(whole) } };
}

/** Everything that is in a Track; `undefined` if the core refuses any of it. */
function contents({ pages, track, binding }: Stored): Entry[] | undefined {
  try {
    const { modality, timeline, start, end } = binding;
    call((core) => core.decodeTrack(track, modality, timeline, start, end));
    return entriesIn(pages, track);
  } catch {
    return undefined;
  }
}

const inputs = fc.record({ tag: modality, entries: fc.array(entry, { minLength: 1, maxLength: 30 }), perLeaf: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }), added: fc.array(anchor, { maxLength: 4 }) });
const damages = fc.array(fc.record({ object: fc.nat(9), at: fc.nat(), bit: fc.nat(7), cut: fc.boolean() }), { maxLength: 2 });

it("whatever comes in", async () => {
  let [grew, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(inputs, damages, async ({ tag, entries, perLeaf, added }, faults) => {
      let made = 0;
      const given = stored(tag, entries, perLeaf, (object) => {
        const damaged = object.slice();
        const own = faults.filter((fault) => fault.object === made);
        made++;
        for (const { at, bit } of own) damaged[at % damaged.byteLength] = (damaged[at % damaged.byteLength] ?? 0) ^ (1 << bit);
        return own.some(({ cut }) => cut) ? damaged.subarray(0, (own[0]?.at ?? 0) % damaged.byteLength) : damaged;
      });
      const before = contents(given);
      const isArray = tag !== "image.png";
      const items = added.map((own): Entry => ({ anchor: own, object: addressOfText(`new ${own}`), size: 9n, form: 0, offset: 0 }));
      let grown: Awaited<ReturnType<typeof grow>>;
      try {
        grown = await grow(given.pages, given.track, columnsOf(items, isArray), given.binding);
      } catch (error) {
        if (!isDreamDbError(error)) expect(String(error)).toMatch(/^Error: page \S+ was not made$/);
        const isRight = before !== undefined && !added.includes(LAST) && (!isArray || new Set([...added, ...before.map(({ anchor }) => anchor)]).size === added.length + before.length);
        expect(isRight).toBe(false);
        refused++;
        return;
      }
      grew++;
      expect(bindingOf(grown.track)).toMatchObject({ modality: tag, timeline: base32(hashOf(TIMELINE)), start: grown.start, end: grown.end });
      // Of a damaged tree, the parts that are not on the way may be damaged afterwards as well.
      if (before === undefined) return;
      const plain = items.map(({ anchor, object, ...media }) => (isArray ? { anchor, object } : { anchor, object, ...media }));
      expect(entriesIn(given.pages, grown.track)).toEqual([...before, ...plain].sort((a, b) => (a.anchor < b.anchor ? -1 : Number(a.anchor > b.anchor))));
      for (const own of added) expect(grown.start <= own && own < grown.end).toBe(true);
      // Nothing added: the same entries, and from then on the same bytes.
      const same = await grow(given.pages, grown.track, columnsOf([], isArray));
      expect(await grow(given.pages, same.track, columnsOf([], isArray))).toMatchObject({ track: same.track, pages: [] });
    }),
    { numRuns: 1500 },
  );
  expect(Math.min(grew, refused)).toBeGreaterThan(50);
}, 120_000);

it("bytes at random are refused by name", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), modality, async (track, tag) => {
      const binding: CoreBinding = { field: "x", kind: "event", modality: tag, timeline: addressOfText(TIMELINE), track: "", start: 0n, end: 1n };
      const error: unknown = await grow(new Map(), track, columnsOf([], tag !== "image.png"), binding).catch((failure: unknown) => failure);
      expect(isDreamDbError(error)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
