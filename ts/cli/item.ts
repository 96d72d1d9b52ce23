/** Items as lines for people and as JSON: what `show` says of each kind. */
import type { AnyTypedArray, DType } from "../codec/dtype.js";
import type { ArrayValue, CsrArray, DenseArray, RaggedArray } from "../codec/values.js";
import type { TextConstant } from "../dataset/constant-field.js";
import type { Dataset } from "../dataset/dataset.js";
import type { FieldInfo } from "../dataset/fields.js";
import type { MediaItem } from "../dataset/media-field.js";
import type { ScalarType, ScalarValues } from "../dataset/scalar-values.js";
import { DreamDbError } from "../errors.js";
import { inert } from "./manners/inert.js";
import type { Json } from "./manners/json.js";
import { bitsText, bytesText, countText, elementText, numberText } from "./manners/numbers.js";
import { statisticsOf } from "./statistics.js";
import { imageSize } from "./vendor.js";

/** What is said, and what of; lines that go on have no name. */
export type Line = readonly [what: string, text: string];

/** An Item, both ways: lines of a name and a text, and the same as JSON. */
export interface Shown {
  readonly lines: readonly Line[];
  readonly json: Record<string, Json>;
}

/** Rows and columns of a corner. */
const CORNER = 3;
/** Rows whose lengths are listed. */
const LISTED = 8;

/**
 * What a dataset says of a field.
 *
 * @throws {DreamDbError} `NoSuchField`
 */
export function fieldNamed(ds: Dataset, name: string): FieldInfo {
  const info = ds.fields.find((field) => field.name === name);
  if (info !== undefined) return info;
  const known = ds.fields.map((field) => JSON.stringify(field.name)).join(", ");
  throw new DreamDbError("NoSuchField", `the dataset has no field ${JSON.stringify(name)}; it has ${known || "none"}`, { field: name });
}

/** An array of any family. */
export function shownArray(item: ArrayValue & { readonly anchor?: bigint; readonly verified: string }, hex: boolean): Shown {
  const of = item.family === "dense-array" ? dense(item, hex) : item.family === "ragged-array" ? ragged(item, hex) : csr(item, hex);
  const at: Line[] = item.anchor === undefined ? [] : [["anchor", String(item.anchor)]];
  return { lines: [...at, ...of.lines, ["verified", item.verified]], json: { anchor: item.anchor, ...of.json, verified: item.verified } };
}

/** A media Item. */
export function shownMedia({ anchor, mime, kind, bytes, form, verified }: MediaItem): Shown {
  const picture = kind === "image" ? pictureOf(bytes) : undefined;
  const lines: Line[] = [
    ["anchor", String(anchor)],
    ["bytes", bytesText(bytes.byteLength)],
    ["stored", form],
  ];
  if (kind === "image") lines.push(["image", picture === undefined ? `${mime}, as declared; its bytes are of no known format` : `${picture.type ?? mime}, ${picture.width} × ${picture.height}`]);
  lines.push(["verified", verified]);
  return { lines, json: { anchor, bytes: bytes.byteLength, form, mime, image: picture === undefined ? undefined : { ...picture }, verified } };
}

/** A value of a scalar column. */
export function shownScalar(anchor: bigint, value: ScalarValues[ScalarType]): Shown {
  const text = typeof value === "number" ? numberText(value) : typeof value === "string" ? inert(value) : String(value);
  return { lines: [["anchor", String(anchor)], ["value", text]], json: { anchor, value } };
}

/** A text Constant. */
export function shownText({ text, verified }: TextConstant): Shown {
  const shown = text.split("\n").map(inert).join("\n");
  return { lines: [["", shown], ["verified", verified]], json: { text, verified } };
}

function dense({ data, dtype, shape, strides, order }: DenseArray, hex: boolean): Shown {
  const whole = statistics(data, dtype);
  const lines: Line[] = [["shape", shapeText(shape)]];
  if (order === "f") lines.push(["order", "first axis fastest"]);
  lines.push(...whole.lines);
  if (data.length > 0) lines.push(["", corner(data, dtype, shape, strides, hex)]);
  return { lines, json: { shape: [...shape], strides: [...strides], order, ...whole.json } };
}

function ragged({ rowOffsets, values, dtype, innerShape }: RaggedArray, hex: boolean): Shown {
  const lengths = lengthsOf(rowOffsets);
  const whole = statistics(values, dtype);
  const cell = innerShape.reduce((product, extent) => product * extent, 1);
  const lines: Line[] = [
    ["rows", `${countText(lengths.length)}, ${spread(lengths, "cells")}`],
    ["cells", `${countText(rowOffsets.at(-1) ?? 0n)} of ${dtype}${innerShape.length > 0 ? ` ${shapeText(innerShape)}` : ""}`],
    ...whole.lines,
  ];
  for (let row = 0; row < Math.min(LISTED, lengths.length); row++) {
    const [from, to] = [Number(rowOffsets[row] ?? 0n) * cell, Number(rowOffsets[row + 1] ?? 0n) * cell];
    lines.push(["", `  ${String(row).padStart(4)}  ${some(values, dtype, from, to, hex)}`]);
  }
  if (lengths.length > LISTED) lines.push(["", `     …  ${countText(lengths.length - LISTED)} more rows`]);
  return { lines, json: { rows: lengths.length, rowOffsets: [...rowOffsets], innerShape: [...innerShape], ...whole.json } };
}

