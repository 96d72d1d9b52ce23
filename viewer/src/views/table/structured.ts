/** Ragged arrays and sparse matrices as tables. Nothing is filled in: a row ends where it ends, and what is not stored is no line. */
import type { ArrayFieldInfo, CsrArray, RaggedArray } from "dreamdb-arrays";
import { axisNames, type RaggedNames } from "../../data/describe.js";
import { valueText } from "../../data/numbers.js";
import { rowByNumber, widthOf } from "../../ui/grid/model.js";
import { indexOf, indexText, type TableModel, withUnits } from "./model.js";

/** A cell of a ragged array: its one element, or all of them in parentheses. */
export function cellText({ values, dtype, innerShape }: RaggedArray, cell: number): string {
  const size = innerShape.reduce((product, extent) => product * extent, 1);
  const texts = Array.from({ length: size }, (_, at) => valueText(values[cell * size + at] ?? NaN, dtype));
  return innerShape.length === 0 ? (texts[0] ?? "") : `(${texts.join(", ")})`;
}

/** A row of the table is a row of the array, as long as it is. Exported, each cell is a line of its own: row, cell, elements. */
export function raggedTable(item: RaggedArray, names: RaggedNames, units: string): TableModel {
  const { rowOffsets, values, dtype, innerShape } = item;
  const rows = rowOffsets.length - 1;
  const size = innerShape.reduce((product, extent) => product * extent, 1);
  const start = (row: number): number => Number(rowOffsets[row] ?? 0n);
  let longest = 0;
  for (let row = 0; row < rows; row++) longest = Math.max(longest, start(row + 1) - start(row));
  const nameOf = (cell: number): string => withUnits(`${names.cell} ${cell}`, units);
  return {
    rows,
    columns: longest,
    corner: `${names.row} \\ ${names.cell}`,
    rowName: String,
    columnName: nameOf,
    place: (row, cell) => `${names.row} ${row}, ${names.cell} ${cell}`,
    cell: (row, cell) => (start(row) + cell < start(row + 1) ? cellText(item, start(row) + cell) : ""),
    width: widthOf(start(rows), (cell) => cellText(item, cell), longest === 0 ? [] : [nameOf(longest - 1)]),
    headWidth: String(rows).length,
    find: rowByNumber(rows),
    names: [names.row, names.cell, ...elementNames(innerShape, names.inner, units)],
    *lines() {
      for (let row = 0; row < rows; row++) {
        for (let cell = start(row); cell < start(row + 1); cell++) {
          const line = [String(row), String(cell - start(row))];
          for (let at = 0; at < size; at++) line.push(valueText(values[cell * size + at] ?? NaN, dtype));
          yield line;
        }
      }
    },
  };
}

/** The cells of one row of a ragged array, a line each. `data` are their elements. */
export function cellsTable({ data, dtype, cells }: { readonly data: RaggedArray["values"]; readonly dtype: RaggedArray["dtype"]; readonly cells: number }, innerShape: readonly number[], names: RaggedNames, units: string): TableModel {
  const size = innerShape.reduce((product, extent) => product * extent, 1);
  const elements = elementNames(innerShape, names.inner, units);
  const cell = (row: number, at: number): string => valueText(data[row * size + at] ?? NaN, dtype);
  return {
    rows: cells,
    columns: size,
    corner: names.cell,
    rowName: String,
    columnName: (at) => elements[at] ?? "",
    place: (row, at) => (innerShape.length === 0 ? `${names.cell} ${row}` : `${names.cell} ${row}, ${indexText(indexOf(at, innerShape), names.inner)}`),
    cell,
    width: widthOf(cells * size, (at) => cell(Math.floor(at / size), at % size), elements.slice(0, 64)),
    headWidth: String(cells).length,
    find: rowByNumber(cells),
    names: [names.cell, ...elements],
    *lines() {
      for (let row = 0; row < cells; row++) yield [String(row), ...elements.map((_, at) => cell(row, at))];
    },
  };
}

