/** Lines: elements over a window, with exact values at the playhead and under the pointer. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import { scratch } from "../../scripts/lib/paths.mjs";
import { findReference } from "../../scripts/lib/reference.mjs";
import { picture, sideText, type Stage, stage, stripsRead } from "./support/viewer.js";
import { type Served, served } from "./support/dataset.js";

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
  made = await served(schema, { anchors, fields: { joints, force: odd, ticks, pressure } });
  await made.ds.delete([anchorOf(10), anchorOf(11)]);
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

test("the value under the pointer is that of the Item there, and a click moves the playhead to it", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "joints", anchor: String(anchorOf(0)) } });
  await at(page, 0, "playhead").waitFor();
  const over = page.locator(".lines .u-over");
  const box = (await over.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // The window goes from the first anchor to the last: row 300 stands at 300/399 of its width.
  await page.mouse.move(box.x + (box.width * 300) / (COUNT - 1), box.y + box.height / 2);
  await expect.poll(() => page.locator('[data-legend="hovered"]').innerText()).toBe(String(anchorOf(300)));
  expect(Math.fround(Number(await at(page, 2, "pointer").innerText()))).toBe(joint(300, 2));
  await page.mouse.down();
  await page.mouse.up();
  await expect.poll(() => page.locator('[data-legend="anchor"]').innerText()).toBe(String(anchorOf(300)));
  await expect.poll(() => page.url()).toContain(`anchor=${anchorOf(300)}`);
  // The mark of the playhead stands where the click was.
  const head = await page.locator(".plot-head").boundingBox();
  expect(Math.abs((head?.x ?? 0) + 1 - (box.x + (box.width * 300) / (COUNT - 1)))).toBeLessThan(2);
  await close();
});

test("deleted rows are not among the Items, in the plot as in what is exported", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "joints" } });
  await expect(page.locator(".lines .plot").getAttribute("data-items")).resolves.toBe(String(COUNT - 2));
  expect(await sideText(page, "stat", "count")).toBe("2\u202f786");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: ".csv" }).click();
  const lines = readFileSync(await (await download).path(), "utf8").trimEnd().split("\r\n");
  expect(lines[0]).toBe('anchor,[0] (rad),[1] (rad),[2] (rad),[3] (rad),[4] (rad),[5] (rad),[6] (rad)');
  expect(lines).toHaveLength(1 + COUNT - 2);
  const anchors = lines.slice(1).map((line) => line.split(",")[0]);
  expect(anchors).toEqual(Array.from({ length: COUNT }, (_, row) => row).filter((row) => row !== 10 && row !== 11).map((row) => String(anchorOf(row))));
  for (const row of [0, 9, 12, 399]) {
    const cells = lines.find((line) => line.startsWith(String(anchorOf(row))))?.split(",").slice(1).map((text) => Math.fround(Number(text)));
    expect(cells).toEqual(Array.from({ length: 7 }, (_, element) => joint(row, element)));
  }
  await close();
});

test("what is not finite is counted and listed as it is", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "force", anchor: String(anchorOf(200)) } });
  await at(page, 1, "playhead").waitFor();
  expect(await at(page, 1, "playhead").innerText()).toBe("Inf N");
  expect(await at(page, 0, "nan").innerText()).toBe("50");
  expect(await at(page, 1, "infinite").innerText()).toBe("1 / 2");
  expect(await at(page, 2, "infinite").innerText()).toBe("0 / 0");
  expect(await sideText(page, "stat", "nan")).toBe("50");
  await picture(page, "view-lines-gaps");
  await close();
});

test("64-bit counters are exact beyond what doubles tell apart, and their line is none of steps of two", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "ticks", anchor: String(anchorOf(1)) } });
  await expect.poll(() => at(page, 0, "playhead").innerText()).toBe("9007199254740994");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => at(page, 0, "playhead").innerText()).toBe("9007199254740995");
  expect(await sideText(page, "stat", "max")).toBe(String(9_007_199_254_740_993n + BigInt(COUNT - 1)));
  await picture(page, "view-lines-ticks");
  await close();
});

test("elements are chosen by index, and the address keeps the choice", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "pressure", view: "lines", anchor: String(anchorOf(5)) } });
  await at(page, 0, "playhead").waitFor();
  expect(await page.locator('[data-lines="count"]').innerText()).toBe("8 of 48 elements");
  await page.getByLabel("row").fill("5");
  await page.getByLabel("column", { exact: true }).fill("6");
  await page.getByRole("button", { name: "Add line" }).click();
  // In C order element 46 is [5, 6]; it is stored in Fortran order.
  await expect.poll(() => at(page, 46, "playhead").innerText()).toBe(String(46 * 10 + 5));
  await page.getByRole("button", { name: "Remove the line [0, 0]" }).click();
  await expect.poll(() => page.url()).toContain("x.elements=1%2C2%2C3%2C4%2C5%2C6%2C7%2C46");
  await page.reload();
  await at(page, 46, "playhead").waitFor();
  await expect.poll(() => page.locator("tr[data-element]").count()).toBe(8);
  expect(await page.locator("tr[data-element] th").allInnerTexts()).toEqual(["[0, 1]", "[0, 2]", "[0, 3]", "[0, 4]", "[0, 5]", "[0, 6]", "[0, 7]", "[5, 6]"]);
  expect(await sideText(page, "stat", "count")).toBe("3\u202f184");
  await close();
});

test("zooming in reads nothing anew, and what is on screen is the window", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "joints" } });
  await at(page, 0, "playhead").waitFor();
  await stripsRead(page);
  const requests = await sideText(page, "bytes", "requests");
  const box = (await page.locator(".lines .u-over").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const xOf = (row: number): number => box.x + (box.width * row) / (COUNT - 1);
  await page.mouse.move(xOf(100), box.y + 50);
  await page.mouse.down();
  await page.mouse.move(xOf(150), box.y + 60, { steps: 4 });
  await page.mouse.move(xOf(200), box.y + 60, { steps: 4 });
  await page.mouse.up();
  const items = async (): Promise<number> => Number(await page.locator(".lines .plot").getAttribute("data-items"));
  await expect.poll(items).toBeLessThan(105);
  expect(await items()).toBeGreaterThan(97);
  await expect.poll(() => sideText(page, "stat", "count")).toBe(String((await items()) * 7));
  expect(await sideText(page, "bytes", "requests")).toBe(requests);
  await page.locator(".lines .u-over").dblclick();
  await expect.poll(items).toBe(COUNT - 2);
  expect(await sideText(page, "bytes", "requests")).toBe(requests);
  await close();
});

test("the exported array is the window's, read back by NumPy", async () => {
  const python = findReference();
  if (python === undefined) throw new Error("the reference implementation is not installed");
  const { page, close } = await one.open({ source: made.source, query: { field: "joints", from: String(anchorOf(20)), to: String(anchorOf(24)), "x.elements": "6,2" } });
  await at(page, 6, "playhead").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: ".npy" }).click();
  const printed = execFileSync(python, ["-c", "import numpy, json, sys; a = numpy.load(sys.argv[1]); print(json.dumps([str(a.dtype), list(a.shape), a.astype('f8').tolist()]))", await (await download).path()], {
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).toEqual(["float32", [4, 2], [20, 21, 22, 23].map((row) => [joint(row, 6), joint(row, 2)])]);
  await close();
});

test("the picture says what it shows: it is a PNG with the plot in it", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "joints", anchor: String(anchorOf(300)) } });
  await at(page, 0, "playhead").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "PNG" }).click();
  const bytes = readFileSync(await (await download).path());
  expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const canvas = await page.locator(".lines canvas").first().boundingBox();
  expect(bytes.readUInt32BE(16)).toBe(canvas?.width);
  expect(bytes.readUInt32BE(20)).toBeGreaterThan(canvas?.height ?? 0);
  mkdirSync(join(scratch, "viewer"), { recursive: true });
  writeFileSync(join(scratch, "viewer", "export-lines.png"), bytes);
  await close();
});

test("scalar columns of numbers are one line", async () => {
  const source = `${inject("fixturesUrl")}/scalars/data`;
  // As the fixture's sidecar has them.
  const { page, close } = await one.open({ source, query: { field: "in", anchor: "20" } });
  await expect.poll(() => at(page, 0, "playhead").innerText()).toBe("1099511627776");
  await page.goto(page.url().replace("field=in", "field=fl"));
  await expect.poll(() => at(page, 0, "playhead").innerText()).toBe("-0");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => at(page, 0, "playhead").innerText()).toBe("1e+300");
  await close();
});

test("it can be read in the dark and on a small screen", async () => {
  const dark = await stage({ colorScheme: "dark", width: 1024, height: 768 });
  // The test reads pixels back, which the page does not.
  const { page, close } = await dark.open({ source: made.source, query: { field: "joints", anchor: String(anchorOf(123)) }, mayComplain: /willReadFrequently/ });
  await at(page, 0, "playhead").waitFor();
  await expect.poll(() => page.locator(".lines canvas").first().evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: new Uint8ClampedArray(0) };
    // Pixels of the first line's colour in the dark.
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] === 0x56 && data[at + 1] === 0xb4 && data[at + 2] === 0xe9) count += 1;
    return count;
  })).toBeGreaterThan(50);
  await picture(page, "view-lines-dark");
  // Nothing is wider than its place.
  expect(await page.locator("#view").evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  await close();
  await dark.close();
});
