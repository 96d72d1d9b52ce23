/** Many Items: asked about before they are read, and all of them told once they are there. */
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import { findReference } from "../../scripts/lib/reference.mjs";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";
import { type Source, writtenByReference, writtenInMemory } from "./support/written.js";

const ITEMS = 25_000;
const ROWS = 100_000;
const PEAK = 61_803;

let one: Stage;
let items: Source;
let rows: Source;
beforeAll(async () => {
  one = await stage();
  const python = findReference();
  if (python === undefined) throw new Error("the reference implementation is not installed");
  items = await writtenInMemory(new Schema().array("force", { dtype: "f32", shape: [3], units: "N" }), {
    anchors: BigUint64Array.from({ length: ITEMS }, (_, row) => BigInt(row) * 10n),
    fields: { force: Float32Array.from({ length: ITEMS * 3 }, (_, at) => at) },
  });
  rows = await writtenByReference(
    python,
    `
import math
schema = dreamdb.Schema().add_scalar_float("force").add_scalar_int("count", required=False)
ds = dreamdb.Dataset.create("main", schema, target)
ds.append_many([{"_anchor": 10 * i, "force": 40.0 if i == ${PEAK} else round(100 * math.sin(i / 700) + 9 * math.sin(i * 3)) / 64} for i in range(${ROWS})])
ds.append_many([{"_anchor": 10 * i, "force": 0.0, "count": i % 7} for i in range(${ROWS}, 210000)])
`,
  );
}, 240_000);
afterAll(async () => {
  await one.close();
  await items.close();
  await rows.close();
});

const value = (page: Page, element: number) => page.locator(`tr[data-element="${element}"] [data-value="playhead"]`);

test("many requests are not made unasked, and a part is offered", async () => {
  const { page, close } = await one.open({ source: items.source, query: { field: "force", view: "lines", anchor: "123450" } });
  const refusal = page.locator('[data-refusal="ask"]');
  await refusal.waitFor();
  expect(await refusal.innerText()).toContain("25\u202f000 Items with 300.0 KB of values; each Item may be a request of its own.");
  expect(Number(await sideText(page, "bytes", "requests"))).toBeLessThan(300);
  await picture(page, "view-lines-ask");
  await refusal.getByRole("button", { name: "Zoom to 2\u202f000 Items around the playhead" }).click();
  await value(page, 2).waitFor({ timeout: 60_000 });
  expect(await value(page, 2).innerText()).toBe(`${12_345 * 3 + 2} N`);
  expect(await page.locator(".lines .plot").getAttribute("data-items")).toBe("2000");
  await close();
}, 120_000);

test("what goes beyond what can be drawn is never read", async () => {
  const { page, close } = await one.open({ source: rows.source, query: { field: "force", view: "lines" } });
  const refusal = page.locator('[data-refusal="too-many"]');
  await refusal.waitFor({ timeout: 60_000 });
  expect(await refusal.innerText()).toContain("210\u202f000 Items, nothing read yet");
  expect(await refusal.getByRole("button").allInnerTexts()).toEqual(["Zoom to 2\u202f000 Items around the playhead"]);
  await close();
}, 120_000);

test("over a hundred thousand rows the playhead, the zoom and the pointer tell the rows that they are at, and no peak is lost", async () => {
  const { page, close } = await one.open({ source: rows.source, query: { field: "force", view: "lines", anchor: "0", from: "0", to: String(ROWS * 10) } });
  await value(page, 0).waitFor({ timeout: 60_000 });
  const plot = page.locator(".lines .plot");
  const count = async (): Promise<number> => Number(await plot.getAttribute("data-items"));
  expect(await count()).toBe(ROWS);
  expect(await sideText(page, "stat", "max")).toBe("40");
  await picture(page, "view-lines-large");
  for (let times = 0; times < 60; times++) await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => page.locator('[data-legend="anchor"]').innerText()).toBe("6000");
  for (let times = 0; times < 3; times++) await page.keyboard.press("+");
  await expect.poll(count).toBeLessThan(ROWS / 2);
  for (let times = 0; times < 3; times++) await page.keyboard.press("-");
  await expect.poll(count).toBe(ROWS);
  const box = (await page.locator(".lines .u-over").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + 5, box.y + 20);
  await page.mouse.move(box.x + box.width / 2, box.y + 90, { steps: 5 });
  const hovered = page.locator('[data-legend="hovered"]');
  const at = async (): Promise<number> => Number((await hovered.innerText()).replaceAll(/\D/g, ""));
  // The middle of the plot is the middle of the rows, to two pixels of them.
  await expect.poll(async () => Math.abs((await at()) - ROWS * 5)).toBeLessThan((2 * ROWS * 10) / box.width);
  const row = (await at()) / 10;
  expect(await page.locator('tr[data-element="0"] [data-value="pointer"]').innerText()).toBe(String(Math.round(100 * Math.sin(row / 700) + 9 * Math.sin(row * 3)) / 64));
  await close();
}, 120_000);
