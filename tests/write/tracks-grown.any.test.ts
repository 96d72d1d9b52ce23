/** Tracks that get entries: random appends against a list, what one more costs, what is kept, and what is refused. */
import { init } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { constantTrack, emptyTrack } from "../../ts/write/tracks.js";
import { array, bytes, map, text, uint } from "../conformance/support/cbor-writer.js";
import { expectFailure, expectThrown } from "../support/failure.js";
import { address, multihash } from "../conformance/support/address.js";
import { addressOfText, bindingOf, columnsOf, CONTINUOUS, decodeOf, empty, entriesIn, type Entry, EVENT, grow, type PageMap } from "../support/track-writes.js";

const MEDIA = "image.png";
const LAST = 2n ** 64n - 1n;
const ITEM = new TextEncoder().encode("the first");

beforeAll(() => init());

const utf8 = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value);
const timelineBytes = (): Uint8Array => multihash(utf8("a timeline"));

/** A Track Object. */
const trackOf = (modality: string, coverage: readonly bigint[], index: Uint8Array): Uint8Array =>
  map([["coverage", array(coverage.map(uint))], ["modality", text(modality)], ["timeline", bytes(timelineBytes())], ["object_index", index]]);

const treeOf = (root: Uint8Array<ArrayBuffer>, { pages = 1n, items = 1n, height = 1n, fanout = 1n } = {}): Uint8Array =>
  map([["form", text("paged")], ["root", bytes(multihash(root))], ["fanout", uint(fanout)], ["page_count", uint(pages)], ["total_items", uint(items)], ["tree_height", uint(height)]]);

const pageOf = (type: "leaf" | "internal", modality: string, [start, end]: readonly [bigint, bigint], entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  map([["type", text(type)], ["t_max", uint(end)], ["t_min", uint(start)], ["entries", array(entries)], ["modality", text(modality)]]);

/** A paged Track of one leaf, without which an index would have to be of a megabyte before it is paged. */
function smallPaged(modality: string, first: bigint): { track: Uint8Array; pages: PageMap } {
  const object = bytes(multihash(ITEM));
  const leaf = pageOf("leaf", modality, [first, first + 1n], [modality === EVENT ? array([object, uint(0)]) : array([uint(0), uint(1), uint(9), object])]);
  return { track: trackOf(modality, [first, first + 1n], treeOf(leaf)), pages: new Map([[address(leaf), leaf]]) };
}

const at = (anchor: bigint, object = addressOfText("an Item")): Entry => ({ anchor, object });

/** Media entries of all forms. */
function media(anchor: bigint, number: number): Entry {
  const object = addressOfText(`pack ${Math.floor(number / 50)}`);
  if (number % 3 === 0) return { anchor, size: BigInt(number * number), object, form: 0, offset: 0 };
  if (number % 3 === 1) return { anchor, size: BigInt(number), object, form: 1, offset: 0 };
  return { anchor, size: BigInt(70_000 - (number % 50)), object, form: 2, offset: number * 1000 };
}

const byAnchor = (a: Entry, b: Entry): number => (a.anchor < b.anchor ? -1 : Number(a.anchor > b.anchor));

describe("entries", () => {
  const batch = fc.record({ first: fc.bigInt(0n, 2n ** 40n), count: fc.integer({ min: 1, max: 3000 }), step: fc.bigInt(1n, 2n ** 20n) });

  it("come to stand in order, whatever the order of appends", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 5 }), fc.boolean(), fc.integer({ min: 1, max: 20 }), async (batches, isPaged, equal) => {
        const initial = isPaged ? smallPaged(MEDIA, 2n ** 30n) : { track: empty(MEDIA), pages: new Map<string, Uint8Array>() };
        let { track } = initial;
        const { pages } = initial;
        let expected = entriesIn(pages, track);
        let number = 0;
        for (const { first, count, step } of batches) {
          // Some at one anchor, and in no order.
          const added = Array.from({ length: count }, (_, own) => media(first + BigInt(Math.floor(((own * 7919) % count) / equal)) * step, ++number));
          const before = pages.size;
          const { start, end, read, ...grown } = await grow(pages, track, columnsOf(added, false));
          track = grown.track;
          expected = [...expected, ...added].sort(byAnchor);
          expect(bindingOf(track)).toMatchObject({ modality: MEDIA, start, end });
          expect([start, end]).toEqual([expected[0]?.anchor, (expected.at(-1)?.anchor ?? 0n) + 1n]);
          expect(read.length).toBeLessThanOrEqual(before);
          expect(entriesIn(pages, track)).toEqual(expected);
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  it("of arrays, too, at any anchors", async () => {
    const anchors = fc.array(fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(2n ** 32n - 40n, 2n ** 32n + 40n), fc.bigInt(LAST - 40n, LAST - 1n), fc.bigInt(0n, LAST - 1n)), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(anchors, { maxLength: 4 }), fc.constantFrom(EVENT, CONTINUOUS), fc.boolean(), async (batches, modality, isPaged) => {
        const initial = isPaged ? smallPaged(modality, 2n ** 33n) : { track: empty(modality), pages: new Map<string, Uint8Array>() };
        let { track } = initial;
        const { pages } = initial;
        const known = new Map(entriesIn(pages, track).map((entry) => [entry.anchor, entry]));
        for (const [number, own] of batches.entries()) {
          const added = own.map((anchor) => at(anchor, addressOfText(`${number} ${anchor}`)));
          const repeated = new Set(own).size < own.length || own.some((anchor) => known.has(anchor));
          if (repeated) {
            const { subject } = await expectFailure(grow(pages, track, columnsOf(added, true)), "RepeatedAnchor");
            expect(own.filter((anchor) => String(anchor) === subject).length + Number(known.has(BigInt(subject ?? 0)))).toBeGreaterThan(1);
            continue;
          }
          ({ track } = await grow(pages, track, columnsOf(added, true)));
          for (const entry of added) known.set(entry.anchor, entry);
          expect(entriesIn(pages, track)).toEqual([...known.values()].sort(byAnchor));
        }
      }),
      { numRuns: 150 },
    );
  });

  it("of which nobody knows all elements are kept", async () => {
    const known = array([bytes(timelineBytes()), uint(5), uint(99), array([uint(7), text("x")])]);
    const { track } = await grow(new Map(), trackOf(EVENT, [0n, 100n], array([known])), columnsOf([at(3n, addressOfText("a timeline"))], true));
    expect(track).toEqual(trackOf(EVENT, [3n, 6n], array([array([bytes(timelineBytes()), uint(3)]), known])));
  });

  it("are written in canonical form, and what is passed on stays as it was", async () => {
    // The address with a longer head than it needs, and so the anchor; the third element as well.
    const known = [0x83, 0x59, 0, 33, ...timelineBytes(), 0x19, 0, 5, 0x18, 1];
    const { track } = await grow(new Map(), trackOf(EVENT, [0n, 100n], array([Uint8Array.from(known)])), columnsOf([], true));
    expect(track).toEqual(trackOf(EVENT, [5n, 6n], array([Uint8Array.of(0x83, 0x58, 33, ...timelineBytes(), 5, 0x18, 1)])));
  });

  it("none of which is added leave the coverage as it is only where there are none", async () => {
    expect((await grow(new Map(), trackOf(EVENT, [2n, 9n], array([])), columnsOf([], true))).track).toEqual(trackOf(EVENT, [2n, 9n], array([])));
    const { track, pages } = smallPaged(EVENT, 500n);
    expect(await grow(pages, track, columnsOf([], true))).toMatchObject({ track, read: [], pages: [], start: 500n, end: 501n });
  });

  it("at the last anchor of all, of others, end with it", async () => {
    const { track, end } = await grow(new Map(), trackOf(EVENT, [0n, 1n], array([array([bytes(timelineBytes()), uint(LAST)])])), columnsOf([at(1n)], true));
    expect([end, decodeOf(track)]).toMatchObject([LAST, { anchors: BigUint64Array.of(1n, LAST) }]);
  });
});

