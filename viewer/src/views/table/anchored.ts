/** Fields as tables along their anchors: scalar columns, and dense fields whose Items are small enough to be a line each. */
import type { DenseArray, ScalarColumn, ScalarType } from "dreamdb-arrays";
import { lowerBound } from "../../data/anchors.js";
import { valueText } from "../../data/numbers.js";
import { widthOf } from "../../ui/grid/model.js";
import { linesOf, type TableModel, withUnits } from "./model.js";
import { elementNames } from "./structured.js";

/** Elements of an Item that is shown as a line, at most. */
export const LINE_UP_TO = 64;

/** An Item as it was read for its line; or why there is none. */
export type Line = { readonly array: DenseArray } | { readonly without: string };

/** Goes to the Item at an anchor, or to the one before it. */
function byAnchor(anchors: BigUint64Array): (text: string) => number | undefined {
  return (text) => {
    const digits = text.replaceAll(/[\s_,]/g, "");
    if (!/^\d{1,20}$/.test(digits) || anchors.length === 0) return undefined;
    return Math.max(0, lowerBound(anchors, BigInt(digits) + 1n) - 1);
  };
}

function headWidthOf(anchors: BigUint64Array): number {
  return String(anchors.at(-1) ?? "").length;
}

/** Anchor and value of each row of a scalar column. */
export function scalarTable({ valueType, anchors, values }: ScalarColumn<ScalarType>): TableModel {
  const cell = (row: number): string => (valueType === "bool" ? String(values[row] === 1) : valueText(values[row] ?? ""));
  const grid = {
    rows: anchors.length,
    columns: 1,
    isText: () => valueType === "categorical" || valueType === "string",
    corner: "anchor",
    rowName: (row: number) => String(anchors[row] ?? ""),
    columnName: () => "value",
    place: (row: number) => `anchor ${anchors[row] ?? ""}`,
    cell,
    width: widthOf(anchors.length, cell),
    headWidth: headWidthOf(anchors),
    find: byAnchor(anchors),
  };
  return { ...grid, names: ["anchor", "value"], lines: () => linesOf(grid) };
}

/** What a field's lines have in common. */
export interface LinesOf {
  readonly anchors: BigUint64Array;
  readonly shape: readonly number[];
  readonly dtype: DenseArray["dtype"];
  /** Names of the axes. */
  readonly names: readonly string[];
  readonly units: string;
  /** The Item of a row; `undefined` while it is being read. */
  line(row: number): Line | undefined;
}

/** A line for each anchor, of the elements of its Item in C order. Those of the rows from `first` to `last` are what is exported. */
export function windowTable({ anchors, shape, dtype, names, units, line }: LinesOf, [first, last]: readonly [number, number]): TableModel {
  const elements = elementNames(shape, names, units);
  const bare = elementNames(shape, names, "none");
  const headers = shape.length < 2 ? elements.map((name, at) => (shape.length === 0 ? name : withUnits(String(at), units))) : elements;
  const grid = {
    rows: anchors.length,
    columns: elements.length,
    corner: shape.length === 1 ? `anchor \\ ${names[0] ?? ""}` : "anchor",
    rowName: (row: number) => String(anchors[row] ?? ""),
    columnName: (at: number) => headers[at] ?? "",
    place: (row: number, at: number) => `anchor ${anchors[row] ?? ""}${shape.length === 0 ? "" : `, ${bare[at] ?? ""}`}`,
    cell(row: number, at: number) {
      const read = line(row);
      if (read === undefined) return undefined;
      return "without" in read ? (at === 0 ? read.without : "") : valueText(read.array.data[placeOf(at, read.array)] ?? NaN, dtype);
    },
    width: Math.max(WIDTHS[dtype], ...headers.map(({ length }) => Math.min(24, length))),
    headWidth: headWidthOf(anchors),
    find: byAnchor(anchors),
  };
  return {
    ...grid,
    names: ["anchor", ...elements],
    *lines() {
      for (let row = first; row <= last; row++) yield [grid.rowName(row), ...elements.map((_, at) => grid.cell(row, at) ?? "")];
    },
  };
}

/** Characters that any value of a dtype has room in; those of f64 are cut when they are longer than most. */
const WIDTHS: Readonly<Record<DenseArray["dtype"], number>> = { f32: 14, f64: 20, i8: 6, u8: 6, i16: 6, u16: 6, i32: 11, u32: 10, i64: 20, u64: 20 };

/** Where the element at a place of C order lies. */
export function placeOf(at: number, { shape, strides }: Pick<DenseArray, "shape" | "strides">): number {
  let [place, rest] = [0, at];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis] ?? 1;
    place += (rest % extent) * (strides[axis] ?? 0);
    rest = Math.floor(rest / extent);
  }
  return place;
}
