/**
 * The viewer in a real Chromium, over real HTTP: the page from one origin, data from another.
 *
 * Whatever the page writes to the console as an error, throws, or asks of an origin that is neither its own nor the source's is kept, and `close()`
 * fails with it: no test has to think of it.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { expect } from "vitest";
import { chromiumArgs, findChromium } from "../../../scripts/lib/chromium.mjs";
import { root, scratch } from "../../../scripts/lib/paths.mjs";
import { type PageServer, servePage } from "./page-server.js";

/** What a test opens. */
export interface Visit {
  /** URL of a dataset's root, or of anything. */
  readonly source?: string | undefined;
  /** What else the address says: `ref`, `field`, `view`, `anchor`, `from`, `to`, `x.…`. */
  readonly query?: Readonly<Record<string, string>>;
  /** Codes that the console may complain of: a test of failures says which it makes. */
  readonly mayComplain?: RegExp;
}

/** A page that shows the viewer. */
export interface Viewer {
  readonly page: Page;
  /** Closes it; fails if anything went wrong that no test asked for. */
  close(): Promise<void>;
}

/** A browser with the page's server, for the tests of one file. */
export interface Stage {
  readonly pageUrl: string;
  open(visit?: Visit): Promise<Viewer>;
  close(): Promise<void>;
}

/** Software rendering: the machine of a test has no GPU. */
const ARGS = [...chromiumArgs.filter((arg) => arg !== "--disable-gpu"), "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Starts them. */
export async function stage(options: { readonly width?: number; readonly height?: number; readonly colorScheme?: "light" | "dark"; readonly hasTouch?: boolean; readonly headers?: Readonly<Record<string, string>> } = {}): Promise<Stage> {
  const { width = 1280, height = 800, colorScheme = "light", hasTouch = false, headers = {} } = options;
  const server: PageServer = await servePage(join(root, "viewer", "dist"), headers);
  const executablePath = findChromium();
  const browser: Browser = await chromium.launch({ args: ARGS, ...(executablePath === undefined ? {} : { executablePath }) });
  return {
    pageUrl: server.url,
    async open({ source, query = {}, mayComplain } = {}) {
      const context: BrowserContext = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && mayComplain?.test(message.text()) !== true) complaints.push(message.text());
      });
      const allowed = [server.url, ...(source === undefined ? [] : [new URL(source, server.url).origin])];
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (!["blob:", "data:"].includes(url.protocol) && !allowed.includes(url.origin)) complaints.push(`a request to ${url.href}`);
      });
      const params = new URLSearchParams({ ...(source === undefined ? {} : { source }), ...query });
      await page.goto(`${server.url}/?${params.toString()}`);
      return {
        page,
        async close() {
          await context.close();
          if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join("\n")}`);
        },
      };
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** The text of a number in the side panel: `data-stat` of statistics, `data-bytes` of bytes. */
export async function sideText(page: Page, kind: "stat" | "bytes", name: string): Promise<string> {
  return (await page.locator(`[data-${kind}="${name}"]`).innerText()).trim();
}

/** Waits until the timeline has read the strips of all fields, which it does beside what is on screen. */
export async function stripsRead(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.strip[aria-label$=": not read yet"]').count()).toBe(0);
}

/** Takes a picture for the eye and the README: `.tools/viewer/NAME.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = join(scratch, "viewer");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
