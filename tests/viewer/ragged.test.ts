/** Rows of ragged Items: lengths, one row whole, and large Items of which only rows in sight are read. */
import { readFile } from "node:fs/promises";
import { Schema } from "dreamdb-arrays";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, served } from "./support/dataset.js";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";

const HITS = 500;
const LARGE = 100_000;
/** Three rows: two cells, none, one. */
const SCAN = { rowOffsets: [0, 2, 2, 3], values: Float32Array.of(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, -1, -2, -3) };
/** Cells of a row of the small Item: some rows have none. */
const cells = (row: number): number => (row * 7) % 12;
/** Coordinate `axis` of a cell, as f32. */
const hit = (row: number, cell: number, axis: number): number => Math.fround(row + cell / 10 + axis / 100);
const largeCells = (row: number): number => row % 23;

let one: Stage;
let data: Served;
beforeAll(async () => {
  const hits: number[] = [];
  const hitOffsets = [0];
  for (let row = 0; row < HITS; row++) {
    for (let cell = 0; cell < cells(row); cell++) hits.push(hit(row, cell, 0), hit(row, cell, 1), hit(row, cell, 2));
    hitOffsets.push(hits.length / 3);
  }
  const largeOffsets = new BigUint64Array(LARGE + 1);
  for (let row = 0; row < LARGE; row++) largeOffsets[row + 1] = (largeOffsets[row] ?? 0n) + BigInt(largeCells(row));
  const large = new Float64Array(Number(largeOffsets[LARGE]));
  for (let row = 0; row < LARGE; row++) for (let cell = 0; cell < largeCells(row); cell++) large[Number(largeOffsets[row]) + cell] = row + cell / 32;
  const schema = new Schema()
    .ragged("hits", { dtype: "f32", innerShape: [3], units: "m", axisOrder: "xyz", required: false })
    .ragged("large", { dtype: "f64", innerShape: [], units: "s", required: false })
    .ragged("scan", { dtype: "f32", innerShape: [3], units: "m", axisOrder: "ring,point,xyz", required: false })
    .ragged("unsaid", { dtype: "f32", innerShape: [3], axisOrder: "point,xyz", required: false })
    .ragged("none", { dtype: "u8", innerShape: [], required: false });
  const rows = [
    {
      anchor: 5n,
      values: {
        hits: { rowOffsets: hitOffsets, values: Float32Array.from(hits) },
        scan: SCAN,
        unsaid: SCAN,
        large: { rowOffsets: largeOffsets, values: large },
        none: { rowOffsets: [0], values: new Uint8Array(0) },
      },
    },
  ];
  [one, data] = await Promise.all([stage(), served(schema, rows)]);
}, 120_000);
afterAll(async () => {
  await one?.close();
  await data?.close();
});

/** Texts of a grid by `row,column`. */
async function cellsOf(page: Page, name: RegExp): Promise<Map<string, string>> {
  const pairs = await page.getByRole("grid", { name }).locator('[role="row"]').evaluateAll((rows) =>
    rows.flatMap((row) => [...row.querySelectorAll('[role="gridcell"]')].map((cell) => [`${Number(row.getAttribute("aria-rowindex")) - 2},${Number(cell.getAttribute("aria-colindex")) - 2}`, cell.textContent] as const)),
  );
  return new Map(pairs);
}

test("rows have their lengths, and a chosen one is read whole", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "hits", "x.row": "13" } });
  await page.getByRole("grid", { name: /Cells of row 13/ }).waitFor();
  const count = cells(13);
  expect(await page.locator("[data-row]").innerText()).toBe(`Row 13: ${count} cells`);
  const row = await cellsOf(page, /Cells of row/);
  for (let cell = 0; cell < count; cell++) for (const axis of [0, 1, 2]) expect(row.get(`${cell},${axis}`)).toBe(String(Number(hit(13, cell, axis).toPrecision(7))));
  const list = await cellsOf(page, /^Rows of/);
  for (const at of [11, 12, 13]) expect(list.get(`${at},0`)).toBe(String(cells(at)));
  const total = Array.from({ length: HITS }, (_, at) => cells(at)).reduce((sum, length) => sum + length, 0);
  const facts = (await page.locator("[data-totals]").innerText()).replaceAll(/\s+/g, " ");
  expect(facts).toContain(`rows ${HITS}`);
  expect(facts.replaceAll("\u202f", "")).toContain(`cells ${total}`.replace(/(\d)(\d{3})$/, "$1 $2"));
  // On screen is the row: its elements alone are counted.
  expect(await sideText(page, "stat", "count")).toBe(String(count * 3));
  await picture(page, "view-rows");
  await page.getByRole("grid", { name: /^Rows of/ }).press("ArrowDown");
  await expect.poll(() => page.locator("[data-row]").innerText()).toBe(`Row 14: ${cells(14)} cells`);
  await close();
});

