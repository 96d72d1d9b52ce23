/** Refusals and silence: every kind has its own code, says what to do, and keeps the URL's secrets; none is taken for absence. */

import { httpStore, type HttpStoreOptions, type TransferEvent } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { item: { pattern: 20 }, part: { pattern: 20 } } });
});
beforeEach(() => broken.forget());

const store = (mode: Mode, options?: HttpStoreOptions) => httpStore(`${broken.base(mode)}?sig=secret`, options);

describe("a refusal", () => {
  const refusals: [Mode, string, number][] = [
    ["404", "NotFound", 404],
    ["410", "NotFound", 410],
    ["401", "Forbidden", 401],
    ["403", "Forbidden", 403],
    ["408", "HttpStatus", 408],
    ["425", "HttpStatus", 425],
    ["429", "HttpStatus", 429],
    ["500", "HttpStatus", 500],
    ["502", "HttpStatus", 502],
    ["503", "HttpStatus", 503],
    ["504", "HttpStatus", 504],
    ["304", "HttpStatus", 304],
    ["204", "HttpStatus", 204],
  ];
  it.each(refusals)("with status %s is the error %s, whole or in part", async (mode, code, status) => {
    // Two objects, as browsers make up answers about one of which they were told an unasked 304.
    for (const [key, read] of [["item", () => store(mode).get("item")], ["part", () => store(mode).getRange("part", 3, 4)]] as const) {
      const error = await expectFailure(read());
      expect(error).toMatchObject({ code, status, key, url: `${broken.base(mode)}/${key}` });
      expect(error.message).toContain(String(status));
    }
  });

  it("is one request; what repeats a 408 is the browser itself, on connections that it has open", async () => {
    for (const mode of ["401", "403", "404", "416-empty", "425", "429", "500", "503"] as const) {
      await broken.forget();
      await expectFailure(store(mode).getRange("item", 3, 4));
      expect(await broken.requests()).toHaveLength(1);
    }
    await broken.forget();
    await expectFailure(store("408").getRange("item", 3, 4), "HttpStatus");
    expect((await broken.requests()).length).toBeLessThanOrEqual(8);
  });

  it("repeats the error code of an object store, and says that a signature may have expired", async () => {
    const error = await expectFailure(store("403").get("item"), "Forbidden");
    expect(error.actual).toBe("SignatureDoesNotMatch");
    expect(error.message).toMatch(/SignatureDoesNotMatch.*lacks credentials, its signature has expired, or the bucket hides missing objects/);
  });

  it("may come in the middle, when a signature expires: what was read before stays, what comes after is refused", async () => {
    const expiring = store("403-after-2");
    expect(await expiring.getRange("item", 0, 4)).toEqual(pattern(4));
    expect(await expiring.getRange("item", 4, 4)).toEqual(pattern(20).slice(4, 8));
    expect(await expectFailure(expiring.getRange("item", 8, 4), "Forbidden")).toMatchObject({ actual: "ExpiredToken" });
    expect(await broken.requests()).toHaveLength(3);
  });

  it("carries how long to wait", async () => {
    expect((await expectFailure(store("429-retry-after").get("item"))).retryAfterMs).toBe(2000);
    expect((await expectFailure(store("503-retry-now").get("item"))).retryAfterMs).toBe(0);
    const untilDate = (await expectFailure(store("503-date").get("item"))).retryAfterMs ?? 0;
    expect(untilDate).toBeGreaterThan(3_000_000);
    expect(untilDate).toBeLessThan(3_600_001);
    expect(await expectFailure(store("500").get("item"))).not.toHaveProperty("retryAfterMs");
  });

  it("is not remembered: the same store reads on when the server has recovered", async () => {
    const recovering = store("503-then-ok");
    expect(await expectFailure(recovering.getRange("item", 3, 4), "HttpStatus")).toMatchObject({ status: 503 });
    expect(await recovering.getRange("item", 3, 4)).toEqual(pattern(20).slice(3, 7));
  });

  it("with an endless page is cut, with a stalled one not waited for", async () => {
    await expectFailure(store("403-endless").get("item"), "Forbidden");
    await broken.until(({ requests }) => requests[0]?.clientLeft === true);
    await expectFailure(store("500-stalled").get("item"), "HttpStatus");
    await broken.until(({ requests }) => requests[1]?.clientLeft === true);
  });

  it("leaves the connection fit for the next request", async () => {
    for (let i = 0; i < 5; i++) await expectFailure(store("404").get("item"), "NotFound");
    expect((await broken.requests()).map(({ clientLeft }) => clientLeft)).toEqual(Array.from({ length: 5 }, () => false));
  });
});

