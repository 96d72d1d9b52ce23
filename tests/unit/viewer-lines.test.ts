/** Lines of the viewer: what is kept of many Items is what can be seen of them, and numbers stay what they are. */
import { expect, test } from "vitest";
import { limitsFor, powerFor, powerText, scaled, tickText } from "../../viewer/src/views/lines/axis.js";
import { strokeOf } from "../../viewer/src/views/lines/colours.js";
import { baseOf, chosenValues, drawnValues, originOf, places, withoutReplaced } from "../../viewer/src/views/lines/columns.js";
import { extentOf, gapsOf, pixelsOf, traceOf } from "../../viewer/src/views/lines/decimate.js";
import { chosenElements, elementAt, indexOfElement } from "../../viewer/src/views/lines/elements.js";
import { rowNear } from "../../viewer/src/views/lines/rows.js";
import { admit, ASK_ITEMS, contains, MOST_ITEMS, windowAround } from "../../viewer/src/views/windowed/admit.js";

/** Numbers between 0 and 1, the same in every run. */
function* chance(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const take = (numbers: Generator<number>): number => numbers.next().value as number;

test("each column of pixels keeps its first, least, greatest and last value, and no others that are not one of these", () => {
  const numbers = chance(7);
  for (let round = 0; round < 200; round++) {
    const count = 1 + Math.floor(take(numbers) * 500);
    const columns = 1 + Math.floor(take(numbers) * 40);
    let place = 0;
    const where = Float64Array.from({ length: count }, () => (place += take(numbers) < 0.1 ? 0 : take(numbers) * 3));
    const values = Float64Array.from({ length: count }, () => {
      const odd = take(numbers);
      return odd < 0.05 ? Number.NaN : odd < 0.08 ? Infinity : odd < 0.11 ? -Infinity : take(numbers) * 10 - 5;
    });
    const right = place === 0 ? 1 : place;
    const { x, y, above, below } = traceOf(where, values, 0, count, { left: 0, right, columns });
    const columnOf = (at: number): number => Math.floor(at / (right / columns));
    const byColumn = new Map<number, number[]>();
    for (let row = 0; row < count; row++) {
      const value = values[row] ?? 0;
      if (Number.isFinite(value)) byColumn.set(columnOf(where[row] ?? 0), [...(byColumn.get(columnOf(where[row] ?? 0)) ?? []), value]);
    }
    const kept = new Map<number, number[]>();
    for (const [at, value] of y.entries()) if (!Number.isNaN(value)) kept.set(columnOf(x[at] ?? 0), [...(kept.get(columnOf(x[at] ?? 0)) ?? []), value]);
    expect([...kept.keys()].sort((a, b) => a - b)).toEqual([...byColumn.keys()].sort((a, b) => a - b));
    for (const [column, all] of byColumn) {
      const some = kept.get(column) ?? [];
      expect(some.length).toBeLessThanOrEqual(4);
      expect([some[0], some.at(-1), Math.min(...some), Math.max(...some)]).toEqual([all[0], all.at(-1), Math.min(...all), Math.max(...all)]);
    }
    expect([...x].every((at, index) => index === 0 || at >= (x[index - 1] ?? 0))).toBe(true);
    const columnsWith = (wanted: number): number[] => [...new Set([...values.entries()].filter(([, value]) => value === wanted).map(([row]) => columnOf(where[row] ?? 0)))];
    expect([...above].map(columnOf)).toEqual(columnsWith(Infinity));
    expect([...below].map(columnOf)).toEqual(columnsWith(-Infinity));
  }
});

test("a line is interrupted exactly where something between two kept values is not finite", () => {
  const values = Float64Array.of(1, 2, Number.NaN, 3, Infinity, 4, 5, 6, 7, 8);
  const where = Float64Array.from(values, (_, row) => row);
  const all = traceOf(where, values, 0, 10, { left: 0, right: 10, columns: 10 });
  expect([...all.y]).toEqual([1, 2, Number.NaN, 3, Number.NaN, 4, 5, 6, 7, 8]);
  expect([...all.above]).toEqual([4]);
  // One column: 1 is first and least, 8 is last and greatest, and there is something between.
  expect([...traceOf(where, values, 0, 10, { left: 0, right: 10, columns: 1 }).y]).toEqual([1, Number.NaN, 8]);
  // After what is not finite there is nothing but finite values.
  expect([...traceOf(where, values, 5, 10, { left: 0, right: 10, columns: 1 }).y]).toEqual([4, 8]);
});

test("one peak among a hundred thousand Items stays, at its place", () => {
  const values = new Float64Array(100_000);
  values[54_321] = 9;
  values[54_322] = -9;
  const where = Float64Array.from(values, (_, row) => row * 10);
  const { x, y } = traceOf(where, values, 0, values.length, { left: 0, right: 1_000_000, columns: 700 });
  expect(x.length).toBeLessThan(4 * 700 + 1);
  expect(x[y.indexOf(9)]).toBe(543_210);
  expect(x[y.indexOf(-9)]).toBe(543_220);
});

test("nothing, and Items at one place, make a trace too", () => {
  expect([...traceOf(new Float64Array(0), new Float64Array(0), 0, 0, { left: 0, right: 1, columns: 10 }).x]).toEqual([]);
  expect([...traceOf(Float64Array.of(5, 5, 5), Float64Array.of(2, 1, 3), 0, 3, { left: 5, right: 5, columns: 10 }).y]).toEqual([2, 1, 3]);
});

test("points that share a pixel are one", () => {
  const where = Float64Array.of(0, 0.1, 0.2, 1, 1, 2);
  const values = Float64Array.of(5, 5.2, 9, 5, 5, Number.NaN);
  expect([...pixelsOf(where, values, 0, 6, (at) => at, (at) => at)]).toEqual([0, 5, 0, 9, 1, 5]);
});

test("what is not finite is counted, and is no end of an axis", () => {
  const values = Float64Array.of(Number.NaN, Infinity, -Infinity, -Infinity, 3, -2);
  expect(gapsOf(values, 0, 6)).toEqual({ nan: 1, above: 1, below: 2 });
  expect(gapsOf(values, 4, 6)).toEqual({ nan: 0, above: 0, below: 0 });
  expect(extentOf(values, 0, 6)).toEqual([-2, 3]);
  expect(extentOf(values, 0, 4)).toBeUndefined();
});

test("64-bit integers keep their differences when they are drawn", () => {
  const data = BigUint64Array.of(18_446_744_073_709_551_615n, 1n, 18_446_744_073_709_551_613n, 2n);
  const rows = { anchors: BigUint64Array.of(1n, 2n), dtype: "u64", data, width: 2, verified: "object" } as const;
  expect(baseOf(rows, [0])).toBe(18_446_744_073_709_551_613n);
  expect([...drawnValues(rows, 0, baseOf(rows, [0]))]).toEqual([2, 0]);
  expect(baseOf(rows, [1])).toBe(0n);
  expect(chosenValues(rows, 0, 2, [1])).toEqual(BigUint64Array.of(1n, 2n));
  // The same origin for every window, unless doubles would lose anchors over so long a span.
  expect(originOf(BigUint64Array.of(1000n, 5000n), 3000n)).toBe(1000n);
  expect(originOf(BigUint64Array.of(1000n, 2n ** 60n), 3000n)).toBe(3000n);
  expect(originOf(new BigUint64Array(0), 3000n)).toBe(3000n);
  expect([...places(BigUint64Array.of(2n ** 63n + 1n, 2n ** 63n + 4n), 2n ** 63n)]).toEqual([1, 4]);
});

test("chosen elements are those rows and elements, in the order of the choice", () => {
  const data = Int16Array.from({ length: 12 }, (_, at) => at);
  const rows = { anchors: BigUint64Array.of(1n, 2n, 3n), dtype: "i16", data, width: 4, verified: "none" } as const;
  expect(chosenValues(rows, 1, 3, [3, 0])).toEqual(Int16Array.of(7, 4, 11, 8));
  const replaced = withoutReplaced({ ...rows, anchors: BigUint64Array.of(1n, 1n, 3n) });
  expect(replaced.anchors).toEqual(BigUint64Array.of(1n, 3n));
  expect(replaced.data).toEqual(Int16Array.of(4, 5, 6, 7, 8, 9, 10, 11));
});

test("elements are named by their index, and a choice that names none falls back to the first ones", () => {
  expect(indexOfElement(23, [2, 3, 4])).toEqual([1, 2, 3]);
  expect(elementAt([1, 2, 3], [2, 3, 4])).toBe(23);
  expect(elementAt([1, 3, 3], [2, 3, 4])).toBeUndefined();
  expect(elementAt([0, Number.NaN, 0], [2, 3, 4])).toBeUndefined();
  expect(elementAt([], [])).toBe(0);
  expect(chosenElements(undefined, 3)).toEqual([0, 1, 2]);
  expect(chosenElements(undefined, 100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(chosenElements("5,5,99,-1,x,2", 10)).toEqual([5, 2]);
  expect(chosenElements("77", 10)).toHaveLength(8);
  expect(chosenElements(Array.from({ length: 40 }, (_, at) => at).join(","), 40)).toHaveLength(16);
});

test("axes can be read for numbers of any size", () => {
  expect([powerFor(0.5), powerFor(99_999), powerFor(2.5e9), powerFor(4e-9), powerFor(0)]).toEqual([0, 0, 9, -9, 0]);
  expect([powerText(0), powerText(9), powerText(-12)]).toEqual(["", "×10⁹", "×10⁻¹²"]);
  expect(scaled(1.7e308, powerFor(1.7e308))).toBeCloseTo(170, 9);
  expect(scaled(5e-324, powerFor(5e-324))).toBeCloseTo(4.94, 1);
  expect(limitsFor(3, 3)).toEqual([2.7, 3.3]);
  expect(limitsFor(0, 0)).toEqual([-1, 1]);
  expect([tickText(0.30000000000000004, 0.1), tickText(-1500, 500), tickText(-0.0001, 1), tickText(0.25, 0.25), tickText(7, 0.000_5)]).toEqual(["0.3", "−1\u202f500", "0", "0.25", "7.0000"]);
});

test("the row nearest to a place is found, within the window", () => {
  const where = Float64Array.of(0, 10, 20, 100);
  expect([-5, 4, 5, 6, 61, 1000].map((place) => rowNear(where, place, 0, 4))).toEqual([0, 0, 0, 1, 3, 3]);
  expect(rowNear(where, 0, 2, 4)).toBe(2);
  expect(rowNear(where, 0, 2, 2)).toBeUndefined();
});

test("sixteen lines all differ, in colour or in dashes", () => {
  for (const isDark of [false, true]) {
    const strokes = Array.from({ length: 16 }, (_, place) => JSON.stringify(strokeOf(place, isDark)));
    expect(new Set(strokes).size).toBe(16);
  }
});

test("much is asked about, too much is not read, and what a person agreed to is", () => {
  const live = BigUint64Array.from({ length: 50_000 }, (_, at) => BigInt(at));
  const anchors = { count: 50_000, isWhole: true, window: { start: 0n, end: 50_000n }, live, deleted: new BigUint64Array(0) };
  const all = { start: 0n, end: 50_000n };
  const each = (bytes: number) => ({ bytes, isRequest: true });
  expect(admit(anchors, all, each(4), 0)).toEqual({ verdict: "ask", items: 50_000, bytes: 200_000 });
  expect(admit(anchors, all, each(4), 50_000).verdict).toBe("read");
  expect(admit(anchors, { start: 10n, end: 20n }, each(4), 0)).toEqual({ verdict: "read", items: 10, bytes: 40 });
  expect(admit(anchors, { start: 10n, end: 20n }, each(6_500_000), 0).verdict).toBe("ask");
  // Scalars come many in a request: their bytes alone count.
  expect(admit(anchors, all, { bytes: 8, isRequest: false }, 0).verdict).toBe("read");
  expect(ASK_ITEMS).toBeLessThan(MOST_ITEMS);
  // Of a long Track only some anchors are known: beyond them it counts whole.
  const part = { ...anchors, count: 1_000_000, isWhole: false };
  expect(admit(part, { start: 0n, end: 99_999n }, each(4), 1_000_000)).toEqual({ verdict: "too-many", items: 1_000_000, bytes: 4_000_000 });
  expect(admit(part, { start: 5n, end: 105n }, each(4), 0).items).toBe(100);
  expect(windowAround(anchors, 25_000n, 100)).toEqual({ start: 24_950n, end: 25_050n });
  expect(windowAround(anchors, 49_999n, 100)).toEqual({ start: 49_900n, end: 50_000n });
  expect(windowAround(anchors, 0n, 100)).toEqual({ start: 0n, end: 100n });
  expect(contains(all, { start: 0n, end: 50_000n })).toBe(true);
  expect(contains(all, { start: 0n, end: 50_001n })).toBe(false);
});
