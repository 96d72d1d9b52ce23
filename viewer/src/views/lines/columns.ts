/** Many Items of a field as rows of numbers, whatever kind of field they are of, and single elements of them over the rows. */
import type { AnyTypedArray, DType, Verified } from "dreamdb-arrays";

/** Rows, ascending by anchor; row `i` has the elements from `i · width` on. */
export interface NumberRows {
  readonly anchors: BigUint64Array;
  readonly dtype: DType;
  readonly data: AnyTypedArray;
  /** Elements of a row. */
  readonly width: number;
  readonly verified: Verified;
}

/** Rows without those that a later one at the same anchor replaces. */
export function withoutReplaced(rows: NumberRows): NumberRows {
  const { anchors, data, width } = rows;
  const kept: number[] = [];
  for (let row = 0; row < anchors.length; row++) if (anchors[row] !== anchors[row + 1]) kept.push(row);
  if (kept.length === anchors.length) return rows;
  const fewer = data.slice(0, kept.length * width);
  for (const [at, row] of kept.entries()) copyRow(fewer, data, at * width, row * width, width);
  return { ...rows, anchors: BigUint64Array.from(kept, (row) => anchors[row] ?? 0n), data: fewer };
}

function copyRow(to: AnyTypedArray, from: AnyTypedArray, at: number, start: number, width: number): void {
  // Of one dtype, which the compiler cannot tell.
  (to as Float64Array).set(from.subarray(start, start + width) as Float64Array, at);
}

/** The value of an element in a row, exactly. */
export function valueOf({ data, width }: NumberRows, row: number, element: number): number | bigint | undefined {
  return data[row * width + element];
}

/** Values of chosen elements in a span of rows, of the same dtype: `[rows, elements]` in C order. */
export function chosenValues({ data, width }: NumberRows, from: number, to: number, elements: readonly number[]): AnyTypedArray {
  if (width === 1 && elements.length === 1) return data.slice(from, to);
  const chosen = new (data.constructor as new (length: number) => AnyTypedArray)((to - from) * elements.length);
  let at = 0;
  for (let row = from; row < to; row++) for (const element of elements) chosen[at++] = data[row * width + element] as never;
  return chosen;
}

/** One element over all rows, to be drawn: numbers, less `base` where they are of 64 bits and would lose it as doubles. */
export function drawnValues({ data, width, anchors }: NumberRows, element: number, base: bigint): Float64Array {
  const values = new Float64Array(anchors.length);
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let row = 0; row < values.length; row++) values[row] = Number((data[row * width + element] ?? 0n) - base);
  } else {
    for (let row = 0; row < values.length; row++) values[row] = data[row * width + element] ?? Number.NaN;
  }
  return values;
}

const EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** What 64-bit integers are drawn relative to: the least of those chosen, where doubles would not tell neighbours apart; else zero. */
export function baseOf({ data, width, anchors }: NumberRows, elements: readonly number[]): bigint {
  if (!(data instanceof BigInt64Array || data instanceof BigUint64Array)) return 0n;
  let [least, greatest]: [bigint | undefined, bigint | undefined] = [undefined, undefined];
  for (let row = 0; row < anchors.length; row++) {
    for (const element of elements) {
      const value = data[row * width + element] ?? 0n;
      if (least === undefined || value < least) least = value;
      if (greatest === undefined || value > greatest) greatest = value;
    }
  }
  if (least === undefined || greatest === undefined) return 0n;
  return greatest > EXACT || least < -EXACT ? least : 0n;
}

/** Above this, doubles do not tell neighbouring anchors apart. */
const EXACT_SPAN = 1n << 53n;

/** Where places are counted from: the first row, so that they stay when the window moves; the window, where that would not be exact. */
export function originOf(anchors: BigUint64Array, start: bigint): bigint {
  const [first, last] = [anchors[0], anchors.at(-1)];
  return first === undefined || last === undefined || last - first >= EXACT_SPAN ? start : first;
}

/** Anchors as numbers from `start` on, for drawing. */
export function places(anchors: BigUint64Array, start: bigint): Float64Array {
  return Float64Array.from({ length: anchors.length }, (_, row) => Number((anchors[row] ?? 0n) - start));
}
