/** Tables of Items, sparse plots and exported text, against values worked out here. */
import { describe, expect, it } from "vitest";
import type { ArrayFieldInfo, CsrArray, DenseArray, RaggedArray } from "dreamdb-arrays";
import { csvPieces, tsvOf } from "../../viewer/src/data/csv.js";
import { axisNames, exactJson, raggedNames } from "../../viewer/src/data/describe.js";
import { fileName } from "../../viewer/src/data/file-name.js";
import { valueText } from "../../viewer/src/data/numbers.js";
import { binned, binOf, cellsOf, firstIn, plotOf, storedAt, storedOf } from "../../viewer/src/views/csr/bins.js";
import { movedCell } from "../../viewer/src/views/csr/cursor.js";
import { lengthsOf } from "../../viewer/src/views/ragged/lengths.js";
import { listOf, rowStart } from "../../viewer/src/views/ragged/list.js";
import { denseTable, slicedArray, sliceOf, sliceText } from "../../viewer/src/views/table/dense.js";
import { cellsTable, csrTable, raggedTable, rowFinder } from "../../viewer/src/views/table/structured.js";

/** `[2, 3, 4]` in either order: element i, j, k is 100 i + 10 j + k. */
function cube(order: "c" | "f"): DenseArray<"i16"> {
  const data = new Int16Array(24);
  const strides = order === "c" ? [12, 4, 1] : [1, 2, 6];
  for (let i = 0; i < 2; i++) for (let j = 0; j < 3; j++) for (let k = 0; k < 4; k++) data[i * (strides[0] ?? 0) + j * (strides[1] ?? 0) + k * (strides[2] ?? 0)] = 100 * i + 10 * j + k;
  return { family: "dense-array", dtype: "i16", data, shape: [2, 3, 4], strides, order };
}

describe("dense Items", () => {
  it.each(["c", "f"] as const)("in order %s are the same table", (order) => {
    const table = denseTable(cube(order), ["t", "y", "x"], "m", sliceOf([2, 3, 4], { at: "1,0,0" }));
    expect([...table.lines()]).toEqual([0, 10, 20].map((y, row) => [String(row), ...[0, 1, 2, 3].map((x) => String(100 + y + x))]));
    expect(table.names).toEqual(["y", "x 0 [m]", "x 1 [m]", "x 2 [m]", "x 3 [m]"]);
    const across = denseTable(cube(order), ["t", "y", "x"], "none", sliceOf([2, 3, 4], { rows: "2", columns: "0", at: "0,2,0" }));
    expect([...across.lines()]).toEqual([0, 1, 2, 3].map((x) => [String(x), String(20 + x), String(120 + x)]));
    const { array, axes } = slicedArray(cube(order), sliceOf([2, 3, 4], { rows: "2", columns: "0", at: "0,2,0" }), ["t", "y", "x"]);
    expect([array.data, array.shape, axes]).toEqual([Int16Array.of(20, 120, 21, 121, 22, 122, 23, 123), [4, 2], ["x", "t"]]);
  });

  it("choices that fit no axis are none", () => {
    expect(sliceOf([2, 3, 4], { rows: "9", columns: "x", at: "7,-1,9" })).toEqual({ down: 1, across: 2, index: [1, 0, 3] });
    expect(sliceOf([2, 3], { rows: "1", columns: "1" })).toMatchObject({ down: 1, across: 0 });
    expect(sliceOf([2, 3], { columns: "0" })).toMatchObject({ down: 1, across: 0 });
    expect(sliceOf([], {})).toMatchObject({ down: undefined, across: undefined });
    expect(sliceText(["t", "y", "x"], sliceOf([2, 3, 4], { at: "1" }))).toBe("slice t 1");
    expect(sliceText(["y", "x"], sliceOf([2, 3], {}))).toBe("Item");
  });
});

const ragged: RaggedArray = { family: "ragged-array", kind: "ragged-array", dtype: "f32", rowOffsets: BigUint64Array.of(0n, 2n, 2n, 3n), values: Float32Array.of(1, 2, 3, 4, 0.1, -0), innerShape: [2] };

