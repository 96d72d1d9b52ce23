/** Spy plots: what is stored where, exactly, of matrices of any extent. */
import { Schema } from "dreamdb-arrays";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, served } from "./support/dataset.js";
import { picture, type Stage, stage } from "./support/viewer.js";

/** More columns than a number tells apart. */
const WIDE = (1n << 60n) + 7n;
const LARGE = 100_000;
const largeCount = (row: number): number => row % 13;
const largeColumn = (row: number, at: number): bigint => BigInt(row) * 1_000_000_007n + BigInt(at) * 3n;

/** Graph of contacts: each with the next and with itself, every tenth zero. */
function graph(): { rowOffsets: number[]; columnIndices: number[]; values: Float64Array } {
  const [rowOffsets, columnIndices, values]: [number[], number[], number[]] = [[0], [], []];
  for (let row = 0; row < 200; row++) {
    for (const column of [row, row + 1, row + 40].filter((one) => one < 200)) {
      columnIndices.push(column);
      values.push(row % 10 === 0 && column === row ? 0 : (row + 1) / 8);
    }
    rowOffsets.push(columnIndices.length);
  }
  return { rowOffsets, columnIndices, values: Float64Array.from(values) };
}

let one: Stage;
let data: Served;
beforeAll(async () => {
  const offsets = new BigUint64Array(LARGE + 1);
  for (let row = 0; row < LARGE; row++) offsets[row + 1] = (offsets[row] ?? 0n) + BigInt(largeCount(row));
  const [columns, values] = [new BigUint64Array(Number(offsets[LARGE])), new BigUint64Array(Number(offsets[LARGE]))];
  for (let row = 0, at = 0; row < LARGE; row++) {
    for (let place = 0; place < largeCount(row); place++, at++) {
      columns[at] = largeColumn(row, place);
      values[at] = (1n << 60n) + BigInt(at);
    }
  }
  const schema = new Schema()
    .csr("contacts", { dtype: "f64", shape: [200, 200], units: "N", required: false })
    .csr("wide", { dtype: "f32", shape: [3, WIDE], required: false })
    .csr("large", { dtype: "u64", shape: [LARGE, WIDE], required: false });
  const rows = [
    {
      anchor: 1n,
      values: {
        contacts: graph(),
        wide: { rowOffsets: [0, 2, 2, 3], columnIndices: BigUint64Array.of(0n, WIDE - 1n, 9_007_199_254_740_993n), values: Float32Array.of(0.1, NaN, -0) },
        large: { rowOffsets: offsets, columnIndices: columns, values },
      },
    },
  ];
  [one, data] = await Promise.all([stage(), served(schema, rows)]);
}, 120_000);
afterAll(async () => {
  await one?.close();
  await data?.close();
});

const told = async (page: Page): Promise<string> => (await page.locator("output[data-cursor]").innerText()).trim();
const facts = async (page: Page): Promise<string> => (await page.locator("[data-totals]").innerText()).replaceAll(/\s+/g, " ");

test("counts are exact, and each cell says what is stored in it", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "contacts" } });
  const plot = page.getByRole("img", { name: /^Spy plot/ });
  await plot.waitFor();
  const stored = 200 + 199 + 160;
  expect(await facts(page)).toContain(`shape 200 × 200 stored ${stored} stored zeros 20 density ${Number((stored / 40_000).toPrecision(6))}`);
  await plot.focus();
  await expect.poll(() => told(page)).toBe("row 0, column 0: 0 N");
  await plot.press("ArrowRight");
  await expect.poll(() => told(page)).toBe("row 0, column 1: 0.125 N");
  await plot.press("ArrowRight");
  await expect.poll(() => told(page)).toBe("row 0, column 2: not stored");
  await plot.press("PageDown");
  await expect.poll(() => told(page)).toBe("row 0, column 40: 0.125 N");
  await plot.press("PageDown");
  await expect.poll(() => told(page)).toBe("row 1, column 1: 0.25 N");
  await plot.press("End");
  await expect.poll(() => told(page)).toBe("row 199, column 199: 25 N");
  await plot.press("Enter");
  await expect.poll(() => page.locator("[data-row]").getAttribute("data-row")).toBe("199");
  await picture(page, "view-spy");
  await close();
});

