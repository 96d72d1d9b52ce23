/**
 * A hand as a closed surface of 778 vertices and 1,552 triangles, as motion capture has them.
 *
 * A flat outline of squares, once for the palm's side and once for the back, joined at the rim and inflated. The topology stays; fingers curl and the
 * hand moves.
 */
import { cos, ease, sin } from "./exact.mjs";
import { poseAt } from "./motion.mjs";

/** Metres of a square's side, and of one along a finger. */
const [CELL, JOINT] = [0.0065, 0.0052];
/** Squares of the palm, and of a finger across. */
const [WIDE, HIGH, FINGER] = [15, 13, 3];
/** Lengths of the fingers that stand on the palm, in squares. */
const FINGERS = [14, 16, 15, 10];
/** The thumb, at the palm's side: from which row on, how many of them, how long. */
const THUMB = { row: 4, rows: 4, length: 7 };

/** @typedef {{ x: number, y: number, side: number, finger: number }} Corner a corner of squares; side 1, −1, or 0 at the rim */

/** Whether the outline has a square. @type {(column: number, row: number) => boolean} */
function isIn(column, row) {
  if (column < 0) return column >= -THUMB.length && row >= THUMB.row && row < THUMB.row + THUMB.rows;
  if (column >= WIDE || row < 0) return false;
  if (row < HIGH) return true;
  // Fingers have a square between them.
  return column % (FINGER + 1) < FINGER && row < HIGH + (FINGERS[Math.floor(column / (FINGER + 1))] ?? 0);
}

/** Whether all four squares around a corner are there. @type {(x: number, y: number) => boolean} */
function isInner(x, y) {
  return isIn(x, y) && isIn(x - 1, y) && isIn(x, y - 1) && isIn(x - 1, y - 1);
}

/** The corners, and the triangles between them, which go around anticlockwise seen from outside. */
function surface() {
  /** @type {Corner[]} */
  const corners = [];
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {(x: number, y: number, side: number) => number} */
  const corner = (x, y, side) => {
    const own = isInner(x, y) ? side : 0;
    const key = `${x},${y},${own}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, corners.length);
    const finger = y > HIGH && x >= 0 ? Math.floor(x / (FINGER + 1)) : -1;
    return corners.push({ x, y, side: own, finger }) - 1;
  };
  /** @type {number[]} */
  const faces = [];
  for (const side of [1, -1]) {
    for (let row = 0; row < HIGH + Math.max(...FINGERS); row++) {
      for (let column = -THUMB.length; column < WIDE; column++) {
        if (!isIn(column, row)) continue;
        const [a, b, c, d] = [corner(column, row, side), corner(column + 1, row, side), corner(column + 1, row + 1, side), corner(column, row + 1, side)];
        // A diagonal between two corners of the rim would be one of both sides.
        const rim = !isInner(column, row) && !isInner(column + 1, row + 1);
        const halves = rim ? [[a, b, d], [b, c, d]] : [[a, b, c], [a, c, d]];
        for (const half of halves) faces.push(...(side === 1 ? half : half.toReversed()));
      }
    }
  }
  return { corners, faces: Int32Array.from(faces) };
}

const { corners, faces } = surface();

/** Vertices of the hand. */
export const VERTICES = corners.length;
/** Its triangles, three numbers of vertices each: [1552, 3]. */
export const FACES = faces;

/** The open hand at rest, inflated and smoothed, in m: [778, 3]. */
const REST = smoothed(Float64Array.from(corners.flatMap(({ x, y, side }) => [(x - WIDE / 2) * CELL, Math.min(y, HIGH) * CELL + Math.max(0, y - HIGH) * JOINT, side * 2.2 * CELL])), 3);

/**
 * Each vertex towards the middle of its neighbours, some times over.
 * @param {Float64Array} vertices
 * @param {number} times
 */
function smoothed(vertices, times) {
  let from = vertices;
  for (let time = 0; time < times; time++) {
    const sums = new Float64Array(VERTICES * 4);
    for (let at = 0; at < FACES.length; at++) {
      const [vertex, next] = [FACES[at] ?? 0, FACES[at % 3 === 2 ? at - 2 : at + 1] ?? 0];
      for (let axis = 0; axis < 3; axis++) sums[vertex * 4 + axis] = (sums[vertex * 4 + axis] ?? 0) + (from[next * 3 + axis] ?? 0);
      sums[vertex * 4 + 3] = (sums[vertex * 4 + 3] ?? 0) + 1;
    }
    const last = from;
    from = last.map((value, at) => {
      const vertex = Math.floor(at / 3);
      return 0.5 * value + (0.5 * (sums[vertex * 4 + (at % 3)] ?? 0)) / (sums[vertex * 4 + 3] ?? 1);
    });
  }
  return from;
}

/**
 * The vertices in the world at a time, in m: [778, 3].
 * @param {number} t
 */
export function handAt(t) {
  const pose = poseAt(t);
  const out = new Float32Array(VERTICES * 3);
  for (const [at, { finger }] of corners.entries()) {
    const [x = 0, y = 0, z = 0] = REST.subarray(at * 3, at * 3 + 3);
    // The fingers close one after another.
    const curl = finger < 0 ? 0 : 1.9 * (ease(t, 36 + 0.7 * finger, 40 + 0.7 * finger) - ease(t, 86, 89));
    const [, bentY, bentZ] = curl === 0 ? [x, y, z] : bent(x, y, z, curl, (FINGERS[finger] ?? 1) * JOINT);
    for (let axis = 0; axis < 3; axis++) {
      const row = pose.subarray(axis * 4, axis * 4 + 4);
      out[at * 3 + axis] = (row[0] ?? 0) * x + (row[1] ?? 0) * (bentY ?? 0) + (row[2] ?? 0) * (bentZ ?? 0) + (row[3] ?? 0);
    }
  }
  return out;
}

/**
 * A point of a finger that is bent into an arc: by `curl` rad from root to tip.
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} curl
 * @param {number} length
 */
function bent(x, y, z, curl, length) {
  const root = HIGH * CELL;
  const radius = length / curl;
  const angle = (y - root) / radius;
  return [x, root + (radius + z) * sin(angle), (radius + z) * cos(angle) - radius];
}
