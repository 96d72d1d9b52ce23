/** Heat maps of the viewer: cells by strides, colours by value, pixels by cells. */
import { expect, test } from "vitest";
import { ABOVE, BELOW, cssOf, MAPS, NAN, tableOf } from "../../viewer/src/views/heatmap/colours.js";
import { finiteRange, oddOnes, placing, typedRange } from "../../viewer/src/views/heatmap/range.js";
import { codeOf, rasterOf } from "../../viewer/src/views/heatmap/raster.js";
import { shortText } from "../../viewer/src/views/heatmap/short.js";
import { axesOf, cellOf, elementsOf, indexOfCell, sliceOf } from "../../viewer/src/views/heatmap/slice.js";
import { cellSides, movedPart, showing, ticksOf, whole, zoomedPart } from "../../viewer/src/views/heatmap/view-port.js";

const SHAPE = [2, 3, 4, 5];
/** An element that tells its index. */
const told = (index: readonly number[]): number => index.reduce((sum, number) => sum * 10 + number, 0);

/** The array of these elements in an order, made by walking over all indexes. */
function arrayIn(order: "c" | "f"): { data: Int32Array<ArrayBuffer>; shape: number[]; strides: number[] } {
  const strides = order === "c" ? [60, 20, 5, 1] : [1, 2, 6, 24];
  const data = new Int32Array(120);
  for (let a = 0; a < 2; a++) for (let b = 0; b < 3; b++) for (let c = 0; c < 4; c++) for (let d = 0; d < 5; d++) data[a * (strides[0] ?? 0) + b * (strides[1] ?? 0) + c * (strides[2] ?? 0) + d * (strides[3] ?? 0)] = told([a, b, c, d]);
  return { data, shape: SHAPE, strides };
}

test("any two axes of an Item of either order give the cells of those indexes", () => {
  for (const order of ["c", "f"] as const) {
    for (let rows = 0; rows < 4; rows++) {
      for (let columns = 0; columns < 4; columns++) {
        if (rows === columns) continue;
        const axes = axesOf(SHAPE, { rows: String(rows), columns: String(columns), index: "1,2,3,4" });
        const slice = sliceOf(arrayIn(order), axes);
        expect([slice.rows, slice.columns]).toEqual([SHAPE[rows], SHAPE[columns]]);
        const expected: number[] = [];
        for (let row = 0; row < slice.rows; row++) {
          for (let column = 0; column < slice.columns; column++) {
            const index = [1, 2, 3, 4].map((number, axis) => (axis === rows ? row : axis === columns ? column : number));
            expect(indexOfCell(axes, row, column)).toEqual(index);
            expect(cellOf(slice, row, column)).toBe(told(index));
            expected.push(told(index));
          }
        }
        expect(elementsOf(slice)).toEqual(Int32Array.from(expected));
      }
    }
  }
});

test("axes that the address does not name, or names wrongly, are the last two at the beginning of the others", () => {
  expect(axesOf(SHAPE, {})).toEqual({ rows: 2, columns: 3, index: [0, 0, 0, 0] });
  expect(axesOf(SHAPE, { rows: "9", columns: "x", index: "9,-1,y" })).toEqual({ rows: 2, columns: 3, index: [1, 0, 0, 0] });
  expect(axesOf(SHAPE, { rows: "3" })).toEqual({ rows: 3, columns: 2, index: [0, 0, 0, 0] });
  expect(axesOf(SHAPE, { columns: "2" })).toEqual({ rows: 3, columns: 2, index: [0, 0, 0, 0] });
  expect(axesOf([7], {})).toEqual({ rows: undefined, columns: 0, index: [0] });
  expect(axesOf([], {})).toEqual({ rows: undefined, columns: undefined, index: [] });
  const vector = sliceOf({ data: Float32Array.of(1, 2, 3), shape: [3], strides: [1] }, axesOf([3], {}));
  expect([vector.rows, vector.columns, cellOf(vector, 0, 2)]).toEqual([1, 3, 3]);
  const scalar = sliceOf({ data: BigInt64Array.of(-5n), shape: [], strides: [] }, axesOf([], {}));
  expect([scalar.rows, scalar.columns, cellOf(scalar, 0, 0)]).toEqual([1, 1, -5n]);
  expect(elementsOf(sliceOf({ data: new Float64Array(0), shape: [0, 4], strides: [4, 1] }, axesOf([0, 4], {})))).toEqual(new Float64Array(0));
});

