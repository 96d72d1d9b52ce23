/** Painting cells with their axes: for the screen, and for pictures of it. */
import { ABOVE, BELOW, cssOf, NAN } from "./colours.js";
import type { Placing } from "./range.js";
import { codeOf, type Part, type Pick, rasterOf } from "./raster.js";
import { cellOf, type Slice } from "./slice.js";
import { ticksOf } from "./view-port.js";

/** What is painted. */
export interface Painted {
  readonly slice: Slice;
  readonly part: Part;
  readonly place: Placing;
  readonly table: Uint32Array;
  readonly pick: Pick;
  /** Names of the axes; empty where there is none. */
  readonly rowName: string;
  readonly columnName: string;
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
  readonly colours: { readonly text: string; readonly ground: string };
  /** A value in few digits, for cells that have room for it. */
  short(value: number | bigint): string;
}

/** Where cells stand, in CSS pixels. */
export interface Layout {
  readonly x: number;
  readonly y: number;
  readonly across: number;
  readonly down: number;
}

const FONT = "12px system-ui, sans-serif";
const TEXT_SIDE = 44;
const HATCH_SIDE = 6;
const LINE = 16;

/** Room for the names and indexes of both axes: left and above. */
export function marginsOf({ rows }: Slice, rowName: string): { readonly left: number; readonly top: number } {
  return { left: rowName === "" ? 8 : LINE + 10 + 7.5 * String(Math.max(0, rows - 1)).length, top: 2 * LINE + 6 };
}

/** The cells alone, a pixel each or for several: the costly part, which a cursor that moves does not change. */
export function cellsOf({ part, slice, place, table, pick }: Painted, { across, down }: Layout, ratio: number): OffscreenCanvas | undefined {
  const [wide, high] = [(part.right - part.left) * across, (part.bottom - part.top) * down];
  const raster = rasterOf(slice, part, Math.max(1, Math.round(wide * ratio)), Math.max(1, Math.round(high * ratio)), { place, table, pick });
  if (raster.width === 0 || raster.height === 0) return undefined;
  const cells = new OffscreenCanvas(raster.width, raster.height);
  cells.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(raster.pixels.buffer), raster.width, raster.height), 0, 0);
  return cells;
}

/** Paints these cells and what stands around them. The context is scaled to CSS pixels. */
export function paint(context: CanvasRenderingContext2D, painted: Painted, { x, y, across, down }: Layout, cells: OffscreenCanvas | undefined): void {
  const { part } = painted;
  const [rows, columns] = [part.bottom - part.top, part.right - part.left];
  if (cells !== undefined) {
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, x, y, columns * across, rows * down);
  }
  if (Math.min(across, down) >= HATCH_SIDE && rows * columns < 20_000) eachCell(painted, (row, column, code) => code === NAN && hatch(context, x + column * across, y + row * down, across, down));
  if (Math.min(across, down) >= TEXT_SIDE) writeCells(context, painted, { x, y, across, down });
  paintAxes(context, painted, { x, y, across, down });
  if (painted.cursor !== undefined) outline(context, painted, painted.cursor, { x, y, across, down });
}

function eachCell({ slice, part, place }: Painted, act: (row: number, column: number, code: number, value: number | bigint) => void): void {
  for (let row = part.top; row < part.bottom; row++) {
    for (let column = part.left; column < part.right; column++) {
      const value = cellOf(slice, row, column) ?? Number.NaN;
      act(row - part.top, column - part.left, codeOf(value, place), value);
    }
  }
}

/** Lines across what is no number, so that it is not taken for a grey of the map. */
export function hatch(context: CanvasRenderingContext2D, x: number, y: number, wide: number, high: number): void {
  context.save();
  context.beginPath();
  context.rect(x, y, wide, high);
  context.clip();
  context.strokeStyle = "#3c4043";
  context.lineWidth = 1;
  context.beginPath();
  for (let at = -high; at < wide; at += 5) {
    context.moveTo(x + at, y + high);
    context.lineTo(x + at + high, y);
  }
  context.stroke();
  context.restore();
}

