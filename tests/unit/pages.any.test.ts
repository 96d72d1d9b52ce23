/** Indexes in pages: which pages a read fetches, and pages that are not what they must be. */

import { codec, type ErrorCode, init } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { TIMELINE } from "../../ts/cli/vectors/documents.js";
import { base32 } from "../conformance/support/address.js";
import {
  build, type EntryInit, f32, type Objects, openBuilt, page, pagedIndex, type PageSummary, putInternal, putItems, putLeaf, putManifest, putPage, summary,
} from "../support/built-pages.js";
import { expectFailure } from "../support/failure.js";

await init();

const TYPE = { dtype: "f32", shape: [1] } as const;
const MODALITY = codec.modalityOf(TYPE, "event");

const pagesOf = (keys: readonly string[]): string[] => keys.filter((key) => key.includes("/index/"));
const keyOf = ({ hash }: { readonly hash: Uint8Array }, modality = MODALITY): string => `${TIMELINE}/${modality}/index/${base32(hash)}`;
const stored = (anchors: readonly number[]) => anchors.map((anchor) => ({ anchor, body: f32(anchor) }));

/** Eight Items at 0, 10, … 70, two a leaf, two children a page: three levels. */
function tree() {
  const objects: Objects = new Map();
  const entries = putItems(objects, { name: "a", type: TYPE, items: stored([0, 10, 20, 30, 40, 50, 60, 70]) });
  const leaves = [0, 2, 4, 6].map((at) => putLeaf(objects, MODALITY, entries.slice(at, at + 2)));
  return { objects, entries, leaves };
}

/** The dataset over pages one below the root. */
async function over(objects: Objects, below: readonly PageSummary[], facts: Partial<Parameters<typeof pagedIndex>[1]> = {}) {
  const root = putInternal(objects, MODALITY, below);
  const index = pagedIndex(root.hash, { fanout: 8n, height: 2n, pages: BigInt(below.length + 1), items: root.items, ...facts });
  return openBuilt({ objects, manifest: putManifest(objects, [{ field: { name: "a", type: TYPE }, index }]) });
}

describe("pages that are fetched", () => {
  const open = async () => {
    const { objects, leaves } = tree();
    const inner = [putInternal(objects, MODALITY, leaves.slice(0, 2)), putInternal(objects, MODALITY, leaves.slice(2))];
    const root = putInternal(objects, MODALITY, inner);
    const index = pagedIndex(root.hash, { fanout: 2n, height: 3n, pages: 7n, items: 8n });
    const opened = await openBuilt({ objects, manifest: putManifest(objects, [{ field: { name: "a", type: TYPE }, index }]) });
    return { ...opened, field: opened.ds.array("a"), root: keyOf(root), inner: inner.map((own) => keyOf(own)), leaves: leaves.map((own) => keyOf(own)) };
  };

  test("one read takes the way to its leaf, once", async () => {
    const { field, store, root, inner, leaves } = await open();
    expect((await field.read(30n))?.data).toEqual(Float32Array.of(30));
    expect(pagesOf(store.keys())).toEqual([root, inner[0], leaves[1]]);
    expect((await field.read(20n))?.data).toEqual(Float32Array.of(20));
    expect(await field.read(25n)).toBeUndefined();
    expect(pagesOf(store.keys()).length).toBe(3);
    expect(await field.read(15n)).toBeUndefined();
    expect(pagesOf(store.keys()).length, "between the leaves").toBe(3);
    expect(await field.read(71n)).toBeUndefined();
    expect(await field.read((1n << 64n) - 1n)).toBeUndefined();
    expect(pagesOf(store.keys()).length, "after all").toBe(3);
  });

  test("many reads take each page once", async () => {
    const { field, store, root, inner, leaves } = await open();
    const outcomes = await field.readMany([70n, 0n, 5n, 60n, 70n]);
    expect(outcomes.map(({ status }) => status)).toEqual(["value", "value", "absent", "value", "value"]);
    expect(new Set(pagesOf(store.keys()))).toEqual(new Set([root, inner[0], inner[1], leaves[0], leaves[3]]));
    expect(pagesOf(store.keys()).length).toBe(5);
  });

  test.each([
    [0n, undefined, [0, 1, 2, 3]],
    [30n, 50n, [1, 2]],
    [31n, 40n, []],
    [30n, 31n, [1]],
    [71n, undefined, []],
    [50n, 50n, []],
    [60n, 20n, []],
    [20n, 20n, []],
  ] as const)("a window from %s to %s takes those of its leaves", async (start, end, wanted) => {
    const { field, store, leaves } = await open();
    const column = await field.column({ start, end });
    const anchors = [0, 10, 20, 30, 40, 50, 60, 70].filter((anchor) => anchor >= start && (end === undefined || anchor < end));
    expect([...column.anchors]).toEqual(anchors.map(BigInt));
    expect([...column.data]).toEqual(anchors);
    expect(pagesOf(store.keys()).filter((key) => leaves.includes(key))).toEqual(wanted.map((at) => leaves[at]));
  });

  test("counting takes none, all anchors take all", async () => {
    const { field, store } = await open();
    expect(await field.count()).toBe(8);
    expect(pagesOf(store.keys())).toEqual([]);
    expect([...(await field.anchors())]).toEqual([0n, 10n, 20n, 30n, 40n, 50n, 60n, 70n]);
    expect(pagesOf(store.keys()).length).toBe(7);
    await field.anchors();
    await field.column();
    expect(pagesOf(store.keys()).length).toBe(7);
  });
});

