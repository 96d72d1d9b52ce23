/** Tables: exact values of every kind of Item, however many rows there are. */
import { type RowInit, Schema } from "dreamdb-arrays";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixtureUrl, loadSidecar } from "../support/fixtures.js";
import type { ArrayFact, ItemFact, PartsFact, SidecarNumber } from "../support/sidecar.js";
import { type Served, served } from "./support/dataset.js";
import { picture, type Stage, stage, sideText } from "./support/viewer.js";

const ROWS = 1_000_000;
const LINES = 3000;
/** Element `column` of row `row` of the large Item: as f32. */
const large = (row: number, column: number): number => Math.fround(row / 8 + column / 16);

let one: Stage;
let data: Served;
beforeAll(async () => {
  const elements = new Float32Array(ROWS * 3);
  for (let row = 0; row < ROWS; row++) for (let column = 0; column < 3; column++) elements[row * 3 + column] = large(row, column);
  const cube = Float64Array.from({ length: 2 * 3 * 4 * 5 }, (_, at) => at + 0.25);
  const rows: RowInit[] = [
    { anchor: 0n, values: { large: elements, cube, wide: Uint8Array.from({ length: 2 * 100_000 }, (_, at) => at % 251) } },
    ...Array.from({ length: LINES }, (_, at) => ({ anchor: 10n * BigInt(at + 1), values: { joints: Float32Array.of(at, -0, at / 4) } })),
  ];
  const schema = new Schema()
    .array("large", { dtype: "f32", shape: [ROWS, 3], units: "m", axisOrder: "point,coordinate", required: false })
    .array("cube", { dtype: "f64", shape: [2, 3, 4, 5], units: "Pa", axisOrder: "time,depth,row,column", required: false })
    .array("wide", { dtype: "u8", shape: [2, 100_000], required: false })
    .array("joints", { dtype: "f32", shape: [3], units: "rad", axisOrder: "joint", required: false });
  [one, data] = await Promise.all([stage(), served(schema, rows)]);
}, 120_000);
afterAll(async () => {
  await one?.close();
  await data?.close();
});

/** The value of an Item that the sidecar has. */
function valueOf(item: ItemFact | undefined): ItemFact["value"] {
  if (item === undefined) throw new Error("the sidecar has no such Item");
  return item.value;
}

/** A number of a sidecar as the page writes it. */
function textOf(number: SidecarNumber): string {
  if (typeof number === "number") return String(number);
  if ("int" in number) return number.int;
  return { "-0.0": "-0", nan: "NaN", inf: "Inf", "-inf": "-Inf" }[number.float.toLowerCase()] ?? number.float;
}

/** The value at the cursor of the grid, as it is told. */
const told = async (page: Page): Promise<string> => (await page.locator("output[data-cell] code").innerText()).trim();

/** What stands in the grid: texts by `row,column`, as the reader of the page is told their places. */
async function cellsOf(page: Page): Promise<Map<string, string>> {
  const pairs = await page.locator('[role="grid"] [role="row"]').evaluateAll((rows) =>
    rows.flatMap((row) => [...row.querySelectorAll('[role="gridcell"]')].map((cell) => [`${Number(row.getAttribute("aria-rowindex")) - 2},${Number(cell.getAttribute("aria-colindex")) - 2}`, cell.textContent] as const)),
  );
  return new Map(pairs);
}

async function goTo(page: Page, text: string): Promise<void> {
  const input = page.getByLabel(/^Go to/);
  await input.fill(text);
  await input.press("Enter");
}