describe("pages", () => {
  it("on the way to an entry are all that it costs", async () => {
    const { track: small, pages } = smallPaged(EVENT, 500n);
    const many = Array.from({ length: 120_000 }, (_, own) => at(2n ** 50n + BigInt(own * 1000), addressOfText(String(own % 100))));
    const { track } = await grow(pages, small, columnsOf(many, true));
    const index = decodeOf(track);
    if (index.form !== "paged") throw new Error("not paged");
    expect([index.height, index.pages > 300n]).toEqual([3n, true]);
    for (const anchor of [0n, 2n ** 50n + 60_000_001n, 2n ** 51n]) {
      const grown = await grow(new Map(pages), track, columnsOf([at(anchor)], true));
      expect(grown.read.length).toBe(3);
      expect([3, 4, 5, 6]).toContain(grown.pages.length);
    }
  }, 60_000);

  it("are made of an array of more than a mebibyte", async () => {
    // 45 bytes each, and three for the head of the array.
    const most = Math.floor(((1 << 20) - 3) / 45);
    const of = (count: number) => columnsOf(Array.from({ length: count }, (_, own) => at(2n ** 40n + BigInt(own))), true);
    const inline = await grow(new Map(), empty(EVENT), of(most));
    expect([inline.pages.length, decodeOf(inline.track).form]).toEqual([0, "event"]);
    const paged = await grow(new Map(), empty(EVENT), of(most + 1));
    expect([paged.pages.length > 50, decodeOf(paged.track).form]).toEqual([true, "paged"]);
  });

  it("take one entry each that is larger than a page", async () => {
    const large = (anchor: number) => array([bytes(timelineBytes()), uint(anchor), bytes(new Uint8Array(20_000))]);
    const leaf = pageOf("leaf", EVENT, [7n, 10n], [large(0), array([bytes(timelineBytes()), uint(1)]), large(2)]);
    const pages: PageMap = new Map([[address(leaf), leaf]]);
    const grown = await grow(pages, trackOf(EVENT, [7n, 10n], treeOf(leaf, { items: 3n })), columnsOf([at(20n)], true));
    expect(decodeOf(grown.track)).toMatchObject({ form: "paged", height: 2n, items: 4n, pages: BigInt(grown.pages.length), fanout: BigInt(grown.pages.length - 1) });
    expect(grown.pages.map(({ object }) => object.byteLength > 20_000)).toContain(true);
  });

  it("whose bounds reach over the next are looked at for array Items that are there already", async () => {
    const leaves = [[5n, 20n], [8n, 9n]].map(([start = 0n, last = 0n]) => pageOf("leaf", EVENT, [start, last + 1n], [0n, last - start].map((own) => array([bytes(timelineBytes()), uint(own)]))));
    const [wide, next] = leaves as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
    const summaries = [array([uint(5), uint(21), bytes(multihash(wide)), uint(2)]), array([uint(8), uint(10), bytes(multihash(next)), uint(2)])];
    const root = pageOf("internal", EVENT, [5n, 21n], summaries);
    const pages: PageMap = new Map([wide, next, root].map((page) => [address(page), page]));
    const track = trackOf(EVENT, [5n, 21n], treeOf(root, { pages: 3n, items: 4n, height: 2n, fanout: 2n }));
    expect((await expectFailure(grow(pages, track, columnsOf([at(20n)], true)), "RepeatedAnchor")).subject).toBe("20");
    expect(new Set((await grow(pages, track, columnsOf([at(19n)], true))).read)).toEqual(new Set([wide, next, root].map((page) => address(page))));
    const broken: PageMap = new Map(pages).set(address(wide), utf8("no page"));
    const { key } = await expectFailure(grow(broken, track, columnsOf([at(19n)], true)), "Cbor", "IndexPage");
    expect(key).toBe(`${addressOfText("a timeline")}/${EVENT}/index/${address(wide)}`);
  });

  it("that list nothing, or each other without end, are refused, or gone through once", async () => {
    const none = pageOf("internal", EVENT, [0n, 9n], []);
    const of = (page: Uint8Array<ArrayBuffer>, height: bigint) => trackOf(EVENT, [0n, 9n], treeOf(page, { height, fanout: 2n }));
    const { message } = await expectFailure(grow(new Map([[address(none), none]]), of(none, 2n), columnsOf([at(3n)], true)), "IndexPage");
    expect(message).toContain(`the index page ${address(none)} lists no pages`);
    let page = pageOf("leaf", EVENT, [0n, 9n], [array([bytes(timelineBytes()), uint(0)])]);
    const pages: PageMap = new Map([[address(page), page]]);
    for (let level = 2; level <= 40; level++) {
      const twice = array([uint(0), uint(9), bytes(multihash(page)), uint(1)]);
      page = pageOf("internal", EVENT, [0n, 9n], [twice, twice]);
      pages.set(address(page), page);
    }
    const { read, track } = await grow(pages, of(page, 40n), columnsOf([at(3n)], true));
    expect(read.length).toBe(40);
    expect(decodeOf(track)).toMatchObject({ form: "paged", height: 40n });
  });
});

