/** Rows by byte range of Items that are objects by themselves: what they are, what is asked for them, what is refused before it is asked. */

import { memoryStore, openDataset } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { be, buildArrays, csrPayload, raggedPayload } from "../support/built-arrays.js";
import { expectFailure } from "../support/failure.js";
import { NOT_U64 } from "../support/hostile.js";
import { steered } from "../support/recording.js";
import { KIB, times, RAGGED, ROWS, PAYLOAD, COLUMNS, CSR, ENTRIES, MATRIX, BUILT, BUILT_CSR, POLICIES, openRows } from "../support/row-items.js";

describe("rows are those of the whole Item", () => {
  test.each(POLICIES)("ragged, verify %s, with an outboard or without", async (verify) => {
    for (const outboards of [true, false]) {
      const { ragged } = await openRows(buildArrays(RAGGED, [PAYLOAD], { outboards }), { verify });
      const field = ragged();
      for (const row of [0, 1, 6, 7, 1000, 1998, 1999]) {
        const read = await field.readRow(0, row);
        expect(read?.data).toEqual(Float32Array.from(ROWS[row] ?? []));
        expect(read).toMatchObject({ shape: [row % 7], strides: [1], order: "c", dtype: "f32", anchor: 0n, row: BigInt(row), rowCount: 2000n, itemBytes: BigInt(PAYLOAD.length), type: field.info.type });
      }
      for (const [start, end] of [[0, 2000], [0, 1], [13, 20], [1999, 2000], [700, 1400], [5, 5], [0, 0], [2000, 2000]] as const) {
        const read = await field.readRows(0n, { start, end: BigInt(end) });
        let last = 0n;
        const offsets = [0n, ...ROWS.slice(start, end).map((row) => (last += BigInt(row.length)))];
        expect(read?.rowOffsets).toEqual(BigUint64Array.from(offsets));
        expect(read?.values).toEqual(Float32Array.from(ROWS.slice(start, end).flat()));
        expect(read).toMatchObject({ family: "ragged-array", innerShape: [], rowCount: 2000n, rows: { start: BigInt(start), end: BigInt(end) } });
        const looked = start === end ? "none" : "rows";
        const size = !outboards && verify === "always" ? "object" : outboards ? "outboard" : "none";
        expect(read?.checked).toEqual({ header: true, size, offsets: looked });
        expect(read?.verified).toBe(verify === "never" ? "none" : outboards ? "range" : verify === "always" ? "object" : "none");
      }
    }
  });

  test.each(POLICIES)("CSR, verify %s, with an outboard or without", async (verify) => {
    for (const outboards of [true, false]) {
      const { csr } = await openRows(buildArrays(CSR, [MATRIX], { outboards }), { verify });
      for (const [start, end] of [[0, 2000], [0, 1], [3, 4], [13, 20], [1999, 2000], [700, 1400], [2000, 2000]] as const) {
        const read = await csr().readRows(0, { start, end });
        const rows = ENTRIES.slice(start, end);
        expect(read?.columnIndices).toEqual(BigUint64Array.from(rows.flat(), ([column]) => BigInt(column)));
        expect(read?.values).toEqual(Float32Array.from(rows.flat(), ([, value]) => value));
        expect(read?.shape).toEqual([BigInt(end - start), COLUMNS]);
        expect([read?.rowOffsets.length, read?.rowOffsets[0], read?.rowOffsets.at(-1)]).toEqual([end - start + 1, 0n, BigInt(rows.flat().length)]);
        const looked = start === end ? "none" : "rows";
        expect(read?.checked).toMatchObject({ offsets: looked, columns: looked });
      }
      const row = await csr().readRow(0, 1234);
      expect(row?.columnIndices).toEqual(BigUint64Array.from(ENTRIES[1234] ?? [], ([column]) => BigInt(column)));
      expect(row?.values).toEqual(Float32Array.from(ENTRIES[1234] ?? [], ([, value]) => value));
      expect(row).toMatchObject({ columns: COLUMNS, row: 1234n, rowCount: 2000n, itemBytes: BigInt(MATRIX.length), dtype: "f32" });
    }
  });

  test("cells of several elements, of big-endian bytes, of continuous Items, of none at all", async () => {
    const type = { ...RAGGED, innerShape: [2, 3], endianness: "big" } as const;
    const rows = [[1, 2, 3, 4, 5, 6], [], times(12, (at) => -at)];
    const built = buildArrays(type, [raggedPayload(rows, { cell: 6, little: false })], { kind: "continuous" });
    const { ragged } = await openRows(built);
    const row = await ragged().readRow(0, 2);
    expect([row?.shape, row?.strides, row?.data]).toEqual([[2, 2, 3], [6, 3, 1], Float32Array.from(rows[2] ?? [])]);
    expect((await ragged().readRows(0, { start: 0, end: 3 }))?.rowOffsets).toEqual(BigUint64Array.of(0n, 1n, 1n, 3n));
    const empty = await (await openRows(buildArrays({ ...RAGGED, innerShape: [0, 5] }, [raggedPayload([[], []])]))).ragged().readRow(0, 1);
    expect([empty?.shape, empty?.data]).toEqual([[0, 0, 5], new Float32Array(0)]);
  });

  test("there are none where there is no Item; a whole Item is still read as ever", async () => {
    const { ragged } = await openRows(BUILT);
    expect(await ragged().readRow(7, 0)).toBeUndefined();
    expect(await ragged().readRows(7, { start: 0, end: 9 })).toBeUndefined();
    expect((await ragged().read(0))?.values).toEqual(Float32Array.from(ROWS.flat()));
    expect((await ragged().readRows(1, { start: 0, end: 0 }))?.rowOffsets).toEqual(BigUint64Array.of(0n));
  });

  test("results are the caller's own", async () => {
    const { ragged } = await openRows(BUILT);
    const first = await ragged().readRow(0, 6);
    new Uint8Array(first?.data.buffer ?? new ArrayBuffer(0)).fill(9);
    expect((await ragged().readRow(0, 6))?.data).toEqual(Float32Array.from(ROWS[6] ?? []));
  });
});

