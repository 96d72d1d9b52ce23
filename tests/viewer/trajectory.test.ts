/** 4×4 matrices over a window: how they are read, and what is told of the one at the playhead. */
import { execFileSync } from "node:child_process";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findReference } from "../../scripts/lib/reference.mjs";
import type { Served } from "./support/dataset.js";
import { anchorOf, COUNT, poseOf, serveSpace } from "./support/space-data.js";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";

let one: Stage;
let data: Served;
beforeAll(async () => {
  [one, data] = await Promise.all([stage(), serveSpace()]);
});
afterAll(() => Promise.all([one.close(), data.close()]));

const open = (query: Readonly<Record<string, string>> = {}, field = "pose") => one.open({ source: data.source, query: { field, ...query } });
const told = (page: Page, name: string) => page.locator(`[data-space="${name}"]`);
const matrix = (page: Page): Promise<string[]> => page.locator("td[data-element]").allInnerTexts();

test("the matrix at the playhead is told exactly, and by which convention it is read", async () => {
  const { page, close } = await open({ anchor: String(anchorOf(7)) });
  await expect.poll(() => told(page, "anchor").innerText()).toBe(String(anchorOf(7)));
  expect(await matrix(page)).toEqual(poseOf(7).map((value) => (Object.is(value, -0) ? "-0" : String(value))));
  expect(await told(page, "convention").innerText()).toBe("The matrix is read as column vectors: columns 0 to 2 are the axes, the last column the translation.");
  expect([await told(page, "x").innerText(), await told(page, "y").innerText(), await told(page, "z").innerText()]).toEqual([3, 7, 11].map((at) => `${poseOf(7)[at]} m`));
  expect(Number(await told(page, "determinant").innerText())).toBeCloseTo(1, 9);
  expect(await told(page, "items").innerText()).toBe(String(COUNT));
  await picture(page, "view-trajectory");
  await page.getByLabel("Read as").selectOption("rows");
  await expect.poll(() => told(page, "convention").innerText()).toContain("row vectors: rows 0 to 2 are the axes, the last row the translation");
  expect([await told(page, "x").innerText(), await told(page, "y").innerText(), await told(page, "z").innerText()]).toEqual(["0 m", "0 m", "0 m"]);
  await expect.poll(() => page.url()).toContain("x.convention=rows");
  await close();
});

test("the playhead moves the pose, and what is on screen is the column of the window", async () => {
  const { page, close } = await open({ anchor: String(anchorOf(2)), from: String(anchorOf(1)), to: String(anchorOf(6)) });
  await expect.poll(() => told(page, "anchor").innerText()).toBe(String(anchorOf(2)));
  expect(await told(page, "items").innerText()).toBe("5");
  expect(await sideText(page, "stat", "count")).toBe("80");
  await page.getByRole("button", { name: "Item after" }).click();
  await expect.poll(() => told(page, "z").innerText()).toBe(`${poseOf(3)[11]} m`);
  await page.getByRole("button", { name: "Last Item" }).click();
  await page.getByText("The playhead stands outside of the window").waitFor();
  await close();
});

test("the column is exported as it is shown, and NumPy reads it", async () => {
  const { page, close } = await open({ from: String(anchorOf(1)), to: String(anchorOf(6)) });
  await expect.poll(() => told(page, "items").innerText()).toBe("5");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: ".npy" }).click()]);
  const script = "import numpy,sys,json; a=numpy.load(sys.argv[1]); print(json.dumps([str(a.dtype), a.shape, a.ravel().tolist()]))";
  const read = JSON.parse(execFileSync(findReference() ?? "python3", ["-c", script, await download.path()], { encoding: "utf8" })) as unknown;
  expect(read).toEqual(["float64", [5, 4, 4], [1, 2, 3, 4, 5].flatMap(poseOf)]);
  expect(download.suggestedFilename()).toBe(`pose_${anchorOf(1)}-${anchorOf(5)}.npy`);
  await close();
});

test("a Constant is one pose, whose determinant says that it mirrors", async () => {
  const { page, close } = await open({ view: "trajectory" }, "mirror");
  await expect.poll(() => told(page, "determinant").innerText()).toBe("-1");
  expect(await matrix(page)).toEqual(["-1", "0", "0", "5", "0", "1", "0", "6", "0", "0", "1", "7", "0", "0", "0", "1"]);
  expect([await told(page, "x").innerText(), await told(page, "y").innerText(), await told(page, "z").innerText()]).toEqual(["5", "6", "7"]);
  await close();
});

test("axes are drawn as often as one chooses, in the dark and on a small screen too", async () => {
  const small = await stage({ width: 1024, height: 768, colorScheme: "dark" });
  const { page, close } = await small.open({ source: data.source, query: { field: "pose", anchor: String(anchorOf(15)), "x.camera": "-20,35,2.6,0,0,0.7" } });
  await expect.poll(() => told(page, "items").innerText()).toBe(String(COUNT));
  expect(await page.getByRole("combobox", { name: "Axes", exact: true }).inputValue()).toBe("2");
  await page.getByRole("combobox", { name: "Axes", exact: true }).selectOption("5");
  await expect.poll(() => page.url()).toContain("x.every=5");
  await picture(page, "view-trajectory-dark");
  const row = await page.locator(".space-pose").boundingBox();
  expect(row?.width ?? 0).toBeGreaterThan(0);
  expect(await page.locator(".space-view").evaluate((element) => element.getBoundingClientRect().right <= (element.closest("main")?.getBoundingClientRect().right ?? 0))).toBe(true);
  await close();
  await small.close();
});
