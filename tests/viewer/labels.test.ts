/** Labels: scalar values along the anchors, as values, bands and runs. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { findReference } from "../../scripts/lib/reference.mjs";
import { picture, type Stage, stage } from "./support/viewer.js";
import { type Served, writtenByReference } from "./support/written.js";

let one: Stage;
let made: Served;

const FIRST = 1_000_000;
const PHASES = ["approach", "grasp", "lift", "<img src=x onerror=alert(1)>", "\u202edesrever", "", "=HYPERLINK(1)"];
const HOSTILE = 3;
/** Twelve runs of 25 rows each. */
const phaseOf = (row: number): string => PHASES[Math.floor(row / 25) % PHASES.length] ?? "";

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
}, 60_000);
afterAll(async () => {
  await one.close();
  await made.close();
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
