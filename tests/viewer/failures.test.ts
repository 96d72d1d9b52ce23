/** Failures: where the data would stand, by code, with cause and next step, and another try. Over servers that really misbehave. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { openDataset } from "dreamdb-arrays";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { CORE_CODES, IO_CODES } from "../../ts/errors.js";
import { root } from "../../scripts/lib/paths.mjs";
import { adviceTable } from "../../viewer/src/data/failure.js";
import { openBroken } from "../support/broken.js";
import { type Stage, stage } from "./support/viewer.js";

let one: Stage;
beforeAll(async () => {
  one = await stage();
});
afterAll(() => one.close());

/** What browsers write of answers that failed. */
const NETWORK = /Failed to load resource|CORS policy|net::ERR/;

describe("advice", () => {
  test("is there for every code", () => {
    const table = adviceTable(readFileSync(join(root, "docs/troubleshooting.md"), "utf8"));
    for (const code of [...CORE_CODES, ...IO_CODES]) {
      const advice = table.get(code);
      expect({ code, isKnown: [advice?.meaning, advice?.todo].every(Boolean) }).toEqual({ code, isKnown: true });
      expect(advice?.todo).not.toMatch(/as above/i);
    }
  });
});

/** Cards on the page, by code. */
const card = (page: Page, code: string) => page.locator(`.failure[data-code="${code}"]`);

describe("a dataset that cannot be opened", () => {
  test.each([
    ["404", "NotFound"],
    ["403", "Forbidden"],
    ["html", "RefBody"],
    ["no-cors", "Network"],
    ["redirect-loop", "Network"],
    ["reset", "Network"],
  ] as const)("over a server that does %s says %s, why that may be, what to do, and tries again", async (mode, code) => {
    const broken = await openBroken({ fixture: "episode", rules: [{ mode }] });
    const { page, close } = await one.open({ source: broken.base("exact206", "far"), mayComplain: NETWORK });
    await card(page, code).getByText("Usual cause").waitFor();
    await card(page, code).getByText("What to do").waitFor();
    await card(page, code).getByText(`npx dreamdb-arrays doctor '${broken.base("exact206", "far")}'`, { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Open a dataset" }).waitFor();
    await broken.rules();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("navigation", { name: "Fields" }).waitFor();
    await close();
  });

  test("because its URL is none says so", async () => {
    const { page, close } = await one.open({ query: { source: "http://" } });
    await page.locator(".failure").waitFor();
    await page.getByRole("heading", { name: "Open a dataset" }).waitFor();
    await close();
  });
});

describe("an Item that cannot be read", () => {
  test.each([
    ["404", "NotFound"],
    ["wrong-bit", "HashMismatch"],
    ["200-short", "HashMismatch"],
    ["403", "Forbidden"],
  ] as const)("over a server that does %s says %s in its place, with field and anchor; the rest of the page works, and another try shows it", async (mode, code) => {
    const broken = await openBroken({ fixture: "episode" });
    const { page, close } = await one.open({ source: broken.base("exact206", "far"), query: { field: "ticks", view: "table" }, mayComplain: NETWORK });
    await page.locator(".verified").waitFor();
    const first = BigInt(await page.getByRole("textbox", { name: "Anchor" }).inputValue());
    // Items lie at their anchor in 16 hexadecimal digits; the second one is still to be asked for.
    const anchors = await anchorsOf("episode", "ticks");
    expect(first).toBe(anchors[0]);
    const second = anchors[1] ?? 0n;
    await broken.rules({ mode, key: `/${second.toString(16).padStart(16, "0")}/` });
    await page.keyboard.press("ArrowRight");
    await card(page, code).getByText("What to do").waitFor();
    await card(page, code).getByText("Facts").click();
    await card(page, code).getByText(String(second), { exact: true }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.locator(".verified").waitFor();
    await page.keyboard.press("ArrowRight");
    await card(page, code).waitFor();
    await broken.rules();
    await card(page, code).getByRole("button", { name: "Try again" }).click();
    await page.locator(".verified").waitFor();
    expect(await page.locator(".failure").count()).toBe(0);
    await close();
  });
});

/** Anchors of a field, as the reference read them. */
async function anchorsOf(fixture: string, field: string): Promise<bigint[]> {
  const ds = await openDataset(`${inject("fixturesUrl")}/${fixture}/data`);
  return [...(await ds.array(field).anchors())];
}
