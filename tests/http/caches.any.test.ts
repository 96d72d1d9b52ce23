/** Caches on the way, the browser's own among them: entity tags that change or are weak, parts that may be kept, and many ranges of one URL. */

import { httpStore } from "dreamdb-arrays";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, openBroken } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const SIZE = 40_000;
const OBJECT = pattern(SIZE);
let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((key) => [key, { pattern: SIZE }])) });
});
beforeEach(() => broken.forget());

const span = (offset: number, length: number) => OBJECT.slice(offset, offset + length);

/** Overlapping, adjoining, repeated and contained spans: what caches put together from parts. */
const SPANS: readonly [number, number][] = [[0, 5000], [4000, 5000], [9000, 1], [0, 5000], [2000, 10], [30_000, 10_000], [0, 40_000], [39_999, 1]];

describe("an object whose parts caches may keep", () => {
  it.each([["etag-changing", "a"], ["etag-weak", "b"], ["cacheable", "c"]] as const)(
    "reads right one span after the other, from a server of the kind %s",
    async (mode, key) => {
      const store = httpStore(broken.base(mode));
      for (const [offset, length] of SPANS) expect(await store.getRange(key, offset, length)).toEqual(span(offset, length));
      expect(await store.get(key)).toEqual(OBJECT);
      expect((await broken.requests()).length).toBeLessThanOrEqual(2 * (SPANS.length + 1));
    },
  );

  it.each([["etag-changing", "d"], ["etag-weak", "e"], ["cacheable", "f"]] as const)(
    "reads right all spans at once, from a server of the kind %s",
    async (mode, key) => {
      const store = httpStore(broken.base(mode));
      const reads = SPANS.map(async ([offset, length]) => {
        const bytes = await store.getRange(key, offset, length);
        expect(bytes).toEqual(span(offset, length));
        return bytes.byteLength;
      });
      expect(await Promise.all(reads)).toEqual(SPANS.map(([, length]) => length));
    },
  );

  it("gives 32 ranges asked at once, each in one request", async () => {
    const store = httpStore(broken.base("delayed"));
    const reads = Array.from({ length: 32 }, (_, at) => store.getRange("a", at * 1000, 10));
    expect(await Promise.all(reads)).toEqual(reads.map((_, at) => span(at * 1000, 10)));
    expect(await broken.requests()).toHaveLength(32);
  });
});

describe("ranges of one URL", () => {
  it("go side by side where the caller keeps them out of the cache, which lets them wait for each other", async () => {
    const store = httpStore(broken.base("held"), { cache: "no-store" });
    const reads = [store.getRange("a", 0, 10), store.getRange("a", 20_000, 10), store.getRange("a", 5, 10)];
    const { requests } = await broken.until(({ requests }) => requests.length === 3);
    expect(requests.map(({ over }) => over)).toEqual([false, false, false]);
    await broken.release();
    expect(await Promise.all(reads)).toEqual([span(0, 10), span(20_000, 10), span(5, 10)]);
  });
});

describe("an answer that failed", () => {
  it("is not what the next read gets, whole or in part", async () => {
    await broken.rules({ mode: "503", nth: [1, 3] });
    const store = httpStore(broken.base("cacheable"));
    await expectFailure(store.get("a"), "HttpStatus");
    expect(await store.get("a")).toEqual(OBJECT);
    await expectFailure(store.getRange("b", 5, 5), "HttpStatus");
    expect(await store.getRange("b", 5, 5)).toEqual(span(5, 5));
    await broken.rules();
  });
});
