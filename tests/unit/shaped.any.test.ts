/** The helpers for shaped values, against the plain rule for where an element lies, in both orders, for every dtype. */

import { at, codec, type CsrArray, init, type RaggedArray, row, toDense, toNested, toNpy } from "dreamdb-arrays";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DType, TYPED_ARRAYS, typedView } from "../../ts/codec/dtype.js";
import { hexOf } from "../../ts/conformance/vector.js";
import { BOUNDED, PATIENCE } from "../conformance/support/arbitraries.js";
import { expectThrown } from "../support/failure.js";
import files from "./npy-files.json" with { type: "json" };

await init();

const DTYPES = Object.keys(TYPED_ARRAYS) as DType[];

const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const product = (extents: readonly number[]) => extents.reduce((count, extent) => count * extent, 1);

/** Every index of a shape, the last axis fastest. */
function indexes([extent, ...rest]: readonly number[]): number[][] {
  if (extent === undefined) return [[]];
  return Array.from({ length: extent }, (_, first) => indexes(rest).map((index) => [first, ...index])).flat();
}

/** Where the element at `index` lies, by the definition of both orders: a sum of products. */
function placeOf(index: readonly number[], shape: readonly number[], order: "c" | "f"): number {
  return index.reduce((sum, at, axis) => sum + at * product(order === "c" ? shape.slice(axis + 1) : shape.slice(0, axis)), 0);
}

/** An array of random bits, decoded from a payload. */
const dense = fc
  .record({ dtype: fc.constantFrom(...DTYPES), shape: fc.array(fc.nat(4), { maxLength: 6 }), order: fc.constantFrom("c", "f"), seed: fc.nat(255) })
  .filter(({ shape }) => product(shape) <= 600)
  .map(({ dtype, shape, order, seed }) => {
    const payload = Uint8Array.from({ length: product(shape) * TYPED_ARRAYS[dtype].BYTES_PER_ELEMENT }, (_, place) => (place * 151 + seed * (place % 7)) & 0xff);
    // NaNs with payloads among floats, quiet and signalling.
    if (payload.length >= 8) payload.set([1, 0, 0xa0, 0x7f, 1, 0, 0xf0, 0x7f]);
    const value = codec.decode({ dtype, shape, layout: order }, payload);
    if (value.family !== "dense-array") throw new Error("not dense");
    return value;
  });

type Dense = typeof dense extends fc.Arbitrary<infer V> ? V : never;

/** The bits of the elements in logical order. */
function logicalBits({ data, shape, order }: Pick<Dense, "data" | "shape" | "order">): string {
  const width = data.BYTES_PER_ELEMENT;
  return hexOf(Uint8Array.from(indexes(shape).flatMap((index) => Array.from(bytesOf(data).slice(placeOf(index, shape, order) * width).slice(0, width)))));
}

