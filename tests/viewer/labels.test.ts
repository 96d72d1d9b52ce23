/** Labels: scalar values along the anchors, as values, bands and runs. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { findReference } from "../../scripts/lib/reference.mjs";
import { picture, type Stage, stage } from "./support/viewer.js";
import { type Source, writtenByReference } from "./support/written.js";

let one: Stage;
let made: Source;
let many: Source;

const FIRST = 1_000_000;
const PHASES = ["approach", "grasp", "lift", "<img src=x onerror=alert(1)>", "\u202edesrever", "", "=HYPERLINK(1)"];
/** Twelve runs of 25 rows each. */
const phaseOf = (row: number): string => PHASES[Math.floor(row / 25) % PHASES.length] ?? "";
const DISTINCT = 10_000;

beforeAll(async () => {
  one = await stage();
  const python = findReference();
  if (python === undefined) throw new Error("the reference implementation is not installed");
  made = await writtenByReference(
    python,
    `
schema = (dreamdb.Schema().add_scalar_categorical("phase").add_scalar_bool("contact").add_scalar_int("count").add_scalar_float("force")
    .add_scalar_string("words").add_scalar_timestamp("time"))
phases = ${JSON.stringify(PHASES)}
ds = dreamdb.Dataset.create("main", schema, target)
ds.append_many([{"_anchor": ${FIRST} + 100 * i, "phase": phases[i // 25 % len(phases)], "contact": i % 50 < 20, "count": 2**53 + 1 + i, "force": i / 8,
    "words": f"word {i}", "time": 10**18 + i} for i in range(300)])
ds.delete([${FIRST} + 100 * 30])
`,
  );
  many = await writtenByReference(
    python,
    `
ds = dreamdb.Dataset.create("main", dreamdb.Schema().add_scalar_string("words"), target)
ds.append_many([{"_anchor": i, "words": f"word {i}"} for i in range(${DISTINCT})])
`,
  );
}, 60_000);
afterAll(async () => {
  await one.close();
  await made.close();
  await many.close();
});

const anchorOf = (row: number): string => String(FIRST + 100 * row);
const now = (page: Page) => page.locator('[data-label="value"]');

test("the value at the playhead, and the runs with their anchors and counts", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "phase", view: "labels", anchor: anchorOf(60) } });
  await expect.poll(() => now(page).innerText()).toBe("lift");
  const line = async (run: number): Promise<string[]> => (await page.locator(`tr[data-run="${run}"] td`).allInnerTexts()).map((text) => text.trim());
  expect(await line(0)).toEqual(["approach", anchorOf(0), anchorOf(24), "25"]);
  // One row of it was deleted.
  expect(await line(1)).toEqual(["grasp", anchorOf(25), anchorOf(49), "24"]);
  await picture(page, "view-labels");
  await close();
});

test("text from the data is text, whatever it says", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "phase", anchor: anchorOf(80) } });
  await now(page).waitFor();
  await expect.poll(() => now(page).innerText()).toBe("<img src=x onerror=alert(1)>");
  expect(await page.locator("#view img").count()).toBe(0);
  await page.getByLabel("Anchor").fill(anchorOf(110));
  await page.keyboard.press("Enter");
  await expect.poll(() => now(page).innerText()).toBe("\\u202edesrever");
  await page.getByLabel("Anchor").fill(anchorOf(130));
  await page.keyboard.press("Enter");
  await expect.poll(() => now(page).innerText()).toBe("(empty)");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: ".csv" }).click();
  const lines = readFileSync(await (await download).path(), "utf8").split("\r\n");
  expect(lines.slice(0, 2)).toEqual(["anchor,phase", `${anchorOf(0)},approach`]);
  // 299 rows, their head, and the end of the last one.
  expect(lines).toHaveLength(301);
  expect(lines.find((line) => line.startsWith(anchorOf(150)))).toBe(`${anchorOf(150)},'=HYPERLINK(1)`);
  expect(lines.slice(1, -1).map((line) => line.split(",")[1]?.replace(/^'/, ""))).toEqual(Array.from({ length: 300 }, (_, row) => row).filter((row) => row !== 30).map(phaseOf));
  await close();
});

test("a click, or Enter, on a run moves the playhead to its beginning", async () => {
  const { page, close } = await one.open({ source: made.source, query: { field: "phase", anchor: anchorOf(0) } });
  await now(page).waitFor();
  await page.locator('tr[data-run="2"]').click();
  await expect.poll(() => now(page).innerText()).toBe("lift");
  await expect.poll(() => page.url()).toContain(`anchor=${anchorOf(50)}`);
  await page.getByRole("region", { name: /Runs of equal values, 12/ }).focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "End", "ArrowUp"]) await page.keyboard.press(key);
  await expect.poll(() => page.locator("tr.marked").getAttribute("data-run")).toBe("10");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain(`anchor=${anchorOf(250)}`);
  await expect.poll(() => page.locator("tr[aria-current]").getAttribute("data-run")).toBe("10");
  await close();
});

