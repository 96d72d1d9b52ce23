/** 4×4 matrices as poses: a position and three axes, by the convention that a person chooses. */
import type { AnyTypedArray } from "dreamdb-arrays";
import { niceStep } from "./box.js";
import { cross, dot, type Vec3 } from "./vector.js";

/** Which vectors of a matrix are axes and position: its columns, or its rows. */
export type Convention = "columns" | "rows";

/** A matrix read as a pose. */
export interface MatrixPose {
  readonly axes: readonly [Vec3, Vec3, Vec3];
  readonly position: Vec3;
}

/** The pose of the matrix at a place of a column of matrices in C order. */
export function poseAt(data: AnyTypedArray, at: number, convention: Convention): MatrixPose {
  const [between, along] = convention === "columns" ? [1, 4] : [4, 1];
  const vector = (index: number): Vec3 => {
    const from = 16 * at + index * between;
    return [Number(data[from]), Number(data[from + along]), Number(data[from + 2 * along])];
  };
  return { axes: [vector(0), vector(1), vector(2)], position: vector(3) };
}

/** Determinant of the 3×3 part: 1 of a rotation, −1 where it mirrors, in doubles. */
export function determinant({ axes: [x, y, z] }: MatrixPose): number {
  return dot(x, cross(y, z));
}

/** Whether all of it can be drawn. */
export function isFinitePlace(place: Vec3): boolean {
  return place.every(Number.isFinite);
}

/** The places of every n-th of `count` things, the last one besides, so that there are at most `most`. */
export function strided(count: number, most: number): { readonly stride: number; readonly places: Uint32Array<ArrayBuffer> } {
  if (count <= most) return { stride: 1, places: Uint32Array.from({ length: count }, (_, at) => at) };
  const stride = Math.ceil(count / (most - 1));
  const whole = Math.ceil(count / stride);
  const isLastThere = (count - 1) % stride === 0;
  return { stride, places: Uint32Array.from({ length: whole + (isLastThere ? 0 : 1) }, (_, at) => (at < whole ? at * stride : count - 1)) };
}

/** Pieces of the way through positions: six numbers each. Where a position cannot be drawn there is a gap. */
export function wayPieces(positions: readonly Vec3[], local: (place: Vec3) => Vec3): { readonly pieces: Float32Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> } {
  const pieces = new Float32Array(6 * Math.max(0, positions.length - 1));
  const ends = new Uint32Array(Math.max(0, positions.length - 1));
  let count = 0;
  for (let at = 1; at < positions.length; at++) {
    const [from, to] = [positions[at - 1], positions[at]];
    if (from === undefined || to === undefined || !isFinitePlace(from) || !isFinitePlace(to)) continue;
    pieces.set([...local(from), ...local(to)], 6 * count);
    ends[count++] = at;
  }
  return { pieces: pieces.slice(0, 6 * count), ends: ends.slice(0, count) };
}

/** How many Items lie between triads for which nothing was chosen: so that there are a dozen or so. */
export function spacingFor(count: number): number {
  return Math.max(1, niceStep(Math.max(1, count / 12) * 5));
}
