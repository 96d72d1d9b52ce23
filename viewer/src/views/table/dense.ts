/** Dense Items as tables: one axis down, one across, the others held at an index. Which ones is a person's choice. */
import type { AnyTypedArray, DenseArray } from "dreamdb-arrays";
import { valueText } from "../../data/numbers.js";
import { rowByNumber, widthOf } from "../../ui/grid/model.js";
import { indexText, linesOf, type TableModel, withUnits } from "./model.js";

/** Which elements of an Item are looked at. */
export interface Slice {
  /** Axis that goes down; `undefined` of a scalar. */
  readonly down: number | undefined;
  /** Axis that goes across; `undefined` below rank two. */
  readonly across: number | undefined;
  /** An index along every axis; it counts along those that go neither down nor across. */
  readonly index: readonly number[];
}

/** The slice that the choices `rows`, `columns` and `at` say; the last two axes unless they say so. */
export function sliceOf(shape: readonly number[], { rows, columns, at }: Readonly<Record<string, string>>): Slice {
  const rank = shape.length;
  const axis = (text: string | undefined): number | undefined => (text !== undefined && /^\d{1,3}$/.test(text) && Number(text) < rank ? Number(text) : undefined);
  const given = (at ?? "").split(",").map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0));
  const index = shape.map((extent, axis) => Math.min(given[axis] ?? 0, Math.max(0, extent - 1)));
  if (rank < 2) return { down: rank === 1 ? 0 : undefined, across: undefined, index };
  const chosen = axis(columns);
  const down = axis(rows) ?? (chosen === rank - 2 ? rank - 1 : rank - 2);
  const across = chosen !== undefined && chosen !== down ? chosen : down === rank - 1 ? rank - 2 : rank - 1;
  return { down, across, index };
}

/** Axes that the slice holds at an index. */
export function heldAxes(rank: number, { down, across }: Slice): number[] {
  return Array.from({ length: rank }, (_, axis) => axis).filter((axis) => axis !== down && axis !== across);
}

/** `slice time 3, depth 0`; `Item` if it is all of it. */
export function sliceText(names: readonly string[], slice: Slice): string {
  const held = heldAxes(names.length, slice);
  if (held.length === 0) return "Item";
  return `slice ${indexText(held.map((axis) => slice.index[axis] ?? 0), held.map((axis) => names[axis] ?? ""))}`;
}

/** The elements of a slice as an array of their own, and what its axes are; the Item itself if it is all of it, in its order. */
export function slicedArray(item: DenseArray, slice: Slice, names: readonly string[]): { readonly array: DenseArray; readonly axes: readonly string[] } {
  const { down, across } = slice;
  const isAll = heldAxes(item.shape.length, slice).length === 0 && (across === undefined || (down ?? 0) < across);
  if (isAll) {
    const { family, dtype, data, shape, strides, order } = item;
    return { array: { family, dtype, data, shape, strides, order }, axes: names };
  }
  const [rows, columns] = [extent(item, down), extent(item, across)];
  const place = placing(item, slice);
  const data = new (item.data.constructor as new (length: number) => AnyTypedArray)(rows * columns);
  for (let row = 0, at = 0; row < rows; row++) for (let column = 0; column < columns; column++, at++) data[at] = item.data[place(row, column)] ?? 0;
  const array: DenseArray = { family: "dense-array", dtype: item.dtype, data, shape: [rows, columns], strides: [columns, 1], order: "c" };
  return { array, axes: [names[down ?? 0] ?? "", names[across ?? 1] ?? ""] };
}

/** The slice as a table. `names` are those of the axes, `units` as declared. */
export function denseTable(item: DenseArray, names: readonly string[], units: string, slice: Slice): TableModel {
  const { down, across } = slice;
  const [rows, columns] = [extent(item, down), extent(item, across)];
  const { data, dtype } = item;
  const place = placing(item, slice);
  const [rowAxis, columnAxis] = [down === undefined ? "" : (names[down] ?? ""), across === undefined ? "" : (names[across] ?? "")];
  const cell = (row: number, column: number): string => valueText(data[place(row, column)] ?? NaN, dtype);
  const nameOf = (column: number): string => withUnits(across === undefined ? "value" : String(column), units);
  const grid = {
    rows,
    columns,
    corner: [rowAxis, columnAxis].filter((name) => name !== "").join(" \\ ") || "scalar",
    rowName: (row: number) => (down === undefined ? "value" : String(row)),
    columnName: nameOf,
    place(row: number, column: number) {
      const axes = [down, across].flatMap((axis) => (axis === undefined ? [] : [axis]));
      return axes.length === 0 ? "value" : indexText([row, column].slice(0, axes.length), axes.map((axis) => names[axis] ?? ""));
    },
    cell,
    width: widthOf(rows * columns, (at) => cell(Math.floor(at / columns), at % columns), columns === 0 ? [] : [nameOf(columns - 1)]),
    headWidth: String(rows).length,
    find: rowByNumber(rows),
  };
  return {
    ...grid,
    get names() {
      const columnNames = Array.from({ length: columns }, (_, column) => withUnits(across === undefined ? "value" : `${columnAxis} ${column}`, units));
      return down === undefined ? columnNames : [rowAxis, ...columnNames];
    },
    lines: () => (down === undefined ? [[cell(0, 0)]] : linesOf(grid)),
  };
}

function extent({ shape }: DenseArray, axis: number | undefined): number {
  return axis === undefined ? 1 : (shape[axis] ?? 0);
}

/** Place of the element at a row and a column, by the array's strides. */
function placing({ shape, strides }: DenseArray, slice: Slice): (row: number, column: number) => number {
  const { down, across, index } = slice;
  const start = heldAxes(shape.length, slice).reduce((sum, axis) => sum + (index[axis] ?? 0) * (strides[axis] ?? 0), 0);
  const [rowStride, columnStride] = [down === undefined ? 0 : (strides[down] ?? 0), across === undefined ? 0 : (strides[across] ?? 0)];
  return (row, column) => start + row * rowStride + column * columnStride;
}
