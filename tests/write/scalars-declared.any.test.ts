/** Scalar columns as the reference declares them: the object that describes the index of each, and the tag of its Track. */
import { Dataset, init, memoryStore, type ScalarType, Schema } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import { checkScalarIndex } from "../../ts/dataset/scalars/index-objects.js";
import { call } from "../../ts/wasm.js";

beforeAll(() => init());

/** Type, name, encoding of the tag, and the address that the reference gave the descriptor. */
const OBSERVED: readonly (readonly [ScalarType, string, string, string])[] = [
  ["bool", "boo", "bool", "dz7thkhzlntizo52fdmu5ktbriy5hvvx6xgqc7on4h6tjql5hans6"],
  ["categorical", "cat", "cat", "dzzrw5sxs47eysx26wgugjiwmdtmwwnuwaxxnnrmost6cov6kqqny"],
  ["float", "flo", "f64", "dzl6toltpohf7i3snryqn6p6hrnjerthg6poderiquier6pwhsru6"],
  ["int", "int", "i64", "dzdgbu7t743pn36dqlgaadpzx5gdrk2w7bs7bs3n7p65p7ka6hil4"],
  ["string", "str", "str", "dyvip4iuqf7uiispzj3lo4joeksufdx2l57jzoednem5qjwmib4ms"],
  ["timestamp", "tim", "ts", "d27vcrkdt6xhxvcnmcitvbvmeqw7h3vwm57jx6w7erhj3p2tk62y6"],
];

test("declarations are the reference's, and read as what they are of", async () => {
  const store = memoryStore();
  const schema = OBSERVED.reduce((all, [type, name]) => all.scalar(name, { type, required: false }), new Schema());
  const { current } = await Dataset.create(store, "main", schema);
  for (const [type, name, encoding, address] of OBSERVED) {
    const modality = `scalar.${encoding}.field=${name}`;
    expect(current.fields.find((field) => field.name === name)).toMatchObject({ kind: "scalar", valueType: type, modality });
    const object = await store.get(`scalar-index/${address}`);
    expect(call((core) => checkScalarIndex(core, object, modality, type, name))).toBeUndefined();
    expect(await current.scalar(name).count()).toBe(0);
  }
});