test("a page that cannot be read is the failure of its own anchors", async () => {
  const built = build([{ name: "a", type: TYPE, items: stored([0, 10, 20, 30, 40, 50, 60, 70]), fanout: 2 }], [10]);
  const { ds: whole, store } = await openBuilt(built);
  await whole.array("a").read(20);
  const leaf = pagesOf(store.keys()).at(-1) ?? "";
  built.objects.delete(leaf);
  const { ds, store: again } = await openBuilt(built);
  const outcomes = await ds.array("a").readMany([70, 30, 10, 20, 5, 0]);
  expect(outcomes.map(({ status }) => status)).toEqual(["value", "error", "deleted", "error", "absent", "value"]);
  expect(outcomes[1]).toMatchObject({ anchor: 30n, error: { code: "NotFound", field: "a", anchor: 30n, key: leaf } });
  expect(new Set(pagesOf(again.keys())).size).toBe(6);
  const [same] = await ds.readMany([{ field: "a", anchors: [0, 20] }]);
  expect(same?.map(({ status }) => status)).toEqual(["value", "error"]);
});

describe("hostile pages", () => {
  type Hostile = (made: ReturnType<typeof tree>) => { below: readonly PageSummary[]; facts?: Partial<Parameters<typeof pagedIndex>[1]> };
  const first = ([leaf]: readonly PageSummary[]): PageSummary => leaf ?? { min: 0n, max: 1n, hash: new Uint8Array(33), items: 0n };
  const raw = (objects: Objects, bytes: Uint8Array<ArrayBuffer>, min = 0n, max = 11n): PageSummary => ({ min, max, hash: putPage(objects, MODALITY, bytes), items: 2n });
  const entry = (distance: bigint, { entries }: ReturnType<typeof tree>): Uint8Array => (entries[0] as EntryInit).entry(-distance);

  test.each<readonly [string, Hostile, ErrorCode]>([
    ["a page outside of the bounds above it", ({ leaves }) => ({ below: [{ ...first(leaves), max: 10n }] }), "IndexPage"],
    ["an entry outside of its page", (made) => ({ below: [raw(made.objects, page("leaf", MODALITY, 0n, 11n, [entry(11n, made)]))] }), "IndexPage"],
    ["an anchor beyond 2^64 − 1", (made) => ({ below: [raw(made.objects, page("leaf", MODALITY, 1n, 11n, [entry((1n << 64n) - 1n, made)]))] }), "IntegerRange"],
    ["another modality", ({ objects }) => ({ below: [raw(objects, page("leaf", "image.png", 0n, 11n, []))] }), "IndexPage"],
    ["an inner page where a leaf belongs", ({ objects, leaves }) => ({ below: [putInternal(objects, MODALITY, leaves)] }), "IndexPage"],
    ["a leaf where an inner page belongs", ({ leaves }) => ({ below: leaves, facts: { height: 3n } }), "IndexPage"],
    ["too few levels", ({ leaves }) => ({ below: leaves, facts: { height: 1n } }), "IndexPage"],
    ["no level", ({ leaves }) => ({ below: leaves, facts: { height: 0n } }), "IndexPage"],
    ["65 levels", ({ leaves }) => ({ below: leaves, facts: { height: 65n } }), "IndexPage"],
    ["more children than the fan-out", ({ leaves }) => ({ below: leaves, facts: { fanout: 3n } }), "IndexPage"],
    ["an empty extent below", ({ leaves }) => ({ below: [{ ...first(leaves), max: 0n }] }), "IndexPage"],
    ["two Items at an anchor in one leaf", ({ objects, entries }) => ({ below: [putLeaf(objects, MODALITY, [...entries.slice(0, 1), ...entries.slice(0, 1)])] }), "RepeatedAnchor"],
    ["two Items at an anchor in two leaves", ({ objects, entries }) => ({ below: [putLeaf(objects, MODALITY, entries.slice(0, 1)), putLeaf(objects, MODALITY, entries.slice(0, 2))] }), "RepeatedAnchor"],
    ["no such page", ({ leaves }) => ({ below: [{ ...first(leaves), hash: Uint8Array.of(0x1e, ...new Uint8Array(32)) }] }), "NotFound"],
  ])("%s", async (_, hostile, code) => {
    const made = tree();
    const { below, facts } = hostile(made);
    const { ds } = await over(made.objects, below, facts);
    const field = ds.array("a");
    await expectFailure(field.anchors(), code);
    expect((await expectFailure(field.column(), code)).field).toBe("a");
    expect((await expectFailure(field.batches().next(), code)).field).toBe("a");
    expect((await expectFailure(ds.rows().next(), code)).field).toBe("a");
    await expectFailure(field.read(0n), code);
    const [outcome] = (await ds.readMany([{ field: "a", anchors: [0n] }])).flat();
    expect(outcome).toMatchObject({ status: "error", anchor: 0n, error: { code, field: "a", anchor: 0n } });
    const audit = await ds.auditArrayField("a");
    expect(audit.faults.map((fault) => fault.code)).toContain(code);
  });

  test("leaves that overlap: their Items are found, a window of them is refused", async () => {
    const { objects, entries } = tree();
    const pick = (...at: number[]) => putLeaf(objects, MODALITY, at.map((number) => entries[number] as EntryInit));
    const { ds } = await over(objects, [pick(0, 3), pick(1, 2)]);
    const field = ds.array("a");
    for (const anchor of [0n, 10n, 20n, 30n]) expect((await field.read(anchor))?.data[0]).toBe(Number(anchor));
    await expectFailure(field.column(), "IndexPage");
    await expectFailure(field.anchors(), "IndexPage");
    expect((await ds.auditArrayField("a")).faults.map(({ code }) => code)).toEqual(["IndexPage"]);
  });

  test("an empty leaf between others hides nothing", async () => {
    const { objects, entries, leaves } = tree();
    const empty = putLeaf(objects, MODALITY, [], 12n, 15n);
    const { ds } = await over(objects, [first(leaves), empty, ...leaves.slice(1)]);
    expect((await ds.array("a").column()).anchors.length).toBe(8);
    const again = putLeaf(objects, MODALITY, entries.slice(1, 3), 13n - 3n);
    const wide = putLeaf(objects, MODALITY, entries.slice(0, 2), 0n, 40n);
    const { ds: other } = await over(objects, [wide, { ...putLeaf(objects, MODALITY, [], 5n, 6n) }, again]);
    await expectFailure(other.array("a").column(), "RepeatedAnchor");
    await expectFailure(other.array("a").anchors(), "RepeatedAnchor");
    await expectFailure(other.array("a").read(10n), "RepeatedAnchor");
    expect((await other.array("a").read(0n))?.data[0]).toBe(0);
  });

  test("bounds wider than what they hold do no harm", async () => {
    const { objects, entries } = tree();
    const wide = putLeaf(objects, MODALITY, entries.slice(0, 2), 0n, 60n);
    const low = putLeaf(objects, MODALITY, entries.slice(4, 6), 5n);
    const { ds } = await over(objects, [wide, low]);
    expect([...(await ds.array("a").column()).data]).toEqual([0, 10, 40, 50]);
    for (const anchor of [0n, 10n, 40n, 50n]) expect((await ds.array("a").read(anchor))?.data[0]).toBe(Number(anchor));
    expect(await ds.array("a").read(30n)).toBeUndefined();
  });

  test("empty trees are empty", async () => {
    const { objects } = tree();
    const { ds } = await over(objects, [putLeaf(objects, MODALITY, [], 0n, 9n)]);
    expect([await ds.array("a").count(), (await ds.array("a").column()).data.length, await ds.array("a").read(0n)]).toEqual([0, 0, undefined]);
    const inner = putPage(objects, MODALITY, page("internal", MODALITY, 0n, 9n, []));
    const index = pagedIndex(inner, { fanout: 2n, height: 2n, pages: 1n, items: 0n });
    const none = await openBuilt({ objects, manifest: putManifest(objects, [{ field: { name: "a", type: TYPE }, index }]) });
    expect([(await none.ds.array("a").column()).data.length, await none.ds.array("a").read(0n)]).toEqual([0, undefined]);
  });

  test("what was checked of a page under other bounds, or at another level, does not count", async () => {
    const { objects, leaves } = tree();
    const leaf = first(leaves);
    const { ds } = await over(objects, [leaf, { ...leaf, min: 20n, max: 31n }]);
    expect((await ds.array("a").read(0n))?.data[0]).toBe(0);
    await expectFailure(ds.array("a").read(20n), "IndexPage");
    // A leaf beside an inner page, at its level.
    const { ds: uneven } = await over(objects, [putInternal(objects, MODALITY, leaves.slice(0, 1)), { ...leaf, min: 0n }], { height: 3n });
    await expectFailure(uneven.array("a").column(), "IndexPage");
    await expectFailure(uneven.array("a").anchors(), "IndexPage");
  });

  test("a tree that doubles with every level is refused, not walked", async () => {
    const { objects } = tree();
    let below = putLeaf(objects, MODALITY, [], 0n, 9n);
    for (let level = 2; level < 60; level++) {
      const twice = [summary(below), summary(below)];
      below = { ...below, hash: putPage(objects, MODALITY, page("internal", MODALITY, 0n, 9n, twice)) };
    }
    const index = pagedIndex(below.hash, { fanout: 2n, height: 59n, pages: 1n << 60n, items: 0n });
    const { ds } = await openBuilt({ objects, manifest: putManifest(objects, [{ field: { name: "a", type: TYPE }, index }]) });
    expect(await ds.array("a").read(5n)).toBeUndefined();
    await expectFailure(ds.array("a").column(), "IndexPage");
    expect((await ds.auditArrayField("a")).faults.length).toBeGreaterThan(0);
  });
});

test("of media at one anchor the last in the tree is in force, on whatever pages they are", async () => {
  const png = (value: number) => ({ body: f32(value) });
  const items = [[0, 1], [5, 2], [5, 3], [5, 4], [5, 5], [5, 6], [7, 7]].map(([anchor, value]) => ({ anchor: anchor ?? 0, ...png(value ?? 0) }));
  for (const fanout of [undefined, 2, 3, 8]) {
    const { ds } = await openBuilt(build([{ name: "m", items, ...(fanout && { fanout }) }]));
    const value = (bytes: Uint8Array | undefined) => new Float32Array(bytes?.slice().buffer ?? new ArrayBuffer(0))[0];
    const column = await ds.media("m").column();
    expect([[...column.anchors], column.items.map(({ bytes }) => value(bytes))]).toEqual([[0n, 5n, 7n], [1, 6, 7]]);
    expect(value((await ds.media("m").read(5n))?.bytes)).toBe(6);
    expect((await ds.media("m").anchors()).length).toBe(7);
    const batches = [];
    for await (const batch of ds.media("m").batches({ batchSize: 1 })) batches.push(batch.items.map(({ bytes }) => value(bytes)));
    expect(batches).toEqual([[1], [6], [7]]);
  }
});
