/** What is around the arm and touches it: a lidar's hits, contacts between parts, and two kinds of skin. */
import { cos, ease, Noise, sin } from "./exact.mjs";

/** Rings of the lidar, from its lowest to its highest. */
const RINGS = 8;
/** Directions in which each of them looks. */
const DIRECTIONS = 48;

/**
 * Points that the lidar hit, ring by ring, in m from the lidar: rows of [n, 3]. How many is up to what is there; the highest rings often see nothing.
 * @param {readonly number[]} times
 */
export function hitsAt(times) {
  const noise = new Noise(7);
  return times.map((t) => {
    const rowOffsets = [0];
    /** @type {number[]} */
    const values = [];
    for (let ring = 0; ring < RINGS; ring++) {
      const elevation = -0.35 + 0.09 * ring;
      for (let at = 0; at < DIRECTIONS; at++) {
        // Every third direction or so comes back, less often the higher it looks.
        if (noise.next() > 0.42 - 0.055 * ring) continue;
        const angle = (2 * Math.PI * at) / DIRECTIONS + 0.02 * sin(t);
        const wall = 2.4 + 0.5 * sin(3 * angle) + 0.01 * noise.normal();
        const range = elevation < 0 ? Math.min(wall, 0.6 / -sin(elevation)) : wall;
        values.push(range * cos(elevation) * cos(angle), range * cos(elevation) * sin(angle), range * sin(elevation));
      }
      rowOffsets.push(values.length / 3);
    }
    return { rowOffsets, values: Float32Array.from(values) };
  });
}

/** Parts of the arm, the hand and the cup between which there can be contact. */
const PARTS = 200;

/**
 * Who presses whom how hard, in N: a sparse [200, 200], symmetric. Parts that touch without any force have a stored zero.
 * @param {readonly number[]} times
 */
export function contactsAt(times) {
  const noise = new Noise(11);
  return times.map((t) => {
    const grip = ease(t, 36, 41) - ease(t, 86, 89);
    /** @type {Map<number, number>[]} */
    const rows = Array.from({ length: PARTS }, () => new Map());
    /** @type {(a: number, b: number, force: number) => void} */
    const touch = (a, b, force) => {
      rows[a]?.set(b, force);
      rows[b]?.set(a, force);
    };
    // Neighbours along the arm always touch; those of the hand, from 120 on, touch the cup, from 180 on, while it is held.
    for (let part = 0; part < 24; part++) touch(part, part + 1, part % 6 === 5 ? 0 : 2 + 0.1 * noise.normal());
    const many = Math.round(40 * grip);
    for (let at = 0; at < many; at++) touch(120 + noise.int(60), 180 + noise.int(20), grip * (0.2 + noise.next()));
    const sorted = rows.map((row) => [...row].sort(([a], [b]) => a - b));
    const rowOffsets = [0];
    for (const row of sorted) rowOffsets.push((rowOffsets.at(-1) ?? 0) + row.length);
    const stored = sorted.flat();
    return { rowOffsets, columnIndices: stored.map(([column]) => column), values: Float32Array.from(stored, ([, force]) => force) };
  });
}

/**
 * Pressure under the palm in kPa: [n, 6, 8].
 * @param {readonly number[]} times
 */
export function pressureAt(times) {
  const noise = new Noise(13);
  const [rows, columns] = [6, 8];
  const data = new Float32Array(times.length * rows * columns);
  for (const [at, t] of times.entries()) {
    const grip = ease(t, 37, 41) - ease(t, 86, 89);
    const [y, x] = [2.5 + sin(0.5 * t), 3.5 + 1.5 * sin(0.31 * t)];
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const [dy, dx] = [row - y, column - x];
        const near = 1 / (1 + 0.4 * (dy * dy + dx * dx));
        data[(at * rows + row) * columns + column] = 18 * grip * near + 0.05 * noise.next();
      }
    }
  }
  return data;
}

/**
 * The skin of the fingertips in counts of its converters: [n, 5, 3, 8, 8], by finger, by component of the force (across, along, into the skin), by place.
 * @param {readonly number[]} times
 */
export function touchAt(times) {
  const noise = new Noise(17);
  const [fingers, components, side] = [5, 3, 8];
  const data = new Int16Array(times.length * fingers * components * side * side);
  let at = 0;
  for (const t of times) {
    for (let finger = 0; finger < fingers; finger++) {
      const grip = ease(t, 36 + 0.7 * finger, 40 + 0.7 * finger) - ease(t, 86, 89);
      const [y, x] = [3.5 + sin(0.7 * t + finger), 3.5 + cos(0.7 * t + finger)];
      for (let component = 0; component < components; component++) {
        for (let place = 0; place < side * side; place++) {
          const [dy, dx] = [Math.floor(place / side) - y, (place % side) - x];
          const peak = 2000 * grip / (1 + 0.3 * (dx * dx + dy * dy));
          const share = component === 0 ? 0.1 * dx : component === 1 ? 0.1 * dy : -1;
          data[at++] = Math.round(share * peak) + noise.int(7) - 3;
        }
      }
    }
  }
  return data;
}
