/** Compressed answers: whole objects may be, ranges may not, and whoever serves them so is told what to turn off. */

import { type Fetch, httpStore } from "dreamdb-arrays";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { pattern, sameBytes } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";
import { inPage } from "../support/host.js";

const OBJECT = pattern(20);
let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { item: { pattern: 20 }, large: { pattern: 3_000_001 } } });
});
beforeEach(() => broken.forget());

const store = (mode: Mode) => httpStore(broken.base(mode));

describe("a compressed answer", () => {
  it("to a plain GET is the object", async () => {
    expect(await store("200-gzip").get("item")).toEqual(OBJECT);
    expect(sameBytes(await store("200-gzip").get("large"), pattern(3_000_001))).toBe(true);
  });

  // Chromium refuses it before anybody can look at it; the message of `Network` lists that as a cause.
  it("that is a slice of a compressed stream is refused, and what to do said, after one request", async () => {
    const error = await expectFailure(store("206-gzip").getRange("item", 10, 5), inPage ? "Network" : "CompressedPartial");
    expect(error.message).toMatch(inPage ? /an answer that is compressed though a range was asked/ : /turn compression off for objects/);
    expect(await broken.requests()).toHaveLength(1);
  });

  it("that is the whole object serves a range where the runtime decodes it, and is refused where it does not", async () => {
    const read = store("200-gzip").getRange("item", 10, 5);
    if (inPage) expect((await expectFailure(read, "Network")).message).toContain("compressed");
    else expect(await read).toEqual(OBJECT.slice(10, 15));
    expect(await broken.requests()).toHaveLength(1);
  });

  it("is not invited: a server that compresses for all who accept it gives plain ranges", async () => {
    expect(await store("gzip-if-accepted").getRange("item", 10, 5)).toEqual(OBJECT.slice(10, 15));
    expect((await broken.requests())[0]?.headers["accept-encoding"]).not.toContain("gzip");
  });

  it("is refused when the runtime left it so, as some do", async () => {
    const gzipped = await new Response(new Blob([OBJECT]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const answers: [string, ArrayBuffer | Uint8Array<ArrayBuffer>][] = [["gzip", gzipped], ["br", OBJECT], ["gzip, br", OBJECT]];
    for (const [coding, body] of answers) {
      const undecoded: Fetch = async () => new Response(body, { headers: { "content-encoding": coding } });
      const error = await expectFailure(httpStore("http://h/d", { fetch: undecoded }).getRange("item", 0, 5), "CompressedPartial");
      expect(error).toMatchObject({ actual: coding, status: 200 });
    }
  });
});
