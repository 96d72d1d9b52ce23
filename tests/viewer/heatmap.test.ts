/** Heat maps: two axes of one Item, whatever the order in which it is stored, with exact values by pointer and keys. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import { scratch } from "../../scripts/lib/paths.mjs";
import { findReference } from "../../scripts/lib/reference.mjs";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";
import { type Served, served } from "./support/dataset.js";

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
  made = await served(schema, {
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

/** These tests read pixels back, which the page does not. */
const READBACK = /willReadFrequently/;

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

test("the cursor walks by the arrow keys, and its value is announced; the playhead stays", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "pressure", view: "heatmap", anchor: "1000" } });
  await value(page).waitFor();
  await map(page).focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "End", "ArrowLeft"]) await page.keyboard.press(key);
  await expect.poll(() => value(page).innerText()).toBe(String(pressure(2, 6)));
  await expect.poll(() => page.locator('[role="status"].unseen').innerText()).toBe(`row 2, column 6: ${pressure(2, 6)} kPa`);
  expect(page.url()).toContain("anchor=1000");
  // Out of the map the same key moves the playhead; the cell stays.
  await page.locator("h2").first().click();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => value(page).innerText()).toBe(String(pressure(2, 6) + 1));
  await close();
});

test("of four axes any two are shown, at any index of the others, and the address keeps it", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "volume", anchor: "1000" } });
  await value(page).waitFor();
  expect(await sideText(page, "stat", "max")).toBe(String(rank4(0, 0, 3, 4)));
  await page.getByLabel("Index along z, as a number").fill("2");
  await page.keyboard.press("Enter");
  await expect.poll(() => value(page).innerText()).toBe(String(rank4(0, 2, 0, 0)));
  await page.getByLabel("Index along t", { exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => value(page).innerText()).toBe(String(rank4(1, 2, 0, 0)));
  await expect.poll(() => page.locator(".statistics .what").innerText()).toContain("slice t = 1, z = 2");
  await expect.poll(() => sideText(page, "stat", "min")).toBe(String(rank4(1, 2, 0, 0)));
  // Rows along t: y is now one of the others, at its beginning, and z keeps its index.
  await page.getByLabel("Rows").selectOption("0");
  await expect.poll(() => page.locator(".statistics .what").innerText()).toContain("slice z = 2, y = 0");
  await page.mouse.move(...(await middleOf(page, 1, 3)));
  await expect.poll(() => value(page).innerText()).toBe(String(rank4(1, 2, 0, 3)));
  await expect.poll(() => page.url()).toContain("x.rows=0");
  await page.reload();
  await value(page).waitFor();
  await page.mouse.move(...(await middleOf(page, 1, 3)));
  await expect.poll(() => page.locator("p.cell").innerText()).toContain("t 1, x 3 [1, 2, 0, 3] 1203");
  await page.getByRole("button", { name: "Turn" }).click();
  await page.mouse.move(...(await middleOf(page, 3, 1)));
  await expect.poll(() => page.locator("p.cell").innerText()).toContain("x 3, t 1 [1, 2, 0, 3] 1203");
  await close();
});

test("the range is of the slice, of the whole Item, or fixed", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "volume", anchor: "1000" } });
  const ends = async (): Promise<string[]> => [await page.locator('[data-legend="least"]').innerText(), await page.locator('[data-legend="greatest"]').innerText()];
  await value(page).waitFor();
  expect(await ends()).toEqual(["0", "34"]);
  await page.getByLabel("Range").selectOption("item");
  await expect.poll(ends).toEqual(["0", String(rank4(1, 2, 3, 4))]);
  await page.getByLabel("Range").selectOption("fixed");
  await page.getByLabel("Least of the range").fill("-10.5");
  await page.keyboard.press("Enter");
  await page.getByLabel("Greatest of the range").fill("20");
  await page.keyboard.press("Enter");
  await expect.poll(ends).toEqual(["≤ -10.5", "≥ 20"]);
  await expect.poll(() => page.url()).toContain("x.max=20");
  await page.reload();
  await value(page).waitFor();
  await expect.poll(ends).toEqual(["≤ -10.5", "≥ 20"]);
  await close();
});

test("cells have the colours of their values, and what is not finite has its own", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "odd", anchor: "1000", "x.map": "cividis" }, mayComplain: READBACK });
  await value(page).waitFor();
  const colourAt = async (row: number, column: number): Promise<number[]> => {
    const canvas = page.locator(".heatmap .map canvas");
    const number = async (name: string): Promise<number> => Number(await canvas.getAttribute(`data-${name}`));
    // Beside the text and the lines across it.
    const [x, y] = [(await number("x")) + column * (await number("across")) + 3, (await number("y")) + (row + 0.25) * (await number("down"))];
    return canvas.evaluate((element: HTMLCanvasElement, [left = 0, top = 0]) => [...(element.getContext("2d")?.getImageData(left * devicePixelRatio, top * devicePixelRatio, 1, 1).data ?? [])].slice(0, 3), [x, y]);
  };
  // Ends of cividis as published.
  await expect.poll(() => colourAt(1, 1)).toEqual([254, 232, 56]);
  expect(await colourAt(1, 2)).toEqual([0, 34, 78]);
  const [above, below, nan] = [await colourAt(0, 3), await colourAt(1, 0), await colourAt(0, 2)];
  expect(above).toEqual([0xe3, 0x17, 0x0a]);
  expect(below).toEqual([0x00, 0xa0, 0xff]);
  expect(new Set([above, below, nan].map(String)).size).toBe(3);
  expect(await page.locator('[data-legend="nan"]').innerText()).toBe("NaN 2");
  expect(await page.locator('[data-legend="above"]').innerText()).toBe("+Inf 1");
  expect(await page.locator('[data-legend="below"]').innerText()).toBe("−Inf 1");
  await page.mouse.move(...(await middleOf(page, 0, 1)));
  await expect.poll(() => value(page).innerText()).toBe("-0");
  await page.mouse.move(...(await middleOf(page, 1, 3)));
  await expect.poll(() => value(page).innerText()).toBe("5e-324");
  await picture(page, "view-heatmap-odd");
  await close();
});

