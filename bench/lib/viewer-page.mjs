/** The viewer as `dreamdb-arrays view` serves it, in Chromium, and the frames of its page. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { root } from "../../scripts/lib/paths.mjs";
import { quantile } from "./turns.mjs";

/**
 * As on a machine without a graphics card: the page is drawn by Chromium itself, WebGL by SwiftShader. Told to take SwiftShader for a graphics card, as by
 * `--use-angle`, Chromium draws all of the page by it, which no person meets.
 */
const ARGS = [...chromiumArgs, "--enable-unsafe-swiftshader"];

/**
 * What a person met: milliseconds from frame to frame, and of JavaScript a frame.
 * @typedef {{ frames: number, median: number, p95: number, longest: number, script: number }} Frames
 */

/**
 * What is done once a frame: scrolling by rows, turning a scene, moving the playhead by ten Items, zooming the timeline in for a while and out again, the pointer
 * going from the left to the right and back.
 * @typedef {"scroll" | "turn" | "step" | "zoom" | "hover"} Deed
 */

/**
 * Does something in each of so many frames; milliseconds of each. This runs in the page, and knows nothing beside it.
 * @param {Element} element
 * @param {{ deed: Deed, count: number }} asked
 */
async function act(element, { deed, count }) {
  const press = (/** @type {string} */ key, shiftKey = false) => element.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
  const point = (/** @type {number} */ frame) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [clientX, clientY] = [left + width * (0.1 + 0.8 * Math.abs(((frame / 40) % 2) - 1)), top + height / 2];
    for (const type of ["pointermove", "mousemove"]) element.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerId: 1, bubbles: true }));
  };
  /** @type {number[]} */
  const took = [];
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < count; frame++) {
    if (deed === "scroll") element.scrollTop += 3000;
    if (deed === "turn") press("ArrowRight");
    if (deed === "step") press("ArrowRight", true);
    if (deed === "zoom") press(frame % 24 < 12 ? "+" : "-");
    if (deed === "hover") point(frame);
    const now = await new Promise(requestAnimationFrame);
    took.push(now - last);
    last = now;
  }
  return took;
}

/** A browser with one page. */
export class ViewerPage {
  #browser;
  #page;
  #profile;

  /**
   * @param {import("playwright").Browser} browser
   * @param {import("playwright").Page} page
   * @param {import("playwright").CDPSession} profile
   */
  constructor(browser, page, profile) {
    this.#browser = browser;
    this.#page = page;
    this.#profile = profile;
  }

  static async start() {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error("no Chromium on this machine: node scripts/setup.mjs --for browser");
    const browser = await chromium.launch({ executablePath, args: ARGS });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const profile = await page.context().newCDPSession(page);
    await profile.send("Performance.enable");
    return new ViewerPage(browser, page, profile);
  }

  /** The page, for what is done in it beside measuring. */
  get page() {
    return this.#page;
  }

  /**
   * Opens an address of the viewer and waits until something is there.
   * @param {string} address
   * @param {Record<string, string>} query
   * @param {string} selector of what shows the data
   * @param {number} [timeout]
   */
  async open(address, query, selector, timeout = 120_000) {
    const url = new URL(address);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    await this.#page.goto(url.href);
    await this.#page.locator(selector).first().waitFor({ timeout });
  }

  /**
   * Does something in each of so many frames.
   * @param {string} selector of what it is done to
   * @param {Deed} deed
   * @param {number} count
   * @returns {Promise<Frames>}
   */
  async frames(selector, deed, count) {
    const before = await this.#scriptSeconds();
    const frames = await this.#page.locator(selector).first().evaluate(act, { deed, count });
    return this.#framesOf(frames, before);
  }

  /**
   * Frames while something happens that the page does by itself.
   * @param {() => Promise<unknown>} until
   * @returns {Promise<Frames>}
   */
  async framesUntil(until) {
    const before = await this.#scriptSeconds();
    const watched = await this.#page.evaluateHandle(() => {
      /** @type {{ took: number[], isOn: boolean }} */
      const state = { took: [], isOn: true };
      let last = performance.now();
      const next = (/** @type {number} */ now) => {
        state.took.push(now - last);
        last = now;
        if (state.isOn) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
      return state;
    });
    await until();
    const frames = await watched.evaluate((state) => {
      state.isOn = false;
      return state.took.slice(1);
    });
    return this.#framesOf(frames, before);
  }

  /**
   * @param {number[]} frames
   * @param {number} before seconds of script
   * @returns {Promise<Frames>}
   */
  async #framesOf(frames, before) {
    const script = (((await this.#scriptSeconds()) - before) * 1000) / frames.length;
    return { frames: frames.length, median: quantile(frames, 0.5), p95: quantile(frames, 0.95), longest: Math.max(...frames), script };
  }

  /** Seconds that scripts of the page took so far, those that measure included. */
  async #scriptSeconds() {
    const { metrics } = await this.#profile.send("Performance.getMetrics");
    const found = metrics.find(({ name }) => name === "ScriptDuration");
    if (found === undefined) throw new Error("Chromium does not say how long scripts take");
    return found.value;
  }

  close() {
    return this.#browser.close();
  }
}

/**
 * `dreamdb-arrays view` of a folder, in a process of its own.
 * @param {string} folder
 */
export async function view(folder) {
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), "view", folder, "--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
  const [address] = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`the server ended (${String(code)})`))),
  ]);
  return {
    address: String(address),
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
  };
}
