/** Lines: elements over a window, with exact values at the playhead and under the pointer. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import { findReference } from "../../scripts/lib/reference.mjs";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";
import { type Served, written } from "./support/written.js";

const COUNT = 400;
const START = 1_700_000_000_000_000_000n;
const STEP = 10_000_000n;
const anchorOf = (row: number): bigint => START + BigInt(row) * STEP;
const joint = (row: number, element: number): number => Math.fround(Math.sin(row / 30 + element) * (1 + element / 4));

let one: Stage;
let made: Served;
beforeAll(async () => {
  one = await stage();
  const anchors = BigUint64Array.from({ length: COUNT }, (_, row) => anchorOf(row));
  const joints = Float32Array.from({ length: COUNT * 7 }, (_, at) => joint(Math.floor(at / 7), at % 7));
  const odd = Float64Array.from({ length: COUNT * 3 }, (_, at) => {
    const [row, element] = [Math.floor(at / 3), at % 3];
    if (element === 0 && row >= 100 && row < 150) return Number.NaN;
    if (element === 1 && row === 200) return Infinity;
    if (element === 1 && (row === 50 || row === 51)) return -Infinity;
    return row / 100 + element;
  });
  const ticks = BigUint64Array.from({ length: COUNT }, (_, row) => 9_007_199_254_740_993n + BigInt(row));
  const schema = new Schema()
    .array("joints", { dtype: "f32", shape: [7], units: "rad", axisOrder: "joint" })
    .array("force", { dtype: "f64", shape: [3], units: "N" })
    .array("ticks", { dtype: "u64", shape: [] })
    .array("pressure", { dtype: "i16", shape: [6, 8], layout: "f", axisOrder: "row,column" });
  const pressure = Int16Array.from({ length: COUNT * 48 }, (_, at) => (at % 48) * 10 + Math.floor(at / 48));
  made = await written(schema, { anchors, fields: { joints, force: odd, ticks, pressure } }, [anchorOf(10), anchorOf(11)]);
});
afterAll(async () => {
  await one.close();
  await made.close();
});

const at = (page: Page, element: number, what: string) => page.locator(`tr[data-element="${element}"] [data-value="${what}"]`);

test("exact values of the Item at the playhead are listed, and follow it", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "joints", anchor: String(anchorOf(123)) } });
  await at(page, 6, "playhead").waitFor();
  const texts = async (): Promise<string[]> => (await page.locator('[data-value="playhead"]').allInnerTexts()).map((text) => text.trim());
  const expected = (row: number): number[] => Array.from({ length: 7 }, (_, element) => joint(row, element));
  expect((await texts()).map((text) => Math.fround(Number.parseFloat(text)))).toEqual(expected(123));
  expect(await texts()).toEqual((await texts()).map((text) => `${Number.parseFloat(text)} rad`));
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => page.locator('[data-legend="anchor"]').innerText()).toBe(String(anchorOf(124)));
  expect((await texts()).map((text) => Math.fround(Number.parseFloat(text)))).toEqual(expected(124));
  await picture(page, "view-lines");
  await close();
});
