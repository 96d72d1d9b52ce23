/** A folder that a person picks with the browser's own picker: read in place, by ranges; refused, vanished, changed and lapsed. The dialog alone is not the browser's. */
import { cp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Dataset, openDataset, Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { loadSidecar } from "../support/fixtures.js";
import type { ArrayFact, SidecarNumber } from "../support/sidecar.js";
import { makeTempDir, testDir } from "../support/temp-dir.js";
import { png } from "./support/media-bytes.js";
import { letFail, letPick, pick } from "./support/picked.js";
import { picture, type Stage, stage, stripsRead } from "./support/viewer.js";

const [IMAGES, LARGE] = [200, 100_000];
const anchorOf = (at: number): bigint => 1000n + 10n * BigInt(at);
/** Red has the number of the Item; the rest is noise, which no PNG makes small. */
const imageOf = (at: number): Uint8Array<ArrayBuffer> => png(64, 48, (x, y) => [at, ((x * 7919 + y * 104_729 + at * 1299) >> 3) & 255, ((x * 15_485_863) ^ (y * 32_452_843)) & 255]);
/** Cells of a row of the large Item. */
const cells = (row: number): number => row % 23;

let one: Stage;
let dir: string;
beforeAll(async () => {
  const offsets = new BigUint64Array(LARGE + 1);
  for (let row = 0; row < LARGE; row++) offsets[row + 1] = (offsets[row] ?? 0n) + BigInt(cells(row));
  const large = new Float64Array(Number(offsets[LARGE]));
  for (let row = 0; row < LARGE; row++) for (let cell = 0; cell < cells(row); cell++) large[Number(offsets[row]) + cell] = row + cell / 32;
  const schema = new Schema()
    .array("steps", { dtype: "f64", shape: [3], units: "m", axisOrder: "xyz" })
    .image("camera", { mime: "png", packItems: IMAGES })
    .ragged("large", { dtype: "f64", innerShape: [], units: "s", required: false });
  dir = await makeTempDir();
  const ds = await Dataset.create(fsStore(dir, { durable: false }), "main", schema);
  await ds.append(
    Array.from({ length: IMAGES }, (_, at) => ({
      anchor: anchorOf(at),
      values: { steps: Float64Array.of(at, at / 4, -at), camera: imageOf(at), ...(at === 0 ? { large: { rowOffsets: offsets, values: large } } : {}) },
    })),
  );
  one = await stage();
}, 120_000);
afterAll(async () => {
  await one?.close();
  await rm(dir, { recursive: true, force: true });
});

/** Notes the bytes of each read of a file from now on. */
async function countReads(page: Page): Promise<void> {
  await page.evaluate(() => {
    const reads: number[] = [];
    const { arrayBuffer } = Blob.prototype;
    Object.assign(globalThis, { reads });
    Blob.prototype.arrayBuffer = function (this: Blob) {
      reads.push(this.size);
      return arrayBuffer.call(this);
    };
  });
}

const readsOf = (page: Page): Promise<number[]> => page.evaluate(() => (globalThis as unknown as { reads: number[] }).reads);

/** The table of the Item that is on screen, a line of texts a row. */
const lines = async (page: Page): Promise<string[][]> =>
  await page.locator('[role="grid"] [role="row"]').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('[role="gridcell"]')].map((cell) => cell.textContent ?? "")).filter((cells) => cells.length > 0));

/** Goes to a field. */
const toField = (page: Page, name: string): Promise<void> => page.getByRole("navigation", { name: "Fields" }).getByRole("button", { name }).click();

const card = (page: Page, code: string) => page.locator(`.failure[data-code="${code}"]`);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const size = async (path: string): Promise<number> => (await stat(path)).size;

/** Waits until nothing is read any more. */
async function quiet(page: Page): Promise<void> {
  let before = -1;
  await expect.poll(async () => {
    const [was, now] = [before, (await readsOf(page)).length];
    before = now;
    return was === now;
  }).toBe(true);
}

/** A copy of the dataset, which may be spoilt. */
async function copied(): Promise<string> {
  const copy = await testDir();
  await cp(dir, copy, { recursive: true });
  return copy;
}

/** The file in which Items of a field from an anchor on lie. */
async function fileOf(field: string, anchor: bigint, folder = dir): Promise<string> {
  const { fields } = await openDataset(fsStore(folder));
  const part = `/${fields.find(({ name }) => name === field)?.modality}/${anchor.toString(16).padStart(16, "0")}/`;
  const found = (await readdir(folder, { recursive: true })).filter((path) => path.includes(part));
  if (found.length !== 1) throw new Error(`${found.length} files of ${field} at ${anchor}`);
  return join(folder, found[0] ?? "");
}

