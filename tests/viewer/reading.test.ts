/** Reads follow the playhead: stale ones end, nothing needs storage, folders are read in place. */
import { join } from "node:path";
import { openDataset } from "dreamdb-arrays";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { openBroken } from "../support/broken.js";
import { type Stage, stage } from "./support/viewer.js";

let one: Stage;
beforeAll(async () => {
  one = await stage();
});
afterAll(() => one.close());

const episode = () => `${inject("fixturesUrl")}/episode/data`;

/** Anchors of a field, by the package in Node. */
async function anchorsOf(field: string): Promise<bigint[]> {
  const ds = await openDataset(episode());
  return [...(await ds.array(field).anchors())];
}

const hex = (anchor: bigint | undefined): string => `/${(anchor ?? 0n).toString(16).padStart(16, "0")}/`;

describe("moving on", () => {
  test("ends the read of what is no longer looked at, and shows nothing of it", async () => {
    const broken = await openBroken({ fixture: "episode" });
    const anchors = await anchorsOf("ticks");
    const { page, close } = await one.open({ source: broken.base("exact206", "far"), query: { field: "ticks", view: "table" } });
    await page.locator(".verified").waitFor();
    await broken.rules({ mode: "held", key: hex(anchors[1]) }, { mode: "held", key: hex(anchors[2]) });
    await broken.forget();
    await page.keyboard.press("ArrowRight");
    await broken.until(({ requests }) => requests.some(({ key }) => key.includes(hex(anchors[1]))));
    await page.keyboard.press("ArrowRight");
    await broken.until(({ requests }) => requests.some(({ key, clientLeft }) => key.includes(hex(anchors[1])) && clientLeft));
    // Shown is what was there before, and that it takes a while.
    await page.getByText("Reading…").waitFor();
    await page.keyboard.press("ArrowRight");
    await broken.until(({ requests }) => requests.some(({ key, clientLeft }) => key.includes(hex(anchors[2])) && clientLeft));
    await expect.poll(() => page.getByText("Reading…").count()).toBe(0);
    expect(await page.locator(".failure").count()).toBe(0);
    await broken.release();
    await close();
  });

  test("while it plays waits for a slow source, and leaves no Item out", async () => {
    const broken = await openBroken({ fixture: "episode" });
    const anchors = await anchorsOf("ticks");
    const { page, close } = await one.open({ source: broken.base("exact206", "far"), query: { field: "ticks", view: "table" } });
    await page.locator(".verified").waitFor();
    await broken.rules({ mode: "delayed", key: hex(anchors[3]) });
    await page.getByRole("combobox", { name: "Items a second" }).selectOption("60");
    await page.getByRole("button", { name: "Play" }).click();
    await expect.poll(() => page.getByRole("textbox", { name: "Anchor" }).inputValue(), { timeout: 20_000 }).toBe(String(anchors.at(-1)));
    await expect.poll(async () => (await broken.requests()).filter(({ key }) => anchors.some((anchor) => key.includes(hex(anchor)))).map(({ key }) => anchors.findIndex((anchor) => key.includes(hex(anchor))))).toEqual(anchors.map((_, at) => at));
    await close();
  });
});

describe("a browser that keeps nothing", () => {
  test("without IndexedDB, storage, caches and workers all works", async () => {
    const { page, close } = await one.open({ source: episode(), query: { field: "force" } });
    await page.addInitScript(() => {
      for (const name of ["indexedDB", "localStorage", "sessionStorage", "caches"]) {
        Object.defineProperty(globalThis, name, {
          get() {
            throw new DOMException("not here", "SecurityError");
          },
        });
      }
      Object.defineProperty(navigator, "serviceWorker", { value: undefined });
    });
    await page.reload();
    await page.locator(".verified").waitFor();
    await close();
  });
});

describe("a folder of this computer", () => {
  test("is read in place, and asked for again by a link", async () => {
    const { page, close } = await one.open();
    await page.getByTestId("folder").setInputFiles(join(root, "tests/fixtures/episode/data"));
    await page.getByRole("navigation", { name: "Fields" }).waitFor();
    await page.locator(".verified").waitFor();
    await expect.poll(() => page.url()).toContain("source=folder:data");
    await page.reload();
    await page.getByText("Pick it again").waitFor();
    await page.getByTestId("folder").setInputFiles(join(root, "tests/fixtures/episode/data"));
    await page.locator(".verified").waitFor();
    await close();
  });

  test("that holds no dataset says so", async () => {
    const { page, close } = await one.open();
    await page.getByTestId("folder").setInputFiles(join(root, "docs"));
    await page.locator('.failure[data-code="NotFound"]').waitFor();
    await close();
  });
});