describe("what is asked for", () => {
  const table = 24 + 8 * 2001;
  test("header and length side by side; then header and offsets, proved; then the cells: whole chunks, and the outboard once", async () => {
    const { ragged, asked, store } = await openRows(BUILT, { maxGap: 0 });
    await ragged().readRow(0, 1000);
    // Offsets of row 1000 lie at 24 + 8000, its cells where its offset says.
    const start = table + 4 * ROWS.slice(0, 1000).flat().length;
    expect(asked("key")).toEqual([[0, 32], [0, KIB], [7 * KIB, KIB], [start - (start % KIB), KIB]]);
    expect(asked("outboardKey")).toEqual([[0, 8], [8, 64 * (Math.ceil(PAYLOAD.byteLength / KIB) - 1)]]);
    store.forget();
    // Everything is kept: a row close by costs nothing.
    await ragged().readRow(0, 1001);
    expect(store.reads).toEqual([]);
  });

  test("exactly the bytes, unverified", async () => {
    for (const [verify, outboards, length] of [["never", true, 8], ["available", false, 8]] as const) {
      const { ragged, asked } = await openRows(buildArrays(RAGGED, [PAYLOAD], { outboards }), { verify });
      await ragged().readRow(0, 1000);
      const start = table + 4 * ROWS.slice(0, 1000).flat().length;
      expect(asked("key")).toEqual([[0, 32], [24 + 8000, 16], [start, 4 * (1000 % 7)]]);
      expect(asked("outboardKey")).toEqual([[0, length]]);
      await ragged().readRow(0, 1);
      // That there is no outboard is remembered; what there is of it is kept.
      expect(asked("outboardKey")).toEqual([[0, length]]);
    }
  });

  test("columns and values side by side", async () => {
    const { csr, asked } = await openRows(BUILT_CSR, { verify: "never" });
    await csr().readRow(0, 1004);
    const before = ENTRIES.slice(0, 1004).flat().length;
    const columns = 32 + 8 * 2001;
    const values = columns + 8 * ENTRIES.flat().length;
    expect(asked("key")).toEqual([[0, 40], [32 + 8 * 1004, 16], [columns + 8 * before, 32], [values + 4 * before, 16]]);
  });

  test("nothing for no rows but the header, and no cells for empty rows", async () => {
    const { ragged, asked } = await openRows(BUILT, { verify: "never" });
    await ragged().readRows(0, { start: 1500, end: 1500 });
    expect(asked("key")).toEqual([[0, 32]]);
    await ragged().readRow(0, 1400);
    expect(asked("key").slice(1)).toEqual([[0, 32], [24 + 8 * 1400, 16]]);
  });

  test("each stage at once: what stands side by side waits for nothing", async () => {
    const memory = memoryStore(BUILT_CSR.objects);
    const item = BUILT_CSR.items[0];
    const waiting = new Map<string, () => void>();
    const store = steered(memory, (key) => (key === item?.key || key === item?.outboardKey ? new Promise<void>((resolve) => waiting.set(`${waiting.size} ${key}`, resolve)) : undefined));
    const ds = await openDataset(store, { manifest: BUILT_CSR.manifest }, { maxGap: 0 });
    const read = ds.csr("a").readRow(0, 1004);
    const stages: number[] = [];
    for (let open = 0; stages.length < 3; ) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const held = [...waiting.values()].slice(open);
      if (held.length === 0) continue;
      stages.push(held.length);
      open += held.length;
      for (const release of held) release();
    }
    expect((await read)?.values.length).toBe(4);
    // Front and length; front, offsets and proof; columns and values.
    expect(stages).toEqual([2, 3, 2]);
  });

  test("the whole, once, where it must be verified and has no outboard", async () => {
    const { ragged, asked } = await openRows(buildArrays(RAGGED, [PAYLOAD], { outboards: false }));
    for (const row of [1000, 3, 1999]) expect((await ragged().readRow(0, row))?.data).toEqual(Float32Array.from(ROWS[row] ?? []));
    expect(asked("key")).toEqual([[0, 32], "all"]);
    expect(asked("outboardKey")).toEqual([[0, 8]]);
  });

  test("by many at once: each byte once", async () => {
    const { ragged, asked, bytes } = await openRows(BUILT);
    const rows = await Promise.all(times(60, (at) => ragged().readRow(0, at * 33)));
    for (const [at, row] of rows.entries()) expect(row?.data).toEqual(Float32Array.from(ROWS[at * 33] ?? []));
    expect(asked("outboardKey").length).toBeLessThanOrEqual(2);
    expect(asked("key").filter((range) => range[1] === 32)).toEqual([[0, 32]]);
    expect(bytes()).toBeLessThan(2 * PAYLOAD.byteLength);
  });
});

