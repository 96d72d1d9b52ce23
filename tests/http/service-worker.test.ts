/** A page whose requests pass through a service worker, as offline applications have them: whole objects for ranges, and short ones. */

import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import type * as api from "../../ts/api.js";
import { type Broken, openBroken } from "../support/broken.js";
import { FIELD, packedDataset } from "../support/built.js";

/** What the worker does with a request for an object, after the words that every worker has. */
const WORKERS = {
  /** Keeps whole objects, and has nothing else: a cache cannot hold a part. */
  wholes: `
    const cache = await caches.open("objects");
    const kept = await cache.match(request.url);
    if (kept !== undefined) return kept;
    const answer = await fetch(request.url);
    await cache.put(request.url, answer.clone());
    return answer;`,
  /** Tries to keep parts, which a cache refuses. */
  parts: `
    const answer = await fetch(request);
    const cache = await caches.open("objects");
    await cache.put(request.url, answer.clone());
    return answer;`,
  /** Gives the beginning of what was asked as if that were all, unless it is told to go around what it keeps. */
  short: `
    const answer = await fetch(request);
    if (request.cache === "reload") return answer;
    const { status, headers } = answer;
    return new Response((await answer.arrayBuffer()).slice(0, 700), { status, headers });`,
} as const;

const sizes = Array.from({ length: 20 }, (_, at) => 2000 + at);
const plain = packedDataset([{ sizes }]);
const proved = packedDataset([{ sizes, outboard: true }]);

let bundle = "";
let browser: Browser;
beforeAll(async () => {
  const [built] = (
    await build({ entryPoints: ["ts/entry/inline.ts"], bundle: true, write: false, format: "iife", globalName: "dreamdb", target: "es2022", logLevel: "error" })
  ).outputFiles;
  bundle = built?.text ?? "";
  const executablePath = findChromium();
  browser = await chromium.launch({ args: chromiumArgs, ...(executablePath === undefined ? {} : { executablePath }) });
}, 60_000);
afterAll(() => browser?.close());

/** A page that such a worker controls, and the server behind it. */
async function controlled(worker: keyof typeof WORKERS, { objects }: typeof plain): Promise<{ broken: Broken; page: Page }> {
  const script = `
    addEventListener("install", () => skipWaiting());
    addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    const answer = async (request) => {${WORKERS[worker]}
    };
    addEventListener("fetch", (event) => {
      if (event.request.url.includes("/0000000000000000/")) event.respondWith(answer(event.request));
    });`;
  const html = `<!doctype html><meta charset="utf-8"><title>offline</title><script src="bundle.js"></script>`;
  const broken = await openBroken({ objects: { ...objects, "page.html": { text: html }, "bundle.js": { text: bundle }, "worker.js": { text: script } } });
  // A context of its own: workers and caches of one page must not meet those of another.
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${broken.base("exact206")}/page.html`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("worker.js");
    while (navigator.serviceWorker.controller === null) await new Promise((resolve) => setTimeout(resolve, 10));
  });
  await broken.forget();
  return { broken, page };
}

interface Told {
  readonly status: string;
  readonly bytes?: readonly number[];
  readonly verified?: string;
  readonly code?: string;
  readonly message?: string;
}

/** Reads Items in the page. */
async function read(page: Page, built: typeof plain, verify: "always" | "available" | "never", anchors: readonly number[]): Promise<Told[]> {
  const call = { version: built.version, verify, anchors, name: FIELD };
  return await page.evaluate(async ({ version, verify, anchors, name }) => {
    const { init, openDataset } = (globalThis as unknown as { dreamdb: typeof api }).dreamdb;
    await init();
    const ds = await openDataset(location.href.replace(/\/page.html$/, ""), version, { verify, maxGap: 0, retry: { minDelayMs: 1 } });
    const outcomes = await ds.media(name).readMany(anchors);
    return outcomes.map((outcome) => {
      if (outcome.status === "error") return { status: "error", code: outcome.error.code, message: outcome.error.message };
      if (outcome.status !== "value") return { status: outcome.status };
      return { status: "value", bytes: [...outcome.value.bytes], verified: outcome.value.verified };
    });
  }, call);
}

const WANTED = [1, 9, 17];
const right = (verified: string) => WANTED.map((anchor) => ({ status: "value", bytes: [...(plain.items[anchor] ?? [])], verified }));

describe("a page controlled by a service worker", () => {
  it.each([["always", proved, "object"], ["available", proved, "object"], ["available", plain, "object"], ["never", plain, "none"]] as const)(
    "that gives whole objects in place of ranges reads right, and the object comes over the network once (verified %s)",
    async (verify, built, verified) => {
      const { broken, page } = await controlled("wholes", built);
      expect(await read(page, built, verify, WANTED)).toEqual(right(verified));
      expect(await read(page, built, verify, WANTED)).toEqual(right(verified));
      const packs = (await broken.requests()).filter(({ key }) => key === built.keys[0]);
      expect(packs.map(({ headers }) => headers["range"])).toEqual([undefined]);
    },
  );

  it("that fails because a cache holds no parts is told that no answer came, and what may be the cause", async () => {
    const { broken, page } = await controlled("parts", plain);
    const outcomes = await read(page, plain, "never", WANTED);
    expect(outcomes).toMatchObject(WANTED.map(() => ({ status: "error", code: "Network" })));
    for (const { message } of outcomes) expect(message).toMatch(/no answer from .*CORS.*blocker/);
    expect((await broken.requests()).filter(({ key }) => key === plain.keys[0]).length).toBeLessThanOrEqual(4 * WANTED.length);
  });

  it("that cuts what it keeps is asked to go around it, once, and reads right", async () => {
    for (const [verify, built, verified] of [["always", proved, "range"], ["never", plain, "none"]] as const) {
      const { broken, page } = await controlled("short", built);
      expect(await read(page, built, verify, WANTED)).toEqual(right(verified));
      expect((await broken.requests()).filter(({ key }) => key === built.keys[0])).toHaveLength(2 * WANTED.length);
    }
  });
});
