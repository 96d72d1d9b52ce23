/** A page of its own in a headless Chromium. */
import { chromium } from "playwright";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";

/**
 * Open a page, look at it, and close the browser; what goes wrong is told with what the page said.
 * @template T
 * @param {string} url
 * @param {(page: import("playwright").Page) => Promise<T>} look
 * @returns {Promise<T>}
 */
export async function withPage(url, look) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("no Chromium on this machine: node scripts/setup.mjs --for hosts");
  const browser = await chromium.launch({ executablePath, args: chromiumArgs });
  /** @type {string[]} */
  const said = [];
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => said.push(String(error)));
    page.on("console", (message) => said.push(message.text()));
    await page.goto(url);
    return await look(page);
  } catch (error) {
    throw new Error(`${String(error)}\nthe page said: ${said.join("\n") || "nothing"}`, { cause: error });
  } finally {
    await browser.close();
  }
}
