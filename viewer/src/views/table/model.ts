/** What a table of exact values is: a grid to look at, and the same lines for files and the clipboard. */
import type { GridModel } from "../../ui/grid/model.js";

/** A grid that can be exported. */
export interface TableModel extends GridModel {
  /** Names of the exported columns, with units and axes. */
  readonly names: readonly string[];
  /** The exported lines, each made as it is asked for. */
  lines(): Iterable<readonly string[]>;
}

/** `[rad]` behind a name; nothing where no units are declared. */
export function withUnits(name: string, units: string): string {
  return units === "none" ? name : `${name} [${units}]`;
}

/** Lines of a grid whose cells are all there, the name of the row in front. */
export function* linesOf({ rows, columns, rowName, cell }: GridModel): Iterable<readonly string[]> {
  for (let row = 0; row < rows; row++) {
    const line = [rowName(row)];
    for (let column = 0; column < columns; column++) line.push(cell(row, column) ?? "");
    yield line;
  }
}

/** Index of every axis of the element at a place in C order. */
export function indexOf(place: number, shape: readonly number[]): number[] {
  const index = shape.map(() => 0);
  let rest = place;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis] ?? 1;
    index[axis] = rest % extent;
    rest = Math.floor(rest / extent);
  }
  return index;
}

/** `row 1, column 2`. */
export function indexText(index: readonly number[], names: readonly string[]): string {
  return index.map((at, axis) => `${names[axis] ?? ""} ${at}`).join(", ");
}
