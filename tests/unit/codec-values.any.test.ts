/** Values as they come out of payloads: every bit, in both byte orders, over the borders of the windows in which tables are walked. */

import { type CsrArray, codec, type DenseArray, type DType, init, type RaggedArray } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { bytesPerElement, TYPED_ARRAYS, typedView } from "../../ts/codec/dtype.js";
import { call } from "../../ts/wasm.js";
import { expectThrown } from "../support/failure.js";
import { inCOrder } from "../support/sidecar.js";

await init();

const DTYPES = ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"] as const;
const ORDERS = ["little", "big"] as const;

/** The bytes of `elements` in another byte order. */
function reversed(bytes: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes, (_, at) => bytes[at - (at % width) + width - 1 - (at % width)] ?? 0);
}

const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

describe("dtypes", () => {
  test("are those of the core, with its sizes and the TypedArray that has them", () => {
    const known = call((core) => core.dtypes());
    expect(known.map(([name]) => name).sort()).toEqual([...DTYPES].sort());
    expect(Object.keys(TYPED_ARRAYS).sort()).toEqual([...DTYPES].sort());
    for (const [name, bytes] of known) expect([name, bytesPerElement(name as DType)]).toEqual([name, bytes]);
  });

  test.each(DTYPES.flatMap((dtype) => ORDERS.map((endianness) => [dtype, endianness] as const)))("%s, %s-endian, keep every bit", (dtype, endianness) => {
    const width = bytesPerElement(dtype);
    // Signalling and quiet NaNs with payloads, both zeros, infinities, extremes, and every byte somewhere.
    const patterns = ["0100807f", "010000000000f07f", "0000c0ff", "000000000000f8ff", "00000080", "0000000000000080", "ffffffffffffffff", "0000000000002000"];
    const special = patterns.flatMap((hex) => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
    const little = Uint8Array.from([...special, ...Array.from({ length: 256 }, (_, i) => i), 0, 0, 0, 0, 0, 0, 0, 0].slice(0, 312));
    const payload = endianness === "little" ? little : reversed(little, width);
    const value = codec.decode({ dtype, shape: [little.byteLength / width], endianness }, payload) as DenseArray;
    expect(value.data.constructor).toBe(TYPED_ARRAYS[dtype]);
    expect(bytesOf(value.data)).toEqual(little);
  });

  test("64-bit integers are exact, from end to end", () => {
    const values = BigInt64Array.of(-1n, (1n << 53n) + 1n, -(1n << 63n), (1n << 63n) - 1n);
    for (const endianness of ORDERS) {
      const payload = endianness === "little" ? bytesOf(values) : reversed(bytesOf(values), 8);
      expect((codec.decode({ dtype: "i64", shape: [4], endianness }, payload) as DenseArray).data).toEqual(values);
      expect((codec.decode({ dtype: "u64", shape: [4], endianness }, payload) as DenseArray).data).toEqual(new BigUint64Array(values.buffer));
    }
  });

  test("a view is taken where bytes lie aligned, a copy where they do not", () => {
    const bytes = Uint8Array.from({ length: 24 }, (_, i) => i);
    expect(typedView("f64", bytes.subarray(8)).buffer).toBe(bytes.buffer);
    const copied = typedView("f64", bytes.subarray(3, 19));
    expect(copied.buffer).not.toBe(bytes.buffer);
    expect(bytesOf(copied)).toEqual(bytes.slice(3, 19));
  });
});

describe("dense layouts", () => {
  const elements = Uint16Array.from({ length: 24 }, (_, i) => i);

  test.each([["c", [12, 4, 1]], ["f", [1, 2, 6]]] as const)("%s says by its strides where each element is", (layout, strides) => {
    const value = codec.decode({ dtype: "u16", shape: [2, 3, 4], layout }, bytesOf(elements)) as DenseArray<"u16">;
    expect(value.order).toBe(layout);
    expect(value.strides).toEqual(strides);
    // NumPy's own rule: element (i, j, k) is at 12i + 4j + k in C order, at i + 2j + 6k in Fortran order.
    const expected = Array.from({ length: 24 }, (_, at) => {
      const [i, j, k] = [Math.floor(at / 12), Math.floor(at / 4) % 3, at % 4];
      return layout === "c" ? at : i + 2 * j + 6 * k;
    });
    expect(inCOrder(value.data, value.shape, value.strides)).toEqual(expected);
  });

  test.each([[[], 1], [[1], 1], [[0], 0], [[0, 3], 0], [[3, 0], 0], [[1, 1, 1, 1, 1, 1, 1, 1, 1], 1]] as const)("shape %j has %i elements", (shape, count) => {
    for (const layout of ["c", "f"] as const) {
      const value = codec.decode({ dtype: "u8", shape: [...shape], layout }, new Uint8Array(count)) as DenseArray;
      expect([value.data.length, value.shape, value.strides.length]).toEqual([count, shape, shape.length]);
    }
  });

  test("an extent that no number holds is refused only where an array is to have it", () => {
    const type = { dtype: "u8", shape: [0n, 1n << 63n] } as const;
    codec.validate(type, new Uint8Array(0));
    expectThrown(() => codec.decode(type, new Uint8Array(0)), "TooLarge");
    expectThrown(() => codec.validate(type, new Uint8Array(1)), "PayloadLength");
  });
});

/** A structured payload: magic, version 1, numbers of 8 bytes, big-endian, and values of one byte each. */
function structured(magic: string, numbers: readonly number[], values: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(8 + numbers.length * 8 + values.length));
  for (const [at, letter] of [...magic].entries()) view.setUint8(at, letter.charCodeAt(0));
  view.setUint32(4, 1);
  for (const [at, value] of numbers.entries()) view.setBigUint64(8 + at * 8, BigInt(value));
  const bytes = new Uint8Array(view.buffer);
  bytes.set(values, 8 + numbers.length * 8);
  return bytes;
}