describe("no answer", () => {
  it("lists what may be the cause, with the URL but without its query", async () => {
    const error = await expectFailure(store("reset").get("item"), "Network");
    for (const cause of ["CORS", "offline", "DNS", "mixed content", "compressed", "blocker"]) expect(error.message).toContain(cause);
    expect(error.message).toContain(`${broken.base("reset")}/item`);
    expect(error.url).toBe(`${broken.base("reset")}/item`);
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  it("ends a redirect that leads nowhere, after as many steps as the host takes", async () => {
    await expectFailure(store("redirect-loop").get("item"), "Network");
    expect((await broken.requests()).length).toBeLessThanOrEqual(25);
  });

  it("is what a refused stream of HTTP/2 comes to, however often the host tries it again by itself", async () => {
    const http2 = httpStore(broken.base("refused-stream", "http2"), { fetch: h2Fetch });
    await expectFailure(http2.getRange("item", 3, 4), "Network");
    expect((await broken.requests()).length).toBeLessThanOrEqual(5);
  });

  it("is a reset stream, and the connection is good for others", async () => {
    const http2 = (mode: Mode) => httpStore(broken.base(mode, "http2"), { fetch: h2Fetch });
    const reads = [http2("reset").get("item"), http2("delayed").get("item"), http2("reset").get("item")] as const;
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
    expect(await reads[1]).toEqual(pattern(20));
    await expectFailure(reads[0], "Network");
  });

  it("comes also from a fetch that throws at once, that gives an error response, or that fails in our own words", async () => {
    const throws = () => {
      throw new TypeError("no network here");
    };
    expect((await expectFailure(httpStore("http://h", { fetch: throws }).get("k"), "Network")).message).toContain("no network here");
    await expectFailure(httpStore("http://h", { fetch: async () => Response.error() }).get("k"), "Network");
    const typed = await expectFailure(store("403").get("item"));
    expect(await expectFailure(httpStore("http://h", { fetch: () => Promise.reject(typed) }).get("k"))).toBe(typed);
  });

  it("keeps abort and timeout of a custom fetch apart from the network", async () => {
    const rejects = (name: string) => async () => {
      throw new DOMException("its own", name);
    };
    await expectFailure(httpStore("http://h", { fetch: rejects("AbortError") }).get("k"), "Aborted");
    await expectFailure(httpStore("http://h", { fetch: rejects("TimeoutError") }).get("k"), "Timeout");
  });
});

describe("secrets of the URL", () => {
  it("appear in no error, in no cause, in no event and in no description", async () => {
    const events: TransferEvent[] = [];
    const onRequest = (event: TransferEvent) => void events.push(event);
    const fetch = async (url: string) => {
      throw new TypeError(`error sending request for url (${url})`, { cause: new Error(`connect to ${url}`) });
    };
    const secretive = httpStore("https://user:hunter2@host/d?sig=secret#frag-secret", { fetch, onRequest });
    const error = await expectFailure(secretive.getRange("item", 0, 4), "Network");
    expect(error.cause).toBeInstanceOf(Error);
    const cause = error.cause as Error;
    const all = [
      error.message, error.stack, JSON.stringify(error), cause.message, cause.stack, String(cause.cause),
      JSON.stringify(events), secretive.describe("item"),
    ].join("\n");
    expect(all).toContain("https://host/d/item");
    expect(all).not.toMatch(/hunter2|secret/);
  });

  it("of a redirect's target appear in none either", async () => {
    const error = await expectFailure(store("redirect-expired").get("item"), "Forbidden");
    expect(error.message).toContain("its signature has expired");
    expect([error.message, error.stack, JSON.stringify(error)].join()).not.toContain("secret");
    expect((await broken.requests())[1]?.target).toContain("target-secret");
    expect(store("redirect").describe("item")).toBe(`${broken.base("redirect")}/item`);
  });
});
