/** The timeline: what it says of fields, and what moves the playhead; without a mouse, too. */
import { Schema } from "dreamdb-arrays";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { served, type Served } from "./support/dataset.js";
import { sideText, type Stage, stage } from "./support/viewer.js";

const START = 1_764_000_000_000_000_000n;
const STEP = 20_000_000n;
const at = (item: number): bigint => START + STEP * BigInt(item);

let one: Stage;
let data: Served;
beforeAll(async () => {
  one = await stage();
  const schema = new Schema().array("a", { dtype: "f32", shape: [2] }).array("b", { dtype: "f64", shape: [], required: false });
  // `b` at every third anchor; 20 to 29 are a gap of both.
  const items = Array.from({ length: 100 }, (_, item) => item).filter((item) => item < 20 || item >= 30);
  data = await served(schema, items.map((item) => ({ anchor: at(item), values: { a: Float32Array.of(item, -item), b: item % 3 === 0 ? Float64Array.of(item) : undefined } })));
  await data.ds.delete([at(5), at(6), at(90)]);
});
afterAll(async () => {
  await one.close();
  await data.close();
});

const playhead = async (page: Page): Promise<bigint> => BigInt(await page.getByRole("textbox", { name: "Anchor" }).inputValue());
const strip = (page: Page, name: string) => page.locator(".strip").and(page.getByRole("img", { name: new RegExp(`^${name}:`) }));

async function open(query: Record<string, string> = {}) {
  const viewer = await one.open({ source: data.source, query: { field: "a", view: "table", ...query } });
  await strip(viewer.page, "b").and(viewer.page.getByRole("img", { name: /Items/ })).waitFor();
  return viewer;
}

describe("strips", () => {
  test("say how many Items and deleted rows lie in the window", async () => {
    const { page, close } = await open();
    expect(await strip(page, "a").getAttribute("aria-label")).toBe("a: 87 Items in the window, 3 deleted");
    // 7 up to Item 18, 24 from Item 30; deleted among these are 6 and 90.
    expect(await strip(page, "b").getAttribute("aria-label")).toBe("b: 29 Items in the window, 2 deleted");
    await page.getByRole("textbox", { name: "from", exact: true }).fill(String(at(0)));
    await page.getByRole("textbox", { name: "to", exact: true }).fill(String(at(7)));
    await page.getByRole("textbox", { name: "to", exact: true }).press("Enter");
    await expect.poll(() => strip(page, "a").getAttribute("aria-label")).toBe("a: 5 Items in the window, 2 deleted");
    await close();
  });

  test("are drawn where Items are, and empty where none are", async () => {
    const { page, close } = await open();
    const drawn = await strip(page, "a").evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      // One line that lies above the line of the coverage.
      const row = Math.floor(height / 4);
      return Array.from({ length: width }, (_, x) => (pixels[(row * width + x) * 4 + 3] ?? 0) > 0);
    });
    const within = (from: number, to: number) => drawn.slice(Math.ceil(drawn.length * from), Math.floor(drawn.length * to));
    // The gap is from Item 19 to Item 30, of 99 distances.
    expect(within(0.205, 0.295).some(Boolean)).toBe(false);
    expect(within(0.31, 0.89).filter(Boolean).length).toBeGreaterThan(50);
    await close();
  });
});

describe("the playhead", () => {
  test("steps by keys from Item to Item, over gaps and deleted rows", async () => {
    const { page, close } = await open();
    const press = async (key: string, item: number) => {
      await page.keyboard.press(key);
      await expect.poll(() => playhead(page)).toBe(at(item));
    };
    await press("ArrowRight", 1);
    await press("Shift+ArrowRight", 13);
    await press("ArrowLeft", 12);
    await press("End", 99);
    await press("Shift+ArrowLeft", 88);
    await press("Home", 0);
    await press("ArrowLeft", 0);
    await close();
  });

  test("is moved by a pointer to any anchor; the Item that holds there is shown, with its own anchor", async () => {
    const { page, close } = await open();
    const lanes = page.locator(".strips");
    const box = await lanes.boundingBox();
    if (box === null) throw new Error("the lanes are nowhere");
    await page.mouse.click(box.x + box.width * 0.25, box.y + 30);
    await expect.poll(async () => (await playhead(page)) > at(19)).toBe(true);
    const anchor = await playhead(page);
    expect(anchor < at(30)).toBe(true);
    await page.locator('.facts > div:has(dt:text-is("Item at")) dd').getByText(String(at(19))).waitFor();
    await page.locator('.facts > div:has(dt:text-is("playhead")) dd').getByText(String(anchor)).waitFor();
    await close();
  });

  test("takes an anchor that is typed, and nothing that is none", async () => {
    const { page, close } = await open();
    const input = page.getByRole("textbox", { name: "Anchor" });
    await input.fill(String(at(42)));
    await input.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.get("anchor")).toBe(String(at(42)));
    await input.fill("18446744073709551616");
    expect(await input.getAttribute("aria-invalid")).toBe("true");
    await input.press("Enter");
    await expect.poll(() => playhead(page)).toBe(at(42));
    await close();
  });

  test("leaves what is being typed alone while it plays", async () => {
    const { page, close } = await open();
    const input = page.getByRole("textbox", { name: "Anchor" });
    await page.getByRole("button", { name: "Play" }).click();
    const asked = (): string | null => new URL(page.url()).searchParams.get("anchor");
    await input.focus();
    const gone = { text: await input.inputValue(), asked: asked() };
    await expect.poll(asked).not.toBe(gone.asked);
    expect(await input.inputValue()).toBe(gone.text);
    await input.fill("1764");
    const before = asked();
    await expect.poll(asked).not.toBe(before);
    expect(await input.inputValue()).toBe("1764");
    await input.pressSequentially(String(at(95)).slice(4));
    expect(await input.inputValue()).toBe(String(at(95)));
    await input.press("Enter");
    await expect.poll(() => playhead(page)).toBeGreaterThanOrEqual(at(95));
    await close();
  });

  test("plays to the end and stops there", async () => {
    const { page, close } = await open({ anchor: String(at(93)) });
    await page.getByRole("combobox", { name: "Items a second" }).selectOption("60");
    await page.keyboard.press("Space");
    await expect.poll(() => playhead(page)).toBe(at(99));
    await expect.poll(() => page.getByRole("button", { name: "Play" }).getAttribute("aria-pressed")).toBe("false");
    await close();
  });
});

describe("bytes", () => {
  test("are told by request, and add up to what the server sent", async () => {
    const { page, close } = await open();
    await page.locator(".verified").waitFor();
    await page.keyboard.press("b");
    const rows = page.locator(".bytes tbody tr[data-type=request]");
    await expect.poll(async () => Number(await sideText(page, "bytes", "requests"))).toBe(await rows.count());
    const kinds = await page.locator(".bytes tbody tr").evaluateAll((all) => all.map((row) => row.getAttribute("data-type")));
    expect(kinds.filter((kind) => kind === "verified").length).toBeGreaterThan(2);
    expect(await sideText(page, "bytes", "wanted")).toBe("8 B");
    await close();
  });
});
