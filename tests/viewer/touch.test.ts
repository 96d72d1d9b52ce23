/** Fingers: on a phone and on a tablet all of the page can be reached, and what is dragged by the mouse is dragged by them. Real touches, by the browser's protocol. */
import type { CDPSession, Locator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import { type Served, served } from "./support/dataset.js";
import { picture, type Stage, stage } from "./support/viewer.js";

const COUNT = 101;
const anchorOf = (at: number): bigint => 1000n + 10n * BigInt(at);
const LAST = anchorOf(COUNT - 1);

const stages: Record<"phone" | "tablet", Stage | undefined> = { phone: undefined, tablet: undefined };
let data: Served;
beforeAll(async () => {
  const schema = new Schema()
    .array("joints", { dtype: "f32", shape: [3], units: "rad", trackKind: "continuous" })
    .array("points", { dtype: "f32", shape: [5, 3], units: "m" })
    .array("matrix", { dtype: "f32", shape: [6, 8] });
  const rows = Array.from({ length: COUNT }, (_, at) => ({
    anchor: anchorOf(at),
    values: { joints: Float32Array.of(at, -at, at / 2), points: Float32Array.from({ length: 15 }, (_, one) => Math.sin(one * 2.3)), matrix: Float32Array.from({ length: 48 }, (_, one) => one) },
  }));
  data = await served(schema, rows);
  stages.phone = await stage({ width: 390, height: 844, hasTouch: true });
  stages.tablet = await stage({ width: 1024, height: 768, hasTouch: true });
}, 120_000);
afterAll(async () => {
  await stages.phone?.close();
  await stages.tablet?.close();
  await data?.close();
});

/** A page on such a device, with its fingers. */
async function open(device: "phone" | "tablet", query: Record<string, string>) {
  const there = stages[device];
  if (there === undefined) throw new Error(`no ${device}`);
  const { page, close } = await there.open({ source: data.source, query });
  await page.locator(".verified").waitFor();
  return { page, close, cdp: await page.context().newCDPSession(page) };
}

type Point = readonly [x: number, y: number];

/** Where parts of an element are, as parts of its width and height. */
async function within(element: Locator, ...parts: readonly Point[]): Promise<Point[]> {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error("it is not there");
  return parts.map(([x, y]) => [box.x + x * box.width, box.y + y * box.height]);
}

/** Fingers that go along their ways together, in ten steps. */
async function drag(cdp: CDPSession, ...ways: readonly (readonly Point[])[]): Promise<void> {
  const at = (part: number) =>
    ways.map(([from = [0, 0], to = from], id) => ({ id, x: from[0] + part * (to[0] - from[0]), y: from[1] + part * (to[1] - from[1]) }));
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let step = 1; step <= 10; step++) await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step / 10) });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

const anchor = (page: Page): Promise<bigint> => page.getByRole("textbox", { name: "Anchor" }).inputValue().then(BigInt);
const camera = (page: Page): string | null => new URL(page.url()).searchParams.get("x.camera");

describe.each(["phone", "tablet"] as const)("on a %s", (device) => {
  test("nothing lies beyond the sides, and all of it can be reached", async () => {
    for (const [field, view] of [["joints", "lines"], ["points", "points"], ["matrix", "heatmap"], ["matrix", "table"]] as const) {
      const { page, close } = await open(device, { field, view });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const main = await page.locator("main").boundingBox();
      expect(main?.width).toBeGreaterThan(device === "phone" ? 380 : 500);
      await picture(page, `touch-${device}-${view}`);
      // A tap reaches what is lowest; the timeline stays.
      await page.getByRole("button", { name: ".csv", exact: true }).scrollIntoViewIfNeeded();
      const [begun] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: ".csv", exact: true }).tap()]);
      expect(begun.suggestedFilename()).toContain(field);
      await page.getByRole("button", { name: "Item after" }).tap();
      await expect.poll(() => anchor(page)).toBe(anchorOf(1));
      await page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name: field === "joints" ? "matrix" : "joints" }).tap();
      await expect.poll(() => page.url()).toContain(field === "joints" ? "field=matrix" : "field=joints");
      await close();
    }
  });

  test("a finger moves the playhead along the timeline", async () => {
    const { page, close, cdp } = await open(device, { field: "joints" });
    const strips = page.locator(".strips");
    await drag(cdp, await within(strips, [0.2, 0.5], [0.7, 0.5]));
    // The window has one anchor more than the last.
    const width = (await strips.boundingBox())?.width ?? 1;
    const expected = 1000 + 0.7 * Number(LAST + 1n - 1000n);
    await expect.poll(async () => Math.abs(Number(await anchor(page)) - expected)).toBeLessThanOrEqual((2 * 1001) / width + 1);
    await close();
  });

  test("a finger that is dragged over a plot chooses a window, a tap the playhead", async () => {
    const { page, close, cdp } = await open(device, { field: "joints", view: "lines" });
    const plot = page.locator(".plot .u-over");
    await plot.waitFor();
    const [[x, y] = [0, 0]] = await within(plot, [0.5, 0.5]);
    await page.touchscreen.tap(x, y);
    await expect.poll(async () => Math.abs(Number(await anchor(page)) - 1500)).toBeLessThanOrEqual(20);
    expect(await page.locator("[data-items]").getAttribute("data-items")).toBe(String(COUNT));
    await drag(cdp, await within(plot, [0.25, 0.5], [0.75, 0.5]));
    const from = () => page.getByRole("textbox", { name: "from" }).inputValue().then(Number);
    const to = () => page.getByRole("textbox", { name: "to", exact: true }).inputValue().then(Number);
    await expect.poll(async () => Math.abs((await from()) - 1250)).toBeLessThanOrEqual(20);
    expect(Math.abs((await to()) - 1750)).toBeLessThanOrEqual(20);
    await expect.poll(() => page.locator("[data-items]").getAttribute("data-items").then(Number)).toBeLessThan(55);
    expect(await page.locator(".u-select").evaluate((element) => element.getBoundingClientRect().width)).toBe(0);
    await close();
  });

  test("a finger turns what is in space, two of them come nearer", async () => {
    const { page, close, cdp } = await open(device, { field: "points", view: "points" });
    const scene = page.locator(".space-view");
    const numbers = (): number[] => (camera(page) ?? "").split(",").map(Number);
    const way = await within(scene, [0.4, 0.5], [0.6, 0.5]);
    await drag(cdp, way);
    await expect.poll(() => camera(page)).not.toBeNull();
    const [yaw = 0, pitch, distance = 0] = numbers();
    await drag(cdp, way.toReversed());
    await drag(cdp, way.toReversed());
    // As far to one side as to the other: from one end to the other by 0.4 degrees a pixel.
    const width = (await scene.boundingBox())?.width ?? 0;
    await expect.poll(() => (((numbers()[0] ?? 0) - yaw + 720) % 360) / (2 * 0.2 * width)).toBeCloseTo(0.4, 2);
    expect(numbers().slice(1, 3)).toEqual([pitch, distance]);
    const [a, b, c, d] = (await within(scene, [0.45, 0.5], [0.2, 0.5], [0.55, 0.5], [0.8, 0.5])) as [Point, Point, Point, Point];
    await drag(cdp, [a, b], [c, d]);
    // Six times as far apart, six times as near.
    await expect.poll(() => distance / (numbers()[2] ?? 0)).toBeCloseTo(6, 2);
    expect(numbers()[1]).toBe(pitch);
    expect(new URL(page.url()).searchParams.get("x.point")).toBeNull();
    await close();
  });
});