function csr({ shape, rowOffsets, columnIndices, values, dtype }: CsrArray, hex: boolean): Shown {
  const lengths = lengthsOf(rowOffsets);
  const whole = statistics(values, dtype);
  const cells = shape[0] * shape[1];
  const share = cells === 0n ? "" : `, ${((100 * values.length) / Number(cells)).toPrecision(3)} % of the cells`;
  const lines: Line[] = [
    ["shape", `[${shape.join(", ")}]`],
    ["stored", `${countText(values.length)} elements${share}; ${spread(lengths, "a row")}`],
    ...whole.lines,
  ];
  for (let row = 0; row < Math.min(LISTED, lengths.length); row++) {
    const [from, to] = [Number(rowOffsets[row] ?? 0n), Number(rowOffsets[row + 1] ?? 0n)];
    const shown: string[] = [];
    for (let at = from; at < Math.min(to, from + 4); at++) shown.push(`${columnIndices[at]}: ${element(values, dtype, at, hex)}`);
    lines.push(["", `  ${String(row).padStart(4)}  ${countText(to - from)} stored  ${shown.join("  ")}${to - from > 4 ? "  …" : ""}`]);
  }
  if (lengths.length > LISTED) lines.push(["", `     …  ${countText(lengths.length - LISTED)} more rows`]);
  return { lines, json: { shape: [...shape], stored: values.length, rowOffsets: [...rowOffsets], ...whole.json } };
}

function statistics(data: AnyTypedArray, dtype: DType): Shown {
  const { count, least, greatest, mean, nan, infinite, zeros } = statisticsOf(data);
  const text = (value: number | bigint) => elementText(value, dtype);
  const range = least === undefined || greatest === undefined ? "none" : `${text(least)} … ${text(greatest)}, mean ${numberText(Number((mean ?? 0).toPrecision(6)))}`;
  const lines: Line[] = [["values", `${countText(count)} of ${dtype}: ${range}`]];
  if (nan > 0 || infinite > 0) lines.push(["not finite", `${countText(nan)} NaN, ${countText(infinite)} infinite`]);
  return { lines, json: { dtype, elements: count, least, greatest, mean, nan, infinite, zeros } };
}

/** The values of an array of up to two axes, of more the first and last plane; in the middle of long axes dots. */
function corner(data: AnyTypedArray, dtype: DType, shape: readonly number[], strides: readonly number[], hex: boolean): string {
  const rank = shape.length;
  if (rank > 2) {
    const [extent = 0, step = 1] = [shape[0], strides[0]];
    const planes = extent === 1 ? [0] : [0, extent - 1];
    return planes
      .map((plane) => `  plane ${plane} of ${extent}\n${corner(data.subarray(plane * step), dtype, shape.slice(1), strides.slice(1), hex)}`)
      .join("\n");
  }
  const [rows, rowStep] = rank === 2 ? [shape[0] ?? 0, strides[0] ?? 1] : [1, 0];
  const [columns, step] = rank === 0 ? [1, 1] : [shape.at(-1) ?? 0, strides.at(-1) ?? 1];
  const at = (count: number) => (count <= 2 * CORNER ? Array.from({ length: count }, (_, i) => i) : [...Array(CORNER).keys(), -1, ...Array.from({ length: CORNER }, (_, i) => count - CORNER + i)]);
  const cells = at(rows).map((row) => at(columns).map((column) => (row < 0 || column < 0 ? "…" : element(data, dtype, row * rowStep + column * step, hex))));
  const width = Math.max(...cells.flat().map((text) => text.length));
  return cells.map((line) => `  ${line.map((text) => text.padStart(width)).join("  ")}`).join("\n");
}

function some(values: AnyTypedArray, dtype: DType, from: number, to: number, hex: boolean): string {
  if (from === to) return "(empty)";
  const shown: string[] = [];
  for (let at = from; at < Math.min(to, from + LISTED); at++) shown.push(element(values, dtype, at, hex));
  return shown.join("  ") + (to - from > LISTED ? "  …" : "");
}

function element(data: AnyTypedArray, dtype: DType, at: number, hex: boolean): string {
  return hex ? bitsText(data, at) : elementText(data[at] ?? 0, dtype);
}

function lengthsOf(offsets: BigUint64Array): Float64Array {
  const lengths = new Float64Array(Math.max(0, offsets.length - 1));
  for (let row = 0; row < lengths.length; row++) lengths[row] = Number((offsets[row + 1] ?? 0n) - (offsets[row] ?? 0n));
  return lengths;
}

function spread(lengths: Float64Array, what: string): string {
  if (lengths.length === 0) return `no ${what}`;
  let [least, greatest] = [Infinity, 0];
  for (const length of lengths) [least, greatest] = [Math.min(least, length), Math.max(greatest, length)];
  return least === greatest ? `${countText(least)} ${what} each` : `${countText(least)} to ${countText(greatest)} ${what}`;
}

const shapeText = (shape: readonly number[]): string => (shape.length === 0 ? "[] (a scalar)" : `[${shape.join(", ")}]`);

function pictureOf(bytes: Uint8Array): { readonly type?: string | undefined; readonly width: number; readonly height: number } | undefined {
  try {
    const { width, height, type } = imageSize(bytes);
    return { type, width, height };
  } catch {
    return undefined;
  }
}