test("the histogram counts exactly, by keys and as a table", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "hits" } });
  const figure = page.getByRole("img", { name: /Histogram of 500 row lengths/ });
  await figure.waitFor();
  const counts = Array.from({ length: 12 }, (_, length) => Array.from({ length: HITS }, (__, row) => cells(row)).filter((one) => one === length).length);
  await figure.focus();
  for (const [length, count] of counts.entries()) {
    await expect.poll(() => page.locator("[data-bin]").innerText()).toBe(`${length}: ${count} rows`);
    await figure.press("ArrowRight");
  }
  await page.getByText("Counts as a table").click();
  expect(await page.locator(".lengths tbody tr").allInnerTexts()).toEqual(counts.map((count, length) => `${length}\t${count}`));
  expect(await sideText(page, "stat", "count")).toBe(String(counts.reduce((sum, count, length) => sum + 3 * count * length, 0)).replace(/(\d)(\d{3})$/, "$1\u202f$2"));
  await picture(page, "view-rows-histogram");
  await close();
});

test("of a large Item the rows in sight are read, and no others", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "large" } });
  await page.getByRole("grid", { name: /^Rows of/ }).waitFor();
  await expect.poll(async () => (await cellsOf(page, /^Rows of/)).get("5,1")).toBe("5, 5.03125, 5.0625, 5.093…");
  const input = page.getByLabel("Go to row");
  await input.fill("91234");
  await input.press("Enter");
  await expect.poll(() => page.locator("[data-row]").getAttribute("data-row")).toBe("91234");
  await expect.poll(async () => (await cellsOf(page, /^Rows of/)).get("91234,0")).toBe(String(largeCells(91_234)));
  const row = await cellsOf(page, /Cells of row/);
  expect(row.get("3,0")).toBe(String(91_234 + 3 / 32));
  await picture(page, "view-rows-large");
  const item = 8 * (LARGE + 1) + 8 * Array.from({ length: LARGE }, (_, at) => largeCells(at)).reduce((sum, length) => sum + length, 0);
  const sent = data.requests.filter(({ headers }) => headers.range !== undefined).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(item).toBeGreaterThan(8_000_000);
  expect(sent).toBeLessThan(item / 10);
  await page.getByRole("button", { name: /^Read all/ }).click();
  await page.getByRole("img", { name: /Histogram of 100000 row lengths/ }).waitFor();
  await close();
});

/** Names of the columns of a grid, its corner first. */
async function heads(page: Page, name: RegExp): Promise<string[]> {
  const found = await page.getByRole("grid", { name }).getByRole("columnheader").evaluateAll((cells) => cells.map((cell) => [Number(cell.getAttribute("aria-colindex")), cell.textContent] as const));
  return found.toSorted(([a], [b]) => a - b).map(([, text]) => text);
}

/** What is exported as CSV. */
async function csv(page: Page): Promise<string[]> {
  const [begun] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: ".csv", exact: true }).click()]);
  return (await readFile(await begun.path(), "utf8")).trimEnd().split("\r\n");
}

describe("declared names of axes", () => {
  test("stand where rows, cells and elements are named, on screen and in files", async () => {
    const { page, close } = await one.open({ source: data.source, query: { field: "scan", "x.row": "2" } });
    await page.getByRole("grid", { name: /Cells of row 2/ }).waitFor();
    expect(await heads(page, /Cells of row/)).toEqual(["point", "xyz 0 [m]", "xyz 1 [m]", "xyz 2 [m]"]);
    expect((await heads(page, /^Rows of/))[0]).toBe("ring");
    const told = page.locator("output[data-cell]");
    expect(await told.first().innerText()).toBe("ring 2, cells 1");
    expect(await told.last().innerText()).toBe("point 0, xyz 0 -1 m");
    expect(await page.locator(".statistics .what").innerText()).toContain("ring 2 of 3");
    expect(await csv(page)).toEqual(["point,xyz 0 [m],xyz 1 [m],xyz 2 [m]", "0,-1,-2,-3"]);
    await picture(page, "view-rows-names");
    await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Table", exact: true }).click();
    await page.getByRole("grid", { name: /Values of scan/ }).waitFor();
    expect(await heads(page, /Values of scan/)).toEqual(["ring \\ point", "point 0 [m]", "point 1 [m]"]);
    expect(await told.innerText()).toBe("ring 0, point 0 (0.5, 1.5, 2.5) m");
    expect(await csv(page)).toEqual(["ring,point,xyz 0 [m],xyz 1 [m],xyz 2 [m]", "0,0,0.5,1.5,2.5", "0,1,3.5,4.5,5.5", "2,0,-1,-2,-3"]);
    await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "3-D points" }).click();
    await page.getByRole("spinbutton", { name: "Point" }).fill("2");
    await expect.poll(() => page.locator('[data-space="point"]').innerText()).toBe("2 ring 2, 0 x -1 y -2 z -3 m");
    await close();
  });

  test("that are of another number are no names", async () => {
    const { page, close } = await one.open({ source: data.source, query: { field: "unsaid", view: "table" } });
    await page.getByRole("grid").waitFor();
    expect(await heads(page, /Values of unsaid/)).toEqual(["row \\ cell", "cell 0", "cell 1"]);
    expect((await csv(page))[0]).toBe("row,cell,axis 0 0,axis 0 1,axis 0 2");
    await close();
  });
});

test("an Item without rows says so", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "none" } });
  await expect.poll(() => page.getByText("There are no rows.").count()).toBe(2);
  expect(await page.getByText("There are no elements.").count()).toBe(1);
  await close();
});
