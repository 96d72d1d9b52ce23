/**
 * Lines with far more Items than pixels, as the few that make the same picture.
 *
 * Of all Items in a column of pixels the first, the least, the greatest and the last are kept, each at its own place: no peak is lost, whatever the
 * zoom. What is not finite interrupts the line wherever it stands between two that are kept.
 */

/** A line to draw: places, and values with NaN where the line is interrupted. */
export interface Trace {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Places at which the value is +∞, and −∞; one for each column of pixels at most. */
  readonly above: Float64Array;
  readonly below: Float64Array;
}

/** What is not finite among values. */
export interface Gaps {
  readonly nan: number;
  readonly above: number;
  readonly below: number;
}

/** Counts what is not finite in a span of rows. */
export function gapsOf(values: Float64Array, from: number, to: number): Gaps {
  let [nan, above, below] = [0, 0, 0];
  for (let row = from; row < to; row++) {
    const value = values[row] ?? 0;
    if (value - value === 0) continue;
    if (value === Infinity) above += 1;
    else if (value === -Infinity) below += 1;
    else nan += 1;
  }
  return { nan, above, below };
}

/** Least and greatest finite value of a span of rows. */
export function extentOf(values: Float64Array, from: number, to: number): readonly [least: number, greatest: number] | undefined {
  let [least, greatest] = [Infinity, -Infinity];
  for (let row = from; row < to; row++) {
    const value = values[row] ?? 0;
    if (value - value !== 0) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return least <= greatest ? [least, greatest] : undefined;
}

/** Rows of a span at ascending `places`, as `columns` columns of pixels from `left` to `right` can show them. */
export function traceOf(places: Float64Array, values: Float64Array, from: number, to: number, { left, right, columns }: { readonly left: number; readonly right: number; readonly columns: number }): Trace {
  const trace = new Tracer();
  const width = (right - left) / columns;
  let row = from;
  while (row < to) {
    const column = width > 0 ? Math.floor(((places[row] ?? 0) - left) / width) : 0;
    let [end, least, greatest, first, last] = [row, -1, -1, -1, -1];
    let [above, below] = [Number.NaN, Number.NaN];
    for (; end < to; end++) {
      const place = places[end] ?? 0;
      if (end > row && (width > 0 ? Math.floor((place - left) / width) : 0) !== column) break;
      const value = values[end] ?? Number.NaN;
      if (value === Infinity) above = place;
      if (value === -Infinity) below = place;
      if (value - value !== 0) continue;
      if (first < 0) first = end;
      last = end;
      if (least < 0 || value < (values[least] ?? 0)) least = end;
      if (greatest < 0 || value > (values[greatest] ?? 0)) greatest = end;
    }
    trace.mark(above, below);
    if (first >= 0) for (const kept of new Set([first, Math.min(least, greatest), Math.max(least, greatest), last])) trace.add(kept, places, values);
    row = end;
  }
  return trace.done();
}

class Tracer {
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #above: number[] = [];
  readonly #below: number[] = [];
  #last = -1;

  mark(above: number, below: number): void {
    if (!Number.isNaN(above)) this.#above.push(above);
    if (!Number.isNaN(below)) this.#below.push(below);
  }

  /** The next row that is kept. */
  add(row: number, places: Float64Array, values: Float64Array): void {
    for (let between = this.#last + 1; this.#last >= 0 && between < row; between++) {
      const value = values[between] ?? Number.NaN;
      if (value - value === 0) continue;
      this.#x.push(places[between] ?? 0);
      this.#y.push(Number.NaN);
      break;
    }
    this.#x.push(places[row] ?? 0);
    this.#y.push(values[row] ?? Number.NaN);
    this.#last = row;
  }

  done(): Trace {
    return { x: Float64Array.from(this.#x), y: Float64Array.from(this.#y), above: Float64Array.from(this.#above), below: Float64Array.from(this.#below) };
  }
}

/** Places of the points of a span that differ by a pixel or more, as pairs of pixels: all that can be seen of any number of points. */
export function pixelsOf(places: Float64Array, values: Float64Array, from: number, to: number, toX: (place: number) => number, toY: (value: number) => number): Int32Array {
  const pixels: number[] = [];
  const seen = new Set<number>();
  let column = Number.NaN;
  for (let row = from; row < to; row++) {
    const value = values[row] ?? Number.NaN;
    if (value - value !== 0) continue;
    const [x, y] = [Math.round(toX(places[row] ?? 0)), Math.round(toY(value))];
    if (x !== column) {
      seen.clear();
      column = x;
    }
    if (seen.has(y)) continue;
    seen.add(y);
    pixels.push(x, y);
  }
  return Int32Array.from(pixels);
}
