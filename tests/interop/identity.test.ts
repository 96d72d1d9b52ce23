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
async function bothWrite(fields: readonly FieldSpec[], steps: Iterable<Step>): Promise<void> {
  const [theirs, own] = [await testDir(), await testDir()];
  const writers = [await reference.create(theirs, "main", fields), await ours.create(own, "main", fields, await nonceOf(theirs))];
  const manifests = async () => expect(await contentsOfManifest(own, "main")).toEqual(await contentsOfManifest(theirs, "main"));
  await manifests();
  for (const step of steps) {
    for (const writer of writers) await perform(writer, step);
    await manifests();
  }
  expect(differences(objectsIn(theirs), objectsIn(own))).toEqual([]);
}

describe("random datasets", () => {
  test.each(roundsOf(15))("seed %d, round %d", async (seed, round) => {
    const story = new Story(seed, round, { inVain: false });
    await bothWrite(story.fields, Array.from({ length: 6 }, () => story.next()));
  });
});

/** Rows of one field, at every `step`th anchor. */
function rowsOf(name: string, count: number, step: bigint, start: bigint, value: RowSpec["values"][number][1]): Step {
  return { do: "append", rows: Array.from({ length: count }, (_, at) => ({ anchor: start + step * BigInt(at), values: [[name, value]] })) };
}

const BYTE = { family: "dense-array", dtype: "u8", shape: [], endianness: "little", layout: "c", codec: "raw", semanticType: "none", units: "none", frame: "none", axisOrder: "none" } as const;

/** The index of a Track becomes pages when it is above 1 MiB; then what is added changes pages. */
describe("indexes of pages", () => {
  const item = { family: "dense-array", dtype: "u8", shape: [], data: base64(Uint8Array.of(7)) } as const;
  const media = { bytes: base64(Uint8Array.of(1, 2)) };

  test("event arrays", { timeout: 240_000 }, async () => {
    const fields: FieldSpec[] = [{ kind: "array", name: "a", required: true, trackKind: "event", type: BYTE }];
    await bothWrite(fields, [
      rowsOf("a", 23_800, 10n, 1000n, item),
      rowsOf("a", 1, 1n, 1005n, item),
      rowsOf("a", 1, 1n, 10_000_000n, item),
      rowsOf("a", 30, 7770n, 3n, item),
    ]);
  });

  test.each([
    ["packs", { packItems: 5000 }, 20_000],
    ["single objects", {}, 21_000],
  ] as const)("media in %s", { timeout: 120_000 }, async (_, sizes, count) => {
    const fields: FieldSpec[] = [{ kind: "image", name: "im", required: true, mime: "png", ...sizes }];
    await bothWrite(fields, [
      rowsOf("im", count, 10n, 1000n, media),
      rowsOf("im", 1, 1n, 1005n, media),
      rowsOf("im", 1, 1n, 10_000_000n, media),
      rowsOf("im", 30, 7770n, 3n, media),
    ]);
  });
});