function ragged(offsets: readonly number[], cells: number): Uint8Array<ArrayBuffer> {
  return structured("RAG1", [offsets.length - 1, cells, ...offsets], Array.from({ length: cells }, (_, at) => at & 0xff));
}

function csr(rows: readonly (readonly number[])[], columns: number): Uint8Array<ArrayBuffer> {
  const ends = [0];
  for (const row of rows) ends.push((ends.at(-1) ?? 0) + row.length);
  const indices = rows.flat();
  return structured("CSR1", [rows.length, columns, indices.length, ...ends, ...indices], indices.map((at) => at & 0xff));
}

const RAGGED = { family: "ragged-array", dtype: "u8", innerShape: [] } as const;

/** Rows around the numbers at which a window of 64 KiB of offsets, or of 8,192 row ends, is full. */
const AROUND = [0, 1, 8190, 8191, 8192, 8193, 16_383, 16_384, 16_385];

describe("tables longer than a window", () => {
  test.each(AROUND)("%i ragged rows", (rows) => {
    const offsets = Array.from({ length: rows + 1 }, (_, at) => Math.floor(at / 3));
    const cells = offsets.at(-1) ?? 0;
    const value = codec.decode(RAGGED, ragged(offsets, cells)) as RaggedArray;
    expect(value.rowOffsets).toEqual(BigUint64Array.from(offsets, BigInt));
    expect(value.values).toEqual(Uint8Array.from({ length: cells }, (_, at) => at & 0xff));
  });

  test.each(AROUND.filter((rows) => rows > 1))("a ragged offset that goes back at row %i of 16,500", (row) => {
    const offsets = Array.from({ length: 16_501 }, (_, at) => at);
    offsets[row] = row - 2;
    expectThrown(() => codec.decode(RAGGED, ragged(offsets, 16_500)), "OffsetOrder");
    expectThrown(() => codec.validate(RAGGED, ragged(offsets, 16_500)), "OffsetOrder");
  });

  test.each(AROUND)("%i CSR rows of none to two elements", (rows) => {
    const lists = Array.from({ length: rows }, (_, row) => [[], [row % 7], [1, 5]][row % 3] ?? []);
    const type = { family: "sparse-csr", dtype: "u8", shape: [rows, 7] } as const;
    const value = codec.decode(type, csr(lists, 7)) as CsrArray;
    expect(value.columnIndices).toEqual(BigUint64Array.from(lists.flat(), BigInt));
    const ends = value.rowOffsets;
    expect(ends.length).toBe(rows + 1);
    expect(lists.every((list, row) => Number((ends[row + 1] ?? 0n) - (ends[row] ?? 0n)) === list.length)).toBe(true);
  });

  test.each([1, 8191, 8192, 8193, 20_000])("one CSR row of %i elements", (elements) => {
    const row = Array.from({ length: elements }, (_, at) => 2 * at);
    const type = { family: "sparse-csr", dtype: "u8", shape: [3, 2 * elements] } as const;
    const value = codec.decode(type, csr([[], row, []], 2 * elements)) as CsrArray;
    expect(value.columnIndices).toEqual(BigUint64Array.from(row, BigInt));
    expect(value.shape).toEqual([3n, BigInt(2 * elements)]);
  });

  test.each([1, 8191, 8192, 8193, 16_384])("a column that repeats, or lies outside, at element %i", (at) => {
    const row = Array.from({ length: 16_500 }, (_, column) => column);
    const type = { family: "sparse-csr", dtype: "u8", shape: [1, 16_500] } as const;
    codec.validate(type, csr([row], 16_500));
    expectThrown(() => codec.decode(type, csr([row.with(at, at - 1)], 16_500)), "ColumnOrder");
    expectThrown(() => codec.validate(type, csr([row.with(at, 16_500)], 16_500)), "ColumnBounds");
  });

  test.each([16_383, 16_384, 16_385, 50_001])("%i big-endian elements", (count) => {
    const values = Float32Array.from({ length: count }, (_, at) => at / 3);
    const value = codec.decode({ dtype: "f32", shape: [count], endianness: "big" }, reversed(bytesOf(values), 4)) as DenseArray;
    expect(value.data).toEqual(values);
  });
});

