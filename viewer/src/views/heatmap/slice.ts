/** Two axes of one dense Item, at an index along each other axis. Elements are found by strides, whatever the order is in which they are stored. */
import type { AnyTypedArray, DenseArray } from "dreamdb-arrays";

/** What is chosen. */
export interface Axes {
  /** Axis whose extent is the number of rows; `undefined` for an Item of one axis, or none, which is one row. */
  readonly rows: number | undefined;
  /** Axis whose extent is the number of columns; `undefined` for a scalar. */
  readonly columns: number | undefined;
  /** An index along each axis; those along rows and columns mean nothing. */
  readonly index: readonly number[];
}

/** Cells in rows and columns. */
export interface Slice {
  readonly rows: number;
  readonly columns: number;
  readonly data: AnyTypedArray;
  readonly offset: number;
  /** Elements between neighbouring rows, and columns. */
  readonly rowStride: number;
  readonly columnStride: number;
}

/** The axes that the address names, as far as there are such; else the last two, at the beginning of the others. */
export function axesOf(shape: readonly number[], choices: Readonly<Record<string, string>>): Axes {
  const rank = shape.length;
  const named = (key: string): number | undefined => {
    const text = choices[key] ?? "";
    return /^\d{1,3}$/.test(text) && Number(text) < rank ? Number(text) : undefined;
  };
  let columns = named("columns") ?? rank - 1;
  let rows = named("rows") ?? rank - 2;
  if (rows === columns) {
    // One was chosen; the other one gives way.
    if (choices["rows"] === undefined) rows = columns === rank - 1 ? rank - 2 : rank - 1;
    else columns = rows === rank - 1 ? rank - 2 : rank - 1;
  }
  const texts = (choices["index"] ?? "").split(",");
  const index = shape.map((extent, axis) => {
    const text = texts[axis] ?? "";
    return /^\d{1,15}$/.test(text) ? Math.min(Number(text), Math.max(0, extent - 1)) : 0;
  });
  return { rows: rank < 2 ? undefined : rows, columns: rank < 1 ? undefined : columns, index };
}

/** The slice of an Item. */
export function sliceOf({ data, shape, strides }: Pick<DenseArray, "data" | "shape" | "strides">, { rows, columns, index }: Axes): Slice {
  const offset = index.reduce((sum, number, axis) => (axis === rows || axis === columns ? sum : sum + number * (strides[axis] ?? 0)), 0);
  return {
    rows: rows === undefined ? 1 : (shape[rows] ?? 0),
    columns: columns === undefined ? 1 : (shape[columns] ?? 0),
    data,
    offset,
    rowStride: rows === undefined ? 0 : (strides[rows] ?? 0),
    columnStride: columns === undefined ? 0 : (strides[columns] ?? 0),
  };
}

/** The element of a cell. */
export function cellOf({ data, offset, rowStride, columnStride }: Slice, row: number, column: number): number | bigint | undefined {
  return data[offset + row * rowStride + column * columnStride];
}

/** The cells in C order, of the same dtype. */
export function elementsOf(slice: Slice): AnyTypedArray {
  const { data, rows, columns, offset, rowStride, columnStride } = slice;
  if (columnStride === 1 && (rowStride === columns || rows === 1)) return data.slice(offset, offset + rows * columns);
  const cells = new (data.constructor as new (length: number) => AnyTypedArray)(rows * columns);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0, from = offset + row * rowStride; column < columns; column++, from += columnStride) cells[at++] = data[from] as never;
  }
  return cells;
}

/** Index of a cell's element along each axis of the Item. */
export function indexOfCell({ rows, columns, index }: Axes, row: number, column: number): number[] {
  return index.map((number, axis) => (axis === rows ? row : axis === columns ? column : number));
}
