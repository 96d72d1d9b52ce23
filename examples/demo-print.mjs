/** How the demo prints values: shapes, a few numbers, row lengths, stored elements. Knows nothing of datasets. */
import { isArrayField } from "dreamdb-arrays";

const bold = process.stdout.isTTY ? (/** @type {string} */ text) => `\x1b[1m${text}\x1b[0m` : (/** @type {string} */ text) => text;

/** Most numbers of a row, and rows of a matrix, that are shown. */
const [MOST_NUMBERS, MOST_ROWS] = [8, 6];

/** @param {string} text */
export function heading(text) {
  console.log(`\n${bold(text)}`);
}

/** @param {number} bytes */
export function bytesText(bytes) {
  return bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KiB`;
}

/** @param {{ info: import("dreamdb-arrays").FieldInfo, count: number | string }[]} rows */
export function fieldTable(rows) {
  const header = ["field", "family", "dtype", "shape", "units", "frame", "kind", "count"];
  const cells = rows.map(({ info, count }) => {
    const { name, trackKind } = info;
    if (!isArrayField(info)) return [name, info.kind, "mime" in info ? info.mime : info.modality, "", "", "", trackKind, String(count)];
    const { family, dtype, type } = info;
    const shape = family === "ragged-array" ? ["rows", "cells", ...(info.innerShape ?? [])] : (info.shape ?? []);
    return [name, family, dtype, shape.join(" × ") || "scalar", said(type.units), said(type.frame), trackKind, String(count)];
  });
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((row) => (row[column] ?? "").length)));
  return [header, ...cells].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}

/**
 * @param {string} name
 * @param {string} where
 * @param {import("dreamdb-arrays").Item<import("dreamdb-arrays").ArrayValue>} item
 */
export function showValue(name, where, item) {
  const { semanticType, units, frame } = item.type;
  const about = [said(semanticType), units === "none" ? "" : `in ${units}`, frame === "none" ? "" : `frame ${frame}`].filter(Boolean).join(", ");
  console.log(`\n${bold(name)}  ${where}  ${item.dtype}${about ? `  (${about})` : ""}  verified: ${item.verified}`);
  switch (item.family) {
    case "dense-array":
      console.log(`  shape ${shapeText(item.shape)}`);
      for (const line of matrixLines(item)) console.log(`  ${line}`);
      break;
    case "ragged-array":
      showRagged(item);
      break;
    case "sparse-csr":
      showCsr(item);
      break;
  }
}

/**
 * @param {string} name
 * @param {import("dreamdb-arrays").TextConstant} constant
 */
export function showText(name, { text, verified }) {
  console.log(`\n${bold(name)}  Constant  text  verified: ${verified}\n  ${JSON.stringify(text)}`);
}

/**
 * @param {string} name
 * @param {import("dreamdb-arrays").MediaItem} item
 */
export function showImage(name, { anchor, bytes, mime, form, verified }) {
  const size = bytesText(bytes.byteLength);
  console.log(`\n${bold(name)}  anchor ${anchor}  ${mime}, ${size}, ${form}${pngSize(bytes)}  verified: ${verified}`);
}

/** @param {import("dreamdb-arrays").RaggedArray} item */
function showRagged({ rowOffsets, values, innerShape, dtype }) {
  const lengths = differences(rowOffsets);
  console.log(`  ${lengths.length} rows of ${innerShape.length ? `cells ${shapeText(innerShape)}` : "scalars"}; row lengths ${some(lengths.map(String))}`);
  const width = innerShape.reduce((product, extent) => product * extent, 1);
  for (const [row, length] of lengths.slice(0, MOST_ROWS).entries()) {
    const start = Number(rowOffsets[row]) * width;
    const cells = elements(values.subarray(start, start + Number(length) * width)).map((value) => number(value, dtype));
    console.log(`  row ${row}: ${cells.length ? some(cells) : "empty"}`);
  }
}

/** @param {import("dreamdb-arrays").CsrArray} item */
function showCsr({ shape, rowOffsets, columnIndices, values, dtype }) {
  console.log(`  ${shape[0]} × ${shape[1]} with ${values.length} stored elements; per row ${some(differences(rowOffsets).map(String))}`);
  const lengths = differences(rowOffsets);
  for (const [row, length] of lengths.entries()) {
    if (length === 0n || row >= MOST_ROWS) continue;
    const start = Number(rowOffsets[row]);
    const end = start + Number(length);
    const stored = elements(values.subarray(start, end)).map((value, at) => `[${columnIndices[start + at]}] = ${number(value, dtype)}`);
    console.log(`  row ${row}: ${some(stored)}`);
  }
}

/**
 * The last two axes of an array's first matrix.
 *
 * @param {import("dreamdb-arrays").DenseArray} item
 */
function matrixLines({ data, shape, strides, dtype }) {
  if (data.length === 0) return ["no elements"];
  const [rows = 1, columns = 1] = shape.length > 1 ? shape.slice(-2) : [1, shape[0] ?? 1];
  const [rowStride = 0, columnStride = 0] = shape.length > 1 ? strides.slice(-2) : [0, strides[0] ?? 0];
  const lines = [];
  for (let row = 0; row < Math.min(rows, MOST_ROWS); row++) {
    const cells = Array.from({ length: Math.min(columns, MOST_NUMBERS) }, (_, column) => data[row * rowStride + column * columnStride]);
    const more = columns > MOST_NUMBERS ? ` … ${columns - MOST_NUMBERS} more` : "";
    lines.push(cells.map((value) => number(value ?? 0, dtype).padStart(12)).join(" ") + more);
  }
  if (rows > MOST_ROWS) lines.push(`… ${rows - MOST_ROWS} more rows`);
  return lines;
}

/**
 * @param {import("dreamdb-arrays").AnyTypedArray} array
 * @returns {(number | bigint)[]}
 */
function elements(array) {
  return [...array];
}

/**
 * The shortest decimal that reads back to the same element.
 *
 * @param {number | bigint} value
 * @param {import("dreamdb-arrays").DType} dtype
 */
function number(value, dtype) {
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "bigint" || dtype !== "f32" || !Number.isFinite(value)) return String(value);
  for (let digits = 1; digits <= 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

/** @param {BigUint64Array} offsets */
function differences(offsets) {
  return Array.from(offsets.subarray(1), (end, row) => end - (offsets[row] ?? 0n));
}

/** @param {string[]} texts */
function some(texts) {
  const more = texts.length > MOST_NUMBERS ? `, … ${texts.length - MOST_NUMBERS} more` : "";
  return texts.slice(0, MOST_NUMBERS).join(", ") + more;
}

/** @param {readonly (number | bigint)[]} shape */
function shapeText(shape) {
  return shape.length === 0 ? "scalar" : `[${shape.join(", ")}]`;
}

/** @param {string} text */
function said(text) {
  return text === "none" ? "" : text;
}

/** @param {Uint8Array} bytes */
function pngSize(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPng = bytes.byteLength >= 24 && view.getUint32(0) === 0x89504e47;
  return isPng ? `, ${view.getUint32(16)} × ${view.getUint32(20)} pixels` : "";
}
