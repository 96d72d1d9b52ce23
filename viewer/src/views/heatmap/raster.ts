/** Cells as pixels: one each while there are pixels enough, else one for several cells by a rule that the view states. */
import { ABOVE, BELOW, NAN } from "./colours.js";
import type { Placing } from "./range.js";
import type { Slice } from "./slice.js";

/** Which of the cells under one pixel is shown. */
export const PICKS = ["greatest", "least", "nearest"] as const;

/** Name of a rule. */
export type Pick = (typeof PICKS)[number];

/** A part of a slice, in cells; ends are after the last. */
export interface Part {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** Pixels, one 32-bit colour each. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array<ArrayBuffer>;
}

/** The cells of a part, on `width × height` pixels at most. */
export function rasterOf(slice: Slice, part: Part, width: number, height: number, { place, table, pick }: { readonly place: Placing; readonly table: Uint32Array; readonly pick: Pick }): Raster {
  const [rows, columns] = [part.bottom - part.top, part.right - part.left];
  const [high, wide] = [Math.max(0, Math.min(rows, height)), Math.max(0, Math.min(columns, width))];
  const pixels = new Uint32Array(wide * high);
  const lefts = Int32Array.from({ length: wide + 1 }, (_, x) => part.left + Math.floor((x * columns) / Math.max(1, wide)));
  for (let y = 0; y < high; y++) {
    const [top, bottom] = [part.top + Math.floor((y * rows) / high), part.top + Math.floor(((y + 1) * rows) / high)];
    for (let x = 0; x < wide; x++) {
      const [left, right] = [lefts[x] ?? 0, lefts[x + 1] ?? 0];
      const value = bottom - top === 1 && right - left === 1 ? slice.data[slice.offset + top * slice.rowStride + left * slice.columnStride] : picked(slice, top, bottom, left, right, pick);
      pixels[y * wide + x] = table[codeOf(value, place)] ?? 0;
    }
  }
  return { width: wide, height: high, pixels };
}

/** Place of a value in a table of colours. */
export function codeOf(value: number | bigint | undefined, place: Placing): number {
  if (value === undefined) return NAN;
  if (typeof value === "number" && value - value !== 0) return value === Infinity ? ABOVE : value === -Infinity ? BELOW : NAN;
  return place(value);
}

/** The value that stands for several. What is no number stands for them only where there is nothing else. */
function picked({ data, offset, rowStride, columnStride }: Slice, top: number, bottom: number, left: number, right: number, pick: Pick): number | bigint | undefined {
  if (pick === "nearest") return data[offset + ((top + bottom) >>> 1) * rowStride + ((left + right) >>> 1) * columnStride];
  let kept: number | bigint | undefined;
  for (let row = top; row < bottom; row++) {
    for (let column = left, at = offset + row * rowStride + left * columnStride; column < right; column++, at += columnStride) {
      const value = data[at];
      if (value === undefined || Number.isNaN(value)) continue;
      if (kept === undefined || (pick === "greatest" ? value > kept : value < kept)) kept = value;
    }
  }
  return kept;
}
