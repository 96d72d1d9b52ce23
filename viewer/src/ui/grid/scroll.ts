/**
 * Places along an axis of a grid, of rows or of columns, against the pixels of a scroll bar.
 *
 * Browsers cap how far an element reaches, some at sixteen million pixels. Longer axes get a shorter bar: a place on it then stands for several
 * rows, and whatever steps by rows sets the place instead of being set by it.
 */

/** Far enough below every browser's cap. */
export const MOST_PX = 8_000_000;

/** So many entries of `size` pixels, of which `view` pixels are in sight. */
export interface Axis {
  readonly count: number;
  readonly size: number;
  readonly view: number;
}

/** Pixels that the bar has room for. */
export function extentOf({ count, size }: Axis): number {
  return Math.min(count * size, MOST_PX);
}

/** Whether pixels of the bar stand for more than pixels of the axis. */
export function isScaled({ count, size }: Axis): boolean {
  return count * size > MOST_PX;
}

/** Furthest entry, with fraction, that can be the first in sight. */
export function lastTop({ count, size, view }: Axis): number {
  return Math.max(0, count - view / size);
}

/** The entry, with fraction, that is first in sight when the bar stands there. */
export function topAt(scrolled: number, axis: Axis): number {
  if (!isScaled(axis)) return clampedTop(scrolled / axis.size, axis);
  const way = extentOf(axis) - axis.view;
  return way <= 0 ? 0 : clampedTop((scrolled / way) * lastTop(axis), axis);
}

/** Where the bar stands when that entry is first in sight. */
export function scrolledTo(top: number, axis: Axis): number {
  if (!isScaled(axis)) return top * axis.size;
  const last = lastTop(axis);
  return last === 0 ? 0 : (top / last) * (extentOf(axis) - axis.view);
}

/** The nearest that can be first in sight. */
export function clampedTop(top: number, axis: Axis): number {
  return Math.min(lastTop(axis), Math.max(0, top));
}

/** First and last entry of which any part is in sight; the last is −1 if there are none. */
export function inSight(top: number, axis: Axis): readonly [first: number, last: number] {
  const first = Math.floor(top);
  return [first, Math.min(axis.count - 1, Math.ceil(top + axis.view / axis.size) - 1)];
}

/** What is to be first in sight so that all of an entry is: as little further as it takes, but for what is far off, which then stands in the middle. */
export function revealing(entry: number, top: number, axis: Axis): number {
  const page = axis.view / axis.size;
  if (entry < top - page || entry > top + 2 * page) return clampedTop(Math.round(entry - page / 2), axis);
  if (entry < top) return clampedTop(entry, axis);
  const whole = entry + 1 - page;
  return clampedTop(Math.max(top, Math.min(entry, whole)), axis);
}