describe("ragged Items", () => {
  it("have rows as long as they are", () => {
    const table = raggedTable(ragged, { row: "row", cell: "cell", inner: ["xy"] }, "m");
    expect([table.rows, table.columns]).toEqual([3, 2]);
    expect([table.cell(0, 0), table.cell(0, 1), table.cell(1, 0), table.cell(2, 0), table.cell(2, 1)]).toEqual(["(1, 2)", "(3, 4)", "", "(0.1, -0)", ""]);
    expect([...table.lines()]).toEqual([["0", "0", "1", "2"], ["0", "1", "3", "4"], ["2", "0", "0.1", "-0"]]);
    expect(rowStart(ragged, 0)).toEqual({ cells: 2, begin: "(1, 2), (3, 4)" });
  });

  it.each([
    ["ring,point,xyz", [3n], "ring", "point", ["xyz"]],
    [" ring , point , xyz ", [3n], "ring", "point", ["xyz"]],
    ["ring,point", [], "ring", "point", []],
    ["ring,point,y,x", [2n, 3n], "ring", "point", ["y", "x"]],
    // As many as a cell has extents: those of a cell.
    ["xyz", [3n], "row", "cell", ["xyz"]],
    ["y,x", [2n, 3n], "row", "cell", ["y", "x"]],
    // Any other number says nothing: it may be rows or cells that are left out.
    ["point,xyz", [3n], "row", "cell", ["axis 0"]],
    ["ring,point,y,x", [3n], "row", "cell", ["axis 0"]],
    ["ring", [], "row", "cell", []],
    ["ring,,xyz", [3n], "row", "cell", ["axis 0"]],
    ["none", [2n, 3n], "row", "cell", ["axis 0", "axis 1"]],
    ["none", [], "row", "cell", []],
    ["a\u202eb,point,xyz", [3n], "a\\u202eb", "point", ["xyz"]],
  ] as const)("with the axis order %j and cells of %o have the names that it says", (axisOrder, innerShape, row, cell, inner) => {
    const info = { family: "ragged-array", innerShape, type: { axisOrder } } as unknown as ArrayFieldInfo;
    expect(raggedNames(info)).toEqual({ row, cell, inner });
    expect(axisNames(info)).toEqual(inner);
  });

  it("have declared names wherever a row, a cell or an element is named", () => {
    const names = { row: "ring", cell: "point", inner: ["xy"] };
    const table = raggedTable(ragged, names, "m");
    expect(table.names).toEqual(["ring", "point", "xy 0 [m]", "xy 1 [m]"]);
    expect([table.corner, table.columnName(1), table.place(2, 0)]).toEqual(["ring \\ point", "point 1 [m]", "ring 2, point 0"]);
    const one = cellsTable({ data: Float32Array.of(1, 2, 3, 4), dtype: "f32", cells: 2 }, [2], names, "m");
    expect(one.names).toEqual(["point", "xy 0 [m]", "xy 1 [m]"]);
    expect([one.corner, one.columnName(1), one.place(1, 0)]).toEqual(["point", "xy 1 [m]", "point 1, xy 0"]);
    const scalars = cellsTable({ data: Float32Array.of(1, 2), dtype: "f32", cells: 2 }, [], { row: "ring", cell: "point", inner: [] }, "none");
    expect([scalars.names, scalars.place(1, 0)]).toEqual([["point", "value"], "point 1"]);
    const list = listOf(3, "ring", () => undefined);
    expect([list.corner, list.place(2, 0)]).toEqual(["ring", "ring 2, cells"]);
  });

  it("lengths are counted exactly, in bins of whole lengths", () => {
    expect(lengthsOf(ragged.rowOffsets)).toMatchObject({ rows: 3, cells: 3, least: 0, greatest: 2, empty: 1, bins: [{ from: 0, to: 0, count: 1 }, { from: 1, to: 1, count: 1 }, { from: 2, to: 2, count: 1 }] });
    const offsets = new BigUint64Array(1001);
    for (let row = 0; row < 1000; row++) offsets[row + 1] = (offsets[row] ?? 0n) + BigInt(row % 100);
    const { bins } = lengthsOf(offsets);
    expect(bins.length).toBeLessThanOrEqual(40);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    for (const { from, to, count } of bins) expect(count).toBe(10 * (to - from + 1));
    expect(lengthsOf(BigUint64Array.of(0n))).toMatchObject({ rows: 0, bins: [] });
  });
});

const HUGE = (1n << 64n) - 1n;
const matrix: CsrArray = {
  family: "sparse-csr", kind: "sparse-csr", dtype: "f64", shape: [4n, HUGE],
  rowOffsets: BigUint64Array.of(0n, 0n, 2n, 2n, 3n), columnIndices: BigUint64Array.of(0n, HUGE - 1n, 1n << 63n), values: Float64Array.of(0, -2, NaN),
};

