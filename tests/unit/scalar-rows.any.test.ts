/**
 * Records of scalar columns, hostile ones included. Beside them stand addresses of records that another implementation of Roaring bitmaps wrote: the crate
 * `roaring` 0.12, of stretches `[first, number, step]`, without runs and with them.
 */
import { init } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { addressOf } from "../../ts/codec/hash.js";
import { lowerBound } from "../../ts/dataset/entries.js";
import { MOST_ROWS, readRows, type RecordRows } from "../../ts/dataset/scalars/rows.js";
import { call } from "../../ts/wasm.js";
import { recordOf as written } from "../../ts/write/scalars/record.js";
import { BOUNDED } from "../conformance/support/arbitraries.js";
import { expectThrown } from "../support/failure.js";
import { recordOf } from "../support/roaring.js";
import { codeOf } from "../support/scalar-objects.js";
import recorded from "./roaring-records.json" with { type: "json" };

beforeAll(() => init());

const MAX = 2n ** 64n - 1n;

function rows(records: readonly Uint8Array[], start = 0n, end = MAX, extent: readonly [bigint, bigint] = [0n, MAX]): RecordRows {
  const [starts, ends] = [BigUint64Array.from(records, () => extent[0]), BigUint64Array.from(records, () => extent[1])];
  return call(() => readRows({ lowerBound }, records, { starts, ends }, [...records.keys()], start, end));
}

const refusal = (record: Uint8Array) => codeOf(() => rows([record]));
const stretch = (first: bigint, count: number, step: bigint): bigint[] => Array.from({ length: count }, (_, at) => first + BigInt(at) * step);
const rangeOf = (count: number): bigint[] => stretch(0n, count, 1n);

test("records are those of another implementation, at the edges of all forms", () => {
  for (const { stretches, plain, runs } of recorded) {
    const anchors = [...new Set(stretches.flatMap(([first = "", count = 0, step = 1]) => stretch(BigInt(first), Number(count), BigInt(step))))];
    const expected = BigUint64Array.from(anchors).sort();
    for (const [record, address] of [[recordOf(anchors, false), plain], [recordOf(anchors, true), runs], [written([...expected]), plain]] as const) {
      expect(addressOf(record)).toBe(address);
      const { anchors: read, records } = rows([record]);
      // Of hundreds of thousands, a matcher would compare each in its own way.
      expect([read.length, read.findIndex((anchor, at) => anchor !== expected[at]), records.findIndex((number) => number !== 0)]).toEqual([expected.length, -1, -1]);
    }
  }
});

/** Anchors near each other, in stretches, and all over the place. */
const sets = fc
  .tuple(
    fc.uniqueArray(fc.bigInt(0n, MAX - 1n), { maxLength: 20 }),
    fc.array(fc.tuple(fc.oneof(fc.bigInt(0n, 200_000n), fc.bigInt(0n, MAX)), fc.integer({ min: 1, max: 9000 }), fc.bigInt(1n, 3n)), { maxLength: 2 }),
  )
  .map(([single, stretches]) => [...new Set([7n, ...single, ...stretches.flatMap((one) => stretch(...one))])].filter((anchor) => anchor < MAX));

test("rows are those of a naive map", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(sets, fc.boolean()), { minLength: 1, maxLength: 4 }), fc.bigInt(0n, MAX), fc.bigInt(0n, MAX), (all, one, other) => {
      const records = all.map(([set, runs]) => recordOf(set, runs));
      for (const [start, end] of [[0n, MAX], [one, other], [7n, 8n], [8n, 100_000n]] as const) {
        const naive = new Map(all.flatMap(([set], number) => set.filter((anchor) => start <= anchor && anchor < end).map((anchor) => [anchor, number] as const)));
        const { anchors, records: numbers } = rows(records, start, end);
        const sorted = BigUint64Array.from(naive.keys()).sort();
        expect([anchors.length, anchors.findIndex((anchor, at) => anchor !== sorted[at]), numbers.findIndex((number, at) => number !== naive.get(anchors[at] ?? 0n))]).toEqual([naive.size, -1, -1]);
      }
    }),
    { ...BOUNDED, numRuns: 40 },
  );
});

test("no bytes are anything but a record or refused", () => {
  const good = recordOf([1n, 2n, 70_000n, 2n ** 40n, ...stretch(200_000n, 50, 1n)], true);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 80 }), (bytes, at) => {
      const broken = Uint8Array.from([...good.subarray(0, at), ...bytes, ...good.subarray(at + bytes.byteLength)]);
      const flipped = good.map((byte, place) => (place === at ? byte ^ (bytes[0] ?? 1) : byte));
      for (const record of [bytes, broken, flipped]) {
        if (refusal(record) !== undefined) expect(refusal(record)).toBe("ScalarRecord");
        else expectSound(record);
      }
    }),
    { ...BOUNDED, numRuns: 1000 },
  );
});

/** What holds of all that is read. */
function expectSound(record: Uint8Array): void {
  const { anchors, records } = rows([record]);
  expect(records).toEqual(new Uint32Array(anchors.length));
  expect(anchors.every((anchor, at) => at === 0 || (anchors[at - 1] ?? MAX) < anchor)).toBe(true);
  const [least = 0n, greatest = 0n] = [anchors[0], anchors.at(-1)];
  expect(codeOf(() => rows([record], 0n, MAX, [least, greatest + 1n]))).toBeUndefined();
  expect(codeOf(() => rows([record], 0n, MAX, [least + 1n, MAX]))).toBe("ScalarRecord");
  expect(codeOf(() => rows([record], 0n, MAX, [0n, greatest]))).toBe("ScalarRecord");
  const half = least + (greatest - least) / 2n;
  expect(rows([record], half, greatest).anchors).toEqual(anchors.filter((anchor) => half <= anchor && anchor < greatest));
  // The last record that has an anchor has the row.
  const { anchors: both, records: numbers } = rows([record, recordOf([half], false)]);
  expect(both).toEqual(BigUint64Array.from(new Set([...anchors, half])).sort());
  expect(both.filter((_, at) => numbers[at] === 1)).toEqual(BigUint64Array.of(half));
}

