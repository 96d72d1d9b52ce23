/** What is written is there, as it was given; what cannot be meant is refused before anything is stored. Over memory, in every host. */
import { type ColumnsInit, Dataset, init, memoryStore, openArrayField, openDataset, codec, type RowInit, Schema, type UploadProgress, type WritableDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { expectFailure, expectRejection, expectThrown } from "../support/failure.js";
import { contentsOf, faulty, rowsFrom, schemaOfAll } from "../support/writes.js";

beforeAll(() => init());

/** An empty dataset in memory, and the calls of its store. */
async function made(schema = schemaOfAll()) {
  const store = faulty(memoryStore());
  return { store, ds: await Dataset.create(store, "main", schema) };
}

describe("rows", () => {
  it("are read as they were given, in the order of their anchors, absent values left out", async () => {
    const { ds } = await made();
    const commit = await ds.append([
      { anchor: 20, values: { pose: Float32Array.of(1, 2), frame: Uint8Array.of(7) } },
      { anchor: 10n, values: { pose: [3, 4], hits: { rowOffsets: [0, 2, 2], values: Uint16Array.of(5, 6) }, sound: undefined } },
    ]);
    expect(commit.anchors).toEqual([20n, 10n]);
    const rows: [bigint, string[]][] = [];
    for await (const { anchor, values } of ds.current.rows()) rows.push([anchor, Object.keys(values).sort()]);
    expect(rows).toEqual([[10n, ["hits", "pose"]], [20n, ["frame", "pose"]]]);
    expect((await ds.current.array("pose").column()).data).toEqual(Float32Array.of(3, 4, 1, 2));
    expect((await ds.current.ragged("hits").read(10n))?.rowOffsets).toEqual(BigUint64Array.of(0n, 2n, 2n));
    expect(ds.current.manifest).toMatchObject({ address: commit.manifest, parents: [expect.any(String) as string] });
  });

  it("are placed by the clock where none says its anchor, a microsecond apart", async () => {
    const store = memoryStore();
    const ds = await Dataset.create(store, "main", new Schema().array("a", { dtype: "u8", shape: [] }), { clock: () => 5_000_000n });
    const { anchors } = await ds.append([{ values: { a: 1 } }, { values: { a: 2 } }]);
    expect(anchors).toEqual([5_000_000n, 5_001_000n]);
    expect(ds.current.manifest.timestamp).toBe(5_000_000n);
    await ds.append([{ anchor: 1, values: { a: 3 } }]);
    expect([...(await contentsOf(store)).keys()]).toEqual([1n, 5_000_000n, 5_001_000n]);
  });

  it("that have nothing make no version", async () => {
    const { ds, store } = await made(new Schema().array("a", { dtype: "u8", shape: [], required: false }));
    const before = ds.current.manifest.address;
    store.arm(-1, "before");
    expect(await ds.append([])).toMatchObject({ manifest: before, anchors: [] });
    expect(await ds.append([{ anchor: 1, values: {} }])).toMatchObject({ manifest: before, anchors: [1n] });
    expect(store.calls.filter((call) => !call.startsWith("get"))).toEqual([]);
  });

  it("may be completed later, field by field, and media more than once: the last one counts", async () => {
    const { ds } = await made(new Schema().array("a", { dtype: "u8", shape: [], required: false }).array("b", { dtype: "u16", shape: [], required: false }).image("im", { mime: "png", required: false }));
    await ds.append([{ anchor: 1, values: { a: 1, im: Uint8Array.of(1) } }]);
    await ds.append([{ anchor: 1, values: { b: 2, im: Uint8Array.of(2) } }]);
    for await (const { values } of ds.current.rows()) expect(Object.keys(values).sort()).toEqual(["a", "b", "im"]);
    expect((await ds.current.media("im").read(1n))?.bytes).toEqual(Uint8Array.of(2));
  });

  it("stand at every anchor up to 2^64 − 2", async () => {
    const { ds } = await made(new Schema().array("a", { dtype: "u8", shape: [] }));
    await ds.append([{ anchor: 2n ** 64n - 2n, values: { a: 1 } }, { anchor: 0, values: { a: 2 } }]);
    expect((await ds.current.array("a").read(2n ** 64n - 2n))?.data).toEqual(Uint8Array.of(1));
  });
});

describe("columns", () => {
  it("write what a column reads, of every family and of media", async () => {
    const schema = new Schema()
      .array("dense", { dtype: "f32", shape: [2, 3], layout: "f", endianness: "big", codec: "npy" })
      .ragged("ragged", { dtype: "i64", innerShape: [2] })
      .csr("csr", { dtype: "f64", shape: [2, 4], endianness: "big" })
      .image("im", { mime: "png", packItems: 3 });
    const source = await Dataset.create(memoryStore(), "main", schema);
    await source.append(
      [3, 1, 2].map((anchor) => ({
        anchor,
        values: {
          dense: [[anchor, 2, 3], [4, 5, 6]],
          ragged: { rowOffsets: Array.from({ length: anchor + 1 }, (_, at) => at), values: BigInt64Array.from({ length: 2 * anchor }, (_, at) => BigInt(-at)) },
          csr: { rowOffsets: [0, 1, 1], columnIndices: [anchor], values: Float64Array.of(anchor) },
          im: new Uint8Array(anchor).fill(anchor),
        },
      })),
    );
    const target = await Dataset.create(memoryStore(), "main", schema);
    for await (const { anchors, columns } of source.current.batches({ batchSize: 2 })) await target.appendColumns({ anchors, fields: columns });
    for (const name of ["dense", "ragged", "csr", "im"] as const) {
      const read = async (ds: WritableDataset) => {
        const { current } = ds;
        return name === "im" ? await current.media(name).column() : name === "dense" ? await current.array(name).column() : name === "csr" ? await current.csr(name).column() : await current.ragged(name).column();
      };
      const form = (column: unknown): unknown => JSON.parse(JSON.stringify(column, (key, value: unknown) => (typeof value === "bigint" ? `${value}n` : key === "form" ? undefined : value)));
      expect(form(await read(target))).toEqual(form(await read(source)));
    }
  });

  it("of optional fields have holes, or anchors of their own", async () => {
    const { ds } = await made(new Schema().array("a", { dtype: "u8", shape: [2] }).array("b", { dtype: "u16", shape: [], required: false }).image("im", { mime: "png", required: false }));
    await ds.appendColumns({
      anchors: [1, 2, 3],
      fields: { a: Uint8Array.of(1, 2, 3, 4, 5, 6), b: { anchors: BigUint64Array.of(3n), data: Uint16Array.of(9) }, im: [undefined, Uint8Array.of(1), undefined] },
    });
    const found: [bigint, string[]][] = [];
    for await (const { anchor, values } of ds.current.rows()) found.push([anchor, Object.keys(values).sort()]);
    expect(found).toEqual([[1n, ["a"]], [2n, ["a", "im"]], [3n, ["a", "b"]]]);
  });

  it.each([
    ["too few elements", { anchors: [1, 2], fields: { pose: new Float32Array(3) } }, "ShapeMismatch"],
    ["another shape", { anchors: [1], fields: { pose: { data: new Float32Array(2), shape: [2, 1] } } }, "ShapeMismatch"],
    ["another dtype", { anchors: [1], fields: { pose: new Float64Array(2) } }, "InvalidArgument"],
    ["a list too short", { anchors: [1, 2], fields: { pose: [[1, 2]] } }, "ShapeMismatch"],
    ["a hole of a required field", { anchors: [1, 2], fields: { pose: [[1, 2], undefined] } }, "MissingValue"],
    ["no column of a required field", { anchors: [1], fields: {} }, "MissingValue"],
    ["a column at other anchors", { anchors: [1], fields: { pose: { anchors: BigUint64Array.of(2n), data: new Float32Array(2) } } }, "InvalidArgument"],
    ["no anchors", { fields: { pose: new Float32Array(2) } }, "InvalidArgument"],
    ["an unknown field", { anchors: [1], fields: { pose: new Float32Array(2), nose: new Float32Array(2) } }, "NoSuchField"],
    ["anchors twice", { anchors: [1, 1], fields: { pose: new Float32Array(4) } }, "RepeatedAnchor"],
    ["null for a column", { anchors: [1], fields: { pose: null } }, "InvalidArgument"],
    ["a number for a column", { anchors: [1], fields: { pose: 5 } }, "InvalidArgument"],
    ["text for a column", { anchors: [2], fields: { pose: "ab" } }, "InvalidArgument"],
    ["null for a list", { anchors: [1], fields: { pose: { items: null } } }, "InvalidArgument"],
    ["null for a shape", { anchors: [1], fields: { pose: { data: new Float32Array(2), shape: null } } }, "InvalidArgument"],
    ["null for the shape of an Item", { anchors: [1], fields: { pose: [{ data: new Float32Array(2), shape: null }] } }, "InvalidArgument"],
    ["null for own anchors", { anchors: [1], fields: { pose: { anchors: null, data: new Float32Array(2) } } }, "InvalidArgument"],
    ["null for cells", { anchors: [1], fields: { pose: new Float32Array(2), hits: { itemOffsets: BigUint64Array.of(0n, 1n), rowOffsets: BigUint64Array.of(0n, 1n), values: null } } }, "InvalidArgument"],
    ["falling item offsets", { anchors: [1, 2], fields: { pose: new Float32Array(4), hits: { itemOffsets: BigUint64Array.of(0n, 2n, 1n), rowOffsets: BigUint64Array.of(0n, 1n), values: new Uint16Array(1) } } }, "OffsetOrder"],
  ])("are refused with %s", async (_, columns, code) => {
    const { ds, store } = await made();
    store.arm(-1, "before");
    await expectFailure(ds.appendColumns(columns as unknown as ColumnsInit), code as "ShapeMismatch");
    expect(store.calls.filter((call) => call.startsWith("create") || call.startsWith("replace"))).toEqual([]);
  });
});

describe("refused before anything is stored", () => {
  it("a signal that is none, and the next call goes on", async () => {
    const { ds, store } = await made(new Schema().array("a", { dtype: "u8", shape: [] }));
    store.arm(-1, "before");
    for (const signal of [null, 5, "now", Symbol("s"), {}, { aborted: false }]) {
      await expectFailure(ds.append([{ anchor: 1, values: { a: 1 } }], { signal: signal as unknown as AbortSignal }), "InvalidArgument");
    }
    expect(store.calls.filter((call) => !call.startsWith("get"))).toEqual([]);
    await ds.append([{ anchor: 2, values: { a: 2 } }]);
    expect(await ds.current.array("a").anchors()).toEqual(BigUint64Array.of(2n));
  });

  const pose = Float32Array.of(1, 2);
  it.each<[string, unknown, string, RegExp]>([
    ["an unknown field", [{ anchor: 9, values: { pose, nose: 1 } }], "NoSuchField", /no field "nose"/],
    ["a missing value", [{ anchor: 9, values: {} }], "MissingValue", /anchor 9 .*"pose"/],
    ["another dtype", [{ anchor: 9, values: { pose: new Float64Array(2) } }], "InvalidArgument", /field "pose", anchor 9: .*Float32Array/],
    ["another number of elements", [{ anchor: 9, values: { pose: new Float32Array(3) } }], "ShapeMismatch", /2 elements, and 3/],
    ["some anchors", [{ anchor: 9, values: { pose } }, { values: { pose } }], "InvalidArgument", /1 of 2 rows/],
    ["an anchor twice", [{ anchor: 9, values: { pose } }, { anchor: 9, values: { pose } }], "RepeatedAnchor", /9/],
    ["an anchor that is taken", [{ anchor: 1, values: { pose } }], "RepeatedAnchor", /1/],
    ["a deleted anchor", [{ anchor: 7, values: { pose } }], "DeletedAnchor", /7 was deleted/],
    ["the last anchor", [{ anchor: 2n ** 64n - 1n, values: { pose } }], "InvalidArgument", /2\^64/],
    ["a negative anchor", [{ anchor: -1, values: { pose } }], "InvalidArgument", /rows\[0\]\.anchor/],
    ["an unsafe anchor", [{ anchor: 2 ** 60, values: { pose } }], "InvalidArgument", /anchor/],
    ["numbers as an image", [{ anchor: 9, values: { pose, frame: [1, 2] } }], "InvalidArgument", /frame/],
    ["null", [{ anchor: 9, values: { pose: null } }], "InvalidArgument", /null/],
    ["a value of a Constant", [{ anchor: 9, values: { pose, k: 1 } }], "WrongKind", /Constant/],
    ["no rows", { anchor: 9 }, "InvalidArgument", /array of rows/],
    ["a row that is none", [5], "InvalidArgument", /rows\[0\]/],
    ["a row without values", [{ anchor: 9 }], "InvalidArgument", /values/],
  ])("%s", async (_, rows, code, message) => {
    const { ds, store } = await made();
    await ds.append(rowsFrom(1, 1));
    await ds.addArrayConstant("k", { dtype: "u8", shape: [] }, 1);
    await ds.delete([7]);
    const before = ds.current.manifest.address;
    store.arm(-1, "before");
    const error = await expectFailure(ds.append(rows as RowInit[]), code as "InvalidArgument");
    expect(error.message).toMatch(message);
    expect(store.calls.filter((call) => call.startsWith("create") || call.startsWith("replace"))).toEqual([]);
    expect(ds.current.manifest.address).toBe(before);
    // The next one is none the worse for it.
    await ds.append(rowsFrom(30, 1));
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ["a Ref that is there", async () => Dataset.create((await made()).store, "main", schemaOfAll()), "RefExists"],
    ["a bad name of a Ref", async () => Dataset.create(memoryStore(), "Main", schemaOfAll()), "RefName"],
    ["a reserved name", async () => Dataset.create(memoryStore(), "tags/a", schemaOfAll()), "RefName"],
    ["no schema", async () => Dataset.create(memoryStore(), "main", {} as Schema), "InvalidArgument"],
    ["a name that is no text", async () => Dataset.create(memoryStore(), null as never, schemaOfAll()), "RefName"],
    ["a name in a list", async () => Dataset.open((await made()).store, ["main"] as never), "RefName"],
    ["a branch without a name", async () => (await made()).ds.branch(undefined as never), "RefName"],
    ["a name that the reference does not open", async () => (await made()).ds.branch("a/@b"), "RefName"],
    ["a snapshot that nobody could open", async () => (await made()).ds.snapshot("x".repeat(60)), "RefName"],
    ["a label that is an integer", async () => (await made()).ds.snapshot(5n as never), "RefName"],
    ["a writer that is no text", async () => Dataset.create(memoryStore(), "main", schemaOfAll(), { writer: 5 as never }), "InvalidArgument"],
    ["half a surrogate pair as writer", async () => Dataset.create(memoryStore(), "main", schemaOfAll(), { writer: "\ud800" }), "InvalidArgument"],
    ["a clock before the epoch", async () => Dataset.create(memoryStore(), "main", schemaOfAll(), { clock: () => -1n }), "InvalidArgument"],
    ["a clock beyond 64 bits", async () => Dataset.create(memoryStore(), "main", schemaOfAll(), { clock: () => 2n ** 64n }), "InvalidArgument"],
    ["no declaration", async () => (await made()).ds.addField("a", null as never), "InvalidArgument"],
    ["a kind that is an integer", async () => (await made()).ds.addField("a", { kind: 5n as never, dtype: "u8", shape: [] }), "InvalidArgument"],
    ["a Constant's name that is an integer", async () => (await made()).ds.addArrayConstant(5n as never, { dtype: "u8", shape: [] }, 1), "InvalidArgument"],
    ["a short nonce", async () => Dataset.create(memoryStore(), "main", schemaOfAll(), { nonce: new Uint8Array(3) }), "InvalidArgument"],
    ["a store that only reads", async () => Dataset.create({ get: () => undefined, getRange: () => undefined } as never, "main", schemaOfAll()), "InvalidArgument"],
    ["an unknown dtype", async () => Dataset.create(memoryStore(), "main", new Schema().array("a", { dtype: "f16" as "f32", shape: [] })), "UnsupportedDtype"],
    ["a mime in capitals", async () => Dataset.create(memoryStore(), "main", new Schema().image("a", { mime: "PNG" })), "InvalidSegment"],
    ["a misspelt option", async () => Dataset.create(memoryStore(), "main", new Schema().image("a", { mime: "png", pack_items: 3 } as never)), "InvalidArgument"],
    ["a Constant in a schema", async () => Dataset.create(memoryStore(), "main", new Schema().array("a", { dtype: "f32", shape: [], trackKind: "constant" as "event" })), "InvalidArgument"],
    ["a field that is there", async () => (await made()).ds.addField("pose", { kind: "array", dtype: "u8", shape: [] }), "InvalidArgument"],
    ["no anchor to delete", async () => (await made()).ds.delete([]), "InvalidArgument"],
    ["a reason that is too long", async () => (await made()).ds.delete([1], "x".repeat(257)), "InvalidArgument"],
    ["a branch that is there", async () => (await made()).ds.branch("main"), "RefExists"],
    ["a bad label", async () => (await made()).ds.snapshot("a@b"), "RefName"],
    ["a Ref that is not there", async () => Dataset.open(memoryStore(), "main"), "NotFound"],
  ])("%s", async (_, act, code) => {
    await expectFailure(act(), code as "InvalidArgument");
  });

  it("rows that the clock would place beyond 64 bits", async () => {
    let now = 0n;
    const ds = await Dataset.create(memoryStore(), "main", new Schema().array("a", { dtype: "u8", shape: [] }), { clock: () => now });
    now = 2n ** 64n - 1000n;
    const before = ds.current.manifest.address;
    await expectFailure(ds.append([{ values: { a: 1 } }, { values: { a: 2 } }]), "InvalidArgument");
    expect(ds.current.manifest.address).toBe(before);
  });

  it("a write to a Ref of an archive", async () => {
    const { ds, store } = await made();
    const { bytes } = await store.getTagged("refs/main");
    await store.create("refs/tags/a", bytes);
    const archive = await Dataset.open(store, "tags/a");
    store.arm(-1, "before");
    await expectFailure(archive.append(rowsFrom(1, 1)), "RefName");
    await expectFailure(archive.snapshot("v1"), "RefName");
    expect(store.calls).toEqual([]);
    await (await archive.branch("side")).append(rowsFrom(1, 1));
    expect((await store.getTagged("refs/tags/a")).bytes).toEqual(bytes);
    expect(ds.current.manifest.address).toBe(archive.current.manifest.address);
  });

  it("a field twice in a schema", () => {
    expectThrown(() => schemaOfAll().image("pose", { mime: "png" }), "InvalidArgument");
  });
});

describe("packs", () => {
  it("end at a number of Items, and before they grow beyond so many bytes", async () => {
    const sizes = [3, 3, 3, 10, 1, 1, 1, 1];
    const packsOf = async (targetPackBytes?: number): Promise<number[][]> => {
      const { ds } = await made(new Schema().image("im", { mime: "png", packItems: 4 }));
      await ds.append(sizes.map((size, anchor) => ({ anchor, values: { im: new Uint8Array(size).fill(anchor) } })), { targetPackBytes });
      const column = await ds.current.media("im").column();
      expect(column.items.map(({ bytes, form }) => [bytes.byteLength, form])).toEqual(sizes.map((size) => [size, "packed"]));
      const { fields } = await ds.current.audit();
      expect(fields[0]?.faults).toEqual([]);
      const groups = new Map<ArrayBufferLike, number[]>();
      for (const { bytes } of column.items) groups.set(bytes.buffer, [...(groups.get(bytes.buffer) ?? []), bytes.byteLength]);
      return [...groups.values()];
    };
    expect(await packsOf()).toEqual([[3, 3, 3, 10], [1, 1, 1, 1]]);
    expect(await packsOf(7)).toEqual([[3, 3], [3], [10], [1, 1, 1, 1]]);
  });

  it("stand alone, without a dataset", async () => {
    const type = { dtype: "i16", shape: [2] } as const;
    const items = [5n, 3n].map((anchor) => ({ anchor, bytes: codec.encodeDense(type, [Number(anchor), 0]) }));
    const { body, address, outboard, entries } = codec.packItems(items);
    expect(entries).toEqual([
      { start: 5n, end: 6n, size: 4n, address, packOffset: 0n },
      { start: 3n, end: 4n, size: 4n, address, packOffset: 4n },
    ]);
    const store = memoryStore([[`p/0000000000000000/${address}`, body], [`bao-outboard/${address}`, outboard]]);
    const field = await openArrayField(store, { itemType: type, entries, path: "p" });
    expect((await field.read(3n))?.data).toEqual(Int16Array.of(3, 0));
    expect((await field.read(5n))?.verified).not.toBe("none");
    expectThrown(() => codec.packItems([]), "InvalidArgument");
    expectThrown(() => codec.packItems([{ anchor: 2n ** 64n - 1n, bytes: body }]), "InvalidArgument");
    expectThrown(() => codec.packItems([{ anchor: 1, bytes: "x" as never }]), "InvalidArgument");
  });
});

describe("versions", () => {
  it("branch, and stay where a snapshot was made", async () => {
    const { ds, store } = await made();
    await ds.append(rowsFrom(1, 1));
    const side = await ds.branch("side");
    expect(await ds.snapshot("v1")).toBe("main@v1");
    await side.append(rowsFrom(2, 1));
    await ds.append(rowsFrom(3, 1));
    expect([...(await contentsOf(store, "main")).keys()]).toEqual([1n, 3n]);
    expect([...(await contentsOf(store, "side")).keys()]).toEqual([1n, 2n]);
    expect([...(await contentsOf(store, "main@v1")).keys()]).toEqual([1n]);
    await expectFailure(ds.snapshot("v1"), "RefExists");
  });

  it("that another writer made are not undone: RefConflict, refresh, rebase", async () => {
    const { ds, store } = await made();
    const other = await Dataset.open(store);
    await other.append(rowsFrom(1, 1));
    store.arm(-1, "before");
    const error = await expectFailure(ds.append(rowsFrom(2, 1)), "RefConflict");
    expect(error.message).toMatch(/refresh\(\).*rebase/);
    expect(store.calls.filter((call) => !call.startsWith("get"))).toEqual([]);
    await ds.refresh();
    await ds.append(rowsFrom(2, 1));
    await other.append(rowsFrom(3, 1), { rebase: true });
    await expectFailure(ds.append(rowsFrom(3, 1), { rebase: true }), "RepeatedAnchor");
    expect([...(await contentsOf(store)).keys()]).toEqual([1n, 2n, 3n]);
  });

  it("that make a field required meanwhile are heeded by who goes on from them", async () => {
    const { ds, store } = await made(new Schema().array("pose", { dtype: "f32", shape: [2] }));
    const other = await Dataset.open(store);
    const { replace } = store;
    store.replace = async (...given) => {
      store.replace = replace;
      await other.addField("mass", { kind: "array", dtype: "u8", shape: [] });
      return await replace(...given);
    };
    const error = await expectFailure(ds.append([{ anchor: 1, values: { pose: [1, 2] } }], { rebase: true }), "MissingValue");
    expect(error.field).toBe("mass");
    expect([...(await contentsOf(store)).keys()]).toEqual([]);
  });

  it("say of their Tracks which ones they replaced, and can forget it", async () => {
    const { ds } = await made();
    const first = await ds.append(rowsFrom(1, 1));
    const second = await ds.append(rowsFrom(2, 1));
    expect(second.tracksBytes ?? 0).toBeGreaterThan(first.tracksBytes ?? 0);
    const third = await ds.append(rowsFrom(3, 1), { forgetLineage: true });
    expect(third.tracksBytes ?? 0).toBeLessThan(first.tracksBytes ?? 0);
    expect((await ds.current.audit()).faults).toEqual([]);
  });

  it("are written one after another, when calls are not", async () => {
    const { ds, store } = await made();
    await Promise.all([1, 2, 3, 4].map((anchor) => ds.append(rowsFrom(anchor, 1))));
    expect([...(await contentsOf(store)).keys()]).toEqual([1n, 2n, 3n, 4n]);
  });
});

describe("uploads", () => {
  it("are told, counted, and no more at once than allowed", async () => {
    const store = memoryStore();
    let [now, most] = [0, 0];
    const slow = {
      ...store,
      async create(...args: Parameters<typeof store.create>) {
        most = Math.max(most, ++now);
        await new Promise((later) => setTimeout(later, 1));
        now--;
        return await store.create(...args);
      },
    };
    const ds = await Dataset.create(slow, "main", schemaOfAll(), { concurrency: 3 });
    const told: UploadProgress[] = [];
    const { stored } = await ds.append(rowsFrom(1, 4), { onProgress: (progress) => told.push(progress) });
    expect(most).toBe(3);
    expect(told.at(-1)).toEqual(stored);
    expect(told.map(({ objects }) => objects)).toEqual(Array.from(told, (_, at) => at + 1));
    expect(stored.objects).toBe(stored.totalObjects);
  });

  it("leave what is there, and compare it if asked to", async () => {
    const { ds, store } = await made();
    const item = codec.encodeDense({ dtype: "f32", shape: [2] }, [1, 2]);
    const { timeline } = ds.current;
    const [{ modality } = { modality: "" }] = ds.current.fields.filter(({ name }) => name === "pose");
    // Somebody's disk has gone bad.
    await store.create(`${timeline}/${modality}/0000000000000005/${codec.addressOf(item)}`, Uint8Array.of(1, 2, 3));
    const rows = [{ anchor: 5, values: { pose: [1, 2] } }];
    const careful = await Dataset.open(store, "main", { verifyExisting: true });
    const error = await expectFailure(careful.append(rows), "HashMismatch");
    expect(error.expected).toBe(codec.addressOf(item));
    expect(await (await openDataset(store)).array("pose").count()).toBe(0);
  });

  it("end with the caller's signal, and nothing is published", async () => {
    const { ds, store } = await made();
    const reason = new Error("enough");
    const controller = new AbortController();
    const failure = expectRejection(ds.append(rowsFrom(1, 50), { signal: controller.signal, onProgress: () => controller.abort(reason) }));
    expect(await failure).toBe(reason);
    expect([...(await contentsOf(store)).keys()]).toEqual([]);
    await ds.append(rowsFrom(1, 50));
    expect((await contentsOf(store)).size).toBe(50);
  });
});
