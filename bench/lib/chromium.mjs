/** Columns in Chromium: the package in a page, beside plain `fetch` of the same URLs. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";

/** Requests in flight at most; the reader's own default in browsers, which allow no more to one origin. */
const CONCURRENCY = 6;

/** Items that are read at a time: requests take Chromium half a millisecond each and more. */
export const ITEMS = 1000;

/** What runs in the page. */
const SCRIPT = `
import { openDataset } from "./dist/entry/inline.js";
globalThis.readColumn = async (url, concurrency, end) => {
  const ds = await openDataset(url, "main", { concurrency, cacheBytes: 0 });
  const start = performance.now();
  const column = await ds.array("pose").column({ end });
  const ms = performance.now() - start;
  return { ms, bytes: column.verified === "object" ? column.data.byteLength : 0 };
};
globalThis.readPlain = async (url, keys, concurrency) => {
  let bytes = 0;
  const all = keys.values();
  const lane = async () => {
    for (const key of all) {
      const body = await (await fetch(url + "/" + key)).arrayBuffer();
      bytes += body.byteLength;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { ms: performance.now() - start, bytes };
};
`;

/** The Chromium of this machine. */
export function launchChromium() {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chromium on this machine: node scripts/setup.mjs --for bench");
  return chromium.launch({ executablePath, args: chromiumArgs });
}

/** A page with the package in it. */
export class BrowserSides {
  #browser;
  #page;
  #url;

  /**
   * @param {import("playwright").Browser} browser
   * @param {import("playwright").Page} page
   * @param {string} url
   */
  constructor(browser, page, url) {
    this.#browser = browser;
    this.#page = page;
    this.#url = url;
  }

  /** @param {string} url of the server that has the data */
  static async start(url) {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const bundled = await build({ stdin: { contents: SCRIPT, resolveDir: root }, bundle: true, write: false, format: "iife", platform: "browser", logLevel: "error" });
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(`${url}/`);
    await page.addScriptTag({ content: bundled.outputFiles[0]?.text ?? "" });
    return new BrowserSides(browser, page, url);
  }

  /** Reads the field `pose` as a column, as far as it is measured; milliseconds. */
  readColumn() {
    return this.#run(`readColumn(${JSON.stringify(this.#url)}, ${CONCURRENCY}, ${ITEMS})`);
  }

  /**
   * Bodies by `fetch` and nothing besides; milliseconds.
   * @param {readonly string[]} keys
   */
  readPlain(keys) {
    return this.#run(`readPlain(${JSON.stringify(this.#url)}, ${JSON.stringify(keys.slice(0, ITEMS))}, ${CONCURRENCY})`);
  }

  /** @param {string} expression */
  async #run(expression) {
    /** @type {{ ms: number, bytes: number }} */
    const { ms, bytes } = await this.#page.evaluate(expression);
    if (bytes !== 64 * ITEMS) throw new Error(`Chromium read ${bytes} bytes by ${expression.slice(0, 80)}`);
    return ms;
  }

  close() {
    return this.#browser.close();
  }
}
