/** What goes out: plain GETs with at most a Range header, and nothing that makes a browser ask first or an edge worker throw. */

import { httpStore, type TransferEvent } from "dreamdb-arrays";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Broken, type Mode, openBroken, rangesOf } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const KEY = "t/array.f32.kind=event.storage=dense/item";
let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { [KEY]: { pattern: 20 } } });
});
beforeEach(() => broken.forget());
afterEach(() => vi.unstubAllGlobals());

/** What the hosts' own fetch adds by itself: none of it makes a page's request need leave. */
const BY_THE_HOST = /^(host|connection|accept|accept-language|accept-encoding|user-agent|origin|referer|sec-.*)$/;

describe("a request", () => {
  it("is a GET without any header of ours, or with Range alone, however it is answered", async () => {
    const modes: Mode[] = ["exact206", "200-full", "206-short", "206-gzip", "403", "416-empty", "500", "redirect-cross-origin", "OPTIONS-405", "HEAD-403"];
    for (const mode of modes) {
      await httpStore(broken.base(mode)).get(KEY).catch(() => undefined);
      await httpStore(broken.base(mode)).getRange(KEY, 10, 5).catch(() => undefined);
    }
    const requests = await broken.requests();
    expect(requests).toHaveLength(2 * (modes.length + 1));
    for (const { method, headers } of requests) {
      expect(method).toBe("GET");
      const ours = Object.entries(headers).filter(([name]) => !BY_THE_HOST.test(name));
      expect([[], [["range", "bytes=10-14"]]]).toContainEqual(ours);
    }
  });

  it("asks for exactly the bytes, by their first and last, none of them before the object or behind what is known of it", async () => {
    const store = httpStore(broken.base("exact206"));
    const spans: [offset: number, length: number, range: string][] = [
      [0, 1, "bytes=0-0"],
      [0, 20, "bytes=0-19"],
      [10, 5, "bytes=10-14"],
      [19, 1, "bytes=19-19"],
    ];
    for (const [offset, length] of spans) expect(await store.getRange(KEY, offset, length)).toEqual(pattern(20).slice(offset, offset + length));
    expect(rangesOf(await broken.requests())).toEqual(spans.map(([, , range]) => range));
  });

  it("asks for bytes behind 4 GiB by their own numbers", async () => {
    const store = httpStore(broken.base("416-empty"));
    await expectFailure(store.getRange(KEY, 4294967290, 10), "RangeNotSatisfiable");
    await expectFailure(store.getRange(KEY, 2 ** 53 - 11, 10), "RangeNotSatisfiable");
    expect(rangesOf(await broken.requests())).toEqual(["bytes=4294967290-4294967299", "bytes=9007199254740981-9007199254740990"]);
  });

  it("is not sent for no bytes", async () => {
    const store = httpStore(broken.base("500"));
    expect(await store.getRange(KEY, 460, 0)).toEqual(new Uint8Array(0));
    expect(await store.getRange(KEY, 0, 0)).toEqual(new Uint8Array(0));
    expect(await broken.requests()).toHaveLength(0);
  });

  it("passes to fetch nothing but headers and a signal, and does not need more", async () => {
    const inits: RequestInit[] = [];
    // As edge workers do it: an option that is not known there is an error.
    const strict = async (url: string, init: RequestInit) => {
      inits.push(init);
      for (const name of ["cache", "mode", "credentials", "keepalive", "integrity", "priority", "redirect", "referrerPolicy"]) {
        if (name in init) throw new TypeError(`The '${name}' field on 'RequestInitializerDict' is not implemented.`);
      }
      return await fetch(url, init);
    };
    const store = httpStore(broken.base("exact206"), { fetch: strict });
    expect(await store.get(KEY)).toEqual(pattern(20));
    expect(await store.getRange(KEY, 10, 5)).toEqual(pattern(20).slice(10, 15));
    expect(inits.map((init) => Object.keys(init).sort())).toEqual([["signal"], ["headers", "signal"]]);
  });

  it("may be one of dozens at once, as none is kept alive behind the page's back", async () => {
    const store = httpStore(broken.base("exact206"));
    const reads = Array.from({ length: 40 }, (_, at) => store.getRange(KEY, at % 20, 1));
    expect((await Promise.all(reads)).map(([byte]) => byte)).toEqual(Array.from(reads, (_, at) => at % 20));
    expect(await broken.requests()).toHaveLength(40);
  });

  it("calls the global fetch of the moment, on no object of ours", async () => {
    const real = globalThis.fetch;
    const store = httpStore(broken.base("exact206"));
    const seen: unknown[] = [];
    vi.stubGlobal("fetch", function (this: unknown, ...args: Parameters<typeof fetch>) {
      seen.push(this);
      return real(...args);
    });
    await store.get(KEY);
    expect(seen).toEqual([globalThis]);
  });

  it("calls a custom fetch without a this, so that a bare window.fetch works", async () => {
    const seen: unknown[] = [];
    const options = {
      fetch(this: unknown, url: string, init: RequestInit) {
        seen.push(this);
        return fetch(url, init);
      },
    };
    await httpStore(broken.base("exact206"), options).get(KEY);
    expect(seen).toEqual([undefined]);
  });
});

describe("an observer", () => {
  it("is told of each transfer once, with what came, and nothing secret", async () => {
    const events: TransferEvent[] = [];
    const onRequest = (event: TransferEvent) => void events.push(event);
    const store = (mode: Mode) => httpStore(`${broken.base(mode)}?sig=secret`, { onRequest });
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
    expect(JSON.stringify(events)).not.toContain("secret");
  });
});

describe("a senseless argument", () => {
  it("is refused before anything is sent, and never becomes a header", async () => {
    const store = httpStore(broken.base("exact206"));
    const ranges: [number, number][] = [
      [-1, 4], [0, -1], [0.5, 4], [0, NaN], [NaN, 4], [Infinity, 1], [Number.MAX_SAFE_INTEGER, 1], ["10" as never, 5], [10n as never, 5], [undefined as never, 5],
    ];
    for (const [offset, length] of ranges) await expectFailure(store.getRange(KEY, offset, length), "InvalidArgument");
    for (const key of ["", "/a", "a//b", "a/", ".", "a/../b", "a/./b", "a\0", "\ud800"]) {
      await expectFailure(store.get(key), "InvalidArgument");
      await expectFailure(store.getRange(key, 0, 0), "InvalidArgument");
    }
    await expectFailure(store.get(KEY, { maxBytes: -1 }), "InvalidArgument");
    await expectFailure(store.getRange(KEY, 0, 4, { maxBytes: NaN }), "InvalidArgument");
    expect(await broken.requests()).toHaveLength(0);
  });
});