test("pixels are where elements are stored, and nowhere else", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "contacts", "x.colour": "magnitude" } });
  const plot = page.getByRole("img", { name: /^Spy plot/ });
  await plot.waitFor();
  const marked = (): Promise<string[]> =>
    plot.evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
      const found: string[] = [];
      const [high, wide] = [canvas.height / 200, canvas.width / 200];
      for (let row = 0; row < 200; row++) {
        for (let column = 0; column < 200; column++) {
          const at = 4 * (Math.floor((row + 0.5) * high) * canvas.width + Math.floor((column + 0.5) * wide));
          if ([16, 20, 24].some((channel, place) => pixels?.data[at + place] !== channel)) found.push(`${row},${column}`);
        }
      }
      return found;
    });
  const { rowOffsets, columnIndices } = graph();
  const expected = Array.from({ length: 200 }, (_, row) => columnIndices.slice(rowOffsets[row], rowOffsets[row + 1]).map((column) => `${row},${column}`)).flat();
  await expect.poll(marked).toEqual(expected);
  const box = await plot.boundingBox();
  if (box === null) throw new Error("the plot has no place");
  await page.mouse.move(box.x + (60.5 * box.width) / 200, box.y + (20.5 * box.height) / 200);
  await expect.poll(() => told(page)).toBe("row 20, column 60: 2.625 N");
  await page.mouse.click(box.x + (60.5 * box.width) / 200, box.y + (20.5 * box.height) / 200);
  await expect.poll(() => page.getByRole("grid", { name: /row 20/ }).getByRole("gridcell").allInnerTexts()).toEqual(["20", "0", "21", "2.625", "60", "2.625"]);
  await picture(page, "view-spy-magnitude");
  await close();
});

test("more columns than a number holds", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "wide", "x.row": "2" } });
  const plot = page.getByRole("img", { name: /^Spy plot/ });
  await plot.waitFor();
  expect(await facts(page)).toContain("stored 3 stored zeros 1 NaN 1");
  expect(await page.getByRole("grid").getByRole("gridcell").allInnerTexts()).toEqual(["9007199254740993", "-0"]);
  await plot.focus();
  await plot.press("Home");
  await expect.poll(() => told(page)).toBe("row 0, column 0: 0.1");
  await plot.press("PageDown");
  await expect.poll(() => told(page)).toBe(`row 0, column ${WIDE - 1n}: NaN`);
  await plot.press("End");
  await plot.press("ArrowLeft");
  await expect.poll(() => told(page)).toBe("row 2, column 9007199254740992: not stored");
  await picture(page, "view-spy-wide");
  await close();
});

test("of a large matrix the chosen row alone is read", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "large", "x.row": "64000" } });
  await expect.poll(() => page.locator("[data-row]").getAttribute("data-row")).toBe("64000");
  const count = largeCount(64_000);
  const before = Array.from({ length: 64_000 }, (_, row) => largeCount(row)).reduce((sum, one) => sum + one, 0);
  const expected = Array.from({ length: count }, (_, at) => [String(largeColumn(64_000, at)), String((1n << 60n) + BigInt(before + at))]).flat();
  expect(await page.getByRole("grid").getByRole("gridcell").allInnerTexts()).toEqual(expected);
  await picture(page, "view-spy-large");
  const sent = data.requests.filter(({ headers }) => headers.range !== undefined).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(sent).toBeLessThan(200_000);
  await page.getByRole("button", { name: /plot it$/ }).click();
  await page.getByRole("img", { name: /^Spy plot of 100000 by/ }).waitFor();
  expect(await facts(page)).toContain("stored zeros 0");
  await picture(page, "view-spy-large-whole");
  await close();
});
