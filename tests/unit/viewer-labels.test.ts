/** Labels of the viewer: runs of equal values, and the pieces of a band that they make. */
import { expect, test } from "vitest";
import { OTHERS, paintOf, SEVERAL, TOLD_APART } from "../../viewer/src/views/labels/colours.js";
import { runAt, runsOf, spansOf } from "../../viewer/src/views/labels/runs.js";

const of = (texts: readonly string[]) => runsOf((row) => texts[row] ?? "", 0, texts.length);

test("runs are of equal neighbours, values in the order in which they occur", () => {
  const { runs, values, counts } = of(["a", "a", "b", "", "", "a"]);
  expect(runs).toEqual([
    { from: 0, to: 2, value: 0 },
    { from: 2, to: 3, value: 1 },
    { from: 3, to: 5, value: 2 },
    { from: 5, to: 6, value: 0 },
  ]);
  expect(values).toEqual(["a", "b", ""]);
  expect(counts).toEqual([3, 1, 2]);
  expect(of([])).toEqual({ runs: [], values: [], counts: [] });
  expect(of(["__proto__", "constructor"]).values).toEqual(["__proto__", "constructor"]);
});

test("a part of the rows has runs of its own, by the rows' own numbers", () => {
  const texts = ["a", "a", "a", "b"];
  expect(runsOf((row) => texts[row] ?? "", 1, 4).runs).toEqual([
    { from: 1, to: 3, value: 0 },
    { from: 3, to: 4, value: 1 },
  ]);
});

test("the run of a row is found", () => {
  const { runs } = of(["a", "a", "b", "c", "c", "c"]);
  expect([0, 1, 2, 3, 5, 99].map((row) => runAt(runs, row))).toEqual([0, 0, 1, 2, 2, 2]);
  expect(runAt([], 0)).toBe(0);
});

test("a run reaches from its first place to its last, a pixel at least, and nothing is claimed between runs", () => {
  const { runs } = of(["a", "a", "b", "c"]);
  const places = [0, 10, 50, 99.5];
  expect(spansOf(runs, (row) => places[row] ?? 0, 100)).toEqual([
    { left: 0, right: 10, value: 0, run: 0 },
    { left: 50, right: 51, value: 1, run: 1 },
    { left: 99, right: 100, value: 2, run: 2 },
  ]);
});

test("every pixel of a band shows the value that is there, or that there are several", () => {
  let state = 3;
  const chance = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let round = 0; round < 300; round++) {
    const count = 1 + Math.floor(chance() * 60);
    const width = 30;
    const texts = Array.from({ length: count }, () => String(Math.floor(chance() * 3)));
    const places = Array.from({ length: count }, () => chance() * width).sort((a, b) => a - b);
    const { runs } = of(texts);
    const spans = spansOf(runs, (row) => places[row] ?? 0, width);
    const covers = runs.map(({ from, to, value }) => {
      const left = Math.floor(places[from] ?? 0);
      return { left, right: Math.min(width, Math.max(left + 1, Math.ceil(places[to - 1] ?? 0))), value };
    });
    for (let pixel = 0; pixel < width; pixel++) {
      const there = new Set(covers.filter(({ left, right }) => pixel >= left && pixel < right).map(({ value }) => value));
      const shown = spans.filter(({ left, right }) => pixel >= left && pixel < right).map(({ value }) => value);
      expect(shown).toEqual(there.size === 0 ? [] : there.size === 1 ? [...there] : [-1]);
    }
  }
});

test("ten thousand values make no more paints than can be told apart", () => {
  const paints = Array.from({ length: 10_000 }, (_, value) => paintOf(value));
  const named = new Set(paints.slice(0, TOLD_APART).map((paint) => JSON.stringify(paint)));
  expect(named.size).toBe(TOLD_APART);
  expect(paints.slice(TOLD_APART).every((paint) => paint === OTHERS)).toBe(true);
  expect(paintOf(-1)).toBe(SEVERAL);
});

test("text is legible on every paint", () => {
  const luminance = (hex: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  for (const { colour, ink } of [OTHERS, SEVERAL, ...Array.from({ length: TOLD_APART }, (_, value) => paintOf(value))]) {
    const [a, b] = [luminance(colour), luminance(ink)];
    expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${ink} on ${colour}`).toBeGreaterThanOrEqual(4.5);
  }
});
