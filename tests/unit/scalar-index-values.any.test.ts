/** Values of scalar indexes: each has one encoding, of a width that is found here by trying. */
import { init } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { ScalarType } from "../../ts/dataset/scalar-values.js";
import { BOUNDED } from "../conformance/support/arbitraries.js";
import { codeOf, entriesOf, leafOf } from "../support/scalar-objects.js";

beforeAll(() => init());

/** The words of a leaf with one value. */
const wordsOf = (type: ScalarType, value: readonly number[]): bigint[] => [...(entriesOf(leafOf(type, value), type).words ?? [])];
const refused = (type: ScalarType, value: readonly number[]): boolean => codeOf(() => wordsOf(type, value)) === "ScalarIndex";

/** A float in 32 or 64 bits. */
function wide(value: number, bytes: 4 | 8): number[] {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 4) view.setFloat32(0, value);
  else view.setFloat64(0, value);
  return [bytes === 4 ? 0xfa : 0xfb, ...new Uint8Array(view.buffer)];
}

/** The bits of a float, as a word. */
const bitsOf = (value: number): bigint => new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n;

/** What a float of 16 bits is, by its definition. */
function halfOf(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 === 1 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? (fraction / 1024) * 2 ** -14 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

const HALVES = new Map(Array.from({ length: 2 ** 16 }, (_, bits) => [bitsOf(halfOf(bits)), bits]));

test("every float of 16 bits is what its definition says", () => {
  for (let bits = 0; bits < 2 ** 16; bits += 7) {
    const encoded = [0xf9, bits >> 8, bits & 255];
    const value = halfOf(bits);
    if (Number.isFinite(value)) expect(wordsOf("float", encoded)).toEqual([bitsOf(value)]);
    else expect(refused("float", encoded)).toBe(true);
  }
});

test("floats have the least of three widths, and are finite", () => {
  const floats = fc.oneof(
    fc.double(),
    fc.float(),
    fc.integer({ min: -70_000, max: 70_000 }).map((value) => value / 64),
    fc.integer({ min: 0, max: 2048 }).map((value) => value / 2 ** 25),
    fc.constantFrom(65_504, 65_505, 65_520, 65_536, 2 ** -14, 2 ** -24, 2 ** -25, 2 ** -149, 2 ** -150, 5e-324, -0, NaN, Infinity, -Infinity, 3.4028234663852886e38, 3.4028235e38),
  );
  fc.assert(
    fc.property(floats, (value) => {
      const half = HALVES.get(bitsOf(value));
      const widths: [least: boolean, encoded: number[]][] = [
        [half !== undefined, [0xf9, (half ?? 0) >> 8, (half ?? 0) & 255]],
        [half === undefined && Object.is(Math.fround(value), value), wide(value, 4)],
        [half === undefined && !Object.is(Math.fround(value), value), wide(value, 8)],
      ];
      for (const [at, [isLeast, encoded]] of widths.entries()) {
        if (at === 0 && half === undefined) continue;
        if (isLeast && Number.isFinite(value)) expect(wordsOf("float", encoded)).toEqual([bitsOf(value)]);
        // In 32 bits a wider one is another, which may be right.
        else if (at !== 1 || Object.is(Math.fround(value), value)) expect(refused("float", encoded)).toBe(true);
      }
    }),
    BOUNDED,
  );
});

test("integers are those of 64 bits with a sign, with the least head", () => {
  const limits = [0n, 23n, 24n, 255n, 256n, 65_535n, 65_536n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n - 1n];
  const integers = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-300n, 300n), fc.constantFrom(...limits, ...limits.map((limit) => -1n - limit)));
  fc.assert(
    fc.property(integers, fc.constantFrom<ScalarType[]>("int", "timestamp"), (value, type) => {
      const [major, magnitude] = value < 0n ? [0x20, -1n - value] : [0, value];
      // Heads of 0 to 8 bytes: those that hold it, the least first.
      const heads = [0, 1, 2, 4, 8].flatMap((width) => {
        if (magnitude >= (width === 0 ? 24n : 1n << BigInt(8 * width))) return [];
        if (width === 0) return [[major | Number(magnitude)]];
        return [[major | (24 + Math.log2(width)), ...Array.from({ length: width }, (_, at) => Number((magnitude >> BigInt(8 * (width - 1 - at))) & 255n))]];
      });
      const [least = [], ...wider] = heads;
      expect(wordsOf(type, least)).toEqual([BigInt.asUintN(64, value)]);
      for (const head of wider) expect(refused(type, head)).toBe(true);
      expect(refused(type, [...least, 0])).toBe(true);
      expect(refused(type, least.slice(0, -1))).toBe(true);
    }),
    BOUNDED,
  );
});

test("texts are UTF-8 with the least head", () => {
  const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom("", "\ufeff", "\ufeffa", "é".repeat(130), "\u{1f600}", "x".repeat(70_000)));
  fc.assert(
    fc.property(texts, fc.constantFrom<ScalarType[]>("string", "categorical"), (text, type) => {
      const body = [...new TextEncoder().encode(text)];
      const size = body.length;
      const heads = [[0x7b, 0, 0, 0, 0, 0, size >> 16, (size >> 8) & 255, size & 255], [0x7a, 0, size >> 16, (size >> 8) & 255, size & 255]];
      if (size < 2 ** 16) heads.push([0x79, size >> 8, size & 255]);
      if (size < 256) heads.push([0x78, size]);
      if (size < 24) heads.push([0x60 | size]);
      const least = [...(heads.pop() ?? []), ...body];
      if (type === "string") expect(entriesOf(leafOf(type, least), type).texts).toEqual([text]);
      for (const wider of heads) expect(refused("string", [...wider, ...body])).toBe(true);
      expect(refused("string", [...least, 0x78])).toBe(true);
      expect(refused("string", least.slice(0, -1))).toBe(true);
    }),
    { ...BOUNDED, numRuns: 100 },
  );
});

test("values have one encoding", () => {
  const bad: [ScalarType, number[]][] = [
    ["int", [0x18, 23]], ["int", [0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0]], ["int", [0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0]], ["int", [0xf9, 0, 0]], ["int", [0, 0]], ["int", []], ["int", [0xc2, 0x41, 1]], ["int", [0xf4]],
    ["int", [0x1c, ...new Array<number>(16).fill(0)]], ["int", [0x1f, ...new Array<number>(128).fill(0)]],
    ["timestamp", [0x61, 120]], ["float", [0]], ["float", [0xf9, 0]], ["float", [0xf9, 0x7c, 0]], ["float", [0xf9, 0x7e, 0]], ["float", [0xfa, 0, 0, 0, 0]], ["float", [0xfc]], ["float", [0xf8, 0]], ["float", []],
    ["string", [0x78, 1, 120]], ["string", [0x61, 0xff]], ["string", [0x63, 0xed, 0xa0, 0x80]], ["string", [0x62, 0xc0, 0x80]], ["string", [0x62, 120]], ["string", [0x61, 120, 121]], ["string", [0x41, 120]], ["string", []],
  ];
  for (const [type, value] of bad) expect(refused(type, value), `${type} ${value.join()}`).toBe(true);
  expect(wordsOf("float", [0xf9, 0x80, 0])).toEqual([bitsOf(-0)]);
  expect(wordsOf("float", [0xf9, 0, 1])).toEqual([bitsOf(2 ** -24)]);
  expect(entriesOf(leafOf("string", [0x60]), "string").texts).toEqual([""]);
});
