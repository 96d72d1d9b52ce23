/** Columns taken apart again into the values that they are made of. */
import { cStrides } from "./sidecar.mjs";

/** @typedef {import("dreamdb-arrays").FieldInfo} FieldInfo */
/** @typedef {{ anchor: bigint, value: any }} Cell */

/**
 * @param {FieldInfo} info
 * @param {any} column of a field of any kind
 * @returns {Cell[]}
 */
export function cellsOf({ kind }, column) {
  const valueAt = kind === "array" ? arrayAt : kind === "scalar" ? scalarAt : itemAt;
  return Array.from(column.anchors, (/** @type {bigint} */ anchor, at) => ({ anchor, value: valueAt(column, at) }));
}

/** @type {(column: any, at: number) => any} */
const itemAt = ({ items }, at) => items[at];

/** Truth values are bytes in a column. @type {(column: any, at: number) => any} */
const scalarAt = ({ valueType, values }, at) => (valueType === "bool" ? [false, true][values[at]] : values[at]);

/**
 * @param {any} column
 * @param {number} at
 */
function arrayAt(column, at) {
  const { family, dtype } = column;
  if (family === "sparse-csr") return column.items[at];
  if (family === "dense-array") {
    const shape = column.shape.slice(1);
    const size = shape.reduce((/** @type {number} */ product, /** @type {number} */ extent) => product * extent, 1);
    return { family, dtype, shape, strides: cStrides(shape), data: column.data.subarray(at * size, (at + 1) * size) };
  }
  const { itemOffsets, innerShape } = column;
  const rows = column.rowOffsets.slice(Number(itemOffsets[at]), Number(itemOffsets[at + 1]) + 1);
  const cell = innerShape.reduce((/** @type {number} */ product, /** @type {number} */ extent) => product * extent, 1);
  const [first, last] = [Number(rows[0]) * cell, Number(rows.at(-1)) * cell];
  const rowOffsets = rows.map((/** @type {bigint} */ offset) => offset - rows[0]);
  return { family, kind: family, dtype, innerShape, rowOffsets, values: column.values.subarray(first, last) };
}
