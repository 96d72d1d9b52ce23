/** What each way of reading asks the store for: the whole table of it, over one index and over pages, once cold and once warm. */

import { init } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { outboardOf, raggedPayload } from "../support/built-arrays.js";
import { build, f32, type FieldInit, openBuilt } from "../support/built-pages.js";
import { noise } from "../support/built-packs.js";

await init();

const DENSE = { dtype: "f32", shape: [1] } as const;
const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] } as const;
const ROWS = Array.from({ length: 3000 }, (_, row) => [row]);

/** Eight Items a field, at 0 to 7; trees have four leaves under two pages and a root. */
const fields = (fanout?: number): FieldInit[] => {
  const paged = fanout === undefined ? {} : { fanout };
  return [
    { name: "a", type: DENSE, items: Array.from({ length: 8 }, (_, at) => ({ anchor: at, body: f32(at) })), ...paged },
    { name: "r", type: RAGGED, items: Array.from({ length: 8 }, (_, at) => ({ anchor: at, body: raggedPayload([[at], ...ROWS]) })), ...paged },
    { name: "m", items: Array.from({ length: 8 }, (_, at) => ({ anchor: at, body: noise(4000, at + 1) })), perPack: 4, ...paged },
  ];
};

const ITEM = /\/[0-9a-f]{16}\//;

type Dataset = Awaited<ReturnType<typeof openBuilt>>["ds"];

async function drain(all: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const piece of all) count += Number(piece !== undefined);
  expect(count).toBeGreaterThan(0);
}

/**
 * Way of reading; requests for Tracks, for pages where there are some, for Items (of packs on several pages a request a page) and outboards; and
 * those for Items when all that is kept is there.
 */
const TABLE: readonly (readonly [string, (ds: Dataset) => Promise<unknown>, { tracks: number; pages: number; items: number; pagedItems?: number; outboards?: number; pagedOutboards?: number; again: number; pagedAgain?: number }])[] = [
  ["count", (ds) => ds.array("a").count(), { tracks: 1, pages: 0, items: 0, again: 0 }],
  ["anchors", (ds) => ds.array("a").anchors(), { tracks: 1, pages: 7, items: 0, again: 0 }],
  ["plan", (ds) => ds.array("a").plan([0, 7]), { tracks: 1, pages: 5, items: 0, again: 0 }],
  ["read", (ds) => ds.array("a").read(3), { tracks: 1, pages: 3, items: 1, again: 1 }],
  ["read of what is not there", (ds) => ds.array("a").read(9), { tracks: 1, pages: 1, items: 0, again: 0 }],
  ["readMany", (ds) => ds.array("a").readMany([0, 1, 7]), { tracks: 1, pages: 5, items: 3, again: 3 }],
  ["readMany of nothing", (ds) => ds.array("a").readMany([]), { tracks: 1, pages: 0, items: 0, again: 0 }],
  ["column", (ds) => ds.array("a").column(), { tracks: 1, pages: 7, items: 8, again: 8 }],
  ["column of a window", (ds) => ds.array("a").column({ start: 2, end: 4 }), { tracks: 1, pages: 3, items: 2, again: 2 }],
  ["column of an empty window", (ds) => ds.array("a").column({ start: 4, end: 4 }), { tracks: 1, pages: 0, items: 0, again: 0 }],
  ["batches", (ds) => drain(ds.array("a").batches({ batchSize: 3 })), { tracks: 1, pages: 7, items: 8, again: 8 }],
  ["column of media", (ds) => ds.media("m").column(), { tracks: 1, pages: 7, items: 2, pagedItems: 4, pagedOutboards: 4, again: 2, pagedAgain: 0 }],
  ["rows of all fields", (ds) => drain(ds.rows({ fields: ["a", "r"] })), { tracks: 2, pages: 14, items: 16, again: 16 }],
  ["batches of all fields", (ds) => drain(ds.batches({ fields: ["a", "r"], batchSize: 5 })), { tracks: 2, pages: 14, items: 16, again: 16 }],
  ["readMany of fields", (ds) => ds.readMany([{ field: "a", anchors: [0, 1] }, { field: "r", anchors: [1] }]), { tracks: 2, pages: 6, items: 3, again: 3 }],
  ["readRow", (ds) => ds.ragged("r").readRow(1, 2000), { tracks: 1, pages: 3, items: 4, outboards: 2, again: 0 }],
  ["readRows", (ds) => ds.ragged("r").readRows(1, { start: 2000, end: 2002 }), { tracks: 1, pages: 3, items: 4, outboards: 2, again: 0 }],
  ["audit of a field", (ds) => ds.auditArrayField("a"), { tracks: 1, pages: 7, items: 8, again: 8 }],
  ["audit", (ds) => ds.audit(), { tracks: 3, pages: 21, items: 18, again: 18 }],
];

/** Datasets by fan-out, with an outboard for every object: they are the same for all. */
const BUILT = new Map([undefined, 2].map((fanout) => [fanout, withOutboards(build(fields(fanout)))]));

function withOutboards(built: ReturnType<typeof build>): ReturnType<typeof build> {
  for (const [key, body] of Array.from(built.objects)) {
    if (ITEM.test(key)) built.objects.set(`bao-outboard/${key.slice(key.lastIndexOf("/") + 1)}`, outboardOf(body));
  }
  return built;
}

test.each(TABLE)("%s", async (_, read, { tracks, pages, items, pagedItems = items, outboards = 0, pagedOutboards = outboards, again, pagedAgain = again }) => {
  for (const [fanout, built] of BUILT) {
    const { ds, store } = await openBuilt(built);
    const counts = () => {
      const of = (part: RegExp): number => store.keys().filter((key) => part.test(key)).length;
      return { tracks: of(/\/track\//), pages: of(/\/index\//), items: of(ITEM), outboards: of(/^bao-outboard\//) };
    };
    await read(ds);
    const expected = fanout === undefined ? { tracks, pages: 0, items, outboards } : { tracks, pages, items: pagedItems, outboards: pagedOutboards };
    expect(counts()).toEqual(expected);
    expect(new Set(store.reads.map(({ key, offset, length }) => `${key} ${offset} ${length}`)).size, "nothing twice").toBe(store.reads.length);
    store.forget();
    await read(ds);
    expect(counts()).toEqual({ tracks: 0, pages: 0, items: fanout === undefined ? again : pagedAgain, outboards: 0 });
  }
});
