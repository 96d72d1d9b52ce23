/** Scalar columns that are written: as they were given, in several commits, by many at once; and what cannot be meant is refused before anything is stored. */
import { Dataset, init, memoryStore, openDataset, type RowInit, Schema, type ScalarType } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { expectFailure } from "../support/failure.js";
import { faulty } from "../support/writes.js";

beforeAll(() => init());

const schema = () =>
  new Schema()
    .scalar("label", { type: "categorical" })
    .scalar("ok", { type: "bool", required: false })
    .scalar("step", { type: "int", required: false })
    .scalar("force", { type: "float", required: false })
    .scalar("note", { type: "string", required: false })
    .scalar("at", { type: "timestamp", required: false });

async function made(of = schema()) {
  const store = faulty(memoryStore());
  return { store, ds: await Dataset.create(store, "main", of) };
}

const ROWS: RowInit[] = [
  { anchor: 30n, values: { label: "left", ok: true, step: 2n ** 63n - 1n, force: -0, note: "", at: 1_700_000_000_000_000_001n } },
  { anchor: 10, values: { label: "right", ok: false, step: -5, force: 0.1, note: "släp" } },
  { anchor: 20, values: { label: "left", step: -(2n ** 63n) } },
];

describe("what was written", () => {
  it("is read, by row and by column, absent values left out, integers exact", async () => {
    const { ds } = await made();
    expect((await ds.append(ROWS)).anchors).toEqual([30n, 10n, 20n]);
    const read = ds.current;
    expect(read.fields.map(({ name, kind, required }) => [name, kind, required])).toContainEqual(["step", "scalar", false]);
    expect(await read.scalar("label").column()).toMatchObject({ anchors: BigUint64Array.of(10n, 20n, 30n), values: ["right", "left", "left"], categories: ["left", "right"] });
    expect(await read.scalar("step").column()).toMatchObject({ values: BigInt64Array.of(-5n, -(2n ** 63n), 2n ** 63n - 1n) });
    expect(await read.scalar("force").column()).toMatchObject({ anchors: BigUint64Array.of(10n, 30n), values: Float64Array.of(0.1, -0) });
    expect(await read.scalar("ok").read(10n)).toBe(false);
    expect(await read.scalar("note").read(30n)).toBe("");
    expect(await read.scalar("at").read(10n)).toBeUndefined();
    expect((await read.audit()).faults).toEqual([]);
  });

  it("stays as more comes, goes with its row, and may be added as a field later", async () => {
    const { ds, store } = await made();
    await ds.append(ROWS);
    await ds.append([{ anchor: 5, values: { label: "up", step: 7 } }]);
    await ds.addField("late", { kind: "scalar", type: "string", required: false });
    await ds.append([{ anchor: 2n ** 64n - 2n, values: { label: "up", late: "b" } }]);
    await ds.delete([20n]);
    const read = await openDataset(store, "main");
    expect(await read.scalar("label").column()).toMatchObject({ values: ["up", "right", "left", "up"] });
    expect(await read.scalar("step").column()).toMatchObject({ anchors: BigUint64Array.of(5n, 10n, 30n), values: BigInt64Array.of(7n, -5n, 2n ** 63n - 1n) });
    expect(await read.scalar("late").read(2n ** 64n - 2n)).toBe("b");
    await expectFailure(ds.append([{ anchor: 20, values: { label: "again" } }]), "DeletedAnchor");
  });

  it("comes as columns, too, as they are read", async () => {
    const [from, to] = [await made(), await made()];
    await from.ds.append(ROWS);
    const read = from.ds.current;
    const columns = await Promise.all(["label", "ok", "step", "force", "note", "at"].map(async (name) => [name, await read.scalar(name).column()] as const));
    await to.ds.appendColumns({ anchors: [10, 20, 30], fields: Object.fromEntries(columns) });
    for (const [name, column] of columns) expect(await to.ds.current.scalar(name).column()).toEqual(column);
    await to.ds.appendColumns({ anchors: [40, 50], fields: { label: ["a", "b"], ok: [true, undefined], step: [1, 2n], force: Float64Array.of(1, 2) } });
    expect(await to.ds.current.scalar("ok").column({ start: 31n })).toMatchObject({ anchors: BigUint64Array.of(40n), values: Uint8Array.of(1) });
    expect(await to.ds.current.scalar("step").column({ start: 31n })).toMatchObject({ values: BigInt64Array.of(1n, 2n) });
  });

  it("of several writers at once is all there, once", async () => {
    const { ds, store } = await made();
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        const own = await Dataset.open(store, "main");
        for (let commit = 0; commit < 3; commit++) await own.append([{ anchor: 10 * writer + commit, values: { label: `w${writer}`, step: writer } }], { rebase: true });
      }),
    );
    const column = await (await ds.refresh()).scalar("step").column();
    expect([...column.anchors].map((anchor, at) => [anchor / 10n, column.values[at]])).toEqual(Array.from({ length: 18 }, (_, at) => [BigInt(Math.floor(at / 3)), BigInt(Math.floor(at / 3))]));
  });
});

