/** Whole reads: what counts as an object, how large it may be, and that a body is never left open. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { httpStore, type HttpStoreOptions } from "../../ts/store/http.js";
import type { Mode } from "../support/broken-modes.js";
import { startBrokenServer, type BrokenServer } from "../support/broken-server.js";
import { isExact, pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const OBJECT = pattern(20);
const LARGE = pattern(3_000_001);

let server: BrokenServer;
beforeAll(async () => {
  server = await startBrokenServer({ item: OBJECT, large: LARGE, empty: new Uint8Array(0) });
});
afterEach(() => server.forget());
afterAll(() => server.close());

const store = (mode: Mode, options?: HttpStoreOptions) => httpStore(server.base(mode), options);

describe("a whole object", () => {
  it.each(["exact206", "200-full", "200-gzip", "206-always", "redirect", "slow-drip"] as const)(
    "arrives exactly from a server of the kind %s",
    async (mode) => {
      const bytes = await store(mode).get("item");
      expect(bytes).toEqual(OBJECT);
      expect(isExact(bytes)).toBe(true);
    },
  );

  it("may be empty or larger than one chunk", async () => {
    expect(await store("exact206").get("empty")).toEqual(new Uint8Array(0));
    for (const mode of ["exact206", "200-gzip"] as const) {
      const bytes = await store(mode).get("large");
      expect(Buffer.compare(bytes, LARGE)).toBe(0);
      expect(isExact(bytes)).toBe(true);
    }
  });

  it("is refused above maxBytes, by its announced length or by count", async () => {
    expect(await store("exact206").get("item", { maxBytes: 20 })).toEqual(OBJECT);
    expect(await expectFailure(store("exact206").get("item", { maxBytes: 19 }), "TooLarge")).toMatchObject({ actual: "20" });
    await expectFailure(store("200-huge", { maxWholeBytes: 1000 }).get("item"), "TooLarge");
    const error = await expectFailure(store("200-endless").get("item", { maxBytes: 100_000 }), "TooLarge");
    expect(error.actual).toMatch(/^at least \d+$/);
    await server.until(() => server.seen.slice(2).every((request) => request.clientLeft));
  });

  it("that breaks off is a length error with what came and why", async () => {
    const error = await expectFailure(store("close-early").get("item"), "BodyLength");
    expect(error).toMatchObject({ expected: "20", actual: "3" });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("in part only is refused when the server says so", async () => {
    const fetch = async () => new Response(OBJECT, { status: 206, headers: { "content-range": "bytes 5-24/25" } });
    await expectFailure(httpStore("http://h/d", { fetch }).get("item"), "RangeMismatch");
  });

  it("is not tied to chunks that a custom fetch keeps", async () => {
    const kept = pattern(20);
    const fetch = async () =>
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

  it("comes also from a runtime without body streams", async () => {
    const fetch = async () => {
      const response = new Response(OBJECT);
      Object.defineProperty(response, "body", { value: undefined });
      return response;
    };
    expect(await httpStore("http://h/d", { fetch }).get("item")).toEqual(OBJECT);
  });
});

describe("a header that lies about the length", () => {
  it("costs no memory when it announces too much", async () => {
    let held = 0;
    const before = process.memoryUsage().arrayBuffers;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(OBJECT),
      pull(controller) {
        held = process.memoryUsage().arrayBuffers - before;
        controller.close();
      },
    });
    const fetch = async () => new Response(body, { headers: { "content-length": "900000000" } });
    const bytes = await httpStore("http://h/d", { fetch }).get("item");
    expect(bytes).toEqual(OBJECT);
    expect(isExact(bytes)).toBe(true);
    expect(held).toBeLessThan(100e6);
  });

  it("does not cut a body that is longer than announced", async () => {
    const fetch = async () => new Response(LARGE, { headers: { "content-length": "7" } });
    expect(Buffer.compare(await httpStore("http://h/d", { fetch }).get("item"), LARGE)).toBe(0);
  });
});
