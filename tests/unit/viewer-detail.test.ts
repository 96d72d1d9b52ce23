/** How many points the viewer draws while they move, and in which order: on machines of which each test says how fast they are. */
import { expect, test } from "vitest";
import { Detail } from "../../viewer/src/views/space/detail.js";
import { inShuffledOrder, shuffled } from "../../viewer/src/views/space/order.js";

const POINTS = 100_000;

/** Moves for so many frames on a machine; one of how many points was drawn in each, and what it took. */
function moved(detail: Detail, frames: number, takes: (points: number, frame: number) => number, points = POINTS): { readonly parts: number[]; readonly ms: number[] } {
  const [parts, ms]: [number[], number[]] = [[], []];
  detail.begin();
  for (let frame = 0; frame < frames; frame++) {
    const part = detail.partOf(points);
    const took = takes(points / part, frame);
    parts.push(part);
    ms.push(took);
    detail.took(took, points);
  }
  return { parts, ms };
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Infinity;
/** A screen of 60 frames a second, and drawing that takes so many microseconds a point. */
const drawing = (us: number) => (points: number): number => Math.max(1000 / 60, (points * us) / 1000);

test("where drawing is quick, all points are drawn in every frame", () => {
  const { parts } = moved(new Detail(), 200, drawing(0.1));
  expect(new Set(parts)).toEqual(new Set([1]));
});

test.each([0.5, 1, 2, 5, 10])("where a point takes %d µs, frames are smooth after a few", (us) => {
  const { parts, ms } = moved(new Detail(), 60, drawing(us));
  expect(parts[0]).toBe(1);
  expect(median(ms)).toBeLessThan(40);
  expect(Math.max(...ms.slice(12))).toBeLessThanOrEqual(40);
  // As many as are smooth, and no fewer by more than two halvings.
  expect(ms.at(-1)).toBeGreaterThan(1000 / 60 - 1);
  const last = parts.at(-1) ?? 0;
  expect((POINTS / (last / 4)) * us).toBeGreaterThan(40_000);
});

test("a slow frame now and then changes nothing", () => {
  const { parts } = moved(new Detail(), 200, (points, frame) => (frame % 5 === 4 ? 300 : drawing(0.1)(points)));
  expect(new Set(parts)).toEqual(new Set([1]));
});

test("where fewer points do not make frames quicker, all are drawn, and stay", () => {
  const { parts } = moved(new Detail(), 60, () => 90);
  expect(Math.max(...parts)).toBeGreaterThan(1);
  expect(new Set(parts.slice(-40))).toEqual(new Set([1]));
});

test("what was learnt holds for the next motion; where that was easy, more is tried", () => {
  const detail = new Detail();
  const first = moved(detail, 60, drawing(1)).parts.at(-1) ?? 0;
  expect(first).toBeGreaterThan(1);
  expect(moved(detail, 60, drawing(1)).parts[0]).toBeLessThanOrEqual(first);
  // The machine is free again.
  let last = first;
  for (let motion = 0; motion < 6; motion++) last = moved(detail, 60, drawing(0.01)).parts.at(-1) ?? 0;
  expect(last).toBe(1);
});

test("few points are always drawn whole, and no fewer than 2,000 of many", () => {
  expect(new Set(moved(new Detail(), 60, () => 500, 3999).parts)).toEqual(new Set([1]));
  const detail = new Detail();
  moved(detail, 60, (points) => 50 + points);
  expect(POINTS / detail.partOf(POINTS)).toBeGreaterThanOrEqual(2000);
  expect(detail.partOf(1000)).toBe(1);
});

test("the order is one of all points, always the same, and each beginning of it an even sample", () => {
  const order = shuffled(POINTS);
  expect(Uint32Array.from(order).sort()).toEqual(Uint32Array.from({ length: POINTS }, (_, at) => at));
  const before = order.slice();
  shuffled(7);
  expect(shuffled(POINTS)).toEqual(before);
  for (const part of [2, 4, 8, 32]) {
    const beginning = order.subarray(0, POINTS / part);
    // Shares of 20 stretches of the index, and of 8 residues, which rows of a sensor would be: within five standard deviations.
    for (const [groups, of] of [[20, (at: number) => Math.floor((at * 20) / POINTS)], [8, (at: number) => at % 8]] as const) {
      const counts = new Array<number>(groups).fill(0);
      for (const at of beginning) counts[of(at)] = (counts[of(at)] ?? 0) + 1;
      const expected = beginning.length / groups;
      for (const count of counts) expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected));
    }
  }
});

test("places and colours of points keep together, and of those that cannot be drawn there are none", () => {
  const positions = Float32Array.from({ length: 3 * 50 }, (_, at) => at);
  const colours = Uint8Array.from({ length: 4 * 50 }, (_, at) => at);
  const drawn = Uint32Array.from([0, 3, 7, 8, 20, 49]);
  const made = inShuffledOrder(positions, colours, drawn);
  const points = Array.from({ length: drawn.length }, (_, at) => (made.positions[3 * at] ?? 0) / 3);
  expect(points.toSorted((a, b) => a - b)).toEqual([...drawn]);
  points.forEach((point, at) => {
    expect([...made.positions.subarray(3 * at, 3 * at + 3)]).toEqual([3 * point, 3 * point + 1, 3 * point + 2]);
    expect([...made.colours.subarray(4 * at, 4 * at + 4)]).toEqual([4 * point, 4 * point + 1, 4 * point + 2, 4 * point + 3].map((byte) => byte % 256));
  });
});
