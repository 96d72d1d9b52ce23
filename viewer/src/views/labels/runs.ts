/** Values along anchors as runs of equal ones, and the distinct values in the order in which they occur. */

/** Rows from `from` up to `to` with one value. */
export interface Run {
  readonly from: number;
  readonly to: number;
  /** Number of the value among the distinct ones. */
  readonly value: number;
}

/** Runs, and what they are runs of. */
export interface Runs {
  readonly runs: readonly Run[];
  /** Texts of the distinct values, in the order in which they occur. */
  readonly values: readonly string[];
  /** Rows of each value. */
  readonly counts: readonly number[];
}

/** The runs of a span of rows whose values have these texts: values are equal when their texts are, which are exact. */
export function runsOf(textOf: (row: number) => string, from: number, to: number): Runs {
  const numbers = new Map<string, number>();
  const runs: { from: number; to: number; value: number }[] = [];
  const values: string[] = [];
  const counts: number[] = [];
  for (let row = from; row < to; row++) {
    const text = textOf(row);
    let value = numbers.get(text);
    if (value === undefined) {
      value = values.length;
      numbers.set(text, value);
      values.push(text);
      counts.push(0);
    }
    counts[value] = (counts[value] ?? 0) + 1;
    const last = runs.at(-1);
    if (last?.value === value) last.to = row + 1;
    else runs.push({ from: row, to: row + 1, value });
  }
  return { runs, values, counts };
}

/** Place among the runs of the one that has a row; the nearest one for rows outside of all. */
export function runAt(runs: readonly Run[], row: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((runs[middle]?.to ?? 0) <= row) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, Math.max(0, runs.length - 1));
}

/** What a column of pixels shows: the value of a run, or that several share it. */
export interface Span {
  readonly left: number;
  readonly right: number;
  /** Number of the value; −1 where several differ within a pixel. */
  readonly value: number;
  /** Place of the first of its runs. */
  readonly run: number;
}

/**
 * Runs as pieces of a band of `width` pixels, each a pixel wide at least; those that share a pixel become one, and pieces of equal value that touch are joined.
 * A run reaches from its first anchor to its last, not to the next run's: what holds between anchors is not known.
 */
export function spansOf(runs: readonly Run[], placeOf: (row: number) => number, width: number): Span[] {
  const spans: { left: number; right: number; value: number; run: number }[] = [];
  for (const [run, { from, to, value }] of runs.entries()) {
    const left = Math.max(0, Math.min(width - 1, Math.floor(placeOf(from))));
    const right = Math.min(width, Math.max(left + 1, Math.ceil(placeOf(to - 1))));
    const last = spans.at(-1);
    if (last === undefined || left > last.right - 1) {
      if (last !== undefined && last.value === value && left <= last.right) last.right = right;
      else spans.push({ left, right, value, run });
      continue;
    }
    if (last.value === value) {
      last.right = Math.max(last.right, right);
      continue;
    }
    // The pixel in common shows that there are several.
    const shared = last.right - 1;
    if (last.right - last.left > 1) {
      last.right = shared;
      spans.push({ left: shared, right: shared + 1, value: -1, run });
    } else last.value = -1;
    if (right > shared + 1) spans.push({ left: shared + 1, right, value, run });
  }
  return spans;
}