describe("what is refused", () => {
  const header = (rows: bigint | number, cells: bigint | number) => Uint8Array.of(...new TextEncoder().encode("RAG1"), 0, 0, 0, 1, ...be(rows, cells));
  const LIES = [
    ["more cells", 2000, 6000],
    ["fewer cells", 2000, 10],
    ["more rows", 2001, ROWS.flat().length],
    ["2^60 rows", 1n << 60n, 1],
    ["2^64 − 1 of both", (1n << 64n) - 1n, (1n << 64n) - 1n],
  ] as const;

  test.each(LIES)("a header of %s, by the outboard's length, and nothing more is asked for", async (_, rows, cells) => {
    const body = PAYLOAD.slice();
    body.set(header(rows, cells));
    for (const verify of POLICIES) {
      // With a right address: a writer's lie, not a wrong byte.
      const built = buildArrays(RAGGED, [body]);
      const { ragged, store } = await openRows(built, { verify });
      const error = await expectFailure(ragged().readRow(0, 0), "PayloadLength");
      expect([error.field, error.anchor, error.key]).toEqual(["a", 0n, built.items[0]?.key]);
      expect(store.reads.length).toBe(2);
    }
  });

  test("another magic, version, shape: before anything more is asked for", async () => {
    for (const [at, type, payload, code] of [
      [0, RAGGED, PAYLOAD, "PayloadHeader"],
      [7, RAGGED, PAYLOAD, "PayloadHeader"],
      [0, CSR, MATRIX, "PayloadHeader"],
      [15, CSR, MATRIX, "ShapeMismatch"],
      [18, CSR, MATRIX, "ShapeMismatch"],
    ] as const) {
      const body = payload.map((byte, index) => (index === at ? byte ^ 64 : byte));
      const { ds, store } = await openRows(buildArrays(type, [body]));
      await expectFailure((type === RAGGED ? ds.ragged("a") : ds.csr("a")).readRow(0, 0), code);
      expect(store.reads.length).toBe(2);
    }
  });

  test("Items too short for a header, by the codes of whole Items", async () => {
    for (const [size, code] of [[0, "PayloadHeader"], [7, "PayloadHeader"], [8, "PayloadLength"], [23, "PayloadLength"], [31, "PayloadLength"]] as const) {
      for (const outboards of [true, false]) {
        const { ragged } = await openRows(buildArrays(RAGGED, [raggedPayload([]).slice(0, size)], { outboards }));
        await expectFailure(ragged().read(0), code);
        await expectFailure(ragged().readRow(0, 0), code);
      }
    }
  });

  test("offsets that do not fit, as of the whole Item, and rows elsewhere are read", async () => {
    const rows = [[1, 2], [3], [], [4, 5, 6]];
    const right = raggedPayload(rows);
    for (const [at, value, code, bad, good] of [
      [0, 1, "OffsetTerminal", [0], [1, 2, 3]],
      [1, 4, "OffsetOrder", [1], [0, 2, 3]],
      [2, 7, "OffsetOrder", [1, 2], [0, 3]],
      [3, 2, "OffsetOrder", [2], [0, 1]],
      [4, 5, "OffsetTerminal", [3], [0, 1, 2]],
    ] as const) {
      const body = right.slice();
      body.set(be(value), 24 + 8 * at);
      const { ragged } = await openRows(buildArrays(RAGGED, [body]));
      for (const row of bad) await expectFailure(ragged().readRow(0, row), code, "OffsetOrder");
      for (const row of good.filter((each) => each !== at && each !== at - 1)) expect((await ragged().readRow(0, row))?.data).toEqual(Float32Array.from(rows[row] ?? []));
    }
  });

  test("columns out of order or bounds, of the rows alone, by their numbers in the Item", async () => {
    const entries = [[[1, 1], [5, 2]], [[0, 3], [8, 4]], [[2, 5]]] as const;
    for (const [position, column, code] of [[3, 9, "ColumnBounds"], [3, 0, "ColumnOrder"], [2, 8, "ColumnOrder"]] as const) {
      const body = csrPayload(entries, 9);
      body.set(be(column), 32 + 8 * 4 + 8 * position);
      const { csr } = await openRows(buildArrays({ ...CSR, shape: [3, 9] }, [body]));
      const error = await expectFailure(csr().readRow(0, 1), code);
      expect(error.message).toContain("of row 1");
      for (const row of [0, 2]) expect((await csr().readRow(0, row))?.values.length).toBe(entries[row]?.length);
      await expectFailure(csr().readRows(0, { start: 0, end: 3 }), code);
    }
  });

  test("rows that the Item has not, by a header that is proved", async () => {
    for (const verify of POLICIES) {
      const { ragged, asked } = await openRows(BUILT, { verify });
      for (const range of [{ start: 0, end: 2001 }, { start: 2001, end: 2001 }, { start: 1n << 60n, end: (1n << 64n) - 1n }]) {
        const error = await expectFailure(ragged().readRows(0, range), "InvalidArgument");
        expect([error.field, error.anchor]).toEqual(["a", 0n]);
      }
      await expectFailure(ragged().readRow(0, 2000), "InvalidArgument");
      expect(asked("key")).toEqual(verify === "never" ? times(4, () => [0, 32]) : [[0, 32], [0, KIB]]);
    }
  });

  test("arguments that are none, before anything is asked for", async () => {
    const { ragged, csr, store } = { ...(await openRows(BUILT)), csr: (await openRows(BUILT_CSR)).csr };
    for (const [, wrong] of NOT_U64) {
      const u64 = wrong as bigint;
      for (const field of [ragged(), csr()]) {
        await expectFailure(field.readRow(0, u64), "InvalidArgument");
        await expectFailure(field.readRow(u64, 0), "InvalidArgument");
        await expectFailure(field.readRows(0, { start: u64, end: 1 }), "InvalidArgument");
        await expectFailure(field.readRows(0, { start: 0, end: u64 }), "InvalidArgument");
        await expectFailure(field.readRows(u64, { start: 0, end: 1 }), "InvalidArgument");
      }
    }
    await expectFailure(ragged().readRow(0, (1n << 64n) - 1n), "InvalidArgument");
    await expectFailure(ragged().readRows(0, { start: 2, end: 1 }), "InvalidArgument");
    for (const none of [undefined, null, 5, "0-1"]) await expectFailure(ragged().readRows(0, none as never), "InvalidArgument");
    expect(store.reads).toEqual([]);
  });

  test("more than is wanted in memory", async () => {
    const { ragged, asked } = await openRows(BUILT, { maxItemBytes: 1000, verify: "never" });
    await expectFailure(ragged().readRows(0, { start: 0, end: 500 }), "TooLarge");
    expect(asked("key")).toEqual([[0, 32]]);
    expect((await ragged().readRow(0, 500))?.data.length).toBe(500 % 7);
  });
});
