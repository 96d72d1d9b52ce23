/** Whole reads: what counts as an object, how large it may be, and that a body is never left open. */

import { type Fetch, httpStore, type HttpStoreOptions } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { isExact, pattern, sameBytes } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const OBJECT = pattern(20);
const LARGE = pattern(3_000_001);

let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { item: { pattern: 20 }, large: { pattern: 3_000_001 }, empty: { pattern: 0 } } });
});
beforeEach(() => broken.forget());

const store = (mode: Mode, options?: HttpStoreOptions) => httpStore(broken.base(mode), options);

describe("a whole object", () => {
  it.each(["exact206", "200-full", "200-gzip", "206-always", "redirect-cross-origin", "slow-drip", "no-expose-headers"] as const)(
    "arrives exactly from a server of the kind %s, over both versions of HTTP",
    async (mode) => {
      for (const source of [store(mode), httpStore(broken.base(mode, "http2"), { fetch: h2Fetch })]) {
        const bytes = await source.get("item");
        expect(bytes).toEqual(OBJECT);
        expect(isExact(bytes)).toBe(true);
      }
    },
  );

  it("may be empty or larger than one chunk", async () => {
    expect(await store("exact206").get("empty")).toEqual(new Uint8Array(0));
    for (const mode of ["exact206", "200-gzip"] as const) {
      const bytes = await store(mode).get("large");
      expect(sameBytes(bytes, LARGE)).toBe(true);
      expect(isExact(bytes)).toBe(true);
    }
  });

  it("is refused above maxBytes, by its announced length or by count", async () => {
    expect(await store("exact206").get("item", { maxBytes: 20 })).toEqual(OBJECT);
    expect(await expectFailure(store("exact206").get("item", { maxBytes: 19 }), "TooLarge")).toMatchObject({ actual: "20" });
    await expectFailure(store("200-huge", { maxWholeBytes: 1000 }).get("item"), "TooLarge");
    const error = await expectFailure(store("200-endless").get("item", { maxBytes: 100_000 }), "TooLarge");
    expect(error.actual).toMatch(/^at least \d+$/);
    await broken.until(({ requests }) => requests.slice(2).every(({ clientLeft }) => clientLeft));
  });

  it("that breaks off is a length error with why it did", async () => {
    const error = await expectFailure(store("close-early").get("item"), "BodyLength");
    expect(error).toMatchObject({ expected: "20" });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("in part only is refused when the server says so", async () => {
    const fetch: Fetch = async () => new Response(OBJECT, { status: 206, headers: { "content-range": "bytes 5-24/25" } });
    await expectFailure(httpStore("http://h/d", { fetch }).get("item"), "RangeMismatch");
  });

  it("is not tied to chunks that a custom fetch keeps", async () => {
    const kept = pattern(20);
    const fetch: Fetch = async () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(kept);
            controller.close();
          },
        }),
      );
    const custom = httpStore("http://h/d", { fetch });
    (await custom.get("item")).fill(0);
    expect(await custom.get("item")).toEqual(OBJECT);
  });

  it("is a typed error where a custom fetch has taken the body, or a runtime without streams loses it", async () => {
    const taken: Fetch = async () => {
      const response = new Response(OBJECT);
      response.body?.getReader();
      return response;
    };
    const lost: Fetch = async () => {
      const response = new Response(OBJECT);
      return Object.defineProperties(response, { body: { value: undefined }, arrayBuffer: { value: () => Promise.reject(new TypeError("lost")) } });
    };
    for (const fetch of [taken, lost]) {
      await expectFailure(httpStore("http://h/d", { fetch }).get("item"), "Network");
      await expectFailure(httpStore("http://h/d", { fetch }).getRange("item", 0, 5), "Network");
    }
  });

  it("comes also from a runtime without body streams", async () => {
    const fetch: Fetch = async () => {
      const response = new Response(OBJECT);
      Object.defineProperty(response, "body", { value: undefined });
      return response;
    };
    expect(await httpStore("http://h/d", { fetch }).get("item")).toEqual(OBJECT);
  });
});

describe("a header that lies about the length", () => {
  const announced = (body: Uint8Array<ArrayBuffer>, length: number): Fetch => async () =>
    new Response(body, { headers: { "content-length": String(length) } });

  it("does not cut a body that is longer than announced", async () => {
    expect(sameBytes(await httpStore("http://h/d", { fetch: announced(LARGE, 7) }).get("item"), LARGE)).toBe(true);
  });

  it("makes no error of a body that is shorter by what compression may add, which a page cannot see", async () => {
    expect(await httpStore("http://h/d", { fetch: announced(OBJECT, 43) }).get("item")).toEqual(OBJECT);
  });

  it("makes one of a body that is clearly cut, whole or in place of a range", async () => {
    for (const length of [100, 900_000_000]) {
      const cut = httpStore("http://h/d", { fetch: announced(OBJECT, length), maxWholeBytes: 1e9 });
      const facts = { expected: String(length), actual: "20" };
      expect(await expectFailure(cut.get("item"), "BodyLength")).toMatchObject(facts);
      const options = { maxBytes: 1e9, onWhole: () => expect.unreachable("a cut object is not to be kept") };
      expect(await expectFailure(cut.getRange("item", 0, 5, options), "BodyLength")).toMatchObject(facts);
    }
  });
});
