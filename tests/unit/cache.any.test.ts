/** The memory of verified packs: what it keeps, what it gives up first, and what never gets into it. */

import { init, memoryStore, openDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { ByteCache } from "../../ts/io/cache.js";
import { expectFailure } from "../support/failure.js";
import { loadObjects, loadSidecar } from "../support/fixtures.js";
import { recording } from "../support/recording.js";

await init();

const bytes = (size: number) => new Uint8Array(size);

describe("a cache of 10 bytes", () => {
  /** Which of the objects a, b, … are kept; asking is using, so ask in the order in which they were used. */
  const kept = (cache: ByteCache, keys: string) => [...keys].filter((key) => cache.get(key) !== undefined).join("");

  test("gives the very object that was put", () => {
    const cache = new ByteCache(10);
    const object = bytes(3);
    cache.set("a", object);
    expect(cache.get("a")).toBe(object);
    expect(cache.get("b")).toBeUndefined();
  });

  test("is full with 10 bytes, and gives up the oldest for one more", () => {
    const cache = new ByteCache(10);
    for (const [key, size] of [["a", 4], ["b", 3], ["c", 3]] as const) cache.set(key, bytes(size));
    expect(kept(cache, "abc")).toBe("abc");
    cache.set("d", bytes(1));
    expect(kept(cache, "abcd")).toBe("bcd");
  });

  test("gives up what was used longest ago, not what was put first", () => {
    const cache = new ByteCache(10);
    for (const key of "abc") cache.set(key, bytes(3));
    cache.get("a");
    cache.set("d", bytes(3));
    expect(kept(cache, "acd")).toBe("acd");
    expect(cache.get("b")).toBeUndefined();
  });

  test("gives up as many as it takes", () => {
    const cache = new ByteCache(10);
    for (const key of "abcde") cache.set(key, bytes(2));
    cache.set("f", bytes(7));
    expect(kept(cache, "abcdef")).toBe("ef");
    cache.set("g", bytes(10));
    expect(kept(cache, "efg")).toBe("g");
  });

  test("does not keep what is larger than itself, and loses nothing for it", () => {
    const cache = new ByteCache(10);
    cache.set("a", bytes(10));
    cache.set("b", bytes(11));
    expect(kept(cache, "ab")).toBe("a");
  });

  test("counts an object once that is put twice, and objects of no bytes not at all", () => {
    const cache = new ByteCache(10);
    const first = bytes(6);
    cache.set("a", first);
    cache.set("a", bytes(6));
    cache.set("b", bytes(4));
    for (const key of "xyz") cache.set(key, bytes(0));
    expect(cache.get("a")).toBe(first);
    expect(kept(cache, "abxyz")).toBe("abxyz");
  });

  test("of no size keeps nothing", () => {
    const cache = new ByteCache(0);
    cache.set("a", bytes(1));
    expect(cache.get("a")).toBeUndefined();
  });
});

describe("a dataset's packs", () => {
  let objects: Map<string, Uint8Array<ArrayBuffer>>;
  beforeAll(async () => {
    objects = await loadObjects("packs", await loadSidecar("packs"));
  });

  /** Bytes of the packs of `im2` and of the first one of `im`: the sums of their Items in the fixture. */
  const [LARGE, SMALL] = [19_320, 3009];

  async function opened(cacheBytes: number) {
    const store = recording(memoryStore(objects));
    const ds = await openDataset(store, "main", { cacheBytes });
    const [im, im2] = [ds.media("im"), ds.media("im2")];
    await Promise.all([im.count(), im2.count()]);
    store.forget();
    /** Read an Item of either pack, and tell how many bytes were fetched for it. */
    const read = async (name: "im" | "im2") => {
      store.forget();
      await (name === "im" ? im.read(30n) : im2.read(200n));
      return store.reads.map(({ bytes: fetched }) => fetched?.byteLength);
    };
    return { ds, read };
  }

  test("stay while there is room for them", async () => {
    const { ds, read } = await opened(LARGE + SMALL);
    expect([await read("im2"), await read("im"), await read("im2"), await read("im")]).toEqual([[LARGE], [SMALL], [], []]);
    expect(ds.stats().cacheHits).toBe(2);
  });

  test("make room for each other where there is not", async () => {
    const { ds, read } = await opened(LARGE + SMALL - 1);
    expect([await read("im2"), await read("im"), await read("im"), await read("im2")]).toEqual([[LARGE], [SMALL], [], [LARGE]]);
    expect(ds.stats().cacheHits).toBe(1);
  });

  test("that are larger than the room pass through", async () => {
    const { ds, read } = await opened(SMALL);
    expect([await read("im"), await read("im2"), await read("im"), await read("im2")]).toEqual([[SMALL], [LARGE], [], [LARGE]]);
    expect(ds.stats().cacheHits).toBe(1);
  });

  test("are not kept if they are not what their address says", async () => {
    const key = [...objects.keys()].find((candidate) => objects.get(candidate)?.byteLength === LARGE) ?? "";
    const store = memoryStore(new Map(objects).set(key, bytes(LARGE)));
    const field = (await openDataset(store)).media("im2");
    await expectFailure(field.read(200n), "HashMismatch");
    await expectFailure(field.read(201n), "HashMismatch");
    store.set(key, objects.get(key) ?? bytes(0));
    expect((await field.read(200n))?.bytes.byteLength).toBe(1200);
  });

  test("are not kept by datasets that cut spans unverified", async () => {
    const store = recording(memoryStore(objects));
    const ds = await openDataset(store, "main", { verify: "available" });
    for (let round = 0; round < 2; round++) await ds.media("im2").read(200n);
    expect(store.reads.filter(({ kind }) => kind === "range").length).toBe(2);
    expect(ds.stats().cacheHits).toBe(0);
  });
});
