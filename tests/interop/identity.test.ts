/** Equal inputs make equal objects, whoever writes them: the same keys, and under each the same bytes. Only manifests and tombstones are dated. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDir } from "../support/temp-dir.js";
import type { FieldSpec, RowSpec, Step } from "./support/model.js";
import { contentsOfManifest, differences, nonceOf, objectsIn } from "./support/objects.js";
import { ours } from "./support/ours.js";
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

/** Both do it, on one timeline. Manifests are compared after each step; objects stay, so at the end all of them are there. */
async function bothWrite(fields: readonly FieldSpec[], steps: Iterable<Step>): Promise<ReadonlyMap<string, Buffer>> {
  const [theirs, own] = [await testDir(), await testDir()];
  const writers = [await reference.create(theirs, "main", fields), await ours.create(own, "main", fields, await nonceOf(theirs))];
  const manifests = async () => expect(await contentsOfManifest(own, "main")).toEqual(await contentsOfManifest(theirs, "main"));
  await manifests();
  for (const step of steps) {
    for (const writer of writers) await perform(writer, step);
    await manifests();
  }
  const stored = objectsIn(theirs);
  expect(differences(stored, objectsIn(own))).toEqual([]);
  return stored;
}

describe("random datasets", () => {
  test.each(roundsOf(11))("seed %d, round %d", async (seed, round) => {
    const story = new Story(seed, round, { inVain: false });
    await bothWrite(story.fields, Array.from({ length: 6 }, () => story.next()));
  });
});

/** Rows of one field, at every `step`th anchor. */
function rowsOf(name: string, count: number, step: bigint, start: bigint, value: RowSpec["values"][number][1]): Step {
  return { do: "append", rows: Array.from({ length: count }, (_, at) => ({ anchor: start + step * BigInt(at), values: [[name, value]] })) };
}

/** Anchors of nine bytes each. */
const START = 2n ** 33n;

function pagesOf(objects: ReadonlyMap<string, Buffer>): number {
  return [...objects.keys()].filter((key) => key.includes("/index/")).length;
}

/**
 * The index of a Track becomes pages when it is above 1 MiB; then what is added changes pages. Those of arrays, which would need as many files, are
 * the matter of `tests/rust`.
 */
describe("indexes of pages", () => {
  const media = { bytes: base64(Uint8Array.of(1, 2)) };

  test.each([
    ["packs", { packItems: 5000 }, 18_000],
    ["single objects", {}, 21_000],
  ] as const)("media in %s", { timeout: 120_000 }, async (_, sizes, count) => {
    const fields: FieldSpec[] = [{ kind: "image", name: "im", required: true, mime: "png", ...sizes }];
    const stored = await bothWrite(fields, [
      rowsOf("im", count, 10n, START, media),
      rowsOf("im", 1, 1n, START + 5n, media),
      rowsOf("im", 1, 1n, 2n * START, media),
      rowsOf("im", 30, 7770n, START - 3n, media),
    ]);
    expect(pagesOf(stored)).toBeGreaterThan(60);
  });
});
