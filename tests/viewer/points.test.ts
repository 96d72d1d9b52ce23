/** Rows of three numbers as points and as a mesh: what is drawn, what is said of it, and that it is what was stored. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Served } from "./support/dataset.js";
import { coloured, exported, pixels } from "./support/picture.js";
import { anchorOf, AROUND, LARGE, RINGS, serveSpace, torusPoint } from "./support/space-data.js";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";

/** What the reference read back. */
const sidecar = JSON.parse(readFileSync(new URL("../fixtures/episode/expected.json", import.meta.url), "utf8")) as {
  readonly refs: { readonly main: { readonly fields: { readonly joints: { readonly items: readonly { readonly value: { readonly values: readonly number[] } }[] } } } };
};

let one: Stage;
let data: Served;
beforeAll(async () => {
  [one, data] = await Promise.all([stage(), serveSpace()]);
});
afterAll(() => Promise.all([one.close(), data.close()]));

const open = (field: string, query: Readonly<Record<string, string>> = {}) => one.open({ source: data.source, query: { field, view: "points", ...query } });
const scene = (page: Page) => page.locator(".space-view");
const told = (page: Page, name: string) => page.locator(`[data-space="${name}"]`);
/** Text of what is told, each digit group joined. */
const numberOf = async (page: Page, name: string): Promise<number> => Number((await told(page, name).innerText()).replaceAll("\u202f", ""));

test("points with a NaN or an infinity are counted and left out; exact elements are told of any, by its number", async () => {
  const { page, close } = await open("some");
  await scene(page).waitFor();
  expect(await told(page, "drawn").innerText()).toBe("3");
  expect(await told(page, "left-out").innerText()).toBe("2");
  expect([await sideText(page, "stat", "nan"), await sideText(page, "stat", "infinite"), await sideText(page, "stat", "count")]).toEqual(["1", "1", "15"]);
  await page.getByLabel("Point", { exact: true }).fill("1");
  await expect.poll(() => told(page, "point").innerText()).toBe("1 [1] x -0.5 y NaN z 0.25 mm");
  await expect.poll(() => page.url()).toContain("x.point=1");
  await page.getByLabel("Point", { exact: true }).fill("4");
  await expect.poll(() => told(page, "point").innerText()).toBe("4 [4] x 0.7 y -0.4 z 0.05 mm");
  expect(await scene(page).getAttribute("aria-label")).toContain("3 points of some; x from 0.1 to 1, y from -0.4 to 0.2, z from -0.125 to 0.3.");
  expect(await told(page, "step").innerText()).toBe("0.2 mm");
  await close();
});

test("the point under the pointer is told, with its index and its elements", async () => {
  // The camera looks at point 4, which then is in the middle.
  const { page, close } = await open("some", { "x.camera": "20,10,3,0.7,-0.4,0.05" });
  const { x = 0, y = 0, width = 0, height = 0 } = (await scene(page).boundingBox()) ?? {};
  await expect.poll(async () => {
    await page.mouse.move(x + width / 2 + 3, y + height / 2);
    await page.mouse.move(x + width / 2 + 2, y + height / 2 + 2);
    return told(page, "point").innerText();
  }).toBe("4 [4] x 0.7 y -0.4 z 0.05 mm");
  await page.mouse.move(x + 6, y + 6);
  await expect.poll(() => told(page, "point").innerText()).toContain("Point at one");
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect.poll(() => page.getByLabel("Point", { exact: true }).inputValue()).toBe("4");
  await close();
});

test("a point is drawn where the camera looks, in the colour of the view, and nothing is beside it", async () => {
  const { page, close } = await open("some", { "x.camera": "20,10,0.05,0.7,-0.4,0.05", "x.size": "12" });
  await scene(page).waitFor();
  const [middle, beside] = await pixels(page, [[0.5, 0.5], [0.52, 0.75]]);
  expect(middle).toEqual([10, 84, 148]);
  expect(beside).toEqual([255, 255, 255]);
  await close();
});

