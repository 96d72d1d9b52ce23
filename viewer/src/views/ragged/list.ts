/** The rows of a ragged array as a list: how long each is, and how it begins. */
import type { RaggedArray } from "dreamdb-arrays";
import { type GridModel, rowByNumber } from "../../ui/grid/model.js";
import { cellText } from "../table/structured.js";

/** A row of the list: its length, and its first cells as text. */
export interface RowStart {
  readonly cells: number;
  readonly begin: string;
}

/** Characters of the beginnings. */
const SHOWN = 26;

/** Length and beginning of a row. */
export function rowStart(array: RaggedArray, row: number): RowStart {
  const [start, end] = [Number(array.rowOffsets[row] ?? 0n), Number(array.rowOffsets[row + 1] ?? 0n)];
  let begin = "";
  for (let cell = start; cell < end && begin.length < SHOWN; cell++) begin += `${begin === "" ? "" : ", "}${cellText(array, cell)}`;
  return { cells: end - start, begin: begin.length > SHOWN ? `${begin.slice(0, SHOWN - 1)}…` : begin };
}

/** The list. `name` is that of a row; `at` gives a row, or nothing while it is being read. */
export function listOf(rows: number, name: string, at: (row: number) => RowStart | undefined): GridModel {
  return {
    rows,
    columns: 2,
    isText: (column) => column === 1,
    corner: name,
    rowName: String,
    columnName: (column) => (column === 0 ? "cells" : "first cells"),
    place: (row, column) => `${name} ${row}, ${column === 0 ? "cells" : "first cells"}`,
    cell(row, column) {
      const start = at(row);
      return start === undefined ? undefined : column === 0 ? String(start.cells) : start.begin;
    },
    widths: [9, SHOWN],
    width: SHOWN,
    headWidth: String(rows).length,
    find: rowByNumber(rows),
  };
}