describe("an Item of a million rows", () => {
  test("first, last and middle rows are exact", async () => {
    const { page, close } = await one.open({ source: data.source, query: { field: "large", view: "table" } });
    const grid = page.getByRole("grid");
    await grid.waitFor();
    expect(await grid.getAttribute("aria-rowcount")).toBe(String(ROWS + 1));
    expect(await grid.getAttribute("aria-colcount")).toBe("4");
    const cells = await cellsOf(page);
    for (const row of [0, 1, 2]) for (const column of [0, 1, 2]) expect(cells.get(`${row},${column}`)).toBe(String(large(row, column)));
    await picture(page, "view-table");
    for (const row of [999_999, 500_001, 123_457]) {
      await goTo(page, String(row));
      await expect.poll(() => told(page)).toBe(`${large(row, 0)} m`);
      await expect.poll(async () => (await cellsOf(page)).get(`${row},2`)).toBe(String(large(row, 2)));
    }
    await grid.focus();
    await grid.press("Control+End");
    await expect.poll(() => told(page)).toBe(`${large(999_999, 2)} m`);
    await grid.press("ArrowUp");
    await expect.poll(() => told(page)).toBe(`${large(999_998, 2)} m`);
    await grid.press("Control+Home");
    await grid.press("PageDown");
    await grid.press("ArrowLeft");
    const page1 = Number((await page.locator("output[data-cell]").getAttribute("data-cell"))?.split(",")[0]);
    expect(page1).toBeGreaterThan(3);
    await expect.poll(() => told(page)).toBe(`${large(page1, 0)} m`);
    await close();
  });

  test("wheel steps are rows, and the bar reaches all of them", async () => {
    const { page, close } = await one.open({ source: data.source, query: { field: "large", view: "table" } });
    const grid = page.getByRole("grid");
    await grid.waitFor();
    await grid.hover();
    await page.mouse.wheel(0, 240);
    await expect.poll(async () => (await cellsOf(page)).has("0,0")).toBe(false);
    await expect.poll(async () => [...(await cellsOf(page)).keys()][0]).toBe("10,0");
    expect((await cellsOf(page)).get("10,1")).toBe(String(large(10, 1)));
    await grid.evaluate((box) => (box.scrollTop = box.scrollHeight));
    await expect.poll(async () => (await cellsOf(page)).get("999999,2")).toBe(String(large(999_999, 2)));
    await grid.evaluate((box) => (box.scrollTop = (box.scrollHeight - box.clientHeight) / 2));
    await expect.poll(async () => [...(await cellsOf(page)).keys()].some((key) => Math.abs(Number(key.split(",")[0]) - 500_000) < 100)).toBe(true);
    await close();
  });

  test("rows follow the bar in each frame", async () => {
    const { page, close } = await one.open({ source: data.source, query: { field: "large", view: "table" } });
    const grid = page.getByRole("grid");
    await grid.waitFor();
    const rows = await grid.evaluate(async (box) => {
      const seen = new Set<string>();
      for (let frame = 0; frame < 120; frame++) {
        box.scrollTop += 3000;
        await new Promise(requestAnimationFrame);
        seen.add(box.querySelector('[role="row"]')?.getAttribute("aria-rowindex") ?? "");
      }
      return seen.size;
    });
    expect(rows).toBeGreaterThan(60);
    await close();
  });
});

test("axes are chosen by their names, and the address keeps them", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "cube", view: "table" } });
  await page.getByRole("grid").waitFor();
  const element = (time: number, depth: number, row: number, column: number): number => ((time * 3 + depth) * 4 + row) * 5 + column + 0.25;
  expect((await cellsOf(page)).get("3,4")).toBe(String(element(0, 0, 3, 4)));
  await page.getByLabel("Index along depth").fill("2");
  await expect.poll(async () => (await cellsOf(page)).get("3,4")).toBe(String(element(0, 2, 3, 4)));
  await page.getByLabel("Axis of rows").selectOption({ label: "time" });
  await page.getByLabel("Index along row").fill("1");
  await expect.poll(async () => (await cellsOf(page)).get("1,4")).toBe(String(element(1, 2, 1, 4)));
  await expect.poll(() => page.url()).toContain("x.rows=0");
  await page.reload();
  await expect.poll(async () => (await cellsOf(page)).get("1,4")).toBe(String(element(1, 2, 1, 4)));
  expect(await sideText(page, "stat", "count")).toBe("10");
  expect(await page.locator(".statistics .what").innerText()).toContain("slice depth 2, row 1");
  await picture(page, "view-table-axes");
  await close();
});