test("the band has a piece for each run: its value under the pointer, its colour on the canvas", async () => {
  // The test reads pixels back, which the page does not.
  const { page, close } = await one.open({ source: made.source, query: { field: "phase", anchor: anchorOf(0) }, mayComplain: /willReadFrequently/ });
  await now(page).waitFor();
  expect(await page.locator(".band canvas").getAttribute("data-pieces")).toBe("12");
  const box = (await page.locator(".band canvas").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const placeOf = (row: number): number => (box.width * 100 * row) / (299 * 100 + 1);
  await page.mouse.move(box.x + placeOf(60), box.y + 10);
  await expect.poll(() => page.locator('[data-label="hovered"]').innerText()).toBe(`lift from ${anchorOf(50)} to ${anchorOf(74)}`);
  const colourAt = (row: number): Promise<number[]> =>
    page.locator(".band canvas").evaluate((element: HTMLCanvasElement, x: number) => [...(element.getContext("2d")?.getImageData(Math.round(x * devicePixelRatio), 3, 1, 1).data ?? [])].slice(0, 3), placeOf(row));
  // The first two colours of Okabe and Ito in their order here, and nothing between two runs.
  expect(await colourAt(12)).toEqual([0x00, 0x72, 0xb2]);
  expect(await colourAt(187)).toEqual([0x00, 0x72, 0xb2]);
  expect(await colourAt(40)).toEqual([0xe6, 0x9f, 0x00]);
  await page.mouse.click(box.x + placeOf(60), box.y + 10);
  await expect.poll(() => now(page).innerText()).toBe("lift");
  await close();
});

test("values of every type are exact", async () => {
  for (const [field, row, text] of [
    ["contact", 60, "true"],
    ["contact", 20, "false"],
    ["count", 7, "9007199254741000"],
    ["count", 8, "9007199254741001"],
    ["force", 9, "1.125"],
    ["words", 299, "word 299"],
    ["time", 123, "1000000000000000123"],
  ] as const) {
    const { page, close } = await one.open({ source: made.source, query: { field, view: "labels", anchor: anchorOf(row) } });
    await now(page).waitFor();
    expect(await now(page).innerText()).toBe(text);
    await close();
  }
});

test("the fixture's columns are as the reference reads them", async () => {
  const source = `${inject("fixturesUrl")}/scalars/data`;
  const { page, close } = await one.open({ source, query: { field: "st", anchor: "40" } });
  await now(page).waitFor();
  expect(await now(page).innerText()).toBe("z".repeat(40));
  await page.keyboard.press("Home");
  await expect.poll(() => now(page).innerText()).toBe("hé");
  await close();
});

test("ten thousand distinct values make a legend that can be read, and a table that can be scrolled to its end", async () => {
  const { page, close } = await one.open({ source: many.source, query: { field: "words", anchor: "9999" } });
  await now(page).waitFor({ timeout: 30_000 });
  expect(await now(page).innerText()).toBe("word 9999");
  expect(await page.locator(".value-legend li").count()).toBe(25);
  expect(await page.locator('[data-value="others"]').innerText()).toContain("9\u202f976 more values");
  await expect.poll(() => page.locator('tr[data-run="9999"]').isVisible()).toBe(true);
  expect(await page.locator(".runs tbody tr").count()).toBeLessThan(40);
  await page.getByRole("region", { name: /Runs of equal values/ }).focus();
  await page.keyboard.press("Home");
  await expect.poll(() => page.locator('tr[data-run="0"]').isVisible()).toBe(true);
  await page.keyboard.press("Enter");
  await expect.poll(() => now(page).innerText()).toBe("word 0");
  // Lines that are not made take their room, and no more than that.
  expect(await page.locator('tr[data-run="3"]').evaluate((line) => line.getBoundingClientRect().height)).toBe(26);
  expect(await page.locator(".runs").evaluate((scroll) => scroll.scrollHeight)).toBe(26 * 10_001);
  await picture(page, "view-labels-many");
  await close();
});

test("it can be read in the dark and on a small screen", async () => {
  const dark = await stage({ colorScheme: "dark", width: 1024, height: 768 });
  const { page, close } = await dark.open({ source: made.source, query: { field: "phase", anchor: anchorOf(60) } });
  await now(page).waitFor();
  expect(await now(page).innerText()).toBe("lift");
  await picture(page, "view-labels-dark");
  expect(await page.locator("#view").evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
  await close();
  await dark.close();
});
