/** Packs of so many Items, or so many bytes (0022 §4). */
import { init } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { call } from "../../ts/wasm.js";
import { expectThrown } from "../support/failure.js";

beforeAll(() => init());

const groups = (sizes: readonly bigint[], packItems: bigint, target?: bigint): number[] => [...call((core) => core.packGroups(BigUint64Array.from(sizes), packItems, target))];

const LAST = 2n ** 64n - 1n;
const HALF = 2n ** 31n;

test.each([
  { sizes: [4n, 4n, 4n, 4n, 4n], items: 0n, target: 8n, expected: [2, 2, 1] },
  { sizes: [4n, 4n, 4n, 4n, 4n], items: 0n, target: 11n, expected: [2, 2, 1] },
  { sizes: [4n, 4n, 4n, 4n, 4n], items: 3n, target: 100n, expected: [3, 2] },
  { sizes: [1n, 100n, 1n, 1n], items: 0n, target: 10n, expected: [1, 1, 2] },
  { sizes: [100n, 0n, 0n, 1n], items: 0n, target: 10n, expected: [1, 3] },
  { sizes: [0n, 0n, 0n], items: 0n, target: 0n, expected: [3] },
  { sizes: [10n, 0n, 0n], items: 0n, target: 10n, expected: [3] },
  { sizes: [LAST, 1n, LAST], items: 2n, target: 5n, expected: [1, 1, 1] },
  { sizes: [HALF, HALF, 1n, 1n], items: 0n, target: LAST, expected: [2, 2] },
  { sizes: [], items: 5n, target: 5n, expected: [] },
  { sizes: [1n, 1n], items: 1n, target: 5n, expected: [] },
  { sizes: [HALF, HALF, 1n], items: 0n, target: undefined, expected: [] },
])("a pack ends before it would be larger than its target: $expected", ({ sizes, items, target, expected }) => {
  expect(groups(sizes, items, target)).toEqual(expected);
});

test("no Item begins where an offset of 32 bits cannot point", () => {
  expectThrown(() => groups([HALF, HALF, 1n], 3n), "IntegerRange");
});

test("packs are as large as they may be", () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 49n), { maxLength: 60 }), fc.bigInt(0n, 119n), fc.integer({ min: 2, max: 8 }), (sizes, target, items) => {
      let at = 0;
      for (const count of groups(sizes, BigInt(items), target)) {
        const sum = sizes.slice(at, at + count).reduce((all, size) => all + size, 0n);
        expect(count <= items && (sum <= target || count === 1)).toBe(true);
        at += count;
        const next = sizes[at];
        expect(next === undefined || count === items || sum + next > target).toBe(true);
      }
      expect(at).toBe(sizes.length);
    }),
  );
});