test("64-bit integers stay exact, and points of a Fortran-ordered rank-3 Item come in the order of their index", async () => {
  const { page, close } = await open("deep", { "x.point": "1" });
  // Element [0, 1, k] lies at 2 + 4 k.
  await expect.poll(() => told(page, "point").innerText()).toBe("1 [0, 1] x 9007199254740995 y 9007199254740999 z 9007199254741003");
  expect(await told(page, "drawn").innerText()).toBe("4");
  await close();
});

test("rows of a ragged Item are joined, and coloured by row", async () => {
  const { page, close } = await open("hits", { "x.point": "3" });
  await expect.poll(() => told(page, "point").innerText()).toBe("3 row 2, 1 x 0 y 0 z 1 m");
  expect(await told(page, "drawn").innerText()).toBe("5");
  expect([await told(page, "low").innerText(), await told(page, "high").innerText()]).toEqual(["0", "2"]);
  expect(await page.getByLabel("Colour").inputValue()).toBe("row");
  await close();
});

test("faces are those of a field that a person chose, among those that are declared so that they can be", async () => {
  const { page, close } = await open("vertices");
  await scene(page).waitFor();
  const faces = page.getByLabel("Faces");
  expect(await faces.inputValue()).toBe("");
  expect(await faces.locator("option").allInnerTexts()).toEqual(["none", "triangles", "wrong"]);
  await picture(page, "view-points");
  await faces.selectOption("triangles");
  await expect.poll(() => numberOf(page, "faces").catch(() => 0)).toBe(2 * RINGS * AROUND);
  await expect.poll(() => page.url()).toContain("x.topology=triangles");
  await picture(page, "view-mesh");
  // Straight from above: the ring is there, and there is a hole in it.
  await close();
  const [bx, , bz] = torusPoint(AROUND / 2, 0);
  const above = await open("vertices", { "x.topology": "triangles", "x.camera": "0,90,0.1,0,0,0.4", "x.shading": "smooth" });
  await scene(above.page).waitFor();
  await expect.poll(() => numberOf(above.page, "faces").catch(() => 0)).toBe(2 * RINGS * AROUND);
  expect([bx, bz].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([0.05, 0.4]);
  const [hole] = await pixels(above.page, [[0.53, 0.53]]);
  expect(hole?.every((channel) => channel > 200)).toBe(true);
  await above.close();
  const near = await open("vertices", { "x.topology": "triangles", "x.camera": "0,90,0.1,0.08,0,0.4" });
  await scene(near.page).waitFor();
  await expect.poll(() => numberOf(near.page, "faces").catch(() => 0)).toBe(2 * RINGS * AROUND);
  const [ring] = await pixels(near.page, [[0.5, 0.5]]);
  // Its colour, lit from straight in front.
  expect(ring?.map((channel, at) => Math.abs(channel - ([120, 171, 219][at] ?? 0)) < 4)).toEqual([true, true, true]);
  await near.close();
});

test("faces that name points which there are not are a failure that names them, and nothing is drawn of it", async () => {
  const { page, close } = await open("vertices", { "x.topology": "wrong" });
  const card = page.getByRole("alert");
  await card.waitFor();
  expect(await card.innerText()).toContain('face 1 of "wrong" names point 780 at place 2; the Item has 780 points, 0 to 779');
  expect(await page.locator("canvas.overlay").count()).toBe(0);
  await page.getByRole("button", { name: "Show the points without faces" }).click();
  await expect.poll(() => told(page, "drawn").innerText()).toBe("780");
  await expect.poll(() => page.url()).not.toContain("topology");
  await close();
});

test("keys turn, zoom and put back the camera; the address follows, and a reload shows the same", async () => {
  const { page, close } = await open("vertices", { "x.camera": "0,0,1,0,0,0.4" });
  await scene(page).waitFor();
  await scene(page).focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "PageUp"]) await page.keyboard.press(key);
  await expect.poll(() => new URL(page.url()).searchParams.get("x.camera")).toBe(`10,5,${Number((1 / 1.15).toPrecision(9))},0,0,0.4`);
  // Those keys are the scene's: the playhead did not move.
  expect(new URL(page.url()).searchParams.get("anchor")).toBeNull();
  await page.getByRole("combobox", { name: "Up", exact: true }).selectOption("-y");
  await expect.poll(() => page.url()).toContain("x.up=-y");
  await page.reload();
  await scene(page).waitFor();
  expect(await page.getByRole("combobox", { name: "Up", exact: true }).inputValue()).toBe("-y");
  await scene(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => new URL(page.url()).searchParams.get("x.camera")).toBe(`5,5,${Number((1 / 1.15).toPrecision(9))},0,0,0.4`);
  await page.keyboard.press("Home");
  await expect.poll(() => new URL(page.url()).searchParams.get("x.camera")).toBeNull();
  await close();
});