describe("refused before anything is stored", () => {
  const bad: [ScalarType, unknown][] = [
    ["categorical", 1], ["categorical", "a\ud800"], ["categorical", null], ["bool", 1], ["bool", "true"], ["int", 1.5], ["int", 2 ** 53], ["int", 2n ** 63n], ["int", -(2n ** 63n) - 1n],
    ["int", true], ["int", "1"], ["timestamp", 2n ** 64n], ["timestamp", NaN], ["float", NaN], ["float", -Infinity], ["float", 1n], ["string", "é".repeat(4096) + "a"], ["string", ["a"]], ["float", Float64Array.of(1)],
  ];
  it.each(bad)("of a %s column %s", async (type, value) => {
    const { ds, store } = await made(new Schema().scalar("a", { type }).image("im", { mime: "png", required: false }));
    store.arm(-1, "before");
    expect((await expectFailure(ds.append([{ anchor: 1, values: { a: value as never, im: Uint8Array.of(1) } }]), "InvalidArgument")).field).toBe("a");
    expect(store.calls.filter((call) => !call.startsWith("get"))).toEqual([]);
  });

  it("two rows at one anchor, the last anchor, a missing label, columns of another length", async () => {
    const { ds, store } = await made();
    store.arm(-1, "before");
    expect((await expectFailure(ds.append([{ anchor: 1, values: { label: "a" } }, { anchor: 1, values: { label: "b" } }]), "RepeatedAnchor")).field).toBe("label");
    await expectFailure(ds.append([{ anchor: 2n ** 64n - 1n, values: { label: "a" } }]), "InvalidArgument");
    expect((await expectFailure(ds.append([{ anchor: 1, values: { step: 1 } }]), "MissingValue")).field).toBe("label");
    await expectFailure(ds.appendColumns({ anchors: [1, 2], fields: { label: ["a"] } }), "ShapeMismatch");
    await expectFailure(ds.appendColumns({ anchors: [1], fields: { label: ["a"], ok: Uint8Array.of(2) } }), "InvalidArgument");
    for (const label of [null, "a", { values: null }, { items: ["a"] }]) await expectFailure(ds.appendColumns({ anchors: [1], fields: { label: label as never } }), "InvalidArgument");
    expect(store.calls.filter((call) => !call.startsWith("get"))).toEqual([]);
  });

  it.each([
    ["a", "i64", "InvalidArgument"], ["A", "int", "InvalidSegment"], ["a.b", "int", "InvalidSegment"], ["é", "int", "InvalidSegment"], ["x".repeat(240), "int", "ModalityTooLong"], ["a", undefined, "InvalidArgument"],
  ])("a column named %s of type %s", async (name, type, code) => {
    const store = faulty(memoryStore());
    await expectFailure(Dataset.create(store, "main", new Schema().scalar(name, { type: type as ScalarType })), code as never);
    expect(store.calls).toEqual([]);
  });
});
