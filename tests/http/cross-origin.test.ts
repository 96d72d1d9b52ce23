/** Reads by a real page of another origin: no preflight, hidden headers are no obstacle, and a blocked answer is explained. */

import { build } from "esbuild";
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import type * as http from "../../ts/store/http.js";
import type { Mode } from "../support/broken-modes.js";
import { startBrokenServer, type BrokenServer } from "../support/broken-server.js";
import { pattern } from "../support/bytes.js";

const KEY = "t/array.f32.kind=event/item@1";
const PAGE = new TextEncoder().encode("<!doctype html><title>another origin</title>");
const executablePath = findChromium();

let server: BrokenServer;
let browser: Browser;
let page: Page;

describe("a page of another origin", () => {
  beforeAll(async () => {
    server = await startBrokenServer({ [KEY]: pattern(20), large: pattern(3_000_000), page: PAGE });
    const bundle = await build({
      entryPoints: ["ts/store/http.ts"],
      bundle: true,
      write: false,
      format: "iife",
      globalName: "dreamdb",
      target: "es2022",
    });
    browser = await chromium.launch({ args: chromiumArgs, ...(executablePath === undefined ? {} : { executablePath }) });
    page = await browser.newPage();
    await page.goto(`${server.elsewhere}/exact206/page`);
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? "" });
  }, 60_000);
  afterEach(() => server.forget());
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Reads in the page: the bytes, or the facts of the error. */
  async function read(mode: Mode, key: string, range?: [number, number]): Promise<unknown> {
    const call = { base: `${server.base(mode)}?sig=secret`, key, range };
    return await page.evaluate(async ({ base, key, range }) => {
      const { httpStore } = (globalThis as unknown as { dreamdb: typeof http }).dreamdb;
      const store = httpStore(base, { timeoutMs: 5000 });
      try {
        return [...(range ? await store.getRange(key, ...range) : await store.get(key))];
      } catch (error) {
        const { code, message, url, name } = error as { code: unknown; message: string; url: string; name: string };
        return { code, message, url, name };
      }
    }, call);
  }

  it("reads ranges and objects without a preflight, whatever is exposed", async () => {
    const modes: Mode[] = ["exact206", "no-expose-headers", "options-405", "200-full", "redirect"];
    for (const mode of modes) {
      expect(await read(mode, KEY, [10, 5])).toEqual([10, 11, 12, 13, 14]);
      expect(await read(mode, KEY)).toEqual([...pattern(20)]);
    }
    for (const { method, headers } of server.seen) {
      expect(method).toBe("GET");
      const conditional = Object.keys(headers).filter((name) => /^(if-|cache-control|pragma|x-)/.test(name));
      expect(conditional).toEqual([]);
      expect([undefined, "bytes=10-14"]).toContain(headers["range"]);
    }
  });

  it("finds out by count what hidden headers do not tell", async () => {
    expect(await read("206-short", KEY, [10, 5])).toMatchObject({ code: "BodyLength" });
    expect(await read("206-long", KEY, [10, 5])).toMatchObject({ code: "BodyLength" });
    expect(await read("close-early", KEY, [10, 5])).toMatchObject({ code: "BodyLength" });
    expect(await read("close-delimited", KEY, [10, 5])).toMatchObject({ code: "BodyLength" });
    expect(await read("200-endless", "large", [9_000_000, 5])).toMatchObject({ code: "RangeIgnored" });
  });

  it("reads compressed objects whole; to a range, Chromium refuses any compressed answer itself", async () => {
    expect(await read("200-gzip", KEY)).toEqual([...pattern(20)]);
    for (const mode of ["200-gzip", "206-gzip"] as const) {
      expect(await read(mode, KEY, [10, 5])).toMatchObject({
        code: expect.stringMatching(/Network|CompressedPartial/) as string,
        message: expect.stringContaining("compress") as string,
      });
    }
  });

  it("gets refusals as such, and a blocked answer with its likely causes", async () => {
    expect(await read("403", KEY)).toMatchObject({ code: "Forbidden" });
    expect(await read("416-empty", KEY, [10, 5])).toMatchObject({ code: "RangeNotSatisfiable" });
    for (const mode of ["no-cors", "redirect-no-cors"] as const) {
      expect(await read(mode, KEY, [10, 5])).toMatchObject({
        name: "DreamDbError",
        code: "Network",
        url: `${server.base(mode)}/${KEY}`,
        message: expect.stringMatching(/^(?!.*secret).*target of a redirect.*CORS/) as string,
      });
    }
  });

  it("resolves a base against its own address", async () => {
    const described = await page.evaluate(() => {
      const { httpStore } = (globalThis as unknown as { dreamdb: typeof http }).dreamdb;
      return httpStore("/data/set?sig=secret").describe("refs/main");
    });
    expect(described).toBe(`${server.elsewhere}/data/set/refs/main`);
  });
});
