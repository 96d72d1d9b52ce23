/** Anchors as places along a line of pixels, and back. Anchors are u64: only differences become numbers, so that neighbours stay apart. */
import { lowerBound, type Window } from "./anchors.js";

/** Place of an anchor along `width`; outside of it for anchors outside the window. */
export function placeOf(anchor: bigint, { start, end }: Window, width: number): number {
  return (Number(anchor - start) / Number(end - start)) * width;
}

/** The anchor at a place. */
export function anchorAt(place: number, { start, end }: Window, width: number): bigint {
  const part = Math.min(1, Math.max(0, place / width));
  const anchor = start + BigInt(Math.round(part * Number(end - start)));
  return anchor >= end ? end - 1n : anchor;
}

/** How many of the anchors lie in each of `bins` equal parts of a window. */
export function densityOf(anchors: BigUint64Array, window: Window, bins: number): Uint32Array {
  const counts = new Uint32Array(bins);
  const until = lowerBound(anchors, window.end);
  for (let at = lowerBound(anchors, window.start); at < until; at++) {
    const bin = Math.min(bins - 1, Math.floor(placeOf(anchors[at] ?? 0n, window, bins)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** A window `factor` times as wide, about an anchor, within bounds. */
export function zoomed(window: Window, about: bigint, factor: number, bounds: Window): Window {
  const scaled = (span: bigint): bigint => BigInt(Math.round(Number(span) * factor));
  const clamped = (anchor: bigint): bigint => (anchor < bounds.start ? bounds.start : anchor > bounds.end ? bounds.end : anchor);
  const start = clamped(about - scaled(about - window.start));
  const end = clamped(about + scaled(window.end - about));
  return end - start < 1n ? { start, end: start + 1n } : { start, end };
}

/** A window moved by a part of its width, within bounds. */
export function moved({ start, end }: Window, part: number, bounds: Window): Window {
  const span = end - start;
  let first = start + BigInt(Math.round(Number(span) * part));
  if (first < bounds.start) first = bounds.start;
  if (first + span > bounds.end) first = bounds.end - span;
  return first < bounds.start ? bounds : { start: first, end: first + span };
}
