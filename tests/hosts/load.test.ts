/** Loading the core where something goes wrong, each time in a fresh copy of the modules. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

type Answer = { status?: number; type?: string; body: string | Uint8Array };

const file = new URL("../../pkg/dreamdb_arrays_bg.wasm", import.meta.url);
let server: Server;
let base: string;
let wasm: Uint8Array<ArrayBuffer>;
let answers: Answer[];
let requests: number;

beforeAll(async () => {
  wasm = new Uint8Array(await readFile(file));
  server = createServer((_request, response) => {
    requests += 1;
    // The last answer stands for all that follow.
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    response.writeHead(answer?.status ?? 200, { "content-type": answer?.type ?? "application/wasm" }).end(answer?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

beforeEach(() => {
  vi.resetModules();
  requests = 0;
});

/** The modules as a program sees them that has just been started. */
async function fresh() {
  const state = await import("../../ts/wasm.js");
  const load = await import("../../ts/wasm-load.js");
  const glue = await import("../../pkg/dreamdb_arrays.js");
  const url = () => new URL(`${base}/a.wasm?token=secret`);
  const inline = vi.fn(() => import("../../ts/wasm-inline.js"));
  const broken = vi.fn(() => Promise.reject(new Error("no such chunk")));
  const setLoader = (module: () => Promise<WebAssembly.Module>) => state.setLoader(load.loaderOf(glue, module));
  return { ...state, ...load, setLoader, glue, url, inline, broken };
}

const works = (c: object) => Object.keys(c).length;

test("synchronous use before loading is a named error", async () => {
  const { call } = await fresh();
  expect(() => call(works)).toThrow(expect.objectContaining({ name: "DreamDbError", code: "WasmNotReady" }));
});

test("the file is fetched once for concurrent callers, and the inline copy is left alone", async () => {
  answers = [{ body: wasm }];
  const { setLoader, ready, call, fetchOrInline, url, inline } = await fresh();
  setLoader(() => fetchOrInline(url, inline));
  await Promise.all([ready(), ready(), ready()]);
  await ready();
  expect(call(works)).toBeGreaterThan(0);
  expect(requests).toBe(1);
  expect(inline).not.toHaveBeenCalled();
});

test("a wrong MIME type does not matter", async () => {
  answers = [{ body: wasm, type: "text/plain" }];
  const { setLoader, ready, fetchOrInline, url, broken } = await fresh();
  setLoader(() => fetchOrInline(url, broken));
  await expect(ready()).resolves.toBeUndefined();
});

test.each<[string, Answer]>([
  ["404", { status: 404, body: "gone" }],
  ["an HTML page with status 200", { body: "<!doctype html><title>app</title>", type: "text/html" }],
  ["an empty answer", { body: "" }],
  ["the first half of the file", { body: "" }],
])("%s: the inline copy serves", async (name, answer) => {
  answers = [name.startsWith("the first half") ? { body: wasm.subarray(0, wasm.length >> 1) } : answer];
  const { setLoader, ready, call, fetchOrInline, url, inline } = await fresh();
  setLoader(() => fetchOrInline(url, inline));
  await ready();
  expect(call(works)).toBeGreaterThan(0);
  expect(inline).toHaveBeenCalledOnce();
});

test("without an inline copy the error says what came, from where, and keeps the secret", async () => {
  answers = [{ body: "\n <!doctype html>", type: "text/html; charset=utf-8" }];
  const { setLoader, ready, fetchOrInline, url, broken } = await fresh();
  setLoader(() => fetchOrInline(url, broken));
  const error: unknown = await ready().catch((e: unknown) => e);
  expect(error).toMatchObject({ code: "WasmLoad", status: 200, url: `${base}/a.wasm` });
  expect(error).toMatchObject({ actual: "status 200, text/html; charset=utf-8, first bytes 0a 20 3c 21" });
  expect((error as Error).message).toContain(`got an HTML page, not WebAssembly, from ${base}/a.wasm.`);
  expect((error as Error).message).toContain("no such chunk");
  expect(JSON.stringify(error)).not.toContain("secret");
});