test("dragging turns, dragging with Shift moves, the wheel zooms", async () => {
  const { page, close } = await open("vertices", { "x.camera": "0,0,1,0,0,0.4" });
  await scene(page).waitFor();
  const { x = 0, y = 0, width = 0, height = 0 } = (await scene(page).boundingBox()) ?? {};
  const camera = (): (number | undefined)[] => (new URL(page.url()).searchParams.get("x.camera") ?? "").split(",").map(Number);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 50, y + height / 2 + 25);
  await page.mouse.up();
  await expect.poll(() => camera().slice(0, 2)).toEqual([20, 10]);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => camera()[2]).toBeCloseTo(Math.exp(0.15), 6);
  await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 50, y + height / 2 + 125);
  await page.mouse.up();
  await page.keyboard.up("Shift");
  // Down on screen by 100 pixels: the target goes up by what they are at its distance, less what the pitch takes of it.
  const up = (100 * 2 * Math.exp(0.15) * Math.tan((16 * Math.PI) / 180) * Math.cos((10 * Math.PI) / 180)) / Math.floor(height - 2);
  await expect.poll(() => camera()[5]).toBeCloseTo(0.4 + up, 3);
  await close();
});

test("nothing is drawn while nothing changes; buffers are freed while Items are played; there is one context, whatever is looked at", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "triangles" } });
  await page.getByRole("navigation", { name: "Views" }).waitFor();
  await page.evaluate(() => {
    const counts = { draws: 0, contexts: 0, buffers: new Set<unknown>(), arrays: new Set<unknown>() };
    Object.assign(globalThis, { counts });
    const gl = WebGL2RenderingContext.prototype;
    const watch = (name: "clear" | "createBuffer" | "deleteBuffer" | "createVertexArray" | "deleteVertexArray", note: (made: unknown, given: unknown) => void): void => {
      const plain = gl[name] as (...args: unknown[]) => unknown;
      gl[name] = function watched(this: WebGL2RenderingContext, ...args: unknown[]) {
        const made = plain.apply(this, args);
        note(made, args[0]);
        return made;
      } as never;
    };
    watch("clear", () => (counts.draws += 1));
    watch("createBuffer", (made) => counts.buffers.add(made));
    watch("deleteBuffer", (_, given) => counts.buffers.delete(given));
    watch("createVertexArray", (made) => counts.arrays.add(made));
    watch("deleteVertexArray", (_, given) => counts.arrays.delete(given));
    const getContext = HTMLCanvasElement.prototype.getContext;
    const seen = new WeakSet<HTMLCanvasElement>();
    HTMLCanvasElement.prototype.getContext = function counted(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      if (kind.startsWith("webgl") && !seen.has(this)) {
        seen.add(this);
        counts.contexts += 1;
      }
      return (getContext as (...args: unknown[]) => unknown).call(this, kind, ...rest);
    } as never;
  });
  const counts = () =>
    page.evaluate(() => {
      const { counts } = globalThis as unknown as { counts: { draws: number; contexts: number; buffers: Set<unknown>; arrays: Set<unknown> } };
      return { draws: counts.draws, contexts: counts.contexts, buffers: counts.buffers.size, arrays: counts.arrays.size };
    });
  const field = (name: string) => page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name, exact: false }).first();
  await field("vertices").click();
  await page.getByLabel("Faces").selectOption("triangles");
  await expect.poll(() => numberOf(page, "faces").catch(() => 0)).toBe(2 * RINGS * AROUND);
  await page.getByRole("button", { name: "Item after" }).click();
  await expect.poll(() => page.locator(".field-head").innerText()).toContain(String(anchorOf(1)));
  const highest = Math.max(...Array.from({ length: AROUND }, (_, index) => torusPoint(index, 1)[2]));
  await expect.poll(async () => Number.parseFloat(await sideText(page, "stat", "max"))).toBe(Number(Math.fround(highest).toPrecision(8)));
  let before = await counts();
  await expect.poll(async () => {
    const [was, now] = [before, await counts()];
    before = now;
    return was.draws === now.draws;
  }, { interval: 400 }).toBe(true);
  const started = before;
  expect(started.buffers).toBeGreaterThan(3);
  await page.getByLabel("Items a second").selectOption("60");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("anchor"), { timeout: 20_000 }).toBe(String(anchorOf(23)));
  await expect.poll(async () => (await counts()).draws).toBeGreaterThan(started.draws);
  await expect.poll(async () => (await counts()).buffers).toBe(started.buffers);
  expect((await counts()).arrays).toBe(started.arrays);
  for (let round = 0; round < 3; round++) {
    await field("pose").click();
    await page.getByText("The matrix is read as column vectors").waitFor();
    await field("vertices").click();
    await told(page, "drawn").waitFor();
  }
  expect((await counts()).contexts).toBe(1);
  await field("triangles").click();
  await told(page, "drawn").waitFor();
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await expect.poll(async () => (await counts()).buffers).toBe(0);
  expect((await counts()).arrays).toBe(0);
  await close();
});

