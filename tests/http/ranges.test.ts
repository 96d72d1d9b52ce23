/** Range reads against servers that answer well, oddly and wrongly: bytes or a code, and nothing in between. */

import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { httpStore, type HttpStoreOptions } from "../../ts/store/http.js";
import type { Mode } from "../support/broken-modes.js";
import { startBrokenServer, type BrokenServer } from "../support/broken-server.js";
import { isExact, pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const KEY = "t/array.f32.kind=event/000000000000000a/item";
const OBJECT = pattern(20);
const BIG = "big";
const MiB = 1024 * 1024;

let server: BrokenServer;
beforeAll(async () => {
  server = await startBrokenServer({ [KEY]: OBJECT, [BIG]: pattern(9 * MiB) });
});
afterEach(() => server.forget());
afterAll(() => server.close());

const store = (mode: Mode, options?: HttpStoreOptions) => httpStore(`${server.base(mode)}?sig=secret`, options);

describe("a range that arrives", () => {
  const good: Mode[] = [
    "exact206", "exact206-noContentRange", "star-total", "odd-content-range", "senseless-content-range", "no-expose-headers",
    "head-403", "options-405", "206-identity", "200-full", "200-gzip", "redirect", "slow-drip",
  ];
  it.each(good)("is returned exactly by a server of the kind %s", async (mode) => {
    const bytes = await store(mode).getRange(KEY, 10, 5);
    expect(bytes).toEqual(OBJECT.slice(10, 15));
    expect(isExact(bytes)).toBe(true);
    expect(server.seen.every((request) => request.headers["range"] === "bytes=10-14")).toBe(true);
    expect(server.seen).toHaveLength(mode === "redirect" ? 2 : 1);
  });

  it("may be the first byte, the last byte or everything", async () => {
    for (const mode of ["exact206", "200-full"] as const) {
      expect(await store(mode).getRange(KEY, 0, 1)).toEqual(OBJECT.slice(0, 1));
      expect(await store(mode).getRange(KEY, 19, 1)).toEqual(OBJECT.slice(19));
      const all = await store(mode).getRange(KEY, 0, 20);
      expect(all).toEqual(OBJECT);
      expect(isExact(all)).toBe(true);
    }
    expect(server.seen.slice(0, 3).map((request) => request.headers["range"])).toEqual([
      "bytes=0-0", "bytes=19-19", "bytes=0-19",
    ]);
  });

  it("may lie behind 4 GiB", async () => {
    const asked: unknown[] = [];
    const fetch = async (_url: string, init: RequestInit) => {
      asked.push(init.headers);
      return new Response(pattern(10), { status: 206 });
    };
    await httpStore("http://h/d", { fetch }).getRange(KEY, 4294967290, 10);
    expect(asked).toEqual([{ Range: "bytes=4294967290-4294967299" }]);
  });

  it("is judged by the bytes that came, not by a Content-Length that says otherwise", async () => {
    const fetch = async () =>
      new Response(OBJECT.slice(10, 15), {
        status: 206,
        headers: { "content-length": "20", "content-range": "bytes 10-14/20" },
      });
    expect(await httpStore("http://h/d", { fetch }).getRange(KEY, 10, 5)).toEqual(OBJECT.slice(10, 15));
  });

  it("of length zero sends nothing", async () => {
    expect(await store("500").getRange(KEY, 460, 0)).toEqual(new Uint8Array(0));
    expect(server.seen).toHaveLength(0);
  });

  it("cannot be checked against shifted bytes under right headers, which is what hashes are for", async () => {
    expect(await store("206-shifted-body").getRange(KEY, 10, 5)).toEqual(OBJECT.slice(14, 19));
  });
});

describe("a range that does not arrive", () => {
  const bad: [Mode, string, Record<string, unknown>][] = [
    ["206-short", "BodyLength", { expected: "5", actual: "4" }],
    ["206-long", "BodyLength", { expected: "5", actual: "at least 6", status: 206 }],
    ["206-shifted-range-header", "RangeMismatch", { actual: "bytes 14-18/20" }],
    ["206-gzip", "CompressedPartial", { actual: "gzip" }],
    ["multipart206", "MultipartPartial", { actual: "multipart/byteranges; boundary=x" }],
    ["close-early", "BodyLength", { expected: "5", actual: "3" }],
    ["close-delimited", "BodyLength", { expected: "5", actual: "3" }],
    ["200-short", "BodyLength", { expected: "at least 15", actual: "12" }],
    ["416-empty", "RangeNotSatisfiable", { status: 416 }],
    ["416-total", "RangeNotSatisfiable", { status: 416, actual: "20" }],
    ["204", "HttpStatus", { status: 204 }],
    ["203", "HttpStatus", { status: 203 }],
  ];
  it.each(bad)("from a server of the kind %s is the error %s", async (mode, code, facts) => {
    const error = await expectFailure(store(mode).getRange(KEY, 10, 5));
    expect(error).toMatchObject({ code, key: KEY, url: `${server.base(mode)}/${KEY}`, ...facts });
    expect(server.seen).toHaveLength(1);
  });

  it("tells the object's size when it starts behind the end", async () => {
    const error = await expectFailure(store("416-total").getRange(KEY, 30, 5), "RangeNotSatisfiable");
    expect(error.message).toContain("20 bytes");
  });

  it("is given up as soon as a partial body is too long", async () => {
    const error = await expectFailure(store("206-endless").getRange(KEY, 10, 5), "BodyLength");
    expect(error.actual).toMatch(/^at least \d+$/);
    await server.until(() => server.seen[0]?.clientLeft === true);
  });
});

describe("a whole object in place of a range", () => {
  it("is cut by its announced length before any of it is read", async () => {
    const error = await expectFailure(store("200-huge").getRange(KEY, 10, 5), "RangeIgnored");
    expect(error.message).toContain(`${new URL(server.base("200-huge")).host} ignored the Range header`);
    expect(error).toMatchObject({ expected: `at most ${8 * MiB}`, actual: "700000000", status: 200 });
    await server.until(() => server.seen[0]?.clientLeft === true);
    expect(server.seen[0]?.sent).toBeLessThan(4 * MiB);
  });

  it("is cut at the cap when it announces nothing", async () => {
    const events: number[] = [];
    const onRequest = (event: { bytes: number }) => events.push(event.bytes);
    await expectFailure(store("200-endless", { onRequest }).getRange(KEY, 10, 5, { maxBytes: 100_000 }), "RangeIgnored");
    await server.until(() => server.seen[0]?.clientLeft === true);
    expect(events).toHaveLength(1);
    expect(events[0]).toBeGreaterThan(100_000);
    expect(events[0]).toBeLessThan(200_000);
  });

  it("is not even begun when the range itself ends above the cap", async () => {
    const error = await expectFailure(store("200-endless").getRange(KEY, 9 * MiB, 5), "RangeIgnored");
    expect(error.actual).toBe(`at least ${9 * MiB + 5}`);
  });

  it("is accepted up to four times the range, or as far as the call allows", async () => {
    await expectFailure(store("200-full").getRange(BIG, 0, 5), "RangeIgnored");
    expect(await store("200-full").getRange(BIG, 0, 3 * MiB)).toHaveLength(3 * MiB);
    expect(await store("200-full").getRange(BIG, 9 * MiB - 5, 5, { maxBytes: 9 * MiB })).toHaveLength(5);
    await expectFailure(store("200-full", { maxWholeBytes: 8 * MiB }).getRange(BIG, 0, 3 * MiB), "RangeIgnored");
  });

  it("is refused when it is compressed and the runtime left it so, as Deno does", async () => {
    const answers: [string, Uint8Array<ArrayBuffer>][] = [
      ["gzip", new Uint8Array(gzipSync(OBJECT))],
      ["br", OBJECT],
      ["gzip, br", OBJECT],
    ];
    for (const [coding, body] of answers) {
      const fetch = async () => new Response(body, { headers: { "content-encoding": coding } });
      const error = await expectFailure(httpStore("http://h/d", { fetch }).getRange(KEY, 0, 5), "CompressedPartial");
      expect(error).toMatchObject({ actual: coding, status: 200 });
    }
  });

  it("is offered to who wants to keep it, apart from the result", async () => {
    let whole = new Uint8Array(0);
    const bytes = await store("200-full").getRange(KEY, 0, 20, { onWhole: (all) => (whole = all) });
    expect(whole).toEqual(OBJECT);
    expect(bytes).toEqual(OBJECT);
    expect(bytes.buffer).not.toBe(whole.buffer);
  });

  it("is blamed on the host that sent it, after a redirect", async () => {
    const error = await expectFailure(store("redirect-ignored-range").getRange(KEY, 10, 5), "RangeIgnored");
    expect(error.subject).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(server.base("redirect-ignored-range")).not.toContain(error.subject);
    expect(JSON.stringify(error)).not.toContain("secret");
  });
});