test("ranges are those of the finite values, and of 64-bit integers exact", () => {
  expect(finiteRange(Float64Array.of(Number.NaN, Infinity, 2, -3, -Infinity))).toEqual({ least: -3, greatest: 2 });
  expect(finiteRange(Float32Array.of(Number.NaN, Infinity))).toBeUndefined();
  expect(finiteRange(BigUint64Array.of(2n ** 64n - 1n, 2n ** 64n - 2n))).toEqual({ least: 2n ** 64n - 2n, greatest: 2n ** 64n - 1n });
  expect(oddOnes(Float64Array.of(Number.NaN, Number.NaN, Infinity, -Infinity, 0))).toEqual({ nan: 2, above: 1, below: 1 });
  expect(oddOnes(Uint8Array.of(1))).toEqual({ nan: 0, above: 0, below: 0 });
  expect(typedRange("-1.5", "1e3")).toEqual({ least: -1.5, greatest: 1000 });
  for (const [least, greatest] of [["1", "1"], ["2", "1"], ["", "1"], ["x", "1"], [undefined, "1"], ["0", "Infinity"]]) expect(typedRange(least, greatest)).toBeUndefined();
});

test("a value's place is its share of the range, and beyond the ends it is the end", () => {
  const place = placing({ least: 0, greatest: 10 });
  expect([-1, 0, 5, 10, 11].map(place)).toEqual([0, 0, 128, 255, 255]);
  // The difference of these ends is no double.
  expect([-1.7e308, 0, 1.7e308].map(placing({ least: -1.7e308, greatest: 1.7e308 }))).toEqual([0, 128, 255]);
  const exact = placing({ least: 2n ** 60n, greatest: 2n ** 60n + 2n });
  expect([2n ** 60n, 2n ** 60n + 1n, 2n ** 60n + 2n].map(exact)).toEqual([0, 128, 255]);
  expect(placing({ least: 3, greatest: 3 })(3)).toBe(128);
  expect([Number.NaN, Infinity, -Infinity, undefined].map((value) => codeOf(value, place))).toEqual([NAN, ABOVE, BELOW, NAN]);
});