/** A number of a sidecar as the page writes it. */
function textOf(number: SidecarNumber): string {
  if (typeof number === "number") return String(number);
  if ("int" in number) return number.int;
  return { "-0.0": "-0", nan: "NaN", inf: "Inf", "-inf": "-Inf" }[number.float.toLowerCase()] ?? number.float;
}

/** Another dataset's folder by its name, at a place: what a link says. */
const linked = (name: string, field: string, view: string) => ({ query: { source: `folder:${name}`, field, view } });

describe("a folder that was picked", () => {
  test.each(["pose", "ticks", "force"])("shows what the reference wrote of %s, at the place that a link says", async (field) => {
    const { manifest, fields } = (await loadSidecar("episode")).refs["main"] ?? {};
    const { values } = (fields?.[field]?.items?.[0]?.value ?? { values: [] }) as ArrayFact;
    const { page, close } = await one.open(linked("data", field, "table"));
    await page.getByText("Pick it again").waitFor();
    await letPick(page, join(root, "tests/fixtures/episode/data"));
    await pick(page);
    await page.locator(".verified").waitFor();
    expect((await lines(page)).flat()).toEqual(values.map(textOf));
    await expect.poll(() => page.url()).toContain(`source=folder:data&ref=main&manifest=${manifest}&field=${field}`);
    await close();
  });

  test("is read by ranges: of a pack and of a large Item only what is looked at", async () => {
    const { page, close } = await one.open();
    await letPick(page, dir);
    await countReads(page);
    await pick(page);
    await toField(page, "camera");
    await page.locator(".media-image").waitFor();
    const [pack, large] = await Promise.all([fileOf("camera", 0n).then(size), fileOf("large", anchorOf(0)).then(size)]);
    // The first image and those that come next are a few of 200.
    await expect.poll(async () => (await readsOf(page)).length).toBeGreaterThan(4);
    await quiet(page);
    const ofPack = sum(await readsOf(page));
    expect(pack).toBeGreaterThan(900_000);
    expect(ofPack).toBeGreaterThan(imageOf(0).length);
    expect(ofPack).toBeLessThan(pack / 4);
    await toField(page, "large");
    const input = page.getByLabel("Go to row");
    await input.fill("91234");
    await input.press("Enter");
    await page.locator('[data-row="91234"]').waitFor();
    await page.getByRole("grid", { name: /Cells of row 91234/ }).getByRole("gridcell", { name: String(91_234 + 3 / 32), exact: true }).waitFor();
    await quiet(page);
    expect(large).toBeGreaterThan(8_000_000);
    expect(sum(await readsOf(page)) - ofPack).toBeLessThan(large / 10);
    expect(Math.max(...(await readsOf(page)))).toBeLessThan(pack / 4);
    await close();
  });

  test("shows what became of it since, without being picked again", async () => {
    const copy = await copied();
    const written = await Dataset.open(fsStore(copy, { durable: false }), "main");
    const { page, close } = await one.open(linked(basename(copy), "steps", "table"));
    await letPick(page, copy);
    await pick(page);
    await page.locator(".verified").waitFor();
    await page.getByRole("textbox", { name: "Anchor" }).fill(String(anchorOf(IMAGES)));
    await page.getByRole("textbox", { name: "Anchor" }).press("Enter");
    await expect.poll(() => lines(page)).toEqual([["199"], ["49.75"], ["-199"]]);
    await written.append([{ anchor: anchorOf(IMAGES), values: { steps: Float64Array.of(0.5, 1e300, -0), camera: imageOf(IMAGES) } }]);
    await page.getByRole("button", { name: "Newest" }).click();
    await expect.poll(() => lines(page)).toEqual([["0.5"], ["1e+300"], ["-0"]]);
    await close();
  });
});

