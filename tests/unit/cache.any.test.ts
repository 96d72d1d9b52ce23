/** The memory of verified packs: what it keeps, what it gives up first, and what never gets into it. */

import { init, memoryStore, openDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { type Segment, SegmentCache } from "../../ts/io/cache.js";
import { expectFailure } from "../support/failure.js";
import { loadObjects, loadSidecar } from "../support/fixtures.js";
import { recording } from "../support/recording.js";

await init();

/** A segment of so many bytes. */
const segment = (start: number, size: number): Segment => ({ start, bytes: new Uint8Array(size), verified: "range" });

describe("a cache of 10 bytes", () => {
  /** Which of the objects a, b, … have their first byte kept; asking is using, so ask in the order in which they were used. */
  const kept = (cache: SegmentCache, keys: string) => [...keys].filter((key) => cache.find(key, 0) !== undefined).join("");

  test("gives the very segment that was put, for each of its bytes", () => {
    const cache = new SegmentCache(10);
    const three = segment(4, 3);
    cache.put("a", three);
    expect([3, 4, 5, 6, 7].map((at) => cache.find("a", at))).toEqual([undefined, three, three, three, undefined]);
    expect(cache.find("a", 4)).toBe(three);
    expect(cache.find("b", 4)).toBeUndefined();
  });

  test("is full with 10 bytes, and gives up the oldest for one more", () => {
    const cache = new SegmentCache(10);
    for (const [key, size] of [["a", 4], ["b", 3], ["c", 3]] as const) cache.put(key, segment(0, size));
    expect(kept(cache, "abc")).toBe("abc");
    cache.put("d", segment(0, 1));
    expect(kept(cache, "abcd")).toBe("bcd");
  });

  test("gives up what was used longest ago, not what was put first", () => {
    const cache = new SegmentCache(10);
    for (const key of "abc") cache.put(key, segment(0, 3));
    cache.find("a", 0);
    cache.put("d", segment(0, 3));
    expect(kept(cache, "acd")).toBe("acd");
    expect(cache.find("b", 0)).toBeUndefined();
  });

  test("makes room for a large segment by giving up several, and not for one that would not fit", () => {
    const cache = new SegmentCache(10);
    for (const key of "abc") cache.put(key, segment(0, 3));
    cache.put("d", segment(0, 11));
    expect(kept(cache, "abcd")).toBe("abc");
    cache.put("e", segment(0, 10));
    expect(kept(cache, "abce")).toBe("e");
  });

  test("of no size keeps nothing", () => {
    const cache = new SegmentCache(0);
    cache.put("a", segment(0, 1));
    expect(cache.find("a", 0)).toBeUndefined();
  });
});

describe("segments of one object", () => {
  const spans = (cache: SegmentCache, from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => cache.find("a", from + at)?.start ?? "-").join(" ");

  test("of several that hold a byte, the one that goes farthest is given", () => {
    const cache = new SegmentCache(100);
    cache.put("a", segment(0, 4));
    cache.put("a", segment(2, 4));
    cache.put("a", segment(8, 2));
    expect(spans(cache, 0, 11)).toBe("0 0 2 2 2 2 - - 8 8 -");
    expect([cache.next("a", 0), cache.next("a", 5), cache.next("a", 8), cache.next("b", 0)]).toEqual([2, 8, undefined, undefined]);
  });

  test("that lie within another take no room", () => {
    const cache = new SegmentCache(10);
    cache.put("a", segment(2, 2));
    cache.put("a", segment(5, 1));
    cache.put("a", segment(0, 8));
    cache.put("a", segment(1, 3));
    cache.put("b", segment(0, 2));
    expect(spans(cache, 0, 8)).toBe("0 0 0 0 0 0 0 0");
    expect(cache.find("b", 0)).toBeDefined();
  });

  test("are given up one by one, and forgotten together", () => {
    const cache = new SegmentCache(6);
    for (const start of [0, 2, 4]) cache.put("a", segment(start, 2));
    cache.put("b", segment(0, 2));
    expect(spans(cache, 0, 6)).toBe("- - 2 2 4 4");
    cache.drop("a");
    expect(spans(cache, 0, 6)).toBe("- - - - - -");
    cache.put("c", segment(0, 4));
    expect([cache.find("b", 0), cache.find("c", 0)].map((found) => found?.bytes.byteLength)).toEqual([2, 4]);
  });

  test("against a plain account of every byte, in a long random history", () => {
    // A cache without a limit must give each byte that was ever put, from a segment that holds it.
    const cache = new SegmentCache(Infinity);
    const known = new Set<number>();
    let seed = 7;
    const random = (below: number) => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % below;
    for (let round = 0; round < 2000; round++) {
      const [start, size] = [random(500), 1 + random(20)];
      cache.put("a", segment(start, size));
      for (let at = start; at < start + size; at++) known.add(at);
      const at = random(520);
      const found = cache.find("a", at);
      expect(found !== undefined).toBe(known.has(at));
      if (found) expect(found.start <= at && at < found.start + found.bytes.byteLength).toBe(true);
    }
  });
});

describe("a dataset's packs", () => {
  let objects: Map<string, Uint8Array<ArrayBuffer>>;
  beforeAll(async () => {
    objects = await loadObjects("packs", await loadSidecar("packs"));
  });

  /** Bytes of the pack of `im2`, of its outboard, and of the chunks that its Item at 200 lies in. */
  const [PACK, OUTBOARD, ITEM] = [19_320, 8 + 64 * 18, 2048];

  async function opened(cacheBytes: number) {
    const store = recording(memoryStore(objects));
    const ds = await openDataset(store, "main", { cacheBytes });
    const im2 = ds.media("im2");
    await im2.count();
    /** Read an Item, and tell how many bytes were fetched for it. */
    const read = async (anchor: bigint) => {
      store.forget();
      await im2.read(anchor);
      return store.reads.reduce((sum, { bytes: fetched }) => sum + (fetched?.byteLength ?? 0), 0);
    };
    return { ds, read };
  }

  test("stay while there is room for them: an Item read twice is fetched once", async () => {
    const { ds, read } = await opened(PACK + OUTBOARD);
    expect([await read(200n), await read(200n), await read(210n), await read(200n)]).toEqual([ITEM + OUTBOARD, 0, ITEM, 0]);
    expect(ds.stats().cacheHits).toBe(2);
  });

  test("make room for what was read later", async () => {
    const { read } = await opened(ITEM + OUTBOARD);
    expect([await read(200n), await read(210n), await read(210n), await read(200n)]).toEqual([ITEM + OUTBOARD, ITEM, 0, ITEM]);
  });

  test("are fetched anew where nothing is kept", async () => {
    const { ds, read } = await opened(0);
    expect([await read(200n), await read(200n)]).toEqual([ITEM + OUTBOARD, ITEM + OUTBOARD]);
    expect(ds.stats().cacheHits).toBe(0);
  });

  test("read from front to back cost every byte once, and few requests", async () => {
    const { ds, read } = await opened(64 << 20);
    const before = ds.stats();
    let fetched = 0;
    for (let anchor = 200n; anchor < 216n; anchor++) fetched += await read(anchor);
    expect(fetched).toBe(PACK + OUTBOARD);
    expect(ds.stats().requests - before.requests).toBeLessThanOrEqual(7);
  });

  test("are not kept if they are not what their address says", async () => {
    const key = [...objects.keys()].find((candidate) => objects.get(candidate)?.byteLength === PACK) ?? "";
    const store = memoryStore(new Map(objects).set(key, new Uint8Array(PACK)));
    const field = (await openDataset(store)).media("im2");
    await expectFailure(field.read(200n), "HashMismatch");
    await expectFailure(field.read(201n), "HashMismatch");
    store.set(key, objects.get(key) ?? new Uint8Array(0));
    expect((await field.read(200n))?.bytes.byteLength).toBe(1200);
  });

  test("nor is an outboard that proves nothing", async () => {
    const pack = [...objects.keys()].find((candidate) => objects.get(candidate)?.byteLength === PACK) ?? "";
    const key = `bao-outboard/${pack.split("/").at(-1)}`;
    const right = objects.get(key) ?? new Uint8Array(0);
    const store = memoryStore(new Map(objects).set(key, right.map((byte, at) => (at < 8 ? byte : byte ^ 1))));
    const field = (await openDataset(store)).media("im2");
    expect((await expectFailure(field.read(200n), "HashMismatch")).key).toBe(pack);
    store.set(key, right);
    expect((await field.read(200n))?.verified).toBe("range");
  });

  test("are not kept unverified", async () => {
    const store = recording(memoryStore(objects));
    const ds = await openDataset(store, "main", { verify: "never" });
    for (let round = 0; round < 2; round++) await ds.media("im2").read(200n);
    expect(store.reads.filter(({ kind }) => kind === "range").length).toBe(2);
    expect(ds.stats().cacheHits).toBe(0);
  });
});