function writeCells(context: CanvasRenderingContext2D, painted: Painted, { x, y, across, down }: Layout): void {
  context.font = "11px ui-monospace, Menlo, Consolas, monospace";
  context.textAlign = "center";
  context.textBaseline = "middle";
  eachCell(painted, (row, column, code, value) => {
    const colour = painted.table[code] ?? 0;
    const text = painted.short(value);
    const [cx, cy] = [x + (column + 0.5) * across, y + (row + 0.5) * down];
    if (code === NAN) {
      context.fillStyle = cssOf(colour);
      context.fillRect(cx - 14, cy - 8, 28, 16);
    }
    context.fillStyle = isBright(colour) ? "#000000" : "#ffffff";
    context.fillText(text, cx, cy, across - 4);
  });
}

function isBright(colour: number): boolean {
  const [red = 0, green = 0, blue = 0] = new Uint8Array(Uint32Array.of(colour).buffer);
  const linear = (channel: number): number => (channel / 255) ** 2.2;
  // The luminance at which black and white contrast alike.
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.18;
}

function paintAxes(context: CanvasRenderingContext2D, { part, rowName, columnName, colours }: Painted, { x, y, across, down }: Layout): void {
  context.fillStyle = colours.text;
  context.strokeStyle = colours.text;
  context.lineWidth = 1;
  context.font = FONT;
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  const wide = (part.right - part.left) * across;
  const high = (part.bottom - part.top) * down;
  for (const column of ticksOf(part.left, part.right, across, 12 + 7.5 * String(part.right).length)) {
    const at = x + (column - part.left + 0.5) * across;
    context.fillText(String(column), at, y - 6);
    context.fillRect(Math.round(at), y - 3, 1, 3);
  }
  context.textAlign = "left";
  context.fillText(columnName === "" ? "" : `${columnName} →`, x, y - 6 - LINE, wide);
  if (rowName === "") return;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const row of ticksOf(part.top, part.bottom, down, 18)) {
    const at = y + (row - part.top + 0.5) * down;
    context.fillText(String(row), x - 6, at);
    context.fillRect(x - 3, Math.round(at), 3, 1);
  }
  context.save();
  context.translate(LINE - 6, y);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.fillText(`← ${rowName}`, 0, 0, Math.max(40, high));
  context.restore();
}

function outline(context: CanvasRenderingContext2D, { part }: Painted, { row, column }: { readonly row: number; readonly column: number }, { x, y, across, down }: Layout): void {
  if (row < part.top || row >= part.bottom || column < part.left || column >= part.right) return;
  const [left, top] = [x + (column - part.left) * across, y + (row - part.top) * down];
  // Black within white can be seen on any colour.
  for (const [colour, out] of [["#000000", 2.5], ["#ffffff", 1]] as const) {
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.strokeRect(left - out, top - out, across + 2 * out, down + 2 * out);
  }
}

/** A bar of the map's colours. */
export function paintBar(context: CanvasRenderingContext2D, table: Uint32Array, x: number, y: number, wide: number, high: number): void {
  for (let at = 0; at < wide; at++) {
    context.fillStyle = cssOf(table[Math.round((at / Math.max(1, wide - 1)) * 255)] ?? 0);
    context.fillRect(x + at, y, 1, high);
  }
}

/** A square of what stands outside of the map. */
export function paintOdd(context: CanvasRenderingContext2D, table: Uint32Array, kind: "nan" | "above" | "below", x: number, y: number, side: number): void {
  context.fillStyle = cssOf(table[{ nan: NAN, above: ABOVE, below: BELOW }[kind]] ?? 0);
  context.fillRect(x, y, side, side);
  if (kind === "nan") hatch(context, x, y, side, side);
}
