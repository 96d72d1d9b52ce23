/** Opening a dataset, and what stands on the page then. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { picture, type Stage, stage } from "./support/viewer.js";

let one: Stage;
beforeAll(async () => {
  one = await stage();
});
afterAll(() => one.close());

const source = (fixture: string): string => `${inject("fixturesUrl")}/${fixture}/data`;

test("a page without a source asks for one", async () => {
  const { page, close } = await one.open();
  await page.getByRole("heading", { name: "Open a dataset" }).waitFor();
  await picture(page, "opener");
  await close();
});

test("a source shows its fields, and the address pins what was opened", async () => {
  const { page, close } = await one.open({ source: source("episode") });
  await page.getByRole("navigation", { name: "Fields" }).waitFor();
  await page.waitForTimeout(1500);
  await picture(page, "fields");
  expect(page.url()).toContain("manifest=");
  await close();
});
