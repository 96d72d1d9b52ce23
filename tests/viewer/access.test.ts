/** For everyone: axe finds nothing, all of it goes by keyboard, in light and dark, on small and large screens. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Stage, stage, type Viewer } from "./support/viewer.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** What axe finds, rules of good practice included. */
async function violations(page: Page): Promise<string[]> {
  // The page's policy allows no script but its own; what the debugger runs is none of the page's.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
  });
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`));
}

const source = (fixture: string): string => `${inject("fixturesUrl")}/${fixture}/data`;

/** Opens a field, and waits until all of it is there. */
async function ready(viewer: Viewer): Promise<Page> {
  await viewer.page.locator(".field-head, .opener").first().waitFor();
  await expect.poll(() => viewer.page.locator(".waiting").count()).toBe(0);
  return viewer.page;
}

describe.each([
  ["light", 1280, 800],
  ["dark", 1024, 768],
] as const)("%s, %d×%d", (colorScheme, width, height) => {
  let one: Stage;
  beforeAll(async () => {
    one = await stage({ colorScheme, width, height });
  });
  afterAll(() => one.close());

  test("the page that asks for a dataset", async () => {
    const viewer = await one.open();
    expect(await violations(await ready(viewer))).toEqual([]);
    await viewer.close();
  });

  test.each(["contacts", "force", "gravity", "hits", "image", "joints", "pose", "ticks"])("every view of %s", async (field) => {
    const viewer = await one.open({ source: source("episode"), query: { field } });
    const page = await ready(viewer);
    await page.getByText("Type document and identity").click();
    await page.locator("aside summary").filter({ hasText: "Requests" }).click();
    for (const button of await page.getByRole("navigation", { name: "Views" }).getByRole("button").all()) {
      await button.click();
      await ready(viewer);
      expect(await violations(page), `${field}, ${await button.innerText()}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight)).toBe(true);
    }
    await viewer.close();
  });

  test("a failure, and the keys", async () => {
    const viewer = await one.open({ source: source("nothing"), mayComplain: /Failed to load resource/ });
    await viewer.page.locator(".failure").waitFor();
    expect(await violations(viewer.page)).toEqual([]);
    await viewer.page.keyboard.press("?");
    await viewer.page.getByRole("dialog").waitFor();
    expect(await violations(viewer.page)).toEqual([]);
    await viewer.close();
  });
});
