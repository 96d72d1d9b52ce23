/** What goes out: plain GETs with at most a Range header, to exactly the URL that base and key spell; and what is told about them. */

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { httpStore } from "../../ts/store/http.js";
import type { TransferEvent } from "../../ts/store/types.js";
import type { Mode } from "../support/broken-modes.js";
import { startBrokenServer, type BrokenServer } from "../support/broken-server.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const KEY = "t/array.f32.kind=event.storage=dense/refs/main@v1";
let server: BrokenServer;
beforeAll(async () => {
  server = await startBrokenServer({ [KEY]: pattern(20), "odd %?#\\ \u00e9": pattern(3) });
});
afterEach(() => server.forget());
afterAll(() => server.close());

/** What Node's fetch adds by itself. */
const UNDICI = new Set([
  "host", "connection", "accept", "accept-language", "sec-fetch-mode", "user-agent", "accept-encoding",
]);

describe("a request", () => {
  it("is a GET without any header of ours, or with Range alone", async () => {
    const modes: Mode[] = ["exact206", "200-full", "206-short", "403", "500", "redirect", "options-405"];
    for (const mode of modes) {
      await httpStore(server.base(mode)).get(KEY).catch(() => undefined);
      await httpStore(server.base(mode)).getRange(KEY, 10, 5).catch(() => undefined);
    }
    expect(server.seen.length).toBeGreaterThanOrEqual(2 * modes.length);
    for (const { method, headers } of server.seen) {
      expect(method).toBe("GET");
      const ours = Object.entries(headers).filter(([name]) => !UNDICI.has(name));
      expect([[], [["range", "bytes=10-14"]]]).toContainEqual(ours);
    }
  });

  it("passes nothing to fetch that an edge worker would throw at", async () => {
    const inits: RequestInit[] = [];
    const fetch = async (_url: string, init: RequestInit) => {
      inits.push(init);
      return new Response(pattern(5), { status: init.headers ? 206 : 200 });
    };
    await httpStore("http://h", { fetch }).get("k");
    await httpStore("http://h", { fetch }).getRange("k", 10, 5);
    expect(inits.map((init) => Object.keys(init))).toEqual([["signal"], ["headers", "signal"]]);
  });

  it("goes to the key's own spelling, the query of the base behind it", async () => {
    await httpStore(`${server.base("exact206")}?sv=1&sig=a%2Fb=#frag`).get(KEY);
    expect(server.seen[0]?.target).toBe(`/exact206/${KEY}?sv=1&sig=a%2Fb=`);
    const odd = await httpStore(server.base("exact206")).get("odd %?#\\ \u00e9");
    expect(odd).toEqual(pattern(3));
    expect(server.seen[1]?.target).toBe("/exact206/odd%20%25%3F%23%5C%20%C3%A9");
  });

  it("calls the global fetch of the moment, on no object of ours", async () => {
    const real = globalThis.fetch;
    const store = httpStore(server.base("exact206"));
    const seen: unknown[] = [];
    vi.stubGlobal("fetch", function (this: unknown, ...args: Parameters<typeof fetch>) {
      seen.push(this);
      return real(...args);
    });
    try {
      await store.get(KEY);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(seen).toEqual([globalThis]);
  });

  it("calls a custom fetch without a this, so that a bare window.fetch works", async () => {
    const seen: unknown[] = [];
    const options = {
      fetch(this: unknown, _url: string, _init: RequestInit) {
        seen.push(this);
        return Promise.resolve(new Response(pattern(5)));
      },
    };
    await httpStore("http://h", options).get("k");
    expect(seen).toEqual([undefined]);
  });
});

describe("an observer", () => {
  it("is told of each transfer once, with what came, and nothing secret", async () => {
    const events: TransferEvent[] = [];
    const onRequest = (event: TransferEvent) => void events.push(event);
    const store = (mode: Mode) => httpStore(`${server.base(mode)}?sig=secret`, { onRequest });
    await store("exact206").get(KEY);
    await store("exact206").getRange(KEY, 10, 5);
    await store("exact206").getRange(KEY, 10, 0);
    await expectFailure(store("206-short").getRange(KEY, 10, 5));
    await expectFailure(store("reset").get(KEY));
    const ms = expect.any(Number) as number;
    expect(events).toEqual([
      { kind: "get", key: KEY, status: 200, bytes: 20, ok: true, ms },
      { kind: "range", key: KEY, offset: 10, length: 5, status: 206, bytes: 5, ok: true, ms },
      { kind: "range", key: KEY, offset: 10, length: 5, status: 206, bytes: 4, ok: false, ms },
      { kind: "get", key: KEY, bytes: 0, ok: false, ms },
    ]);
  });
});

describe("a senseless argument", () => {
  it("is refused before anything is sent", async () => {
    const store = httpStore(server.base("exact206"));
    const ranges: [number, number][] = [[-1, 4], [0, -1], [0.5, 4], [0, NaN], [Infinity, 1], [Number.MAX_SAFE_INTEGER, 1]];
    for (const [offset, length] of ranges) await expectFailure(store.getRange(KEY, offset, length), "InvalidArgument");
    for (const key of ["", "/a", "a//b", "a/", ".", "a/../b", "a/./b", "a\0", "\ud800"]) {
      await expectFailure(store.get(key), "InvalidArgument");
      await expectFailure(store.getRange(key, 0, 0), "InvalidArgument");
    }
    await expectFailure(store.get(KEY, { maxBytes: -1 }), "InvalidArgument");
    await expectFailure(store.getRange(KEY, 0, 4, { maxBytes: NaN }), "InvalidArgument");
    expect(server.seen).toHaveLength(0);
  });
});