test("64-bit integers are exact under the pointer and at the ends of the range", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "wide", anchor: "1000" } });
  await value(page).waitFor();
  expect(await page.locator('[data-legend="greatest"]').innerText()).toBe("18446744073709551615");
  await page.mouse.move(...(await middleOf(page, 0, 1)));
  await expect.poll(() => value(page).innerText()).toBe("9007199254740994");
  await close();
});

test("one axis is one row", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "vector", view: "heatmap", anchor: "2000" } });
  await value(page).waitFor();
  await page.mouse.move(...(await middleOf(page, 0, 4)));
  await expect.poll(() => page.locator("p.cell").innerText()).toContain("axis 0 4 [4] 10 m");
  await close();
});

test("of more cells than pixels it is said which are shown, none is lost by that rule, and each can be zoomed to", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "large", anchor: "1000" }, mayComplain: READBACK });
  await value(page).waitFor();
  const bright = (): Promise<number> =>
    page.locator(".heatmap .map canvas").evaluate((element: HTMLCanvasElement) => {
      const { data } = element.getContext("2d")?.getImageData(0, 0, element.width, element.height) ?? { data: new Uint8ClampedArray(0) };
      let count = 0;
      // The upper end of viridis.
      for (let at = 0; at < data.length; at += 4) if (data[at] === 253 && data[at + 1] === 231 && data[at + 2] === 37) count += 1;
      return count;
    });
  await expect.poll(bright).toBe(1);
  expect(await page.locator(".coarse").innerText()).toContain("3\u202f000\u202f000 cells; where several share a pixel it shows");
  await page.getByLabel("Of several cells").selectOption("least");
  await expect.poll(bright).toBe(0);
  // By keys to the cell: the cursor goes there, and zooming is about it.
  await map(page).focus();
  for (let times = 0; times < 77; times++) await page.keyboard.press("Shift+ArrowRight");
  for (let times = 0; times < 7; times++) await page.keyboard.press("ArrowRight");
  for (let times = 0; times < 123; times++) await page.keyboard.press("Shift+ArrowDown");
  for (let times = 0; times < 4; times++) await page.keyboard.press("ArrowDown");
  await expect.poll(() => value(page).innerText()).toBe("65535");
  for (let times = 0; times < 13; times++) await page.keyboard.press("+");
  await expect.poll(bright).toBeGreaterThan(20);
  expect(await page.locator("[data-part]").innerText()).toMatch(/^rows 1\d+ to 1\d+, columns 7\d+ to 7\d+$/);
  await picture(page, "view-heatmap-zoomed");
  await page.keyboard.press("0");
  await expect.poll(bright).toBe(0);
  // Zooming the map did not zoom the timeline.
  expect(page.url()).not.toContain("from=");
  await close();
});

test("the exported array is the slice on screen in C order, read back by NumPy; the table has its indexes", async () => {
  const python = findReference();
  if (python === undefined) throw new Error("the reference implementation is not installed");
  const { page, close } = await one.open({ source: made.source, query: { field: "volume", anchor: "1000", "x.rows": "3", "x.columns": "1", "x.index": "1,0,2,0" } });
  await value(page).waitFor();
  const saved = async (name: string): Promise<string> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return (await download).path();
  };
  const expected = [0, 1, 2, 3, 4].map((x) => [0, 1, 2].map((z) => rank4(1, z, 2, x)));
  const program = "import numpy, json, sys; a = numpy.load(sys.argv[1]); print(json.dumps([str(a.dtype), list(a.shape), bool(a.flags.c_contiguous), a.astype('f8').tolist()]))";
  expect(JSON.parse(execFileSync(python, ["-c", program, await saved(".npy")], { encoding: "utf8" }))).toEqual(["float32", [5, 3], true, expected]);
  const lines = readFileSync(await saved(".csv"), "utf8").trimEnd().split("\r\n");
  expect(lines).toEqual(["x,z 0,z 1,z 2", ...expected.map((row, x) => [x, ...row].join(","))]);
  const png = readFileSync(await saved("PNG"));
  expect([...png.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  mkdirSync(join(scratch, "viewer"), { recursive: true });
  writeFileSync(join(scratch, "viewer", "export-heatmap.png"), png);
  await close();
});

test("it can be read in the dark and on a small screen", async () => {
  const dark = await stage({ colorScheme: "dark", width: 1024, height: 768 });
  const { page, close } = await dark.open({ source: made.source, query: { field: "volume", anchor: "1000" } });
  await value(page).waitFor();
  await page.mouse.move(...(await middleOf(page, 2, 3)));
  await expect.poll(() => value(page).innerText()).toBe(String(rank4(0, 0, 2, 3)));
  await picture(page, "view-heatmap-dark");
  expect(await page.locator("#view").evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  await close();
  await dark.close();
});
