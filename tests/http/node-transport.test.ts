/** Requests by the client of Node's entry: what the suite of all hosts cannot see, and that it comes to the same as `fetch` does, fault by fault. */

import { httpStore } from "dreamdb-arrays";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import type { HttpInit } from "../../ts/store/http-answer.js";
import { nodeTransport } from "../../ts/store/node/transport.js";
import { type Broken, openBroken } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { endingBy, readAll } from "../support/exchange.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { countListeners } from "../support/listeners.js";
import { gate } from "../support/recording.js";
import { serveOnce } from "../support/serve-once.js";

const OBJECT = pattern(100);
let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { item: { pattern: 100 } } });
});
beforeEach(() => broken.forget());
afterEach(() => vi.unstubAllGlobals());

/** Any object, or its range. */
const answer: RequestListener = ({ headers }, response) => {
  const [first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.slice(1).map(Number) ?? [];
  response.writeHead(first === undefined ? 200 : 206).end(OBJECT.subarray(first, last === undefined ? undefined : last + 1));
};

/** What a read came to, as far as a caller can act upon it. */
async function outcome(read: Promise<Uint8Array>): Promise<unknown> {
  try {
    return [...(await read)];
  } catch (error) {
    const { code, status, expected, subject, retryAfterMs } = error as Record<string, unknown>;
    return { code, status, expected, subject, mayRetry: retryAfterMs !== undefined };
  }
}

/** All but the one that looks at what is accepted: `fetch` takes compressed objects, this does not ask for them. */
const FAULTS = inject("brokenModes").filter((mode) => mode !== "gzip-if-accepted");

describe("every fault of the misbehaving server", () => {
  it.each(FAULTS)("(%s) comes to the same as by fetch, and leaves no listener behind", async (mode) => {
    // Objects of sessions of their own, as some faults pass.
    const [ours, fetchs] = await Promise.all([1, 2].map(() => openBroken({ objects: { item: { pattern: 100 } } })));
    const options = { timeoutMs: 600, maxWholeBytes: 200_000 };
    const { signal } = new AbortController();
    const listeners = countListeners(signal);
    const node = httpStore(ours?.base(mode) ?? "", options);
    const plain = httpStore(fetchs?.base(mode) ?? "", { ...options, fetch: (url, init) => fetch(url, init) });
    const [whole, sameWhole] = await Promise.all([outcome(node.get("item", { signal })), outcome(plain.get("item"))]);
    expect(whole).toEqual(sameWhole);
    const [part, samePart] = await Promise.all([outcome(node.getRange("item", 10, 5, { signal })), outcome(plain.getRange("item", 10, 5))]);
    expect(part).toEqual(samePart);
    expect(listeners()).toBe(0);
  });

  it.each(FAULTS)("(%s) can be aborted at any moment", async (mode) => {
    const reason = new Error("enough");
    for (const ms of [0, 3]) {
      const controller = new AbortController();
      const listeners = countListeners(controller.signal);
      const read = nodeTransport(`${broken.base(mode)}/item`, { headers: { Range: "bytes=10-14" } }, endingBy(controller.signal)).then(readAll);
      const settled = Promise.allSettled([read]);
      await new Promise((resolve) => setTimeout(resolve, ms));
      controller.abort(reason);
      const [{ status, reason: thrown }] = (await settled) as [{ status: string; reason?: unknown }];
      if (status === "rejected" && thrown !== reason) expect(thrown).toBeInstanceOf(Error);
      expect(listeners()).toBe(0);
    }
  });
});

describe("connections", () => {
  it("are used again: one for a thousand reads in a row", async () => {
    const server = await serveOnce(answer);
    const store = httpStore(server.url);
    for (let at = 0; at < 1000; at++) expect(await store.getRange("item", at % 90, 10)).toEqual(OBJECT.slice(at % 90, (at % 90) + 10));
    expect(server.connections()).toBe(1);
  });

  it("are as many as there are reads at once", async () => {
    const server = await serveOnce(answer);
    const store = httpStore(server.url);
    let next = 0;
    const readSome = async (): Promise<void> => {
      while (next++ < 1000) await store.get("item");
    };
    await Promise.all(Array.from({ length: 32 }, readSome));
    expect(server.connections()).toBeLessThanOrEqual(32);
  });

  it("serve on after refusals, redirects, and bodies that were let go when they had come", async () => {
    const server = await serveOnce((request, response) => {
      if (request.url === "/moved") response.writeHead(302, { location: "/item" }).end("it moved");
      else if (request.url === "/none") response.writeHead(404).end("no");
      else answer(request, response);
    });
    const store = httpStore(server.url);
    await expectFailure(store.get("none"), "NotFound");
    expect(await store.get("moved")).toEqual(OBJECT);
    await expectFailure(store.get("item", { maxBytes: 5 }), "TooLarge");
    // Nobody waits for the end of what was let go.
    await new Promise(setImmediate);
    expect(await store.get("item")).toEqual(OBJECT);
    expect(server.connections()).toBe(1);
  });

  it("that the server closes just as they are used again are replaced, once and unseen", async () => {
    const served = new Map<Socket, number>();
    const server = await serveOnce((request, response) => {
      const nth = (served.get(request.socket) ?? 0) + 1;
      served.set(request.socket, nth);
      if (nth > 1) request.socket.resetAndDestroy();
      else answer(request, response);
    });
    const store = httpStore(server.url);
    expect(await store.get("item")).toEqual(OBJECT);
    expect(await store.getRange("item", 3, 4)).toEqual(OBJECT.slice(3, 7));
    expect(server.connections()).toBe(2);
  });

  it("that are reset when they are new are an error at once", async () => {
    let requests = 0;
    const server = await serveOnce(({ socket }) => {
      requests++;
      socket.resetAndDestroy();
    });
    expect((await expectFailure(httpStore(server.url).get("item"), "Network")).message).toContain("ECONNRESET");
    expect(requests).toBe(1);
  });

  it("that end with an answer of no known kind are an error, not silence", async () => {
    const server = await serveOnce(({ socket }) => void socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"));
    await expectFailure(httpStore(server.url).get("item"), "Network");
    const babble = await serveOnce(({ socket }) => void socket.end("good morning\r\n\r\n"));
    await expectFailure(httpStore(babble.url).get("item"), "Network");
  });

  it("that are not made in time are no answer, long before a silent server is given up", async () => {
    const accepted = gate();
    const server = createServer(() => accepted.open());
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const read = expectFailure(httpStore(`https://127.0.0.1:${(server.address() as AddressInfo).port}`).get("item"), "Network");
    await accepted.opened;
    vi.advanceTimersByTime(10_000);
    expect((await read).message).toContain("ETIMEDOUT");
  });

  it("by a name that does not exist say so", async () => {
    expect((await expectFailure(httpStore("http://nowhere.invalid").get("item"), "Network")).message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });
});

describe("a redirect", () => {
  /** Serves `/0` by so many redirects to `item`, each with the location that `where` gives. */
  const chain = async (length: number, where: (at: number) => string) =>
    await serveOnce((request, response) => {
      const at = Number(request.url?.slice(1));
      if (at < length) response.writeHead(302, { location: where(at + 1) }).end();
      else answer(request, response);
    });

  it("is followed twenty times, and not once more, as by fetch", async () => {
    for (const [length, code] of [[20, undefined], [21, "Network"]] as const) {
      const { url } = await chain(length, (at) => String(at));
      for (const store of [httpStore(url), httpStore(url, { fetch: (to, init) => fetch(to, init) })]) {
        if (code === undefined) expect(await store.getRange("0", 5, 5)).toEqual(OBJECT.slice(5, 10));
        else expect((await expectFailure(store.getRange("0", 5, 5), code)).message).toContain("redirect count exceeded");
      }
    }
  });

  it.each([301, 302, 303, 307, 308])("of status %i is followed, relative or not, however long its page is", async (status) => {
    const server = await serveOnce((request, response) => {
      const raw = Buffer.from(`//${request.headers.host}/é`).toString("latin1");
      if (request.url === "/a/b?x=1") response.writeHead(status, { location: "../c/d?y=2" }).end();
      else if (request.url === "/c/d?y=2") response.writeHead(status, { location: raw }).end(new Uint8Array(5e6));
      else answer(request, response);
    });
    const { signal } = new AbortController();
    const found = await nodeTransport(`${server.url}/a/b?x=1`, {}, endingBy(signal));
    expect(found.url).toBe(`${server.url}/%C3%A9`);
    expect(await readAll(found)).toEqual(Buffer.from(OBJECT));
  });

  it.each([["says how long it is", { "content-length": 10 }], ["comes in chunks", {}]])("is followed though its page, which %s, never ends", async (_, headers) => {
    const server = await serveOnce((request, response) => {
      if (request.url === "/away") response.writeHead(302, { location: "item", ...headers }).write("begin");
      else answer(request, response);
    });
    for (const fetches of [undefined, (url: string, init: RequestInit) => fetch(url, init)]) {
      expect(await httpStore(server.url, { fetch: fetches, timeoutMs: 2000 }).get("away")).toEqual(OBJECT);
    }
    // Given up meanwhile, it is not followed.
    const signal = AbortSignal.timeout(50);
    expect(await expectRejection(httpStore(server.url).get("away", { signal }))).toBe(signal.reason);
  });

  it.each(["ftp://127.0.0.1/x", "data:,x", "http://user:word@127.0.0.1/x", "http://[", "file:///etc/hostname"])("to %s is an error", async (location) => {
    const server = await serveOnce((_request, response) => void response.writeHead(302, { location }).end());
    for (const fetches of [undefined, (url: string, init: RequestInit) => fetch(url, init)]) {
      await expectFailure(httpStore(server.url, { fetch: fetches }).get("item"), "Network");
    }
  });

  it("without a location is an answer", async () => {
    const server = await serveOnce((_request, response) => void response.writeHead(302).end());
    expect(await expectFailure(httpStore(server.url).get("item"), "HttpStatus")).toMatchObject({ status: 302 });
  });
});

describe("a body", () => {
  const coded: [string, Uint8Array][] = [
    ["gzip", gzipSync(OBJECT)], ["x-gzip", gzipSync(OBJECT)], ["deflate", deflateSync(OBJECT)], ["br", brotliCompressSync(OBJECT)],
    ["gzip, br", brotliCompressSync(gzipSync(OBJECT))],
  ];
  it.each(coded)("in the coding %s is decoded, unless it is a part", async (coding, bytes) => {
    const reply = (status: number) => (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(status, { "content-encoding": coding }).end(bytes);
    expect(await httpStore((await serveOnce(reply(200))).url).get("item")).toEqual(OBJECT);
    const { signal } = new AbortController();
    const part = await nodeTransport((await serveOnce(reply(206))).url, {}, endingBy(signal));
    expect(await readAll(part)).toEqual(Buffer.from(bytes));
  });

  it("that is not in the coding it says, or breaks off in it, is an error", async () => {
    const wrong = await serveOnce((_request, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(OBJECT));
    await expectFailure(httpStore(wrong.url).get("item"), "BodyLength");
    const cut = await serveOnce((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": "1000" }).write(gzipSync(OBJECT).subarray(0, 15), () => response.destroy());
    });
    await expectFailure(httpStore(cut.url).get("item"), "BodyLength");
  });

  it("that nobody reads is not received, and ends when it is cancelled", async () => {
    const { signal } = new AbortController();
    const listeners = countListeners(signal);
    const unread = await nodeTransport(`${broken.base("200-endless")}/item`, {}, endingBy(signal));
    let calm = 0;
    let before = -1;
    const { requests } = await broken.until(({ requests: [request] }) => {
      calm = request?.sent === before ? calm + 1 : 0;
      before = request?.sent ?? -1;
      return calm > 20;
    });
    expect(requests[0]?.sent).toBeLessThan(16 * 1024 * 1024);
    await unread.body?.cancel();
    await broken.until(({ requests: [request] }) => request?.clientLeft === true);
    expect(listeners()).toBe(0);
  });

  it("ends a read that waits when it is cancelled, and with the reason when it is aborted", async () => {
    const begun = async (init: HttpInit & { signal: AbortSignal }) => {
      const reader = (await nodeTransport(`${broken.base("stall-in-body")}/item`, init, endingBy(init.signal))).body?.getReader();
      expect((await reader?.read())?.value).toHaveLength(2);
      return { reader, waits: reader?.read() };
    };
    const controller = new AbortController();
    const cancelled = await begun({ signal: controller.signal });
    await cancelled.reader?.cancel();
    expect(await cancelled.waits).toEqual({ done: true });
    const aborted = await begun({ signal: controller.signal });
    const rejection = expectRejection(Promise.resolve(aborted.waits));
    controller.abort();
    expect(await rejection).toBe(controller.signal.reason);
  });
});

describe("what the user has put in the place of the host's fetch", () => {
  it("goes first: a fetch of the store's own, a global one, a dispatcher", async () => {
    const seen: string[] = [];
    const own = async (url: string) => {
      seen.push(url);
      return new Response(OBJECT);
    };
    await httpStore("http://h/own", { fetch: own }).get("item");
    vi.stubGlobal("fetch", own);
    await httpStore("http://h/global").get("item");
    vi.unstubAllGlobals();
    class Recorder {
      dispatch({ path }: { path: string }, handler: { onError(error: Error): void }): boolean {
        seen.push(path);
        handler.onError(new Error("no proxy today"));
        return true;
      }
    }
    // Node makes its own with the first request.
    await fetch(broken.base("404"));
    const key = Symbol.for("undici.globalDispatcher.1");
    const usual: unknown = Reflect.get(globalThis, key);
    Reflect.set(globalThis, key, new Recorder());
    const failed = await expectFailure(httpStore("http://h/proxied").get("item"), "Network");
    Reflect.set(globalThis, key, usual);
    expect(failed.message).toContain("no proxy today");
    expect(seen).toEqual(["http://h/own/item", "http://h/global/item", "/proxied/item"]);
  });

  it("is given nothing to do otherwise", async () => {
    expect(await httpStore(broken.base("exact206")).get("item")).toEqual(OBJECT);
    const [{ headers } = { headers: {} }] = await broken.requests();
    expect(headers).not.toHaveProperty("sec-fetch-mode");
    for (const [cache, expected] of [["no-store", "no-cache"], ["no-cache", "max-age=0"], ["default", undefined]] as const) {
      await broken.forget();
      await httpStore(broken.base("exact206"), { cache }).get("item");
      expect((await broken.requests())[0]?.headers["cache-control"]).toBe(expected);
    }
  });
});
