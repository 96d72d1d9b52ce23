/** Rows over several fields, and Items of several fields in one call. */

import { init } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { build, f32, type FieldInit, itemKeyOf, openBuilt, placeOf } from "../support/built-pages.js";
import { raggedPayload } from "../support/built-arrays.js";
import { expectFailure, expectRejection } from "../support/failure.js";

await init();

const TYPE = { dtype: "f32", shape: [1] } as const;
const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] } as const;
const at = (...anchors: number[]) => anchors.map((anchor) => ({ anchor, body: f32(anchor) }));

/** Fields with different anchors, one of them with a name that objects have of their own; 30 and 41 are deleted. */
function fields(fanout?: number): FieldInit[] {
  const more = fanout === undefined ? {} : { fanout };
  return [
    { name: "__proto__", type: TYPE, items: at(0, 10, 20, 30, 40), ...more },
    { name: "r", type: RAGGED, kind: "continuous", items: [5, 10, 30].map((anchor) => ({ anchor, body: raggedPayload([[anchor], [], [1, 2]]) })), ...more },
    { name: "m", items: at(10, 10, 41, 50), perPack: 2, ...more },
  ];
}
const DELETED = [30, 41];
const UNION = [0n, 5n, 10n, 20n, 40n, 50n];

describe.each([undefined, 2])("fan-out %s", (fanout) => {
  test("rows are the union of the fields, as read() gives their values", async () => {
    const { ds } = await openBuilt(build(fields(fanout), DELETED));
    for (const batchSize of [1, 2, 3, 100]) {
      const rows = [];
      for await (const row of ds.rows({ batchSize })) rows.push(row);
      expect(rows.map(({ anchor }) => anchor)).toEqual(UNION);
      for (const { anchor, values } of rows) {
        const expected = Object.create(null) as Record<string, unknown>;
        for (const [name, value] of [
          ["__proto__", await ds.array("__proto__").read(anchor)],
          ["r", await ds.ragged("r").read(anchor)],
          ["m", await ds.media("m").read(anchor)],
        ] as const) {
          if (value !== undefined) expected[name] = value;
        }
        expect(Object.keys(values).sort()).toEqual(Object.keys(expected).sort());
        for (const name of Object.keys(expected)) expect(values[name]).toEqual(expected[name]);
      }
    }
  });

  test("batches are columns of the same", async () => {
    const { ds } = await openBuilt(build(fields(fanout), DELETED));
    const batches = [];
    for await (const batch of ds.batches({ batchSize: 4 })) batches.push(batch);
    expect(batches.map(({ anchors }) => [...anchors])).toEqual([UNION.slice(0, 4), UNION.slice(4)]);
    const anchorsOf = batches.map(({ columns }) => Object.fromEntries(Object.keys(columns).map((name) => [`-${name}`, [...(columns[name]?.anchors ?? [])]])));
    expect(anchorsOf).toEqual([{ "-__proto__": [0n, 10n, 20n], "-r": [5n, 10n], "-m": [10n] }, { "-__proto__": [40n], "-m": [50n] }]);
    expect(batches[0]?.columns["r"]).toEqual(await ds.ragged("r").column({ end: 40 }));
    expect(batches[0]?.columns["__proto__"]).toEqual(await ds.array("__proto__").column({ end: 40 }));
  });

  test("windows and fields are chosen", async () => {
    const { ds } = await openBuilt(build(fields(fanout), DELETED));
    const anchorsOf = async (options: Parameters<typeof ds.rows>[0]) => {
      const anchors = [];
      for await (const row of ds.rows(options)) anchors.push(row.anchor);
      return anchors;
    };
    expect(await anchorsOf({ start: 5, end: 40 })).toEqual([5n, 10n, 20n]);
    expect(await anchorsOf({ fields: ["r", "m"] })).toEqual([5n, 10n, 50n]);
    expect(await anchorsOf({ start: 7, end: 7 })).toEqual([]);
    expect(await anchorsOf({ fields: [] })).toEqual([]);
    expect(await anchorsOf({ start: (1n << 64n) - 1n })).toEqual([]);
  });

  test("ragged columns are what joining the Items gives", async () => {
    const { ds } = await openBuilt(build(fields(fanout), DELETED));
    const { itemOffsets, rowOffsets, values, anchors } = await ds.ragged("r").column();
    expect([...anchors]).toEqual([5n, 10n]);
    expect([...itemOffsets]).toEqual([0n, 3n, 6n]);
    expect([...rowOffsets]).toEqual([0n, 1n, 1n, 3n, 4n, 4n, 6n]);
    expect([...values]).toEqual([5, 1, 2, 10, 1, 2]);
    const none = await ds.ragged("r").column({ start: 11 });
    expect([none.itemOffsets, none.rowOffsets, none.values.length]).toEqual([BigUint64Array.of(0n), BigUint64Array.of(0n), 0]);
  });

  test("readMany of fields keeps order and repetitions; a failure is that of its Item", async () => {
    const built = build(fields(fanout), DELETED);
    built.objects.delete(itemKeyOf({ type: TYPE }, { anchor: 20, body: f32(20) }));
    const { ds } = await openBuilt(built);
    const [dense, media, again] = await ds.readMany([
      { field: "__proto__", anchors: [40, 20, 30, 7, 40n] },
      { field: "m", anchors: [50, 10, 41] },
      { field: "__proto__", anchors: [] },
    ]);
    expect(dense?.map(({ anchor, status }) => [anchor, status])).toEqual([[40n, "value"], [20n, "error"], [30n, "deleted"], [7n, "absent"], [40n, "value"]]);
    expect(dense?.[1]).toMatchObject({ error: { code: "NotFound", field: "__proto__", anchor: 20n } });
    expect(media?.map(({ status }) => status)).toEqual(["value", "value", "deleted"]);
    expect(again).toEqual([]);
  });

  test("a broken index spoils no other field", async () => {
    const all = fields(fanout);
    const built = build(all, DELETED);
    for (const key of built.objects.keys()) {
      if (key.startsWith(`${placeOf({ type: RAGGED, kind: "continuous" })}/${fanout === undefined ? "track" : "index"}/`)) built.objects.set(key, Uint8Array.of(1));
    }
    const { ds } = await openBuilt(built);
    const [ragged, dense] = await ds.readMany([{ field: "r", anchors: [5, 9] }, { field: "__proto__", anchors: [0] }]);
    expect(ragged).toMatchObject([{ status: "error", anchor: 5n, error: { code: "HashMismatch", field: "r", anchor: 5n } }, { status: "error", anchor: 9n, error: { anchor: 9n } }]);
    expect(dense).toMatchObject([{ status: "value" }]);
    expect((await expectFailure(ds.rows().next(), "HashMismatch")).field).toBe("r");
    await expectFailure(ds.readMany([{ field: "zz", anchors: [] }]), "NoSuchField");
    await expectFailure(ds.readMany([{ field: "r", anchors: [-1] }]), "InvalidArgument");
  });

  test("what cannot be paid is refused before the first Item", async () => {
    const built = build(fields(fanout));
    const { ds: free } = await openBuilt(built);
    const wanted = [{ field: "__proto__", anchors: [0, 10, 20] }, { field: "r", anchors: [5] }];
    await free.plan(wanted);
    const index = free.stats().requests;
    const { ds, store } = await openBuilt(built, { maxRequests: index + 3 });
    await expectFailure(ds.readMany(wanted), "RequestBudget");
    expect(store.keys().filter((key) => /\/[0-9a-f]{16}\//.test(key))).toEqual([]);
    await expectFailure(ds.array("__proto__").column({ end: 31 }), "RequestBudget");
    expect(store.keys().filter((key) => /\/[0-9a-f]{16}\//.test(key))).toEqual([]);
    expect((await ds.readMany([{ field: "r", anchors: [5] }])).flat()).toMatchObject([{ status: "value" }]);
  });

  test("an abort is the call's", async () => {
    const { ds } = await openBuilt(build(fields(fanout)));
    const reason = new Error("enough");
    expect(await expectRejection(ds.readMany([{ field: "r", anchors: [5] }], { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});
