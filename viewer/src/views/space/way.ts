/** From matrices to what stands in the room: the way, axes along it, and those at the playhead. */
import { type Box, type Local, localOf, niceStep, NO_BOX, radius, union } from "./box.js";
import { evenColours } from "./cloud.js";
import { axisColour, coloursFor } from "./colours.js";
import { type Convention, isFinitePlace, type MatrixPose, poseAt, strided, wayPieces } from "./matrices.js";
import type { Course } from "./course.js";
import type { Thing } from "./room.js";
import { minus, plus, times, type Vec3 } from "./vector.js";

/** More positions than this are thinned out before the way is drawn. */
export const MOST_POSITIONS = 20_000;

/** Axes at the playhead are so many times as long as others. */
export const PLAYHEAD = 2.5;

/** The way through a window. */
export interface Way {
  readonly count: number;
  readonly poses: readonly MatrixPose[];
  /** Every how many of the matrices are drawn. */
  readonly stride: number;
  /** Positions with a NaN or an infinity. */
  readonly leftOut: number;
  readonly box: Box;
  readonly local: Local;
  /** Length at which an axis of length 1 is drawn, in the data's units. */
  readonly unit: number;
  /** Positions that are drawn, in order. */
  readonly places: Uint32Array<ArrayBuffer>;
}

/** Reads matrices as a way. */
export function wayOf({ data }: Course, convention: Convention): Way {
  const count = data.length / 16;
  const poses = Array.from({ length: count }, (_, at) => poseAt(data, at, convention));
  let [positions, leftOut] = [NO_BOX, 0];
  for (const { position } of poses) {
    if (isFinitePlace(position)) positions = union(positions, { min: position, max: position });
    else leftOut += 1;
  }
  const reach = leftOut === count ? 0 : radius(positions);
  const unit = reach > 0 ? niceStep(reach * 0.5) : 1;
  const margin: Vec3 = [unit, unit, unit];
  const box = leftOut === count ? NO_BOX : { min: minus(positions.min, times(margin, 0.5)), max: plus(positions.max, margin, 0.5) };
  const { stride, places } = strided(count, MOST_POSITIONS);
  return { count, poses, stride, leftOut, box, local: localOf(box), unit, places };
}

/** The way as a line, coloured from its first to its last position. */
export function wayThing({ poses, places, local, count }: Way, isDark: boolean): Thing {
  const positions = Array.from(places, (at) => poses[at]?.position ?? ([Number.NaN, 0, 0] as const));
  const { pieces, ends } = wayPieces(positions, toLocal(local));
  const colours = coloursFor(ends.length, isDark, (at) => (places[ends[at] ?? 0] ?? 0) / Math.max(1, count - 1));
  return { kind: "lines", local, pieces, colours, width: 2.5 };
}

/** Axes of every n-th pose. */
export function triadsThing(way: Way, every: number, isDark: boolean): Thing {
  return axesThing(way, way.poses.filter((_, at) => at % every === 0), 1, 1.5, isDark);
}

/** Axes of one pose, larger. */
export function playheadThing(way: Way, pose: MatrixPose, isDark: boolean): Thing {
  return axesThing(way, [pose], PLAYHEAD, 4.5, isDark);
}

/** Where the axes of the pose at the playhead end. */
export function tipsOf({ unit }: Way, { position, axes }: MatrixPose): readonly Vec3[] {
  return axes.map((axis) => plus(position, axis, PLAYHEAD * unit));
}

function axesThing({ local, unit }: Way, poses: readonly MatrixPose[], size: number, width: number, isDark: boolean): Thing {
  const to = toLocal(local);
  const able = poses.filter(({ position, axes }) => isFinitePlace(position) && axes.every(isFinitePlace));
  const pieces = Float32Array.from(able.flatMap(({ position, axes }) => axes.flatMap((axis) => [...to(position), ...to(plus(position, axis, unit * size))])));
  const three = ([0, 1, 2] as const).map((axis) => [...evenColours(1, axisColour(axis, isDark))]);
  return { kind: "lines", local, pieces, colours: Uint8Array.from(able.flatMap(() => three.flat())), width };
}

function toLocal({ origin, scale }: Local): (place: Vec3) => Vec3 {
  return (place) => times(minus(place, origin), 1 / scale);
}
