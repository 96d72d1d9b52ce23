/** What the reference writes, the package reads, from a folder and over HTTP: every value of random datasets, bit for bit. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpStore, openDataset, type Store } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { testDir } from "../support/temp-dir.js";
import { contentsOf, contentsOfReference, expected, expectedOfReference } from "./support/contents.js";
import { type FieldSpec, Model, type Step } from "./support/model.js";
import { overHttp } from "./support/over-http.js";
import { Reference } from "./support/reference.js";
import { roundsOf } from "./support/rounds.js";
import { Story } from "./support/story.js";
import { base64 } from "./support/values.js";
import { perform } from "./support/writer.js";

let reference: Reference;
beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

async function check(model: Model, store: Store, version: string): Promise<void> {
  expect(await contentsOf(model, await openDataset(store, version))).toEqual(expected(model));
}

describe("random datasets of the reference", () => {
  test.each(roundsOf(18))("seed %d, round %d", async (seed, round) => {
    const folder = await testDir();
    const story = new Story(seed, round, { inVain: true });
    const { model } = story;
    const writer = await reference.create(folder, "main", story.fields);
    await check(model, fsStore(folder), "main");
    for (let steps = 0; steps < 6; steps++) await perform(writer, story.next());
    // What is to be read is what the model says, or the model is wrong.
    const told = await writer.read(model, model.probes());
    expect(contentsOfReference(model, told)).toEqual(expectedOfReference(model));
    await check(model, fsStore(folder), "main");
    await overHttp(folder, (url) => check(model, httpStore(url), "main"));
  });
});

describe("random datasets that the reference writes over HTTP", () => {
  test.each(roundsOf(5))("seed %d, round %d", async (seed, round) => {
    const folder = await testDir();
    const story = new Story(seed, round, { inVain: true });
    const { model } = story;
    const write = async (url: string) => {
      const writer = await reference.create(url, "main", story.fields);
      for (let steps = 0; steps < 4; steps++) await perform(writer, story.next());
      await perform(await writer.branch("side"), story.append());
      await writer.merge("side", "fast-forward");
      await check(model, httpStore(url), "main");
    };
    await overHttp(folder, write, true);
    await check(model, fsStore(folder), "main");
  });
});

test("an index of pages, written and edited", { timeout: 120_000 }, async () => {
  const folder = await testDir();
  const fields: FieldSpec[] = [
    { kind: "image", name: "im", required: false, mime: "png", packItems: 5000 },
    { kind: "audio", name: "single", required: false, mime: "wav" },
  ];
  const writer = await reference.create(folder, "main", fields);
  const model = new Model(fields);
  const rows = (field: string, count: number, step: number, start: number): Step => {
    const value = (at: number) => ({ bytes: base64(Uint8Array.of(at & 255, 7)) });
    return { do: "append", rows: Array.from({ length: count }, (_, at) => ({ anchor: BigInt(start + step * at), values: [[field, value(at)]] })) };
  };
  const steps: Step[] = [
    rows("im", 22_000, 10, 1000),
    rows("single", 50, 4000, 5),
    rows("im", 30, 7000, 3),
    { do: "delete", anchors: [1010n, 1000n, 150_000n] },
    rows("im", 1, 1, 1020),
  ];
  for (const step of steps) {
    model.apply(step);
    await perform(writer, step);
  }
  const told = await writer.read(model, []);
  const pages = await readdir(join(folder, told.timeline, "image.png", "index"));
  expect(pages.length).toBeGreaterThan(50);
  expect(contentsOfReference(model, told)).toEqual({ ...expectedOfReference(model), points: [] });
  await check(model, fsStore(folder), "main");
});

describe("Refs of the reference", () => {
  test("branches, snapshots and merges", async () => {
    const folder = await testDir();
    const story = new Story(2, 1, { inVain: true });
    const { model } = story;
    const trunk = await reference.create(folder, "main", story.fields);
    await perform(trunk, story.append());
    await trunk.snapshot("v1");
    const before = model.copy();
    const branch = await trunk.branch("side");
    for (let steps = 0; steps < 3; steps++) await perform(branch, story.append());
    expect((await branch.refs()).sort()).toEqual(["main", "main@v1", "side"]);
    const store = fsStore(folder);
    for (const version of ["main", "main@v1"]) await check(before, store, version);
    await check(model, store, "side");
    const merged = await trunk.merge("side", "fast-forward");
    await check(model, store, "main");
    await check(before, store, "main@v1");
    expect((await openDataset(store, "main")).manifest.address).toBe(merged);
  });
});