test("a failure is not remembered: the next call tries again, and succeeds", async () => {
  answers = [{ status: 503, body: "" }, { status: 503, body: "" }, { body: wasm }];
  const { setLoader, ready, call, fetchOrInline, url, broken } = await fresh();
  setLoader(() => fetchOrInline(url, broken));
  const first = await Promise.allSettled([ready(), ready()]);
  expect(first.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  expect(requests).toBe(1);
  await expect(ready()).rejects.toMatchObject({ code: "WasmLoad", status: 503 });
  await ready();
  expect(requests).toBe(3);
  expect(call(works)).toBeGreaterThan(0);
});

test("no server at all", async () => {
  const { moduleFrom } = await fresh();
  await expect(moduleFrom("http://127.0.0.1:1/x.wasm")).rejects.toMatchObject({ code: "WasmLoad", url: "http://127.0.0.1:1/x.wasm" });
});

test("a bundle without import.meta: the inline copy serves", async () => {
  const { setLoader, ready, fetchOrInline, inline } = await fresh();
  setLoader(() => fetchOrInline(() => new URL("../x.wasm", undefined), inline));
  await ready();
  expect(inline).toHaveBeenCalledOnce();
});

test("a Content-Security-Policy is named, and the inline copy, which it refuses as well, is not fetched", async () => {
  answers = [{ body: wasm }];
  const { setLoader, ready, fetchOrInline, url, inline } = await fresh();
  setLoader(() => fetchOrInline(url, inline));
  const compile = vi.spyOn(WebAssembly, "compile").mockRejectedValue(
    new WebAssembly.CompileError("WebAssembly.compile(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source"),
  );
  try {
    await expect(ready()).rejects.toMatchObject({ code: "WasmLoad", message: expect.stringContaining("script-src needs 'wasm-unsafe-eval'") as string });
    expect(inline).not.toHaveBeenCalled();
  } finally {
    compile.mockRestore();
  }
});

test.each<[string, () => Promise<WebAssembly.Module> | Uint8Array | ArrayBuffer | Response | URL | string]>([
  ["a module", () => WebAssembly.compile(wasm)],
  ["bytes", () => wasm],
  ["a view that starts elsewhere", () => new Uint8Array([9, ...wasm]).subarray(1)],
  ["an ArrayBuffer", () => wasm.buffer],
  ["a Response", () => new Response(wasm)],
  ["a URL", () => new URL(`${base}/x.wasm`)],
  ["the text of a URL", () => `${base}/x.wasm`],
])("init() takes %s", async (_name, source) => {
  answers = [{ body: wasm }];
  const { init, call } = await fresh();
  await import("../../ts/entry/slim.js");
  await init(await source());
  expect(call(works)).toBeGreaterThan(0);
});

test("init() refuses what is none of them, and bytes that are something else", async () => {
  const { init } = await fresh();
  await import("../../ts/entry/slim.js");
  const wrong: unknown = 42;
  await expect(init(wrong as string)).rejects.toMatchObject({ code: "InvalidArgument" });
  await expect(init(new Uint8Array([1, 2, 3, 4]))).rejects.toMatchObject({ code: "WasmLoad", actual: "bytes were given, first bytes 01 02 03 04" });
  const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  await expect(init(empty)).rejects.toMatchObject({ code: "WasmLoad", message: expect.stringContaining("does not start") as string });
  await init(wasm);
});

test("without a loader of its own the error says to bring the code", async () => {
  const { ready } = await fresh();
  await import("../../ts/entry/slim.js");
  await expect(ready()).rejects.toMatchObject({ code: "WasmNotReady" });
});

test("what cannot start at import starts at the first asynchronous call", async () => {
  const { setLoader, startNow, core, ready, inlineModule, inline } = await fresh();
  setLoader(() => inlineModule(inline));
  startNow(() => {
    throw new Error("ENOENT");
  });
  expect(() => core()).toThrow(expect.objectContaining({ code: "WasmNotReady" }));
  await ready();
  expect(core()).toBeDefined();
});
