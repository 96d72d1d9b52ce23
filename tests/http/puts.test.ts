/** PUTs as they arrive at a server, by Node's own sockets and by `fetch`: whole, once, and behind redirects as `fetch` has it. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { codec, httpStore, init } from "dreamdb-arrays";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";

beforeAll(() => init());

interface Arrived {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly condition: string | undefined;
  readonly length: string | undefined;
  readonly body: Uint8Array;
}

/** A server that answers by the first part of the path: a status, with the rest as Location. */
async function serve(): Promise<{ readonly url: string; readonly arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const server = createServer((asked: IncomingMessage, answer) => {
    const chunks: Buffer[] = [];
    asked.on("data", (chunk: Buffer) => chunks.push(chunk));
    asked.on("end", () => {
      const { method, url: path, headers } = asked;
      arrived.push({ method, path, condition: headers["if-none-match"], length: headers["content-length"], body: new Uint8Array(Buffer.concat(chunks)) });
      const [, status = "200", ...rest] = (path ?? "").split("/");
      if (status !== "hangs") answer.writeHead(Number(status), rest.length > 0 ? { Location: `/${rest.join("/")}` } : {}).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
}

describe.each([["sockets", undefined], ["fetch", (url: string, options: RequestInit) => fetch(url, options)]] as const)("by %s", (_name, fetchHook) => {
  it.each([0, 1, 1000, 70_000, 3_000_000])("%i bytes arrive as they are, with their length", async (size) => {
    const { url, arrived } = await serve();
    const store = httpStore(url, { fetch: fetchHook });
    const bytes = pattern(size);
    expect(await store.create("201", bytes)).toBe("created");
    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({ method: "PUT", path: "/201", condition: "*", length: String(size) });
    expect(codec.addressOf(arrived[0]?.body ?? new Uint8Array(1))).toBe(codec.addressOf(bytes));
  });

  it("many share connections, and none gets another's body", async () => {
    const { url, arrived } = await serve();
    const store = httpStore(url, { fetch: fetchHook });
    await Promise.all(Array.from({ length: 100 }, (_, at) => store.create("204", pattern(100 + at))));
    expect(arrived.map(({ body }) => body.byteLength).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => 100 + at));
  });

  it("303 makes a GET of it, which is no success of a write but what fetch does", async () => {
    const { url, arrived } = await serve();
    await httpStore(url, { fetch: fetchHook }).create("303/200", pattern(500));
    expect(arrived.map(({ method, path, body }) => [method, path, body.byteLength])).toEqual([["PUT", "/303/200", 500], ["GET", "/200", 0]]);
  });

  it("is given up with the caller's signal, and by timeout", async () => {
    const { url } = await serve();
    const reason = new Error("enough");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    expect(await expectRejection(httpStore(url, { fetch: fetchHook }).create("hangs", pattern(10), { signal: controller.signal }))).toBe(reason);
    await expectFailure(httpStore(url, { fetch: fetchHook, timeoutMs: 50 }).create("hangs", pattern(10)), "Timeout");
  });

  it("to where nobody listens is Network", async () => {
    await expectFailure(httpStore("http://127.0.0.1:9", { fetch: fetchHook }).create("k", pattern(10)), "Network");
  });
});

describe("by sockets, and not by every `fetch`: that of Node 20 has lost the bytes by then", () => {
  it.each([301, 302, 307, 308])("%i has it sent again, there", async (status) => {
    const { url, arrived } = await serve();
    await httpStore(url).create(`${status}/201`, pattern(500));
    expect(arrived.map(({ method, path, body }) => [method, path, body.byteLength])).toEqual([["PUT", `/${status}/201`, 500], ["PUT", "/201", 500]]);
  });
});