it("refuses what cannot be added", async () => {
  const refused = (track: Uint8Array, entries: readonly Entry[], isArray: boolean, pages: PageMap = new Map()) => grow(pages, track, columnsOf(entries, isArray));
  expect((await expectFailure(refused(empty(EVENT), [at(4n), at(9n), at(4n)], true), "RepeatedAnchor")).subject).toBe("4");
  const { track, pages } = smallPaged(EVENT, 500n);
  expect((await expectFailure(refused(track, [at(500n)], true, pages), "RepeatedAnchor")).subject).toBe("500");
  await expectFailure(refused(empty(EVENT), [at(LAST)], true), "InvalidArgument");
  await expectFailure(refused(empty(EVENT), [at(1n)], false), "InvalidArgument");
  await expectFailure(refused(empty(MEDIA), [at(1n)], true), "InvalidArgument");
  await expectFailure(refused(empty(MEDIA), [{ ...at(1n), size: 1n, form: 3 }], false), "InvalidArgument");
  const [item, timeline] = [addressOfText("an Item"), addressOfText("a timeline")];
  const constant = constantTrack({ modality: "title.text" }, timeline, item).objects[0]?.bytes ?? new Uint8Array(0);
  expect((await expectFailure(refused(constant, [at(1n)], true), "UnsupportedIndex")).subject).toBe("title.text");
  expectThrown(() => constantTrack({ modality: EVENT }, timeline, item), "InvalidArgument");
  expectThrown(() => emptyTrack({ modality: "title.text" }, timeline), "InvalidArgument");
  expectThrown(() => emptyTrack({ modality: MEDIA }, "no address"), "Multihash");
  await expectFailure(grow(new Map(), empty(EVENT), columnsOf([at(1n)], true), { ...bindingOf(empty(EVENT)), end: 7n }), "TrackMismatch");
});