test("without WebGL it says so, and offers the table", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "gone" } });
  await page.evaluate(() => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function none(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith("webgl") ? null : (getContext as (...args: unknown[]) => unknown).call(this, kind, ...rest);
    } as never;
  });
  await page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name: "vertices" }).click();
  await told(page, "missing").waitFor();
  expect(await told(page, "missing").innerText()).toContain("needs WebGL 2");
  await page.getByRole("button", { name: "Show the table" }).click();
  await expect.poll(() => page.url()).toContain("view=table");
  await close();
});

test("a context that the browser takes away can be had again", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "some", view: "points" }, mayComplain: /WebGL|CONTEXT_LOST/ });
  await scene(page).waitFor();
  await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".space-view canvas:not(.overlay)");
    canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  });
  await expect.poll(() => told(page, "missing").innerText()).toContain("took the 3-D drawing away");
  await page.getByRole("button", { name: "Draw again" }).click();
  await scene(page).waitFor();
  const found = await pixels(page, Array.from({ length: 400 }, (_, at) => [(at % 20) / 20, Math.floor(at / 20) / 20] as const));
  expect(found.some((pixel) => pixel.some((channel) => channel < 250))).toBe(true);
  await close();
});

/** The large cloud on a machine that takes a microsecond for each point, whatever this one takes besides; and of how many points each drawing was. */
async function openSlow() {
  const { page, close } = await open("vertices");
  await scene(page).waitFor();
  await page.evaluate(() => {
    const counts: number[] = [];
    Object.assign(globalThis, { counts });
    const gl = WebGL2RenderingContext.prototype;
    const plain = gl.drawArrays as (...args: unknown[]) => void;
    gl.drawArrays = function slow(this: WebGL2RenderingContext, mode: number, first: number, count: number) {
      plain.call(this, mode, first, count);
      if (mode !== this.POINTS) return;
      counts.push(count);
      const end = performance.now() + count / 1000;
      while (performance.now() < end);
    };
  });
  /** Since it was last asked. */
  const counts = () => page.evaluate(() => (globalThis as unknown as { counts: number[] }).counts.splice(0));
  await page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name: "large" }).click();
  await expect.poll(() => numberOf(page, "drawn").catch(() => 0), { timeout: 20_000 }).toBe(LARGE);
  await expect.poll(async () => (await counts()).at(-1)).toBe(LARGE);
  return { page, close, counts };
}

