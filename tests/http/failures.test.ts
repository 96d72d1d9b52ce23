/** Refusals and silence: every kind has its own code, says what to do, and keeps the URL's secrets. */

import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { httpStore, type HttpStoreOptions } from "../../ts/store/http.js";
import type { TransferEvent } from "../../ts/store/types.js";
import type { Mode } from "../support/broken-modes.js";
import { startBrokenServer, type BrokenServer } from "../support/broken-server.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

let server: BrokenServer;
beforeAll(async () => {
  server = await startBrokenServer({ item: pattern(20) });
});
afterEach(() => server.forget());
afterAll(() => server.close());

const store = (mode: Mode, options?: HttpStoreOptions) => httpStore(`${server.base(mode)}?sig=secret`, options);

describe("a refusal", () => {
  const refusals: [Mode, string, number][] = [
    ["404", "NotFound", 404],
    ["410", "NotFound", 410],
    ["401", "Forbidden", 401],
    ["403", "Forbidden", 403],
    ["500", "HttpStatus", 500],
    ["429", "HttpStatus", 429],
    ["304", "HttpStatus", 304],
    ["204", "HttpStatus", 204],
  ];
  it.each(refusals)("with status %s is the error %s, whole or in part", async (mode, code, status) => {
    for (const read of [store(mode).get("item"), store(mode).getRange("item", 3, 4)]) {
      expect(await expectFailure(read)).toMatchObject({ code, status, key: "item", url: `${server.base(mode)}/item` });
    }
  });

  it("repeats the error code of an object store", async () => {
    const error = await expectFailure(store("403").get("item"), "Forbidden");
    expect(error.actual).toBe("SignatureDoesNotMatch");
    expect(error.message).toContain("SignatureDoesNotMatch");
  });

  it("carries how long to wait", async () => {
    expect((await expectFailure(store("429").get("item"))).retryAfterMs).toBe(2000);
    const untilDate = (await expectFailure(store("503-date").get("item"))).retryAfterMs ?? 0;
    expect(untilDate).toBeGreaterThan(3_000_000);
    expect(untilDate).toBeLessThan(3_600_001);
    expect(await expectFailure(store("500").get("item"))).not.toHaveProperty("retryAfterMs");
  });

  it("with an endless page is cut, with a stalled one not waited for", async () => {
    await expectFailure(store("403-endless").get("item"), "Forbidden");
    await server.until(() => server.seen[0]?.clientLeft === true);
    await expectFailure(store("500-stalled").get("item"), "HttpStatus");
    await server.until(() => server.seen[1]?.clientLeft === true);
  });

  it("leaves the connection fit for the next request", async () => {
    for (let i = 0; i < 5; i++) await expectFailure(store("404").get("item"), "NotFound");
    expect(server.seen.every((request) => !request.clientLeft)).toBe(true);
  });
});

describe("no answer", () => {
  it("lists what may be the cause, with the URL but without its query", async () => {
    const error = await expectFailure(store("reset").get("item"), "Network");
    for (const cause of ["CORS", "offline", "DNS", "mixed content", "blocker"]) expect(error.message).toContain(cause);
    expect(error.message).toContain(`${server.base("reset")}/item`);
    expect(error.url).toBe(`${server.base("reset")}/item`);
  });

  it("names the system's error, not only that a fetch failed", async () => {
    const port = await freePort();
    const error = await expectFailure(httpStore(`http://127.0.0.1:${port}`).get("item"), "Network");
    expect(error.message).toContain("ECONNREFUSED");
    await expectFailure(store("redirect-loop").get("item"), "Network");
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
    expect(all).not.toMatch(/secret|hunter2/);
  });

  it("of a redirect's target appear neither", async () => {
    expect(await store("redirect").get("item")).toEqual(pattern(20));
    expect(server.seen[1]?.target).toContain("target-secret");
    expect(store("redirect").describe("item")).toBe(`${server.base("redirect")}/item`);
  });
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === "object" && address ? address.port : 0;
}
