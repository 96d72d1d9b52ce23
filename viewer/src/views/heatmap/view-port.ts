/** Which cells are in sight: zooming and moving, in whole cells. */
import type { Part } from "./raster.js";

/** All cells. */
export function whole(rows: number, columns: number): Part {
  return { top: 0, left: 0, bottom: rows, right: columns };
}

/** A part with each side `factor` times as long, about a cell, within all cells. */
export function zoomedPart(part: Part, row: number, column: number, factor: number, rows: number, columns: number): Part {
  const [top, bottom] = side(part.top, part.bottom, row, factor, rows);
  const [left, right] = side(part.left, part.right, column, factor, columns);
  return { top, left, bottom, right };
}

function side(first: number, end: number, about: number, factor: number, extent: number): [first: number, end: number] {
  const length = end - first;
  const wanted = Math.round(length * factor);
  // A step of zooming changes something, be it one cell.
  const next = Math.min(extent, Math.max(1, wanted === length ? length + Math.sign(factor - 1) : wanted));
  const part = length === 0 ? 0 : (about + 0.5 - first) / length;
  const start = Math.min(extent - next, Math.max(0, Math.round(about + 0.5 - part * next)));
  return [start, start + next];
}

/** A part moved by so many cells, within all cells. */
export function movedPart({ top, left, bottom, right }: Part, down: number, across: number, rows: number, columns: number): Part {
  const [high, wide] = [bottom - top, right - left];
  const first = Math.min(rows - high, Math.max(0, top + down));
  const start = Math.min(columns - wide, Math.max(0, left + across));
  return { top: first, left: start, bottom: first + high, right: start + wide };
}

/** The part moved as little as brings a cell into sight. */
export function showing(part: Part, row: number, column: number, rows: number, columns: number): Part {
  const down = row < part.top ? row - part.top : row >= part.bottom ? row - part.bottom + 1 : 0;
  const across = column < part.left ? column - part.left : column >= part.right ? column - part.right + 1 : 0;
  return down === 0 && across === 0 ? part : movedPart(part, down, across, rows, columns);
}

/** A cell's sides on screen: square while that does not waste three quarters of the room, and never larger than a thumb. */
export function cellSides(part: Part, width: number, height: number): readonly [across: number, down: number] {
  const across = Math.min(MOST_SIDE, width / Math.max(1, part.right - part.left));
  const down = Math.min(MOST_SIDE, height / Math.max(1, part.bottom - part.top));
  const square = Math.min(across, down);
  return Math.max(across, down) <= 4 * square ? [square, square] : [across, down];
}

const MOST_SIDE = 56;

/** Indexes to write along an axis: round ones, some `apart` pixels from each other. */
export function ticksOf(first: number, end: number, side: number, apart: number): number[] {
  const least = Math.max(1, apart / side);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? 10 * power;
  const ticks: number[] = [];
  for (let index = Math.ceil(first / step) * step; index < end; index += step) ticks.push(index);
  return ticks;
}
