/** What `codec` makes of types and values: the reference stores the same bytes, under the same tag. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codec, type CsrInit, type DenseInit, type RaggedInit } from "dreamdb-arrays";
import { testDir } from "../support/temp-dir.js";
import { expectedOfReference, contentsOfReference } from "./support/contents.js";
import { type ArraySpec, type DeclaredType, Model, type RowSpec, type Step } from "./support/model.js";
import { Random } from "./support/random.js";
import { randomType, randomValue } from "./support/random-types.js";
import { Reference } from "./support/reference.js";
import { roundsOf } from "./support/rounds.js";
import { arrayInit, typeInit } from "./support/typed.js";
import { type ArrayBits, base64 } from "./support/values.js";

let reference: Reference;
beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

/** The payload as the package makes it. */
function payloadOf(type: DeclaredType, value: ArrayBits): Uint8Array {
  const [declared, given] = [typeInit(type), arrayInit(value)];
  switch (type.family) {
    case "dense-array":
      return codec.encodeDense(declared, given as DenseInit);
    case "ragged-array":
      return codec.encodeRagged(declared, given as RaggedInit);
    case "sparse-csr":
      return codec.encodeCsr(declared, given as CsrInit);
  }
}

function fieldOf(type: DeclaredType, name: string): ArraySpec {
  return { kind: "array", name, required: false, trackKind: "event", type };
}

test.each(roundsOf(20))("random types and values: seed %d, round %d", async (seed, round) => {
  const random = new Random(seed, round, 0xe);
  const fields = Array.from({ length: 12 }, (_, at) => fieldOf(randomType(random), `f${at}`));
  const folder = await testDir();
  const writer = await reference.create(folder, "main", fields);
  const values = [0, 1].flatMap((row) => fields.map((field, at) => ({ field, anchor: BigInt(100 * row + at), value: randomValue(random, field.type) })));
  await writer.append(values.map(({ field, anchor, value }) => ({ anchor, values: [[field.name, value]] })));
  const { timeline } = await writer.read(new Model([]), []);
  for (const { field, anchor, value } of values) {
    const payload = payloadOf(field.type, value);
    const tag = codec.modalityOf(typeInit(field.type), "event");
    const path = join(folder, timeline, tag, anchor.toString(16).padStart(16, "0"), codec.addressOf(payload));
    expect(base64(await readFile(path))).toBe(base64(payload));
  }
});

test("`.npy` Items of rank 0, which the reference takes as bytes and reads", async () => {
  const common = { endianness: "little", semanticType: "none", units: "none", frame: "none", axisOrder: "none", family: "dense-array", shape: [] } as const;
  const fields = (["c", "f"] as const).map((layout) => fieldOf({ ...common, dtype: "f64", layout, codec: "npy" }, layout));
  const value = randomValue(new Random(7), { ...common, dtype: "f64", layout: "c", codec: "npy" });
  const writer = await reference.create(await testDir(), "main", fields);
  const rows: RowSpec[] = [{ anchor: 5n, values: fields.map(({ name, type }) => [name, { bytes: base64(payloadOf(type, value)) }]) }];
  await writer.append(rows);
  const model = new Model(fields);
  const meant: Step = { do: "append", rows: [{ anchor: 5n, values: fields.map(({ name }) => [name, value]) }] };
  model.apply(meant);
  expect(contentsOfReference(model, await writer.read(model, model.probes()))).toEqual(expectedOfReference(model));
});
