/** Whether types are one, and whether two manifests agree on what they register: with manifests of the reference, and with ones made to differ. */

import { checkRegistries, codec, type Dataset, init, memoryStore, openDataset, sameType } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { arrayField, manifest, schema } from "../../ts/cli/vectors/documents.js";
import { address } from "../conformance/support/address.js";
import { map, text, uint } from "../conformance/support/cbor-writer.js";
import { expectThrown } from "../support/failure.js";
import { FIXTURES, fixtureUrl, loadObjects, loadSidecar } from "../support/fixtures.js";

await init();

const TYPE = { dtype: "f32", shape: [2, 3], units: "m" } as const;
const OTHER = { ...TYPE, units: "mm" } as const;
const TAG = codec.modalityOf(TYPE, "event");

describe("the same type", () => {
  test("is the same tag, byte for byte", () => {
    expect(sameType(TAG, TAG)).toBe(true);
    expect(sameType(TAG, codec.modalityOf({ ...TYPE }, "event"))).toBe(true);
    for (const other of [codec.modalityOf(OTHER, "event"), codec.modalityOf(TYPE, "continuous"), `dreamdb.${TAG}`, `vortex.${TAG}`, TAG.toUpperCase(), `${TAG} `, TAG.slice(0, -1), ""]) {
      expect(sameType(TAG, other)).toBe(false);
      expect(sameType(other, other)).toBe(true);
    }
    // Two spellings of one letter, and parameters in another order.
    expect(sameType("array.\u00e9", "array.e\u0301")).toBe(false);
    expect(sameType("array.f32.kind=event.storage=unbucketed", "array.f32.storage=unbucketed.kind=event")).toBe(false);
  });

  test("is asked of fields", async () => {
    const ds = await openDataset(fixtureUrl("arrays-basic"));
    const modalities = new Set(ds.fields.map(({ modality }) => modality));
    expect(modalities.size).toBeLessThan(ds.fields.length);
    for (const first of ds.fields) {
      for (const second of ds.fields) expect(sameType(first, second)).toBe(first.modality === second.modality);
      expect(ds.fields.filter((info) => sameType(info, first.modality)).length).toBeGreaterThan(0);
    }
  });

  test("is asked of nothing else", () => {
    const wrong = sameType as (first: unknown, second: unknown) => boolean;
    for (const other of [undefined, null, 5, {}, [], { modality: 5 }, new Uint8Array(1), "\ud800"]) {
      expectThrown(() => wrong(TAG, other), "InvalidArgument");
      expectThrown(() => wrong(other, TAG), "InvalidArgument");
    }
  });
});

/** A manifest whose registry has these entries beside an empty schema. */
const registering = (entries: readonly (readonly [string, Uint8Array])[]) => manifest([], map([["dreamdb.schema", schema([])], ...entries]));

const entry = (type: typeof TYPE | typeof OTHER) => map([["item_type", codec.encodeItemType(type)]]);

const opened = (object: Uint8Array): Promise<Dataset> => openDataset(memoryStore([[`manifests/${address(object)}`, object]]), { manifest: address(object) });

describe("registries", () => {
  const bound = manifest(
    [{ field: "a", kind: "event", modality: TAG }],
    map([["dreamdb.schema", schema([arrayField("a", codec.encodeItemType(TYPE), "event", "unbucketed")])], [TAG, entry(TYPE)]]),
  );
  // No field has the modality any more, so that nothing looked at its entry when the dataset was opened.
  const conflicting = registering([[TAG, entry(OTHER)]]);

  test("of the reference's manifests agree, of all versions with all", async () => {
    const objects: Uint8Array[] = [];
    for (const fixture of FIXTURES) {
      const all = await loadObjects(fixture, await loadSidecar(fixture));
      for (const [key, object] of all) if (key.startsWith("manifests/")) objects.push(object);
    }
    expect(objects.length).toBeGreaterThan(FIXTURES.length);
    for (const first of objects) for (const second of objects) checkRegistries(first, second);
    const datasets = await Promise.all(FIXTURES.map(async (fixture) => openDataset(fixtureUrl(fixture), Object.keys((await loadSidecar(fixture)).refs)[0])));
    for (const first of datasets) for (const second of [...datasets, ...objects]) checkRegistries(first, second);
  });

  test("that declare one modality differently are refused, as datasets and as bytes", async () => {
    const [one, other] = [await opened(bound), await opened(conflicting)];
    for (const first of [one, bound]) {
      for (const second of [other, conflicting]) {
        const error = expectThrown(() => checkRegistries(first, second), "RegistryConflict");
        expect([error.subject, error.expected, error.actual]).toEqual([TAG, "units: `m`", "units: `mm`"]);
        expect(error.message).toContain(TAG);
        expect(expectThrown(() => checkRegistries(second, first), "RegistryConflict")).toMatchObject({ expected: error.actual, actual: error.expected });
      }
      checkRegistries(first, first);
    }
  });

  test("may differ in everything else", async () => {
    const tag = codec.modalityOf(OTHER, "event");
    const twice = registering([
      [TAG, entry(TYPE)],
      [TAG, entry(TYPE)],
      [tag, entry(OTHER)],
      ["dreamdb.description", text("another")],
      ["image.png", map([["text_index", uint(1)]])],
    ]);
    checkRegistries(await opened(bound), await opened(twice));
    checkRegistries(twice, bound);
    checkRegistries(registering([]), conflicting);
  });

  test("of what is no manifest are not compared", async () => {
    const ds = await opened(bound);
    expectThrown(() => checkRegistries(ds, new Uint8Array(0)), "Cbor");
    expectThrown(() => checkRegistries(map([["writer", text("x")]]), ds), "WireOrType");
    const repeated = registering([[TAG, map([["item_type", uint(1)], ["item_type", uint(1)]])]]);
    expectThrown(() => checkRegistries(ds, repeated), "RegistryItemTypeDuplicate");
    const wrong = checkRegistries as (first: unknown, second: unknown) => void;
    for (const other of [undefined, null, TAG, 5, {}, ds.manifest, Object.create(ds), new Uint16Array(4), bound.buffer]) {
      expectThrown(() => wrong(ds, other), "InvalidArgument");
      expectThrown(() => wrong(other, ds), "InvalidArgument");
    }
  });
});
