/** Answers to a range, good, odd and wrong, over HTTP/1.1 and HTTP/2: exactly its bytes or a code, and nothing in between. */

import { httpStore } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken, rangesOf } from "../support/broken.js";
import { isExact, pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const KEY = "t/array.f32.kind=event/000000000000000a/item";
const OBJECT = pattern(20);

let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { [KEY]: { pattern: 20 } } });
});
beforeEach(() => broken.forget());

describe.each(["near", "http2"] as const)("a range, asked of the server %s,", (at) => {
  const store = (mode: Mode) => httpStore(`${broken.base(mode, at)}?sig=secret`, at === "http2" ? { fetch: h2Fetch } : {});

  const good: Mode[] = [
    "exact206", "exact206-noContentRange", "star-total", "odd-content-range", "senseless-content-range", "no-expose-headers",
    "HEAD-403", "HEAD-405", "HEAD-lies", "OPTIONS-405", "416-past-end", "206-identity", "etag-weak", "200-full", "gzip-if-accepted",
    "redirect", "redirect-cross-origin", "slow-drip",
  ];
  it.each(good)("is exact by %s, in one GET and no HEAD", async (mode) => {
    const bytes = await store(mode).getRange(KEY, 10, 5);
    expect(bytes).toEqual(OBJECT.slice(10, 15));
    expect(isExact(bytes)).toBe(true);
    const requests = await broken.requests();
    expect(requests.map(({ method }) => method)).toEqual(mode.startsWith("redirect") ? ["GET", "GET"] : ["GET"]);
    expect(new Set(rangesOf(requests))).toEqual(new Set(["bytes=10-14"]));
  });

  const bad: [Mode, string, Record<string, unknown>][] = [
    ["206-short", "BodyLength", { expected: "5", actual: "4" }],
    ["206-less", "BodyLength", { expected: "5", actual: "3" }],
    ["206-long", "BodyLength", { expected: "5", actual: "at least 6", status: 206 }],
    ["206-long-noContentRange", "BodyLength", { expected: "5", actual: "at least 6", status: 206 }],
    ["206-endless", "BodyLength", { expected: "5" }],
    ["206-wrong-range", "RangeMismatch", { actual: "bytes 14-18/20", subject: "content-range" }],
    ["multipart206", "MultipartPartial", { actual: "multipart/byteranges; boundary=x" }],
    ["200-short", "BodyLength", { expected: "at least 15", actual: "14" }],
    ["416-empty", "RangeNotSatisfiable", { status: 416 }],
    ["416-total", "RangeNotSatisfiable", { status: 416, actual: "20" }],
    ["204", "HttpStatus", { status: 204 }],
    ["203", "HttpStatus", { status: 203 }],
    ["304", "HttpStatus", { status: 304 }],
  ];
  it.each(bad)("is refused by %s with %s, after one request", async (mode, code, facts) => {
    const error = await expectFailure(store(mode).getRange(KEY, 10, 5));
    expect(error).toMatchObject({ code, key: KEY, url: `${broken.base(mode, at)}/${KEY}`, ...facts });
    expect(await broken.requests()).toHaveLength(1);
  });

  it("that says where it starts elsewhere is told so in words", async () => {
    const error = await expectFailure(store("206-wrong-range").getRange(KEY, 10, 5), "RangeMismatch");
    expect(error.message).toContain("bytes from 10 were asked, bytes from 14 came");
  });

  it("cannot be checked against shifted bytes under right headers, nor against compressed ones without: that is what hashes are for", async () => {
    expect(await store("206-shifted").getRange(KEY, 10, 5)).toEqual(OBJECT.slice(14, 19));
    expect(await store("206-gzip-hidden").getRange(KEY, 10, 5)).toHaveLength(5);
  });
});

it("a range whose body is too long is given up as soon as that is known", async () => {
  await expectFailure(httpStore(broken.base("206-endless")).getRange(KEY, 10, 5), "BodyLength");
  await broken.until(({ requests }) => requests[0]?.over === true);
});

describe("a range that ends behind the object", () => {
  it("is an error whether the server cuts it or refuses it, and tells the size if the server does", async () => {
    const cut = await expectFailure(httpStore(broken.base("exact206")).getRange(KEY, 16, 10), "BodyLength");
    expect(cut).toMatchObject({ expected: "10", actual: "4" });
    const refused = await expectFailure(httpStore(broken.base("416-past-end")).getRange(KEY, 16, 10), "RangeNotSatisfiable");
    expect(refused).toMatchObject({ status: 416, actual: "20" });
    for (const mode of ["exact206", "416-past-end"] as const) {
      const behind = await expectFailure(httpStore(broken.base(mode)).getRange(KEY, 30, 5), "RangeNotSatisfiable");
      expect(behind.message).toContain("the range starts behind the end of the object of 20 bytes");
    }
  });
});