test("of 100,000 points a part is drawn while they turn, if drawing is slow, and all of them at rest", async () => {
  const { page, close, counts } = await openSlow();
  const resting = await coloured(page);
  expect(resting).toBeGreaterThan(10_000);
  await counts();
  // All the way round: the camera comes to stand where it stood.
  const said = await scene(page).evaluate(async (element) => {
    const all = new Set<string | undefined>();
    for (let times = 0; times < 72; times++) {
      element.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
      await new Promise(requestAnimationFrame);
      all.add(element.parentElement?.querySelector('[data-space="detail"]')?.textContent ?? undefined);
    }
    return [...all];
  });
  await told(page, "detail").waitFor({ state: "detached" });
  const turning = await counts();
  const least = Math.min(...turning);
  expect(turning.length).toBeGreaterThan(50);
  expect(least).toBeLessThan(LARGE);
  for (const count of turning) expect(LARGE / count).toBeCloseTo(2 ** Math.round(Math.log2(LARGE / count)), 2);
  expect(said).toContain(`1 of ${Math.round(LARGE / least)} points is drawn while it moves`);
  expect(turning.at(-1)).toBe(LARGE);
  expect(await coloured(page)).toBe(resting);
  await picture(page, "view-points-large");
  await close();
});

test("a picture has all points, also while they turn; and pointing at one draws none of them anew", async () => {
  const { page, close, counts } = await openSlow();
  await scene(page).evaluate((element) => {
    // To and fro until it is told to rest, and then 30 frames that are more than what ends a motion.
    let [turns, rests] = [0, 0];
    const next = (): void => {
      if (!("rest" in globalThis)) element.dispatchEvent(new KeyboardEvent("keydown", { key: turns++ % 2 === 0 ? "ArrowRight" : "ArrowLeft", bubbles: true, cancelable: true }));
      else if (rests++ === 30) Object.assign(globalThis, { rested: true });
      requestAnimationFrame(next);
    };
    next();
  });
  await told(page, "detail").waitFor();
  await picture(page, "view-points-turning");
  await counts();
  await exported(page);
  const turning = await counts();
  expect(turning).toContain(LARGE);
  expect(Math.min(...turning)).toBeLessThan(LARGE);
  await page.evaluate(() => Object.assign(globalThis, { rest: true }));
  await page.waitForFunction(() => "rested" in globalThis);
  expect((await counts()).at(-1)).toBe(LARGE);
  expect(await told(page, "detail").count()).toBe(0);
  const { x = 0, y = 0, width = 0, height = 0 } = (await scene(page).boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
  await expect.poll(() => told(page, "point").innerText()).toMatch(/^\d+ \[\d+\] x /);
  expect(await counts()).toEqual([]);
  await close();
});

test("the view in the dark, and on a small screen", async () => {
  const small = await stage({ width: 1024, height: 768, colorScheme: "dark" });
  const { page, close } = await small.open({ source: data.source, query: { field: "vertices", view: "points", "x.topology": "triangles", "x.colour": "z", "x.point": "40" } });
  await expect.poll(() => numberOf(page, "faces").catch(() => 0)).toBe(2 * RINGS * AROUND);
  await picture(page, "view-mesh-dark");
  expect(await scene(page).evaluate((element) => element.getBoundingClientRect().right <= (element.closest("main")?.getBoundingClientRect().right ?? 0))).toBe(true);
  await close();
  await small.close();
});

test("an Item without points is an empty room, and no failure", async () => {
  const { page, close } = await one.open({ source: `${inject("fixturesUrl")}/constants/data`, query: { field: "zero", view: "points" } });
  await expect.poll(() => told(page, "drawn").innerText()).toBe("0");
  expect(await scene(page).getAttribute("aria-label")).toContain("0 points of zero; none can be drawn");
  await close();
});

test("points of the reference's episode are told as its sidecar has them", async () => {
  const { page, close } = await one.open({ source: `${inject("fixturesUrl")}/episode/data`, query: { field: "joints", view: "points", "x.point": "20", anchor: "1700000000000000000" } });
  const { values } = sidecar.refs.main.fields.joints.items[0]?.value ?? { values: [] };
  const numbers = async (): Promise<number[]> => [...(await told(page, "point").innerText()).matchAll(/[xyz] (\S+)/g)].map(([, number]) => Math.fround(Number(number)));
  await expect.poll(numbers).toEqual(values.slice(60, 63));
  expect(await told(page, "drawn").innerText()).toBe("21");
  await close();
});
