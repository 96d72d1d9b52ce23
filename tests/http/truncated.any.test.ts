/** Bodies that end before their length, in every way in which a connection can: the same error from our own count, never a short array. */

import { type Fetch, httpStore } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { item: { pattern: 100 }, large: { pattern: 8192 } } });
});
beforeEach(() => broken.forget());

describe.each(["near", "http2"] as const)("from the server %s, a body", (at) => {
  const store = (mode: Mode) => httpStore(broken.base(mode, at), at === "http2" ? { fetch: h2Fetch } : {});

  it.each(["close-early", "chunks-cut", "close-delimited", "reset-in-body"] as const)("that ends by %s is a range of the wrong length", async (mode) => {
    const error = await expectFailure(store(mode).getRange("item", 10, 40), "BodyLength");
    expect(error).toMatchObject({ expected: "40", key: "item", url: `${broken.base(mode, at)}/item` });
    // Hosts may throw away what had come before a reset.
    expect(["0", "3"]).toContain(error.actual);
    expect(error.message).toContain(`ended after ${error.actual} of 40 bytes`);
    expect(await broken.requests()).toHaveLength(1);
  });

  it("that ends before its announced length is no whole object", async () => {
    const error = await expectFailure(store("close-early").get("item"), "BodyLength");
    expect(error.expected).toBe("100");
    expect(["0", "3"]).toContain(error.actual);
  });

  it("that holds what was asked is judged by that, though it was announced longer", async () => {
    expect(await store("206-full-length").getRange("item", 10, 5)).toEqual(pattern(100).slice(10, 15));
  });

  it("that is a lawfully smaller range is an error, and nothing is made up for the rest", async () => {
    const error = await expectFailure(store("206-less").getRange("item", 10, 50), "BodyLength");
    expect(error).toMatchObject({ expected: "50", actual: "25" });
  });
});

describe("a body that a cache gives short, but ends as if all were well,", () => {
  // What a browser's memory cache was seen to do; a server cannot, so the answer passes through a fetch that cuts it.
  const cutting: Fetch = async (url, init) => {
    const answer = await fetch(url, init);
    const bytes = await answer.arrayBuffer();
    return new Response(bytes.slice(0, 3584), { status: answer.status, headers: { "content-length": "8192" } });
  };

  it("is an error in a range and in a whole object", async () => {
    const store = httpStore(broken.base("exact206"), { fetch: cutting });
    expect(await expectFailure(store.getRange("large", 0, 8192), "BodyLength")).toMatchObject({ expected: "8192", actual: "3584" });
    expect(await expectFailure(store.get("large"), "BodyLength")).toMatchObject({ expected: "8192", actual: "3584" });
  });
});