test("maps grow lighter from end to end, so that they work without hues", () => {
  for (const name of MAPS) {
    const table = tableOf(name);
    const lightness = (at: number): number => {
      const [red = 0, green = 0, blue = 0] = (cssOf(table[at] ?? 0).match(/\d+/g) ?? []).map((text) => (Number(text) / 255) ** 2.2);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    for (let at = 1; at < 256; at++) expect(lightness(at)).toBeGreaterThanOrEqual(lightness(at - 1) - 0.002);
    expect(new Set([NAN, ABOVE, BELOW].map((at) => table[at])).size).toBe(3);
  }
  // Ends of the published maps.
  expect([cssOf(tableOf("viridis")[0] ?? 0), cssOf(tableOf("viridis")[255] ?? 0)]).toEqual(["rgb(68, 1, 84)", "rgb(253, 231, 37)"]);
  expect([cssOf(tableOf("cividis")[0] ?? 0), cssOf(tableOf("cividis")[255] ?? 0)]).toEqual(["rgb(0, 34, 78)", "rgb(254, 232, 56)"]);
});

test("a pixel shows its cell, or that of several which the rule says", () => {
  const slice = sliceOf({ data: Float64Array.of(1, 9, 2, Number.NaN, 3, Number.NaN, 5, 4, Number.NaN, Infinity, 7, 8), shape: [2, 6], strides: [6, 1] }, axesOf([2, 6], {}));
  // Places are the values themselves, and so are the colours.
  const look = { place: (value: number | bigint) => Number(value), table: Uint32Array.from({ length: 259 }, (_, at) => at) };
  const pixels = (width: number, height: number, pick: "greatest" | "least" | "nearest"): number[] => [...rasterOf(slice, whole(2, 6), width, height, { ...look, pick }).pixels];
  expect(pixels(100, 100, "least")).toEqual([1, 9, 2, NAN, 3, NAN, 5, 4, NAN, ABOVE, 7, 8]);
  expect(pixels(3, 2, "greatest")).toEqual([9, 2, 3, 5, ABOVE, 8]);
  expect(pixels(3, 2, "least")).toEqual([1, 2, 3, 4, ABOVE, 7]);
  expect(pixels(3, 2, "nearest")).toEqual([9, NAN, NAN, 4, ABOVE, 8]);
  expect(pixels(1, 1, "greatest")).toEqual([ABOVE]);
  expect([...rasterOf(slice, { top: 1, left: 0, bottom: 2, right: 2 }, 9, 9, { ...look, pick: "least" }).pixels]).toEqual([5, 4]);
});

test("zooming and moving stay within the cells, and a step of zooming changes something", () => {
  const all = whole(100, 200);
  const half = zoomedPart(all, 50, 100, 0.5, 100, 200);
  expect(half).toEqual({ top: 25, left: 50, bottom: 75, right: 150 });
  let part = all;
  for (let step = 0; step < 40; step++) {
    part = zoomedPart(part, 99, 0, 0.7, 100, 200);
    expect(part.top >= 0 && part.bottom <= 100 && part.left >= 0 && part.right <= 200).toBe(true);
    expect(part.top <= 99 && part.bottom > 99 && part.left <= 0 && part.right > 0).toBe(true);
  }
  expect(part).toEqual({ top: 99, left: 0, bottom: 100, right: 1 });
  for (let step = 0; step < 40; step++) part = zoomedPart(part, 99, 0, 1 / 0.7, 100, 200);
  expect(part).toEqual(all);
  expect(movedPart(half, 1000, -1000, 100, 200)).toEqual({ top: 50, left: 0, bottom: 100, right: 100 });
  expect(showing(half, 10, 160, 100, 200)).toEqual({ top: 10, left: 61, bottom: 60, right: 161 });
  expect(showing(half, 30, 60, 100, 200)).toBe(half);
});

test("cells are square unless that wastes the room, and ticks are round", () => {
  expect(cellSides(whole(10, 20), 400, 400)).toEqual([20, 20]);
  expect(cellSides(whole(1, 4000), 400, 300)).toEqual([0.1, 56]);
  expect(cellSides(whole(1, 1), 400, 300)).toEqual([56, 56]);
  expect(ticksOf(0, 8, 48, 20)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(ticksOf(0, 2000, 0.2, 42)).toEqual([0, 500, 1000, 1500]);
  expect(ticksOf(95, 131, 10, 40)).toEqual([95, 100, 105, 110, 115, 120, 125, 130]);
});

test("cells write values exactly where they fit, and never one whole number for another", () => {
  expect([1024, -0, Number.NaN, -Infinity, 0.25, 2_097_151].map((value) => shortText(value, "f64"))).toEqual(["1024", "-0", "NaN", "-Inf", "0.25", "2097151"]);
  expect(shortText(Math.fround(0.1), "f32")).toBe("0.1");
  expect([0.123456789, -0.98765432, 1234.5678, 12_345_678, 1.2345e-20].map((value) => shortText(value, "f64"))).toEqual(["0.12346", "-0.9877", "1234.6", "1.235e7", "1.2e-20"]);
  expect(shortText(18_446_744_073_709_551_615n, "u64")).toBe("1.84e19");
});
