/** Canonical CBOR for writers, beside an encoder and a decoder that were written apart from it. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { body, bool, bytes, compared, head, isCanonical, items, itemsUnder, list, map, mapOf, nothing, number, pairs, text, uint, under } from "../../ts/write/cbor.js";
import { type Cbor, CborMap, CborTag, compareBytes, decode, encode } from "../conformance/naive/cbor.js";

const U64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(0n, 23n, 24n, 255n, 256n, 65_535n, 65_536n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 64n - 1n));
/** Of few letters, so that keys repeat; the last two are ordered differently by bytes and by UTF-16 units. */
const KEY = fc.string({ unit: fc.constantFrom("a", "b", "\u{feff}", "\u{ffff}", "\u{10000}"), maxLength: 4 });
/** A big number that takes more than 64 bits, and a tag of another kind. */
const TAG = fc.constantFrom(new CborTag(2n, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0)), new CborTag(30n, "x"));
const { tree } = fc.letrec<{ tree: Cbor }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    U64,
    U64.map((value) => -1n - value),
    fc.uint8Array({ maxLength: 40 }),
    KEY,
    fc.boolean(),
    fc.constant(null),
    TAG,
    fc.array(tie("tree"), { maxLength: 5 }),
    fc.array(fc.tuple(KEY, tie("tree")), { maxLength: 5 }).map((entries) => new CborMap(entries)),
  ),
}));

/** A tree with the pairs of all its maps in order. */
function inOrder(value: Cbor): Cbor {
  if (value instanceof CborMap) {
    const sorted = value.pairs.map(([key, inner]) => [key, inOrder(inner)] as const);
    return new CborMap(sorted.sort(([first], [second]) => compareBytes(encode(first), encode(second))));
  }
  return Array.isArray(value) ? value.map((inner: Cbor) => inOrder(inner)) : value;
}

/** The same tree by the writer under test. */
function written(value: Cbor): Uint8Array {
  if (value === null) return nothing();
  if (typeof value === "boolean") return bool(value);
  if (typeof value === "bigint") return value < 0n ? head(1, -1n - value) : uint(value);
  if (typeof value === "string") return text(value);
  if (value instanceof Uint8Array) return bytes(value);
  if (value instanceof CborMap) return mapOf(value.pairs.map(([key, inner]) => [written(key), written(inner)]));
  if (value instanceof CborTag) return Uint8Array.of(...head(6, value.number), ...written(value.value));
  return list((value as readonly Cbor[]).map(written));
}

describe("what is written", () => {
  it("is canonical, and what another encoder makes of the same", () => {
    fc.assert(
      fc.property(tree, (value) => {
        const made = written(value);
        expect(made).toEqual(encode(inOrder(value)));
        expect(isCanonical(made)).toBe(true);
      }),
    );
  });

  it("leaves out keys without a value", () => {
    expect(decode(map({ bb: uint(1), none: undefined, a: bool(true) }))).toEqual(new CborMap([["a", true], ["bb", 1n]]));
  });
});

describe("what is taken apart", () => {
  it("stays as it is encoded", () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), fc.array(fc.tuple(KEY, tree), { maxLength: 6 }), (values, entries) => {
        expect(items(encode(values))).toEqual(values.map(encode));
        const whole = encode(new CborMap(entries));
        expect(pairs(whole)).toEqual(entries.map(([key, value]) => [encode(key), encode(value)]));
        for (const [key] of entries) expect(under(whole, key)).toEqual(encode(entries.find(([other]) => other === key)?.[1] ?? null));
        expect(under(whole, "absent")).toBeUndefined();
        expect(itemsUnder(encode(new CborMap([["list", values]])), "list")).toEqual(values.map(encode));
        expect(itemsUnder(whole, "absent")).toEqual([]);
      }),
    );
  });

  it("gives numbers and bytes", () => {
    fc.assert(
      fc.property(U64, fc.uint8Array({ maxLength: 300 }), (value, content) => {
        expect(number(uint(value))).toBe(value);
        expect(body(bytes(content))).toEqual(content);
        expect(body(text(`${value}`))).toEqual(new TextEncoder().encode(`${value}`));
      }),
    );
    expect(number(Uint8Array.of(0x1b, 0, 0, 0, 0, 0, 0, 0, 7))).toBe(7n);
    expect(number(Uint8Array.of(0x19, 0, 7))).toBe(7n);
  });
});

it("orders by bytes, shorter ones first where one begins the other", () => {
  fc.assert(
    fc.property(fc.uint8Array({ max: 2, maxLength: 4 }), fc.uint8Array({ max: 2, maxLength: 4 }), (first, second) => {
      expect(Math.sign(compared(first, second))).toBe(Math.sign(compareBytes(first, second)));
    }),
  );
});

describe("what is not canonical", () => {
  const refused: readonly (readonly [string, readonly number[]])[] = [
    ["a number in a wider head", [0x18, 23]],
    ["a number in two bytes too many", [0x19, 0, 255]],
    ["a number in four bytes too many", [0x1a, 0, 0, 255, 255]],
    ["a number in eight bytes too many", [0x1b, 0, 0, 0, 0, 255, 255, 255, 255]],
    ["a length in a wider head", [0x58, 1, 7]],
    ["a text's length in a wider head", [0x78, 1, 0x61]],
    ["a list's length in a wider head", [0x98, 1, 7]],
    ["a tag in a wider head", [0xd8, 3, 7]],
    ["keys out of order", [0xa2, 0x61, 0x62, 1, 0x61, 0x61, 2]],
    ["a longer key in front of a shorter one", [0xa2, 0x62, 0x61, 0x61, 1, 0x61, 0x62, 2]],
    ["undefined", [0xf7]],
    ["a big number that fits in 64 bits", [0xc2, 0x41, 7]],
    ["a big number of zeros", [0xc2, 0x49, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ["an empty big number", [0xc2, 0x40]],
  ];
  const around: readonly (readonly [string, (inner: readonly number[]) => number[]])[] = [
    ["by itself", (inner) => [...inner]],
    ["in a list", (inner) => [0x82, 1, ...inner]],
    ["in front in a list", (inner) => [0x82, ...inner, 1]],
    ["under a key", (inner) => [0xa2, 0x61, 0x61, ...inner, 0x61, 0x62, 1]],
    ["under a tag", (inner) => [0xd8, 30, 0x81, ...inner]],
  ];
  it.each(refused.flatMap(([name, inner]) => around.map(([where, put]) => ({ name: `${name}, ${where}`, item: put(inner) }))))("$name", ({ item }) => {
    expect(isCanonical(Uint8Array.from(item))).toBe(false);
  });

  it("repeated keys and big numbers that do not fit are", () => {
    expect(isCanonical(Uint8Array.of(0xa2, 0x61, 0x61, 1, 0x61, 0x61, 2))).toBe(true);
    expect(isCanonical(Uint8Array.of(0xc2, 0x49, 0, 1, 0, 0, 0, 0, 0, 0, 0))).toBe(false);
    expect(isCanonical(Uint8Array.of(0xc2, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0))).toBe(true);
  });
});