describe("inputs and results", () => {
  const inputs: readonly (readonly [string, Parameters<typeof codec.decode>[0], Uint8Array<ArrayBuffer>])[] = [
    ["dense", { dtype: "f32", shape: [3] }, bytesOf(Float32Array.of(1, -0, Number.NaN)).slice()],
    ["dense, big-endian", { dtype: "f64", shape: [2], endianness: "big" }, reversed(bytesOf(Float64Array.of(1.5, -2)), 8)],
    ["ragged", RAGGED, ragged([0, 2, 2, 3], 3)],
    ["ragged, big-endian", { ...RAGGED, dtype: "u16", endianness: "big" }, Uint8Array.from([...ragged([0, 0, 0], 0).with(23, 1).with(47, 1), 1, 2])],
    ["CSR", { family: "sparse-csr", dtype: "u8", shape: [2, 9] }, csr([[8], [0, 4]], 9)],
  ];

  test.each(inputs)("of %s payloads have nothing to do with each other", (_, type, payload) => {
    const before = payload.slice();
    const [first, second] = [codec.decode(type, payload), codec.decode(type, payload)];
    codec.validate(type, payload);
    expect(payload).toEqual(before);
    expect(second).toEqual(first);

    for (const part of Object.values(first) as unknown[]) if (ArrayBuffer.isView(part)) bytesOf(part).fill(0xee);
    expect(payload).toEqual(before);
    expect(codec.decode(type, payload)).toEqual(second);
    payload.fill(0xdd);
    expect(codec.decode(type, before)).toEqual(second);
  });

  test("outlive the core's memory", () => {
    const kept = codec.decode({ dtype: "f64", shape: [2], endianness: "big" }, reversed(bytesOf(Float64Array.of(1.5, -2)), 8)) as DenseArray;
    const document = codec.encodeItemType(RAGGED);
    const copy = document.slice();
    // 64 MiB in one piece make the core's memory grow, which detaches every view of it.
    call((core) => core.addressOf(new Uint8Array(64 << 20)));
    codec.decode({ dtype: "u32", shape: [16 << 20], endianness: "big" }, new Uint8Array(64 << 20));
    expect(kept.data).toEqual(Float64Array.of(1.5, -2));
    expect(document).toEqual(copy);
  });
});