/** Names of the elements of a cell, or of an Item that is a line: by the index along each axis. */
export function elementNames(shape: readonly number[], names: readonly string[], units: string): string[] {
  if (shape.length === 0) return [withUnits("value", units)];
  const size = shape.reduce((product, extent) => product * extent, 1);
  return Array.from({ length: size }, (_, at) => withUnits(indexText(indexOf(at, shape), names), units));
}

/** Names of the axes of a matrix. */
export function matrixNames(info: ArrayFieldInfo): readonly string[] {
  return info.type.axisOrder === "none" ? ["row", "column"] : axisNames(info);
}

/** A line for each stored element: row, column, value. */
export function csrTable(item: CsrArray, names: readonly string[], units: string): TableModel {
  const { columnIndices, values, dtype, shape } = item;
  const [rowAxis = "row", columnAxis = "column"] = names;
  const headers = [rowAxis, columnAxis, withUnits("value", units)];
  const rowAt = rowFinder(item.rowOffsets);
  const cell = (at: number, column: number): string => {
    if (column === 0) return String(rowAt(at));
    return column === 1 ? String(columnIndices[at] ?? "") : valueText(values[at] ?? NaN, dtype);
  };
  const width = widthOf(values.length, (at) => valueText(values[at] ?? NaN, dtype), headers.slice(2));
  const most = [shape[0], shape[1]].map((extent) => String(extent > 0n ? extent - 1n : 0n));
  return {
    rows: values.length,
    columns: 3,
    corner: "stored",
    isValue: (column) => column === 2,
    rowName: String,
    columnName: (column) => headers[column] ?? "",
    place: (at, column) => (column === 2 ? `${rowAxis} ${rowAt(at)}, ${columnAxis} ${columnIndices[at] ?? ""}` : `stored element ${at}, ${headers[column] ?? ""}`),
    cell,
    width,
    widths: [...most.map((text, axis) => Math.max(text.length, headers[axis]?.length ?? 0)), width],
    headWidth: Math.max(6, String(values.length).length),
    find: rowByNumber(values.length),
    names: headers,
    *lines() {
      for (let at = 0; at < values.length; at++) yield [cell(at, 0), cell(at, 1), cell(at, 2)];
    },
  };
}

/** The stored elements of one row: column and value. */
export function csrRowTable({ columnIndices, values, dtype }: Pick<CsrArray, "columnIndices" | "values" | "dtype">, names: readonly string[], units: string): TableModel {
  const headers = [names[1] ?? "column", withUnits("value", units)];
  const width = widthOf(values.length, (at) => valueText(values[at] ?? NaN, dtype), headers.slice(1));
  const cell = (at: number, column: number): string => (column === 0 ? String(columnIndices[at] ?? "") : valueText(values[at] ?? NaN, dtype));
  return {
    rows: values.length,
    columns: 2,
    corner: "stored",
    isValue: (column) => column === 1,
    rowName: String,
    columnName: (column) => headers[column] ?? "",
    place: (at, column) => (column === 0 ? `stored element ${at}, ${headers[0]}` : `${headers[0]} ${columnIndices[at] ?? ""}`),
    cell,
    width,
    widths: [Math.max(headers[0]?.length ?? 0, String(columnIndices.at(-1) ?? "").length), width],
    headWidth: 6,
    find: rowByNumber(values.length),
    names: headers,
    *lines() {
      for (let at = 0; at < values.length; at++) yield [cell(at, 0), cell(at, 1)];
    },
  };
}

/** Gives the row of a stored element by its place; quick for neighbours. */
export function rowFinder(rowOffsets: BigUint64Array): (at: number) => number {
  let last = 0;
  const holds = (row: number, at: number): boolean => Number(rowOffsets[row] ?? 0n) <= at && at < Number(rowOffsets[row + 1] ?? 0n);
  return (at) => {
    if (holds(last, at)) return last;
    // The last row that begins at or before it: the rows of no elements before it begin there as well.
    let [low, high] = [0, rowOffsets.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (Number(rowOffsets[middle] ?? 0n) <= at) low = middle;
      else high = middle - 1;
    }
    last = low;
    return low;
  };
}
