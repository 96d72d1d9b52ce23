/** Points: what rows of three elements there are in an Item, in which order, and which of them can be drawn. */
import type { AnyTypedArray, DenseArray, RaggedArray } from "dreamdb-arrays";
import { type Box, type Local, localOf, NO_BOX } from "./box.js";
import type { Vec3 } from "./vector.js";

/** Rows of three elements, one after another. */
export interface Triples {
  /** Three elements for each, exactly. */
  readonly data: AnyTypedArray;
  readonly count: number;
  /** Extents before the last axis, of a dense Item. */
  readonly leading: readonly number[];
  /** Row in which each lies, of a ragged Item; and the first of each row. */
  readonly rows: { readonly of: Uint32Array; readonly starts: readonly number[] } | undefined;
}

/** Those of a dense Item whose last axis has three elements; the axes before it are joined, the last of them fastest. */
export function triplesOfDense(value: DenseArray): Triples {
  return { data: inCOrder(value), count: value.data.length / 3, leading: value.shape.slice(0, -1), rows: undefined };
}

/** The elements of a dense Item, the last axis fastest. */
export function inCOrder({ data, shape, strides, order }: DenseArray): AnyTypedArray {
  if (order === "c" || shape.length < 2) return data;
  const sorted = data.slice();
  const index = shape.map(() => 0);
  for (let at = 0; at < sorted.length; at++) {
    sorted[at] = data[index.reduce((sum, one, axis) => sum + one * (strides[axis] ?? 0), 0)] as never;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] = (index[axis] ?? 0) + 1;
      if ((index[axis] ?? 0) < (shape[axis] ?? 0)) break;
      index[axis] = 0;
    }
  }
  return sorted;
}

/** The cells of all rows of a ragged Item, each of which ends with an axis of three elements. */
export function triplesOfRagged({ values, rowOffsets, innerShape }: RaggedArray): Triples {
  const each = innerShape.slice(0, -1).reduce((product, extent) => product * extent, 1);
  const count = values.length / 3;
  const of = new Uint32Array(count);
  const starts = Array.from(rowOffsets, (offset) => Number(offset) * each);
  for (let row = 0; row + 1 < starts.length; row++) of.fill(row, starts[row], starts[row + 1]);
  return { data: values, count, leading: [count], rows: { of, starts } };
}

/** Place of a point in its Item: `[2, 5]`, or `row 2, 5` where rows differ in length, by the name of a row. */
export function indexText({ leading, rows }: Triples, at: number, rowName = "row"): string {
  if (rows !== undefined) {
    const row = rows.of[at] ?? 0;
    return `${rowName} ${row}, ${at - (rows.starts[row] ?? 0)}`;
  }
  const index: number[] = [];
  let rest = at;
  for (const extent of leading.toReversed()) {
    index.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return `[${index.join(", ")}]`;
}

/** The three elements of a point, exactly. */
export function elementsAt({ data }: Triples, at: number): readonly (number | bigint)[] {
  return [data[3 * at] ?? 0, data[3 * at + 1] ?? 0, data[3 * at + 2] ?? 0];
}

/** Points as they are drawn. */
export interface Placed {
  readonly box: Box;
  readonly local: Local;
  /** Local coordinates; of points that cannot be drawn they mean nothing. */
  readonly positions: Float32Array<ArrayBuffer>;
  /** Points that are drawn, ascending. */
  readonly drawn: Uint32Array<ArrayBuffer>;
  /** Points with a NaN or an infinity, which are not. */
  readonly leftOut: number;
}

/** Places the points; those that have none are counted. */
export function placed({ data, count }: Triples): Placed {
  const drawn = new Uint32Array(count);
  const [min, max] = [[...NO_BOX.min], [...NO_BOX.max]];
  let found = 0;
  for (let at = 0; at < count; at++) {
    const [x, y, z] = [Number(data[3 * at]), Number(data[3 * at + 1]), Number(data[3 * at + 2])];
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) continue;
    drawn[found++] = at;
    if (x < (min[0] ?? 0)) min[0] = x;
    if (x > (max[0] ?? 0)) max[0] = x;
    if (y < (min[1] ?? 0)) min[1] = y;
    if (y > (max[1] ?? 0)) max[1] = y;
    if (z < (min[2] ?? 0)) min[2] = z;
    if (z > (max[2] ?? 0)) max[2] = z;
  }
  const box: Box = { min: min as unknown as Vec3, max: max as unknown as Vec3 };
  const local = localOf(box);
  const positions = new Float32Array(3 * count);
  const [[ox, oy, oz], scale] = [local.origin, local.scale];
  for (let at = 0; at < count; at++) {
    positions[3 * at] = (Number(data[3 * at]) - ox) / scale;
    positions[3 * at + 1] = (Number(data[3 * at + 1]) - oy) / scale;
    positions[3 * at + 2] = (Number(data[3 * at + 2]) - oz) / scale;
  }
  return { box, local, positions, drawn: drawn.slice(0, found), leftOut: count - found };
}

/** The point nearest to a place on screen, at most `within` pixels from it; of those at the same place the one in front. `clip` is for local coordinates. */
export function nearest({ positions, drawn }: Placed, clip: Float32Array, width: number, height: number, x: number, y: number, within = 12): number | undefined {
  const c = Array.from(clip);
  const [c0 = 0, c1 = 0, , c3 = 0, c4 = 0, c5 = 0, , c7 = 0, c8 = 0, c9 = 0, , c11 = 0, c12 = 0, c13 = 0, , c15 = 0] = c;
  let best: number | undefined;
  let [least, front] = [within * within, Infinity];
  for (const at of drawn) {
    const [px = 0, py = 0, pz = 0] = [positions[3 * at], positions[3 * at + 1], positions[3 * at + 2]];
    const w = c3 * px + c7 * py + c11 * pz + c15;
    if (w <= 0) continue;
    const dx = ((c0 * px + c4 * py + c8 * pz + c12) / w + 1) * 0.5 * width - x;
    const dy = (1 - (c1 * px + c5 * py + c9 * pz + c13) / w) * 0.5 * height - y;
    const distance = dx * dx + dy * dy;
    if (distance > least + 0.5 || (distance > least - 0.5 && w >= front)) continue;
    [best, least, front] = [at, distance, w];
  }
  return best;
}
