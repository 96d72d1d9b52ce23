/** Films that the browser decodes: their size, length and frames, that a person begins them, and that a playhead that plays through them costs no memory. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import type { Page } from "playwright";
import { type Served, served } from "./support/dataset.js";
import { type Colour, film, type Film, recording } from "./support/film.js";
import { countedUrls, countUrls } from "./support/urls.js";
import { picture, type Stage, stage } from "./support/viewer.js";

const COUNT = 60;
const anchorOf = (at: number): bigint => 5000n + 7n * BigInt(at);
const COLOURS: readonly Colour[] = [[230, 30, 30], [30, 200, 40], [20, 60, 220]];
/** As wide as the number of the Item says. */
const filmOf = (at: number): Film => ({ width: 64 + 2 * at, height: 48, colours: COLOURS, frameMs: 200 });

let one: Stage;
let data: Served;
beforeAll(async () => {
  one = await stage();
  const { page, close } = await one.open();
  const films: Uint8Array[] = [];
  for (let at = 0; at < COUNT; at++) films.push(await film(page, filmOf(at)));
  const live = await recording(page, { ...filmOf(0), frameMs: 300 });
  const unsaid = await film(page, filmOf(2), false);
  await close();
  const schema = new Schema().video("film", { mime: "webm" }).video("live", { mime: "webm", required: false }).video("unsaid", { mime: "webm", required: false });
  data = await served(schema, films.map((bytes, at) => ({ anchor: anchorOf(at), values: { film: bytes, ...(at === 0 ? { live, unsaid } : {}) } })));
}, 120_000);
afterAll(async () => {
  await one?.close();
  await data?.close();
});

const player = (page: Page) => page.locator("video");
const size = (page: Page): Promise<string> => page.locator('[data-media="size"]').innerText();

/** Goes to a time of the film. */
async function seek(page: Page, seconds: number): Promise<void> {
  await player(page).evaluate(async (video, seconds) => {
    const film = video as HTMLVideoElement;
    const sought = new Promise((resolve) => film.addEventListener("seeked", resolve, { once: true }));
    film.currentTime = seconds;
    await sought;
  }, seconds);
}

/** What is seen now, in the middle of the frame. */
function colourNow(page: Page): Promise<number[]> {
  return player(page).evaluate((video) => {
    const film = video as HTMLVideoElement;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [film.videoWidth, film.videoHeight];
    const context = canvas.getContext("2d");
    context?.drawImage(film, 0, 0);
    return [...(context?.getImageData(film.videoWidth / 2, film.videoHeight / 2, 1, 1).data ?? [])].slice(0, 3);
  });
}

/** The frame at a time has a colour, as nearly as VP8 keeps it. A browser that has sought shows the frame a little later. */
async function expectColour(page: Page, seconds: number, colour: Colour | undefined, within = 6): Promise<void> {
  await seek(page, seconds);
  await expect
    .poll(async () => {
      const found = await colourNow(page);
      return { found, isNear: colour?.every((one, at) => Math.abs(one - (found[at] ?? NaN)) < within) };
    })
    .toMatchObject({ isNear: true });
}

test("a film has the browser's controls, its size and its length, and begins when a person says so", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "film", anchor: String(anchorOf(8)) } });
  await expect.poll(() => size(page)).toBe("0.6 s, 80 × 48 pixels");
  const state = () => player(page).evaluate((video: HTMLVideoElement) => [video.paused, video.autoplay, video.controls, video.currentTime, video.videoWidth, video.videoHeight]);
  expect(await state()).toEqual([true, false, true, 0, 80, 48]);
  expect(await player(page).getAttribute("aria-label")).toBe(`film at anchor ${anchorOf(8)}`);
  expect(await page.locator(".failure").count()).toBe(0);
  for (const [at, colour] of [...COLOURS.entries()].toReversed()) await expectColour(page, 0.2 * at + 0.1, colour);
  await picture(page, "view-film");
  await close();
});

test("keys are the player's while it has the focus: Space begins the film, not the playhead", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "film", anchor: String(anchorOf(3)) } });
  await expect.poll(() => size(page)).toBe("0.6 s, 70 × 48 pixels");
  await player(page).focus();
  await page.keyboard.press(" ");
  await expect.poll(() => player(page).evaluate((video: HTMLVideoElement) => video.ended)).toBe(true);
  await page.keyboard.press("ArrowRight");
  expect(await page.getByRole("button", { name: "Play", exact: true }).count()).toBe(1);
  expect(await player(page).getAttribute("aria-label")).toBe(`film at anchor ${anchorOf(3)}`);
  await close();
});

test("a film that says nowhere how long it is has its length all the same, and stands at its beginning", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "unsaid" } });
  await expect.poll(() => size(page)).toMatch(/^0\.\d+ s, 68 × 48 pixels$/);
  // How long the last frame is seen is nowhere said.
  const seconds = await player(page).evaluate((video: HTMLVideoElement) => video.duration);
  expect(seconds).toBeGreaterThanOrEqual(0.4);
  expect(seconds).toBeLessThanOrEqual(0.6);
  await expect.poll(() => player(page).evaluate((video: HTMLVideoElement) => [video.currentTime, video.paused, video.seeking])).toEqual([0, true, false]);
  for (const [at, colour] of [...COLOURS.entries()].toReversed()) await expectColour(page, Math.min(0.2 * at + 0.1, seconds), colour);
  await close();
});

test("a film that a page recorded is one, and begins at its beginning", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "live" } });
  await expect.poll(() => size(page)).toMatch(/^[\d.]+ s, 64 × 48 pixels$/);
  // Three colours of at least 0.3 s each, on a machine that may be busy.
  const seconds = await player(page).evaluate((video: HTMLVideoElement) => video.duration);
  expect(Number.parseFloat(await size(page))).toBeCloseTo(seconds, 2);
  expect(seconds).toBeGreaterThan(0.5);
  expect(seconds).toBeLessThan(20);
  await expect.poll(() => player(page).evaluate((video: HTMLVideoElement) => [video.currentTime, video.paused])).toEqual([0, true]);
  // Browsers record what is on a canvas by another matrix than they show it.
  await expectColour(page, seconds - 0.01, COLOURS[2], 40);
  await expectColour(page, 0, COLOURS[0], 40);
  await close();
});

test("a playhead that plays through films leaves no more than a few URLs alive, and shows each in its turn", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "film" } });
  await expect.poll(() => size(page)).toBe("0.6 s, 64 × 48 pixels");
  await countUrls(page, "video", "aria-label");
  await page.getByLabel("Items a second").selectOption("60");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => player(page).getAttribute("aria-label"), { timeout: 50_000 }).toBe(`film at anchor ${anchorOf(COUNT - 1)}`);
  await expect.poll(() => size(page)).toBe(`0.6 s, ${64 + 2 * (COUNT - 1)} × 48 pixels`);
  const counts = await countedUrls(page);
  expect(counts).toMatchObject({ made: COUNT - 1, seen: COUNT - 1 });
  expect(counts.most).toBeLessThanOrEqual(3);
  expect(await player(page).count()).toBe(1);
  // Leaving the view gives up the last of them.
  await page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name: "live" }).click();
  await expect.poll(() => player(page).getAttribute("aria-label")).toBe(`live at anchor ${anchorOf(0)}`);
  expect((await countedUrls(page)).live).toBeLessThanOrEqual(1);
  await close();
});
