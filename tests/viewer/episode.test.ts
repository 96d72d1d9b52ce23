/**
 * The example episode, as whoever types `npm run viewer` meets it: every field shows something by itself, plays, and is not refused.
 *
 * Pictures of the views are made here. They lie in `.tools/viewer/episode-NAME.png`; with `PICTURES=docs/images` in the environment they go there, which is
 * how those of the README came to be.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fsStore } from "dreamdb-arrays/fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, scratch } from "../../scripts/lib/paths.mjs";
import { serveDirectory, type StaticServer } from "../../ts/cli/server/serve.js";
import { anchorOf } from "../../viewer/episode/time.mjs";
import { writeEpisode } from "../../viewer/episode/write.mjs";
import { makeTempDir } from "../support/temp-dir.js";
import { picture, type Stage, stage, sideText } from "./support/viewer.js";

let one: Stage;
let dir: string;
let server: StaticServer;
beforeAll(async () => {
  one = await stage();
  dir = await makeTempDir();
  await writeEpisode(fsStore(dir, { durable: false }));
  server = await serveDirectory(dir, { port: 0 });
}, 120_000);
afterAll(async () => {
  await one.close();
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

const IMAGES = process.env["PICTURES"];

async function keep(page: Parameters<typeof picture>[0], name: string): Promise<void> {
  await picture(page, `episode-${name}`);
  if (IMAGES === undefined) return;
  mkdirSync(resolve(root, IMAGES), { recursive: true });
  copyFileSync(join(scratch, "viewer", `episode-${name}.png`), join(resolve(root, IMAGES), `viewer-${name}.png`));
}

/** Half a second of a second, in nanoseconds: windows that a plot of all requests of a field would be too many for. */
const around = (t: number, seconds: number) => ({ anchor: String(anchorOf(t)), from: String(anchorOf(t - seconds)), to: String(anchorOf(t + seconds)) });

describe("each view of the episode", () => {
  test.each([
    ["lines", { field: "joints", ...around(48, 8) }],
    ["force", { field: "force", view: "lines", ...around(36, 4) }],
    ["trajectory", { field: "pose", view: "trajectory", anchor: String(anchorOf(50)) }],
    ["mesh", { field: "hand", view: "points", anchor: String(anchorOf(50)), "x.topology": "hand_faces", "x.shading": "smooth", "x.size": "0" }],
    ["lidar", { field: "hits", view: "points", anchor: String(anchorOf(30)) }],
    ["media", { field: "camera", anchor: String(anchorOf(50)) }],
    ["heatmap", { field: "pressure", anchor: String(anchorOf(50)) }],
    ["fortran", { field: "pressure_f", view: "heatmap", anchor: String(anchorOf(50)) }],
    ["axes", { field: "touch", view: "heatmap", anchor: String(anchorOf(50)) }],
    ["rows", { field: "hits", view: "rows", anchor: String(anchorOf(30)) }],
    ["spy", { field: "contacts", anchor: String(anchorOf(50)) }],
    ["labels", { field: "phase", anchor: String(anchorOf(50)) }],
    ["counter", { field: "cycle", view: "table", anchor: String(anchorOf(50)) }],
    ["table", { field: "hand", view: "table", anchor: String(anchorOf(50)) }],
    ["constant", { field: "gravity" }],
  ] as const)("%s", async (name, query) => {
    const { page, close } = await one.open({ source: server.url, query });
    await page.locator(".verified").waitFor();
    await expect.poll(() => page.locator(".waiting").count()).toBe(0);
    // Strips of all fields are there.
    await expect.poll(() => page.getByRole("img", { name: /not read yet/ }).count()).toBe(0);
    expect(await page.locator(".failure").count()).toBe(0);
    expect(await page.locator(".verified").getAttribute("data-verified")).not.toBe("none");
    await keep(page, name);
    await close();
  });
});

test("the numbers on screen are those that were computed", async () => {
  const { page, close } = await one.open({ source: server.url, query: { field: "cycle", view: "table", anchor: String(anchorOf(50)) } });
  await page.locator(".verified").waitFor();
  // Beyond 2^53, and odd: no double is it.
  await page.getByRole("gridcell", { name: String(2n ** 53n + 1n + 50_000n) }).waitFor();
  await page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name: /^gravity/ }).click();
  await page.getByRole("gridcell", { name: "-9.80665" }).or(page.getByText("-9.80665")).first().waitFor();
  await expect.poll(() => sideText(page, "stat", "min")).toBe("-9.80665 m/s^2");
  await close();
});

test("it plays: images one after another, while the memory of the page stays where it was", async () => {
  const { page, close } = await one.open({ source: server.url, query: { field: "camera", anchor: String(anchorOf(20)) } });
  await page.locator(".verified").waitFor();
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.enable");
  /** Of JavaScript, after all that can be collected was. */
  const heap = async (): Promise<number> => {
    await client.send("HeapProfiler.collectGarbage");
    return (await client.send("Runtime.getHeapUsage")).usedSize;
  };
  const play = async (until: number): Promise<void> => {
    await page.getByRole("combobox", { name: "Items a second" }).selectOption("60");
    await page.getByRole("button", { name: "Play" }).click();
    await expect.poll(async () => BigInt(await page.getByRole("textbox", { name: "Anchor" }).inputValue()) >= anchorOf(until), { timeout: 50_000 }).toBe(true);
    const pause = page.getByRole("button", { name: "Pause" });
    if ((await pause.count()) > 0) await pause.click();
    await expect.poll(() => page.locator(".waiting").count()).toBe(0);
  };
  await play(30);
  const before = await heap();
  await play(60);
  const after = await heap();
  // 300 images more; what may have grown is the list of requests, which ends at its last ones.
  expect(after - before).toBeLessThan(3_000_000);
  await close();
});