test("every shorter and longer record is refused", () => {
  for (const runs of [false, true]) {
    const whole = recordOf([...rangeOf(5000), 70_000n, 2n ** 35n], runs);
    for (let end = 0; end < whole.byteLength; end++) {
      if (end % 97 === 0 || end < 100 || end + 100 > whole.byteLength) expect(refusal(whole.subarray(0, end)), `${end}`).toBe("ScalarRecord");
    }
    expect(refusal(Uint8Array.from([...whole, 0]))).toBe("ScalarRecord");
  }
});

const bytesOf = (width: 2 | 4 | 8, ...values: readonly (number | bigint)[]): number[] => values.flatMap((value) => Array.from({ length: width }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 255n)));

/** Version, buckets, high half; cookie, containers; keys with cardinalities - 1; offsets; values. */
function built(buckets: bigint, count: number, descriptions: readonly (readonly [number, number])[], values: readonly number[]): number[] {
  const offsets = descriptions.map(() => 16);
  return [1, ...bytesOf(8, buckets), ...bytesOf(4, 0, 12346, count), ...bytesOf(2, ...descriptions.flat()), ...bytesOf(4, ...offsets), ...bytesOf(2, ...values)];
}

test("a record that lies is refused", () => {
  const good = built(1n, 1, [[0, 1]], [5, 9]);
  expect(rows([Uint8Array.from(good)]).anchors).toEqual(BigUint64Array.of(5n, 9n));
  const runs = (...pairs: readonly number[]) => [...good.slice(0, 13), ...bytesOf(2, 12347, 0), 1, ...bytesOf(2, 0, 9, pairs.length / 2, ...pairs)];
  expect(rows([Uint8Array.from(runs(3, 4, 8, 4))]).anchors.length).toBe(10);
  const said = (record: readonly number[]) => expectThrown(() => rows([Uint8Array.from(record)]), "ScalarRecord").message;
  for (const [bad, what] of [
    [[2, ...good.slice(1)], "is of a version that is not known"],
    [[1, 1, 0], "ends before its buckets"],
    [[...good.slice(0, 13), 0, 0, 0, 0, ...good.slice(17)], "has a malformed bitmap"],
    [[1, 0, 0, 0, 0, 0, 0, 0, 0], "has no anchors"],
    [built(1n, 0, [], []), "has a malformed bitmap"],
    [built(MAX, 1, [[0, 1]], [5, 9]), "has fewer buckets than it says"],
    [built(1n, 0xffff_ffff, [[0, 1]], [5, 9]), "has a malformed bitmap"],
    [built(1n, 1, [[0, 0xffff]], [5, 9]), "has a malformed bitmap"],
    [built(1n, 1, [[0, 1]], [9, 5]), "has a malformed bitmap"],
    [built(1n, 1, [[0, 1]], [5, 5]), "has a malformed bitmap"],
    [built(1n, 2, [[1, 0], [0, 0]], [5, 9]), "has a malformed bitmap"],
    [built(1n, 2, [[0, 0], [0, 0]], [5, 9]), "has a malformed bitmap"],
    [[...built(2n, 1, [[0, 0]], [5]), ...good.slice(9)], "has buckets that do not ascend"],
    [[...good, 0], "goes on behind its buckets"],
    [runs(3, 4, 7, 4), "has a malformed bitmap"],
    [runs(3, 4), "has a malformed bitmap"],
    [runs(3, 4, 8, 5), "has a malformed bitmap"],
    [runs(0xfffe, 9), "has a malformed bitmap"],
    [runs(), "has a malformed bitmap"],
  ] as const) {
    expect(said(bad)).toContain(`a record of the scalar column ${what}`);
  }
  // A bitmap container with another number of bits than its description says.
  const wide = recordOf(rangeOf(5000), false);
  wide[wide.byteLength - 1] = 1;
  expect(refusal(wide)).toBe("ScalarRecord");
});

test("runs cannot be more rows than are read at once", () => {
  const short = recordOf(rangeOf(2 ** 16), true);
  expect(short.byteLength).toBeLessThan(40);
  const most = MOST_ROWS / 2 ** 16;
  // Those outside of the window are counted, too.
  expect(rows(new Array<Uint8Array>(most).fill(short), 5n, 9n)).toEqual({ anchors: BigUint64Array.of(5n, 6n, 7n, 8n), records: Uint32Array.of(255, 255, 255, 255) });
  expect(expectThrown(() => rows(new Array<Uint8Array>(most + 1).fill(short), 5n, 9n), "ScalarRecord").subject).toBe("256");
});

test("anchors lie in the extent of their entry", () => {
  const record = recordOf([10n, 20n], false);
  for (const extent of [[10n, 21n], [0n, 100n]] as const) expect(rows([record], 0n, MAX, extent).anchors.length).toBe(2);
  for (const extent of [[11n, 21n], [10n, 20n]] as const) expect(codeOf(() => rows([record], 0n, MAX, extent))).toBe("ScalarRecord");
});