describe("at", () => {
  test("is the element that lies where both orders say", () => {
    const property = fc.property(dense, (value) => {
      const { data, shape, order } = value;
      for (const index of indexes(shape)) {
        const element = data[placeOf(index, shape, order)];
        expect(at(value, ...index)).toBe(element);
        expect(at(value, ...index.map(BigInt))).toBe(element);
      }
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  test("refuses what is out of range, or of another rank", () => {
    const value = { data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3], order: "f" } as const;
    expect(at(value, 1, 2)).toBe(6);
    for (const [index, subject] of [[[2, 0], "axis 0"], [[0, 3], "axis 1"], [[-1, 0], "axis 0"], [[0, 0.5], "axis 1"], [[Number.NaN, 0], "axis 0"], [[0n, 1n << 64n], "axis 1"]] as const) {
      expect(expectThrown(() => at(value, index[0], index[1]), "InvalidArgument").subject).toContain(subject);
    }
    const wrong = at as (...given: unknown[]) => unknown;
    for (const index of [[], [1], [1, 1, 1]]) expect(expectThrown(() => wrong(value, ...index), "InvalidArgument").expected).toBe("2");
    for (const index of [["1", 0], [undefined, 0], [null, 0], [[1], 0]]) expectThrown(() => wrong(value, ...index), "InvalidArgument");
    for (const array of [undefined, null, 5, {}, { data: [1], shape: [1] }, { data: new Uint8Array(1) }]) expectThrown(() => wrong(array, 0), "InvalidArgument");
    expectThrown(() => at({ data: new Uint8Array(3), shape: [2, 2], order: "c" }, 1, 1), "InvalidArgument");
  });
});

describe("row", () => {
  test("is what lies at that first index, bit for bit, in the same order", () => {
    const property = fc.property(dense, (value) => {
      const [rows, ...shape] = value.shape;
      if (rows === undefined) return void expectThrown(() => row(value, 0), "InvalidArgument");
      for (let index = 0; index < rows; index++) {
        const found = row(value, index);
        expect([found.shape, found.order, found.data.constructor]).toEqual([shape, value.order, value.data.constructor]);
        const expected = hexOf(
          Uint8Array.from(
            indexes(shape).flatMap((rest) => {
              const place = placeOf([index, ...rest], value.shape, value.order);
              return Array.from(bytesOf(value.data.subarray(place, place + 1)));
            }),
          ),
        );
        expect(logicalBits(found)).toBe(expected);
        for (const rest of indexes(shape)) expect(found.data[rest.reduce((sum, at, axis) => sum + at * (found.strides[axis] ?? 0), 0)]).toBe(at(value, index, ...rest));
        if (value.order === "c" || shape.length === 0) expect(found.data.buffer).toBe(value.data.buffer);
      }
      expectThrown(() => row(value, rows), "InvalidArgument");
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  test("of a Fortran array is its own copy, of a Buffer as well", () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
    const copy = row({ data: bytes, shape: [2, 3], order: "f" }, 1);
    expect(copy).toEqual({ data: Uint8Array.of(2, 4, 6), shape: [3], strides: [1], order: "f" });
    copy.data.fill(0);
    expect(bytes).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
  });

  test("refuses what is no array of its shape", () => {
    const wrong = row as (array: unknown, index: unknown) => unknown;
    for (const array of [undefined, null, 5, [], {}, { data: [1, 2], shape: [2], order: "c" }, { data: new Uint8ClampedArray(2), shape: [2], order: "c" },
      { data: new DataView(new ArrayBuffer(2)), shape: [2], order: "c" }, { data: new Uint8Array(2), shape: [3], order: "c" },
      { data: new Uint8Array(2), shape: [2] }, { data: new Uint8Array(2), shape: [2], order: "k" }, { data: new Uint8Array(2), shape: [-2, -1], order: "c" },
      { data: new Uint8Array(2), shape: 2, order: "c" }, { data: new Uint8Array(1), shape: [0.5, 2], order: "c" }]) {
      for (const use of [wrong, toNested as typeof wrong, toNpy as typeof wrong]) expectThrown(() => use(array, 0), "InvalidArgument");
    }
  });
});

describe("toNested", () => {
  test("is every element where its index leads", () => {
    const property = fc.property(dense, (value) => {
      const nested: unknown = toNested(value);
      for (const index of indexes(value.shape)) {
        const found = index.reduce<unknown>((list, at) => (list as unknown[])[at], nested);
        expect(found).toBe(value.data[placeOf(index, value.shape, value.order)]);
      }
      const extents = (list: unknown, [extent, ...rest]: readonly number[]): void => {
        if (extent === undefined) return expect(["number", "bigint"]).toContain(typeof list);
        expect((list as unknown[]).length).toBe(extent);
        for (const inner of list as unknown[]) extents(inner, rest);
      };
      extents(nested, value.shape);
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  test("makes no lists of nothing without end", () => {
    const empty = (shape: readonly number[]) => ({ data: new Uint8Array(0), shape, order: "f" }) as const;
    expect(toNested(empty([2, 0, 9]))).toEqual([[], []]);
    expect(toNested(empty([0, 2 ** 40]))).toEqual([]);
    // Extents that multiply to Infinity, unless the zero goes first.
    const infinite = Array.from({ length: 30 }, () => 2 ** 40);
    expect(toNested(empty([0, ...infinite]))).toEqual([]);
    expectThrown(() => toNested(empty([...infinite, 0])), "TooLarge");
    expect(row(empty([...infinite, 0]), 2 ** 39)).toMatchObject({ shape: [...infinite.slice(1), 0], data: new Uint8Array(0) });
    for (const shape of [[2 ** 40, 0], [2 ** 20 + 1, 0], [2 ** 15, 2 ** 15, 0, 5]]) expectThrown(() => toNested(empty(shape)), "TooLarge");
    const ragged = { family: "ragged-array", kind: "ragged-array", dtype: "u8", values: new Uint8Array(0) } as const;
    expect(toNested({ ...ragged, rowOffsets: BigUint64Array.of(0n, 0n, 2n), innerShape: [0] })).toEqual([[], [[], []]]);
    expectThrown(() => toNested({ ...ragged, rowOffsets: BigUint64Array.of(0n, 1n << 60n), innerShape: [0] }), "TooLarge");
    expectThrown(() => toNested({ ...ragged, rowOffsets: BigUint64Array.of(0n, 1n), innerShape: [2 ** 40, 0] }), "TooLarge");
    expectThrown(() => row({ ...ragged, rowOffsets: BigUint64Array.of(0n, 1n << 60n), innerShape: [0] }, 0), "TooLarge");
  });
});

describe("a ragged array", () => {
  const ragged: RaggedArray<"i64"> = {
    family: "ragged-array", kind: "ragged-array", dtype: "i64", rowOffsets: BigUint64Array.of(0n, 2n, 2n, 3n), values: BigInt64Array.of(1n, 2n, 3n, 4n, -5n, 6n), innerShape: [2],
  };

  test("has rows that are views", () => {
    expect(row(ragged, 0)).toEqual({ data: BigInt64Array.of(1n, 2n, 3n, 4n), shape: [2, 2], strides: [2, 1], order: "c" });
    expect(row(ragged, 1n)).toEqual({ data: new BigInt64Array(0), shape: [0, 2], strides: [2, 1], order: "c" });
    expect(row(ragged, 2).data.buffer).toBe(ragged.values.buffer);
    expect(at(row(ragged, 2), 0, 0)).toBe(-5n);
    expect(row({ ...ragged, innerShape: [], values: BigInt64Array.of(1n, 2n, 3n) }, 0)).toMatchObject({ shape: [2], strides: [1] });
    expectThrown(() => row(ragged, 3), "InvalidArgument");
  });

  test("is the list of them", () => {
    expect(toNested(ragged)).toEqual([[[1n, 2n], [3n, 4n]], [], [[-5n, 6n]]]);
    expect(toNested({ ...ragged, rowOffsets: BigUint64Array.of(0n), values: new BigInt64Array(0) })).toEqual([]);
  });

  test("is nothing else", () => {
    for (const use of [toNpy, toDense, at] as unknown as ((array: unknown) => unknown)[]) expectThrown(() => use(ragged), "InvalidArgument");
  });
});

describe("a sparse matrix", () => {
  /** Random bits of every dtype, at random places of a small matrix. */
  const matrices = fc
    .record({ dtype: fc.constantFrom(...DTYPES), rows: fc.nat(5), columns: fc.nat(5), seed: fc.nat(255), taken: fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }) })
    .map(({ dtype, rows, columns, seed, taken }) => {
      const places = Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (__, c) => [r, c] as const).filter(() => taken[(r * 5 + seed) % 25] ?? false)).map((list, r) => list.filter(([, c]) => taken[(r * 5 + c) % 25]));
      const flat = places.flat();
      const special = [0, 0, 0, 0x80, 1, 0, 0xa0, 0x7f, 1, 0, 0, 0, 0, 0, 0xf0, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0x80];
      const bits = Uint8Array.from({ length: flat.length * TYPED_ARRAYS[dtype].BYTES_PER_ELEMENT }, (_, i) => special[(i + (seed & ~7)) % special.length] ?? 0);
      const ends = places.map((_, r) => BigInt(places.slice(0, r + 1).flat().length));
      const matrix: CsrArray = {
        family: "sparse-csr", kind: "sparse-csr", dtype, shape: [BigInt(rows), BigInt(columns)],
        rowOffsets: BigUint64Array.of(0n, ...ends), columnIndices: BigUint64Array.from(flat, ([, c]) => BigInt(c)), values: typedView(dtype, bits),
      };
      return { matrix, flat, rows, columns };
    });

  test("has its stored elements and zeros elsewhere, dense as well, bit for bit", () => {
    const property = fc.property(matrices, ({ matrix, flat, rows, columns }) => {
      const found = toDense(matrix);
      const { dtype } = matrix;
      const width = TYPED_ARRAYS[dtype].BYTES_PER_ELEMENT;
      expect(found).toMatchObject({ family: "dense-array", dtype, shape: [rows, columns], strides: [columns, 1], order: "c" });
      const expected = new Uint8Array(rows * columns * width);
      for (const [stored, [r, c]] of flat.entries()) expected.set(bytesOf(matrix.values).subarray(stored * width, (stored + 1) * width), (r * columns + c) * width);
      expect(hexOf(bytesOf(found.data))).toBe(hexOf(expected));
      for (const [r, c] of indexes([rows, columns]) as [number, number][]) expect(at(matrix, r, BigInt(c))).toBe(found.data[r * columns + c]);
      for (let r = 0; r < rows; r++) {
        const own = flat.filter(([of]) => of === r).map(([, c]) => BigInt(c));
        expect(Array.from(row(matrix, r).columnIndices)).toEqual(own);
        expect(row(matrix, r).values.length).toBe(own.length);
        expect(row(matrix, r).values.buffer).toBe(matrix.values.buffer);
      }
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  const wide: CsrArray<"f64"> = {
    family: "sparse-csr", kind: "sparse-csr", dtype: "f64", shape: [2n, (1n << 64n) - 1n],
    rowOffsets: BigUint64Array.of(0n, 1n, 2n), columnIndices: BigUint64Array.of(1n << 53n, (1n << 64n) - 2n), values: Float64Array.of(-0, Number.NaN),
  };

  test("may be wider than any number", () => {
    expect(at(wide, 0, 1n << 53n)).toBe(-0);
    expect(at(wide, 0, (1n << 53n) + 1n)).toBe(0);
    expect(at(wide, 1, (1n << 64n) - 2n)).toBeNaN();
    for (const index of [[0, (1n << 64n) - 1n], [2, 0], [-1, 0], [0, 0.5]] as const) expectThrown(() => at(wide, index[0], index[1]), "InvalidArgument");
    expect(expectThrown(() => (at as (...given: unknown[]) => unknown)(wide, 1), "InvalidArgument").expected).toBe("2");
  });

  test("is made dense up to a size only", () => {
    const error = expectThrown(() => toDense(wide), "TooLarge");
    expect([error.expected, error.actual]).toEqual([`at most ${64 * 2 ** 20}`, String(16n * ((1n << 64n) - 1n))]);
    expectThrown(() => toDense(wide, { maxBytes: Infinity }), "TooLarge");
    expectThrown(() => toDense({ ...wide, shape: [2n, 1n << 48n] }, { maxBytes: Infinity }), "TooLarge");
    expectThrown(() => toDense({ ...wide, shape: [0n, 1n << 60n], rowOffsets: BigUint64Array.of(0n) }), "TooLarge");
    const small = { ...wide, shape: [2n, 3n], columnIndices: BigUint64Array.of(0n, 2n) } as const;
    expect(toDense(small, { maxBytes: 48 }).data).toEqual(Float64Array.of(-0, 0, 0, 0, 0, Number.NaN));
    expectThrown(() => toDense(small, { maxBytes: 47 }), "TooLarge");
    for (const maxBytes of [-1, Number.NaN, "5", null] as number[]) expectThrown(() => toDense(small, { maxBytes }), "InvalidArgument");
  });

  test("is refused where its parts contradict each other, and as what it is not", () => {
    const small = { ...wide, shape: [2n, 3n], columnIndices: BigUint64Array.of(0n, 2n) } as const;
    expectThrown(() => toDense({ ...small, columnIndices: BigUint64Array.of(0n, 3n) }), "InvalidArgument");
    expectThrown(() => toDense({ ...small, columnIndices: BigUint64Array.of(0n) }), "InvalidArgument");
    expectThrown(() => toDense({ ...small, rowOffsets: BigUint64Array.of(0n, 1n, 2n, 2n) }), "InvalidArgument");
    expectThrown(() => toDense({ ...small, rowOffsets: BigUint64Array.of(0n, 1n, 9n) }), "InvalidArgument");
    for (const use of [toNpy, toNested] as unknown as ((array: unknown) => unknown)[]) expectThrown(() => use(small), "InvalidArgument");
  });
});

describe("toNpy", () => {
  const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

  test.each(files.map((file) => [`${file.dtype} [${file.shape.join(", ")}] in ${file.order}`, file] as const))("%s, as NumPy writes it", (_, { dtype, shape, order, data_hex, file_hex }) => {
    const data = typedView(dtype as DType, bytes(data_hex));
    const file = toNpy({ data, shape, order: order as "c" | "f" });
    expect(hexOf(file)).toBe(file_hex);
    expect(new Uint8Array(file.buffer)).toEqual(file);
  });

  test("is read again as the Item that it was", () => {
    const property = fc.property(dense, (value) => {
      const { dtype, shape } = value;
      const file = toNpy(value);
      // What lies in both orders is in C order for NumPy.
      const layout = String.fromCharCode(...file.subarray(0, 128)).includes("'fortran_order': True") ? "f" : "c";
      const again = codec.decode({ dtype, shape: [...shape], layout, codec: "npy" }, file);
      if (again.family !== "dense-array") throw new Error("not dense");
      expect(hexOf(bytesOf(again.data))).toBe(hexOf(bytesOf(value.data)));
      expect(logicalBits(again)).toBe(logicalBits(value));
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  test("of a header that 16 bits cannot count has version 2.0", () => {
    for (const [rank, version, headLength] of [[21_000, 1, 10], [22_000, 2, 12]] as const) {
      const file = toNpy({ data: Uint8Array.of(7), shape: Array.from({ length: rank }, () => 1), order: "c" });
      const text = new TextDecoder("latin1").decode(file);
      const length = new DataView(file.buffer).getUint16(8, true) + (version === 2 ? new DataView(file.buffer).getUint16(10, true) * 65_536 : 0);
      expect(text.slice(1, 6)).toBe("NUMPY");
      expect([file[6], file[7], (headLength + length) % 64, file.length, file.at(-1)]).toEqual([version, 0, 0, headLength + length + 1, 7]);
      expect(text.slice(headLength, -1)).toMatch(/^\{'descr': '\|u1', 'fortran_order': False, 'shape': \(1, [1, ]+\), \} +\n$/);
    }
  });
});
