/** Heat maps: two axes of one Item, whatever the order in which it is stored, with exact values by pointer and keys. */
import { execFileSync } from "node:child_process";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import { findReference } from "../../scripts/lib/reference.mjs";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";
import { type Served, written } from "./support/written.js";

let one: Stage;
let made: Served;

/** An element of the rank-4 field, told by its index. */
const rank4 = (t: number, z: number, y: number, x: number): number => t * 1000 + z * 100 + y * 10 + x;
const SHAPE4 = [2, 3, 4, 5] as const;
const PRESSURE = [6, 8] as const;
const pressure = (row: number, column: number): number => row * 100 - column * 7;

beforeAll(async () => {
  one = await stage();
  const schema = new Schema()
    .array("pressure", { dtype: "i16", shape: [...PRESSURE], layout: "f", endianness: "big", units: "kPa", axisOrder: "row,column" })
    .array("volume", { dtype: "f32", shape: [...SHAPE4], layout: "f", axisOrder: "t,z,y,x" })
    .array("odd", { dtype: "f64", shape: [3, 4] })
    .array("wide", { dtype: "u64", shape: [2, 2] })
    .array("vector", { dtype: "f32", shape: [5], units: "m" })
    .array("large", { dtype: "u16", shape: [1500, 2000] });
  const fours: number[] = [];
  for (let t = 0; t < 2; t++) for (let z = 0; z < 3; z++) for (let y = 0; y < 4; y++) for (let x = 0; x < 5; x++) fours.push(rank4(t, z, y, x));
  const large = new Uint16Array(1500 * 2000);
  large[1234 * 2000 + 777] = 65_535;
  made = await written(schema, {
    anchors: BigUint64Array.of(1000n, 2000n),
    fields: {
      pressure: Int16Array.from({ length: 96 }, (_, at) => pressure(Math.floor((at % 48) / 8), at % 8) + Math.floor(at / 48)),
      volume: Float32Array.from([...fours, ...fours]),
      odd: Float64Array.from([0.1, -0, Number.NaN, Infinity, -Infinity, 1e300, -1e300, 5e-324, Number.NaN, 2, 3, 4, ...Array.from({ length: 12 }, () => 7)]),
      wide: BigUint64Array.of(9_007_199_254_740_993n, 9_007_199_254_740_994n, 18_446_744_073_709_551_615n, 0n, 1n, 2n, 3n, 4n),
      vector: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      large: Uint16Array.from([...large, ...large]),
    },
  });
}, 60_000);
afterAll(async () => {
  await one.close();
  await made.close();
});

const value = (page: Page) => page.locator("[data-cell-value]");
const map = (page: Page) => page.locator(".heatmap .map");

/** Middle of a cell, on the page. */
async function middleOf(page: Page, row: number, column: number): Promise<readonly [x: number, y: number]> {
  const canvas = page.locator(".heatmap .map canvas");
  const box = await canvas.boundingBox();
  const number = async (name: string): Promise<number> => Number(await canvas.getAttribute(`data-${name}`));
  return [(box?.x ?? 0) + (await number("x")) + (column + 0.5) * (await number("across")), (box?.y ?? 0) + (await number("y")) + (row + 0.5) * (await number("down"))];
}

test("the value under the pointer is that of the row and column, of a Fortran-ordered big-endian Item as well", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "pressure", view: "heatmap", anchor: "1000" } });
  await value(page).waitFor();
  for (const [row, column] of [
    [0, 0],
    [0, 7],
    [5, 0],
    [3, 6],
  ] as const) {
    await page.mouse.move(...(await middleOf(page, row, column)));
    await expect.poll(() => page.locator("p.cell").innerText()).toContain(`row ${row}, column ${column} [${row}, ${column}] ${pressure(row, column)} kPa`);
  }
  expect(await sideText(page, "stat", "min")).toBe(`${pressure(0, 7)} kPa`);
  expect(await sideText(page, "stat", "max")).toBe(`${pressure(5, 0)} kPa`);
  await picture(page, "view-heatmap");
  await close();
});
for (const field of ["volume", "odd", "vector", "large"]) {
  test(`look ${field}`, async () => {
    const { page, close } = await one.open({ source: made.source, query: { field, view: "heatmap", anchor: "1000" } });
    await value(page).waitFor();
    await picture(page, `view-heatmap-${field}`);
    await close();
  });
}
