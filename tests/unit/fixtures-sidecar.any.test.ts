/** The comparison with sidecars itself: it must take what is equal and refuse what is not. */

import type { ArrayValue } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { addressOfDigest, blake3Hex, expectArray, expectBytes, float, inCOrder, integer, typeOfDocument } from "../support/sidecar.js";

const f32 = (values: number[]) => ({ dtype: "float32", shape: [values.length], values });
const dense = (data: Float32Array<ArrayBuffer>): ArrayValue =>
  ({ family: "dense-array", dtype: "f32", data, shape: [data.length], strides: [1], order: "c" });
const ragged: ArrayValue = {
  family: "ragged-array", kind: "ragged-array", dtype: "f32", innerShape: [],
  rowOffsets: BigUint64Array.of(0n, 2n, 3n), values: Float32Array.of(1, 2, 3),
};
const offsets = { dtype: "uint64", shape: [3], values: [0, 2, 3] };

test("numbers are read as they are spelled", () => {
  expect(integer(7)).toBe(7n);
  expect(integer({ int: "18446744073709551615" })).toBe(18446744073709551615n);
  expect(() => integer(1.5)).toThrow("integer");
  expect(float({ float: "-0.0" })).toBe(-0);
  expect(float({ float: "nan" })).toBeNaN();
  expect(float(-9.8100004196167)).toBe(Math.fround(-9.81));
});

test("strided elements are walked in C order", () => {
  expect(inCOrder([1, 4, 2, 5, 3, 6], [2, 3], [1, 2])).toEqual([1, 2, 3, 4, 5, 6]);
  expect(inCOrder([7], [], [])).toEqual([7]);
  expect(inCOrder([], [0, 3], [3, 1])).toEqual([]);
  expect(() => inCOrder([1], [2], [1])).toThrow("element 1");
});

describe("arrays", () => {
  test("equal ones pass, with NaN and −0", () => {
    expectArray(dense(Float32Array.of(1, Number.NaN, -0)), { ...f32([0, 0, 0]), values: [1, { float: "nan" }, { float: "-0.0" }] });
    expectArray(ragged, { row_offsets: offsets, values: f32([1, 2, 3]) });
  });

  test.each([
    ["another value", dense(Float32Array.of(1, 2)), f32([1, 3])],
    ["another order", dense(Float32Array.of(1, 2)), f32([2, 1])],
    ["0 for −0", dense(Float32Array.of(0)), { ...f32([0]), values: [{ float: "-0.0" }] }],
    ["a number for NaN", dense(Float32Array.of(0)), { ...f32([0]), values: [{ float: "nan" }] }],
    ["fewer elements", dense(Float32Array.of(1)), f32([1, 2])],
    ["more elements", dense(Float32Array.of(1, 2)), f32([1])],
    ["another shape", dense(Float32Array.of(1, 2)), { ...f32([1, 2]), shape: [1, 2] }],
    ["another dtype", dense(Float32Array.of(1)), { ...f32([1]), dtype: "float64" }],
    ["another family", ragged, f32([1, 2, 3])],
    ["other offsets", ragged, { row_offsets: { ...offsets, values: [0, 1, 3] }, values: f32([1, 2, 3]) }],
    ["CSR for ragged", ragged, { row_offsets: offsets, column_indices: offsets, values: f32([1, 2, 3]) }],
  ])("%s is refused", (_, value, fact) => {
    expect(() => expectArray(value, fact)).toThrow(/expected|element/);
  });
});

test("bytes are compared by length, digest and hex", () => {
  const bytes = Uint8Array.of(1, 2);
  const fact = { len: 2, blake3: blake3Hex(bytes), hex: "0102" };
  expectBytes(bytes, fact);
  for (const wrong of [{ len: 3 }, { blake3: blake3Hex(Uint8Array.of(1)) }, { hex: "0103" }]) {
    expect(() => expectBytes(bytes, { ...fact, ...wrong })).toThrow("expected");
  }
});

test("digests become addresses as the specification spells them", () => {
  // BLAKE3 of no bytes, and of the one byte 0: published digests with their addresses.
  expect(blake3Hex(new Uint8Array(0))).toBe("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  expect(addressOfDigest(blake3Hex(new Uint8Array(0)))).toBe("d2xrgsnz6x42djvaibg6unw4zfezxszfzgw4cevxzsnjhsxed4zge");
  expect(addressOfDigest(blake3Hex(new Uint8Array(1)))).toBe("dywtvxw76enwd4kmrbxdll5agzzw3tmhu5gspnobkebcluhvslrbg");
});

test("documents become types with the keys and extents of JavaScript", () => {
  expect(typeOfDocument({ semantic_type: "none", inner_shape: [2, { int: "9007199254740993" }], version: 1 })).toEqual({
    semanticType: "none", innerShape: [2n, 9007199254740993n], version: 1,
  });
});
