/** Images, sound and drawings as they are stored: that they are shown pixel by pixel, that what cannot be shown is said, and that playing costs no memory. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Schema } from "dreamdb-arrays";
import { countText } from "../../viewer/src/data/numbers.js";
import type { Page } from "playwright";
import { type Served, served } from "./support/dataset.js";
import { png, wav } from "./support/media-bytes.js";
import { countedUrls, countUrls } from "./support/urls.js";
import { picture, sideText, type Stage, stage } from "./support/viewer.js";

const COUNT = 220;
const anchorOf = (at: number): bigint => 5000n + 7n * BigInt(at);
/** Each image has the number of its Item in the red of all pixels, its place in green and blue. */
const imageOf = (at: number): Uint8Array<ArrayBuffer> => png(64, 48, (x, y) => [at, 4 * x, 5 * y]);
const BROKEN = new TextEncoder().encode("these bytes are no image");
/** A drawing with everything in it that must not act. */
const DRAWING = new TextEncoder().encode(
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="top.document.title='acted'">` +
    `<script>top.document.title="acted"; fetch("https://example.org/")</script><image href="https://example.org/a.png" width="9" height="9"/>` +
    `<rect width="40" height="30" fill="#0080ff"/></svg>`,
);

let one: Stage;
let data: Served;
beforeAll(async () => {
  const schema = new Schema()
    .image("camera", { mime: "png", packItems: 32 })
    .image("broken", { mime: "jpeg", required: false })
    .image("drawing", { mime: "svg_xml", required: false })
    .audio("sound", { mime: "wav", required: false })
    .video("film", { mime: "webm", required: false });
  const write = served(
    schema,
    Array.from({ length: COUNT }, (_, at) => ({
      anchor: anchorOf(at),
      values: { camera: imageOf(at), ...(at === 0 ? { broken: BROKEN, drawing: DRAWING, sound: wav(4000), film: BROKEN } : {}) },
    })),
  );
  [one, data] = await Promise.all([stage(), write]);
});
afterAll(() => Promise.all([one.close(), data.close()]));

const shownImage = (page: Page) => page.locator(".media-image");

/** Red, green and blue of a pixel of the image that is on the page. */
async function pixel(page: Page, x: number, y: number): Promise<number[]> {
  return shownImage(page).evaluate(
    (image, [x, y]) => {
      const canvas = document.createElement("canvas");
      const { naturalWidth, naturalHeight } = image as HTMLImageElement;
      [canvas.width, canvas.height] = [naturalWidth, naturalHeight];
      const context = canvas.getContext("2d");
      context?.drawImage(image as HTMLImageElement, 0, 0);
      return [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3);
    },
    [x, y] as const,
  );
}

test("an image is the one at the playhead, in its own size and by its own pixels", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "camera", anchor: String(anchorOf(3)) } });
  await shownImage(page).waitFor();
  expect(await pixel(page, 10, 7)).toEqual([3, 40, 35]);
  expect(await shownImage(page).getAttribute("alt")).toBe(`camera at anchor ${anchorOf(3)}`);
  expect(await page.locator('[data-media="size"]').innerText()).toBe("64 × 48");
  expect(await page.locator('[data-media="bytes"]').innerText()).toBe(countText(imageOf(3).length));
  await picture(page, "view-media");
  for (const [zoom, width] of [["1×", 64], ["2×", 128], ["4×", 256], ["8×", 512]] as const) {
    await page.getByRole("button", { name: zoom, exact: true }).click();
    await expect.poll(async () => (await shownImage(page).boundingBox())?.width).toBe(width);
  }
  expect(await shownImage(page).evaluate((image) => getComputedStyle(image).imageRendering)).toBe("pixelated");
  await expect.poll(() => page.url()).toContain("x.zoom=8");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => shownImage(page).getAttribute("alt")).toBe(`camera at anchor ${anchorOf(4)}`);
  expect(await pixel(page, 63, 47)).toEqual([4, 252, 235]);
  expect((await shownImage(page).boundingBox())?.width).toBe(512);
  await close();
});

test("stored bytes are exported as they are, and the picture is a PNG of the image", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "camera", anchor: String(anchorOf(5)) } });
  await shownImage(page).waitFor();
  const [stored] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Stored bytes (.png)" }).click()]);
  expect(stored.suggestedFilename()).toBe(`camera_${anchorOf(5)}.png`);
  expect(new Uint8Array(await readFile(await stored.path()))).toEqual(imageOf(5));
  const [made] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG", exact: true }).click()]);
  const bytes = await readFile(await made.path());
  expect(bytes.subarray(1, 4).toString("latin1")).toBe("PNG");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 48]);
  await close();
});

test("bytes that are no image are a failure with their number, and can be exported all the same", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "broken" } });
  const card = page.getByRole("alert");
  await card.waitFor();
  expect(await card.getAttribute("data-code")).toBe("NotDecodable");
  expect(await card.innerText()).toContain(`the ${BROKEN.length} bytes of "broken" at anchor 5000 are no image/jpeg that this browser can decode`);
  await picture(page, "view-media-broken");
  const [stored] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Stored bytes (.jpeg)" }).click()]);
  expect(new Uint8Array(await readFile(await stored.path()))).toEqual(BROKEN);
  await close();
});

test("a drawing is an image and nothing else: nothing in it acts or is fetched", async () => {
  // Whatever it asked of another origin would be a complaint of the page's close().
  const { page, close } = await one.open({ source: data.source, query: { field: "drawing" } });
  await shownImage(page).waitFor();
  expect(await pixel(page, 20, 15)).toEqual([0, 128, 255]);
  expect(await page.title()).toBe("drawing · DreamDB viewer");
  expect(await page.locator("svg, iframe, object, embed").count()).toBe(0);
  await close();
});

test("sound has the browser's controls, and does not begin by itself", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "sound" } });
  const player = page.locator("audio");
  await player.waitFor();
  await expect.poll(() => page.locator('[data-media="size"]').innerText()).toBe("0.5 s");
  expect(await player.evaluate((audio) => [(audio as HTMLAudioElement).paused, (audio as HTMLAudioElement).autoplay, (audio as HTMLAudioElement).controls])).toEqual([true, false, true]);
  expect(await player.getAttribute("aria-label")).toBe("sound at anchor 5000");
  await close();
});

test("a film that cannot be decoded says so", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "film" } });
  await expect.poll(() => page.getByRole("alert").innerText()).toContain(`${BROKEN.length} bytes of "film" at anchor 5000 are no video/webm`);
  await close();
});

test("images that come next are read before they are asked for, and are counted", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "camera" } });
  await shownImage(page).waitFor();
  const packs = (): number => data.asked().filter((target) => target.includes("/image.png/0000000000000000/")).length;
  await expect.poll(() => sideText(page, "bytes", "requests").then(Number)).toBeGreaterThan(3);
  let before = -1;
  await expect.poll(() => {
    const [was, now] = [before, packs()];
    before = now;
    return was === now;
  }).toBe(true);
  // Those that lie ahead are there: showing them asks for nothing.
  for (let at = 1; at <= 3; at++) {
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => shownImage(page).getAttribute("alt")).toBe(`camera at anchor ${anchorOf(at)}`);
  }
  expect(packs()).toBe(before);
  await close();
});

test("playing 200 images leaves no more than a few URLs alive, and shows each in its turn", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "camera" } });
  await shownImage(page).waitFor();
  await countUrls(page, ".media-image", "alt");
  await page.getByLabel("Items a second").selectOption("60");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => shownImage(page).getAttribute("alt"), { timeout: 50_000 }).toBe(`camera at anchor ${anchorOf(COUNT - 1)}`);
  const counts = await countedUrls(page);
  expect(counts.made).toBeGreaterThanOrEqual(200);
  expect(counts.seen).toBeGreaterThanOrEqual(200);
  expect(counts.most).toBeLessThanOrEqual(3);
  // Leaving the view gives up the last of them.
  await page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name: "sound" }).click();
  await page.locator("audio").waitFor();
  expect((await countedUrls(page)).live).toBeLessThanOrEqual(1);
  await close();
});
