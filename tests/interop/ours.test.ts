/** What the package writes, the reference opens, reads, appends to, branches and merges; and the package reads that. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isDreamDbError, openDataset } from "dreamdb-arrays";
import { testDir } from "../support/temp-dir.js";
import { contentsOf, contentsOfReference, expected, expectedOfReference } from "./support/contents.js";
import { type FieldSpec, Model, type RowSpec } from "./support/model.js";
import { ours, storeOf } from "./support/ours.js";
import { overHttp } from "./support/over-http.js";
import { Random } from "./support/random.js";
import { randomValue } from "./support/random-types.js";
import { Reference, ReferenceError } from "./support/reference.js";
import { roundsOf } from "./support/rounds.js";
import { Story } from "./support/story.js";
import { base64 } from "./support/values.js";
import { type Implementation, perform } from "./support/writer.js";

let reference: Reference;
beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

/** Both read a version, which is what the model says. */
async function bothRead(model: Model, place: string, ref: string): Promise<void> {
  const dataset = await reference.open(place, ref);
  expect(contentsOfReference(model, await dataset.read(model, model.probes()))).toEqual(expectedOfReference(model));
  expect(await contentsOf(model, await openDataset(storeOf(place), ref))).toEqual(expected(model));
}

describe("random datasets of the package", () => {
  test.each(roundsOf(11))("seed %d, round %d", async (seed, round) => {
    const folder = await testDir();
    const story = new Story(seed, round, { inVain: false });
    const { model } = story;
    const writer = await ours.create(folder, "main", story.fields);
    await bothRead(model, folder, "main");
    for (let steps = 0; steps < 6; steps++) await perform(writer, story.next());
    await bothRead(model, folder, "main");
    await overHttp(folder, (url) => bothRead(model, url, "main"));
  });
});

/** Five turns each, then a branch, which the reference merges, and on from there. */
async function inTurn(place: string, story: Story): Promise<void> {
  const { model } = story;
  await ours.create(place, "main", story.fields);
  for (let turn = 0; turn < 5; turn++) {
    for (const implementation of [ours, reference]) {
      const writer = await implementation.open(place, "main");
      await perform(writer, turn === 0 ? story.append() : story.next());
      await bothRead(model, place, "main");
    }
  }
  const before = model.copy();
  const trunk = await ours.open(place, "main");
  await trunk.snapshot("before");
  const branch = await trunk.branch("side");
  await perform(branch, story.append());
  await perform(branch, story.next());
  await bothRead(before, place, "main");
  await bothRead(before, place, "main@before");
  await bothRead(model, place, "side");
  await (await reference.open(place, "main")).merge("side", "fast-forward");
  await bothRead(model, place, "main");
  await perform(await ours.open(place, "main"), story.append());
  await bothRead(model, place, "main");
}

describe("both write in turn", () => {
  test.each(roundsOf(5))("seed %d, round %d", async (seed, round) => {
    const folder = await testDir();
    await inTurn(folder, new Story(seed, round, { inVain: false }));
    const refs = await (await reference.open(folder, "main")).refs();
    expect(refs.sort()).toEqual(["main", "main@before", "side"]);
  });
});

describe("both write in turn over HTTP", () => {
  test.each(roundsOf(2))("seed %d, round %d", async (seed, round) => {
    await overHttp(await testDir(), (url) => inTurn(url, new Story(seed, round, { inVain: false })), true);
  });
});

test("both append at once: each row that was acknowledged is there", async () => {
  const folder = await testDir();
  const fields: FieldSpec[] = [{ kind: "image", name: "im", required: true, mime: "png", packItems: 2 }];
  const model = new Model(fields);
  await ours.create(folder, "main", fields);
  const rowsOf = (first: number): RowSpec[] => [first, first + 1].map((at) => ({ anchor: BigInt(at), values: [["im", { bytes: base64(Uint8Array.of(at)) }]] }));
  // Whoever loses opens what the other wrote, and tries again.
  const appendUntilTaken = async (implementation: Implementation, rows: readonly RowSpec[]): Promise<void> => {
    for (;;) {
      const writer = await implementation.open(folder, "main");
      try {
        await writer.append(rows);
        return model.apply({ do: "append", rows });
      } catch (error) {
        const lost = isDreamDbError(error, "RefConflict") || (error instanceof ReferenceError && error.text.startsWith("publish conflict"));
        if (!lost) throw error;
      }
    }
  };
  const all = async (implementation: Implementation, first: number) => {
    for (let at = 0; at < 10; at++) await appendUntilTaken(implementation, rowsOf(first + 2 * at));
  };
  await Promise.all([all(ours, 0), all(ours, 40), all(reference, 80)]);
  expect(model.anchors().length).toBe(60);
  await bothRead(model, folder, "main");
});

test("`.npy` Items of rank 0, which the reference's Python reads and cannot write", async () => {
  const common = { family: "dense-array", dtype: "f64", shape: [], endianness: "big", semanticType: "none", units: "none", frame: "none", axisOrder: "none" } as const;
  const fields = (["c", "f"] as const).map((layout): FieldSpec => {
    return { kind: "array", name: layout, required: true, trackKind: "event", type: { ...common, layout, codec: "npy" } };
  });
  const folder = await testDir();
  const writer = await ours.create(folder, "main", fields);
  const model = new Model(fields);
  const value = randomValue(new Random(1), { ...common, layout: "c", codec: "npy" });
  const step = { do: "append", rows: [{ anchor: 7n, values: [["c", value], ["f", value]] }] } as const;
  await perform(writer, step);
  model.apply(step);
  await bothRead(model, folder, "main");
});