test("a wide matrix has its last column", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "wide", view: "table" } });
  const grid = page.getByRole("grid");
  await grid.waitFor();
  expect(await grid.locator('[role="gridcell"]').count()).toBeLessThan(200);
  await grid.focus();
  await grid.press("Control+End");
  await expect.poll(() => told(page)).toBe(String((2 * 100_000 - 1) % 251));
  await expect.poll(async () => (await cellsOf(page)).get("0,99999")).toBe(String(99_999 % 251));
  await close();
});

test("a row per Item reads those in sight alone", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "joints", view: "table", "x.of": "window" } });
  const grid = page.getByRole("grid");
  await grid.waitFor();
  await expect.poll(async () => (await cellsOf(page)).get("1,2")).toBe("0.25");
  expect((await cellsOf(page)).get("5,1")).toBe("-0");
  expect(await grid.getAttribute("aria-rowcount")).toBe(String(LINES + 1));
  const before = data.requests.length;
  await goTo(page, String(10 * LINES));
  await expect.poll(() => told(page)).toBe(`${LINES - 1} rad`);
  await expect.poll(async () => (await cellsOf(page)).get(`${LINES - 2},0`)).toBe(String(LINES - 2));
  expect(data.requests.length - before).toBeLessThan(3 * 96);
  await picture(page, "view-table-window");
  await close();
});

describe("what the reference wrote", () => {
  test("scalars are their anchors and values", async () => {
    const { items } = (await loadSidecar("scalars")).refs["main"]?.fields["fl"] ?? {};
    const { page, close } = await one.open({ source: fixtureUrl("scalars"), query: { field: "fl", view: "table" } });
    const grid = page.getByRole("grid");
    await grid.waitFor();
    expect(await grid.getAttribute("aria-rowcount")).toBe(String((items ?? []).length + 1));
    for (const [row, item] of (items ?? []).slice(0, 10).entries()) {
      const { anchor, value } = item as unknown as { readonly anchor: SidecarNumber; readonly value: SidecarNumber };
      await goTo(page, textOf(anchor));
      await expect.poll(() => told(page)).toBe(textOf(value));
      expect((await page.locator("output[data-cell]").getAttribute("data-cell"))?.split(",")[0]).toBe(String(row));
    }
    await close();
  });

  test.each(["be", "fraw", "npyf", "u64", "i64", "scalar0d"])("%s, whatever its layout and byte order", async (field) => {
    const [item] = (await loadSidecar("arrays-basic")).refs["main"]?.fields[field]?.items ?? [];
    const { values } = valueOf(item) as ArrayFact;
    const { page, close } = await one.open({ source: fixtureUrl("arrays-basic"), query: { field, view: "table" } });
    await page.getByRole("grid").waitFor();
    const cells = [...(await cellsOf(page)).values()];
    expect(cells).toEqual(values.map(textOf));
    await close();
  });

  test("a big-endian ragged Item is its rows", async () => {
    const [item] = (await loadSidecar("arrays-basic")).refs["main"]?.fields["ragbe"]?.items ?? [];
    const { row_offsets: offsets, values } = valueOf(item) as PartsFact;
    const { page, close } = await one.open({ source: fixtureUrl("arrays-basic"), query: { field: "ragbe", view: "table" } });
    await page.getByRole("grid").waitFor();
    const cells = await cellsOf(page);
    const ends = offsets.values.map(Number);
    // Cells are [2, 2]: four elements each.
    const cellAt = (cell: number): string => `(${values.values.slice(4 * cell, 4 * cell + 4).map(textOf).join(", ")})`;
    const expected = ends.slice(1).map((end, row) => Array.from({ length: end - (ends[row] ?? 0) }, (_, at) => cellAt((ends[row] ?? 0) + at)));
    expect(expected.map((_, row) => [...cells].filter(([place, text]) => place.startsWith(`${row},`) && text !== "").map(([, text]) => text))).toEqual(expected);
    await close();
  });

  test("an Item without elements says so", async () => {
    const { page, close } = await one.open({ source: fixtureUrl("arrays-basic"), query: { field: "zero", view: "table" } });
    await page.getByText("There are no elements.").waitFor();
    await close();
  });
});