describe("the picker", () => {
  test("that is closed changes nothing, and is asked once at a time", async () => {
    const { page, close } = await one.open();
    await letFail(page, "AbortError");
    const before = page.url();
    await pick(page);
    await pick(page);
    await page.evaluate(() => {
      const asked: (() => void)[] = [];
      Object.assign(globalThis, {
        asked,
        showDirectoryPicker: () => new Promise((_, reject) => asked.push(() => reject(new DOMException("closed", "AbortError")))),
      });
    });
    await pick(page);
    await pick(page);
    const asked = await page.evaluate(() => {
      const { asked } = globalThis as unknown as { asked: (() => void)[] };
      for (const end of asked) end();
      return asked.length;
    });
    expect(asked).toBe(1);
    await page.getByRole("heading", { name: "Open a dataset" }).waitFor();
    expect(await page.locator(".failure").count()).toBe(0);
    expect(page.url()).toBe(before);
    await letPick(page, dir);
    await pick(page);
    await page.locator(".verified").waitFor();
    await close();
  });

  test("that is refused says so, and is asked again", async () => {
    const { page, close } = await one.open();
    await letFail(page, "NotAllowedError");
    await pick(page);
    await card(page, "Forbidden").getByText("NotAllowedError").waitFor();
    await card(page, "Forbidden").getByText("allow it when the browser asks").waitFor();
    await picture(page, "folder-refused");
    await letPick(page, dir);
    await card(page, "Forbidden").getByRole("button", { name: "Try again" }).click();
    await page.locator(".verified").waitFor();
    await close();
  });

  test("that a page in a frame has not leaves the other way", async () => {
    const { page, close } = await one.open();
    await letFail(page, "SecurityError");
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), pick(page)]);
    await chooser.setFiles(dir);
    await page.locator(".verified").waitFor();
    await close();
  });

  test("that gives a folder without a dataset says so, and another can be picked", async () => {
    const { page, close } = await one.open();
    await letPick(page, join(root, "docs"));
    await pick(page);
    await card(page, "NotFound").getByText("What to do").waitFor();
    expect(await card(page, "NotFound").innerText()).toContain("refs/main");
    await card(page, "NotFound").getByText("Pick the root: the folder with refs and manifests in it.").waitFor();
    expect(await page.getByLabel("URL of its root").inputValue()).toBe("");
    await picture(page, "folder-none");
    await letPick(page, dir);
    await pick(page);
    await page.locator(".verified").waitFor();
    await close();
  });
});

describe("a file of it", () => {
  const opened = async (copy: string) => {
    const { page, close } = await one.open(linked(basename(copy), "steps", "table"));
    await letPick(page, copy);
    await pick(page);
    await expect.poll(() => lines(page)).toEqual([["0"], ["0"], ["-0"]]);
    // What is read beside it is over, and takes no question from the next press.
    await stripsRead(page);
    return { page, close };
  };

  test("that vanished is a failure in its place, and is there at another try", async () => {
    const copy = await copied();
    const { page, close } = await opened(copy);
    const path = await fileOf("steps", anchorOf(1), copy);
    await rename(path, `${path}.away`);
    await page.keyboard.press("ArrowRight");
    await card(page, "NotFound").getByText("What to do").waitFor();
    await rename(`${path}.away`, path);
    await card(page, "NotFound").getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => lines(page)).toEqual([["1"], ["0.25"], ["-1"]]);
    await close();
  });

  test.each([
    ["other bytes", "HashMismatch", (bytes: Uint8Array) => bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte))],
    ["fewer bytes", "HashMismatch", (bytes: Uint8Array) => bytes.subarray(1)],
  ] as const)("that has %s is never shown, and is at another try once it is right again", async (_, code, change) => {
    const copy = await copied();
    const { page, close } = await opened(copy);
    const path = await fileOf("steps", anchorOf(1), copy);
    const bytes = await readFile(path);
    await writeFile(path, change(bytes));
    await page.keyboard.press("ArrowRight");
    await card(page, code).getByText("What to do").waitFor();
    await writeFile(path, bytes);
    await card(page, code).getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => lines(page)).toEqual([["1"], ["0.25"], ["-1"]]);
    await close();
  });

  test("that the page may not read any longer is asked for again, where a person had a hand in it", async () => {
    const { page, close } = await opened(await copied());
    // What no program can do to a real browser: permission lapses, and a person answers twice.
    await page.evaluate(() => {
      const { folder } = globalThis as unknown as { folder: { requestPermission(descriptor: unknown): Promise<PermissionState> } };
      const { getFile } = FileSystemFileHandle.prototype;
      const asked: unknown[] = [];
      let isAllowed = false;
      Object.assign(globalThis, { asked });
      FileSystemFileHandle.prototype.getFile = function (this: FileSystemFileHandle) {
        return isAllowed ? getFile.call(this) : Promise.reject(new DOMException("not allowed any longer", "NotAllowedError"));
      };
      folder.requestPermission = async (descriptor) => {
        asked.push(descriptor);
        isAllowed = asked.length > 1;
        return isAllowed ? "granted" : "denied";
      };
    });
    const asked = () => page.evaluate(() => (globalThis as unknown as { asked: unknown[] }).asked);
    await page.keyboard.press("ArrowRight");
    await card(page, "Forbidden").getByText("What to do").waitFor();
    expect(await asked()).toEqual([{ mode: "read" }]);
    await card(page, "Forbidden").getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => lines(page)).toEqual([["1"], ["0.25"], ["-1"]]);
    expect((await asked()).length).toBe(2);
    await close();
  });
});