describe("sparse matrices", () => {
  it("are their stored elements", () => {
    expect([...csrTable(matrix, ["row", "column"], "N").lines()]).toEqual([["1", "0", "0"], ["1", String(HUGE - 1n), "-2"], ["3", String(1n << 63n), "NaN"]]);
    expect([2, 0, 1].map(rowFinder(matrix.rowOffsets))).toEqual([3, 1, 1]);
    expect(storedOf(matrix)).toMatchObject({ stored: 3, zeros: 1, nan: 1 });
    expect([storedAt(matrix, 1, HUGE - 1n), storedAt(matrix, 1, 5n), storedAt(matrix, 0, 0n)]).toEqual([1, undefined, undefined]);
  });

  it("are binned by their u64 columns", () => {
    const plot = plotOf(matrix.shape, 400, 300);
    expect([plot.down, plot.across, plot.width]).toEqual([4, 400, 400]);
    const { counts, peaks, most, greatest } = binned(matrix, plot);
    expect([...counts.entries()].filter(([, count]) => count > 0)).toEqual([[400, 1], [799, 1], [3 * 400 + 200, 1]]);
    expect([peaks[799], peaks[1400], most, greatest]).toEqual([2, NaN, 1, 2]);
    expect(firstIn(matrix, plot, 1, 399)).toEqual([1, HUGE - 1n]);
    expect(firstIn(matrix, plot, 0, 0)).toBeUndefined();
  });

  it("each cell is in one bin, and bins tell their cells", () => {
    for (const [extent, bins] of [[10n, 3], [7n, 7], [1n << 40n, 640], [HUGE, 333]] as const) {
      let next = 0n;
      for (let bin = 0; bin < bins; bin++) {
        const [start, end] = cellsOf(bin, extent, bins);
        expect(start).toBe(next);
        expect([binOf(start, extent, bins), binOf(end - 1n, extent, bins)]).toEqual([bin, bin]);
        next = end;
      }
      expect(next).toBe(extent);
    }
  });

  it("keys go from stored element to stored element", () => {
    const plot = plotOf(matrix.shape, 400, 300);
    const go = (row: bigint, column: bigint, key: string, isShift = false) => movedCell(matrix, plot, { row, column }, key, isShift);
    expect(go(0n, 5n, "PageDown")).toEqual({ row: 1n, column: 0n });
    expect(go(1n, 0n, "PageDown")).toEqual({ row: 1n, column: HUGE - 1n });
    expect(go(3n, 1n << 63n, "PageUp")).toEqual({ row: 1n, column: HUGE - 1n });
    expect(go(3n, 1n << 63n, "PageDown")).toEqual({ row: 3n, column: 1n << 63n });
    expect(go(0n, HUGE - 1n, "ArrowRight")).toEqual({ row: 0n, column: HUGE - 1n });
    expect(go(0n, 0n, "ArrowRight", true)).toEqual({ row: 0n, column: HUGE / 400n });
  });
});

describe("exported text", () => {
  it("is CSV that begins no formula, and numbers as they are", () => {
    const cells = ["=1+1", "+x", "-x", "@a", "\t=1", " =1", "\n=1", "＝1", "-1.5", "-1e-7", "+2", "-Inf", "NaN", 'a"b', "a,b", "a\nb", "ordinary"];
    const text = csvPieces(["n"], cells.map((cell) => [cell])).join("");
    expect(text.split(/\r\n(?=')|\r\n/)[0]).toBe("n");
    for (const cell of ["'=1+1", "'+x", "'-x", "'@a", "'\t=1", "' =1", '"\'\n=1"', "'＝1", "-1.5", "-1e-7", "+2", "-Inf", "NaN", '"a""b"', '"a,b"', '"a\nb"', "ordinary"]) {
      expect(text).toContain(`\r\n${cell}\r\n`);
    }
    expect(csvPieces(["a"], [[""]]).join("")).toBe('a\r\n""\r\n');
    expect(tsvOf(["a", "b"], [["=x", "1\t2"]])).toBe("a\tb\n'=x\t1 2");
  });

  it("is made in pieces of bounded size", () => {
    const pieces = csvPieces(["n"], Array.from({ length: 300_000 }, (_, at) => [String(at)]));
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_100_000);
    expect(pieces.join("").split("\r\n").slice(1, -1).map(Number).every((value, at) => value === at)).toBe(true);
  });

  it("has names that no file system minds", () => {
    const name = (field: string) => fileName({ info: { name: field }, anchor: 7n }, "csv");
    expect(name("pose")).toBe("pose_7.csv");
    expect(name("../../etc/passwd")).toBe("__.._etc_passwd_7.csv");
    expect(name("CON")).toBe("_CON_7.csv");
    expect(name("com1.txt")).toBe("_com1.txt_7.csv");
    expect(name("a\u202eb\u0000c")).toBe("a_b_c_7.csv");
    expect(name("")).toBe("field_7.csv");
    expect(name("...")).toBe("__7.csv");
    expect(name("手")).toBe("手_7.csv");
    expect(new TextEncoder().encode(name("手".repeat(500))).length).toBeLessThan(200);
    expect(fileName({ info: { name: "a" }, window: [1n, 2n] }, "npy")).toBe("a_1-2.npy");
  });

  it("has integers of any size in JSON, and texts as texts", () => {
    const text = exactJson({ big: HUGE, list: [1, undefined, "\u00005"], none: undefined, empty: [], nested: { "a\"b": true } });
    expect(text).toContain(`"big": ${HUGE}`);
    expect(JSON.parse(text)).toEqual({ big: Number(HUGE), list: [1, "\u00005"], empty: [], nested: { "a\"b": true } });
  });

  it("has the shortest f32 that gives the value back", () => {
    for (const [value, text] of [[0.1, "0.1"], [1e-45, "1e-45"], [1.17549435e-38, "1.1754944e-38"], [16_777_216, "16777216"], [3.4028234663852886e38, "3.4028235e+38"], [-2.5, "-2.5"]] as const) {
      expect(valueText(Math.fround(value), "f32")).toBe(text);
    }
  });
});
