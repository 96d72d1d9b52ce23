/** The arm: seven joints, the pose of its hand, and the force at its wrist. */
import { cos, ease, Noise, sin } from "./exact.mjs";
import { within } from "./time.mjs";

/** Of each joint: where it rests, how far it goes, how fast it sways (rad, rad, Hz). */
const JOINTS = /** @type {const} */ ([
  [0, 0.9, 0.031],
  [-0.6, 0.7, 0.047],
  [0.1, 0.4, 0.053],
  [-1.9, 0.5, 0.029],
  [0, 0.6, 0.061],
  [1.4, 0.5, 0.043],
  [0.785, 1.1, 0.037],
]);

/**
 * Joint angles in rad: [7].
 * @param {number} t
 */
export function jointsAt(t) {
  const effort = ease(t, 8, 14) - ease(t, 92, 99);
  return Float32Array.from(JOINTS, ([rest, reach, hertz], at) => rest + effort * reach * sin(2 * Math.PI * hertz * (t - 8) + 0.4 * at));
}

/**
 * Where the hand is and how it is turned, seen from the world: a homogeneous matrix in C order, [4, 4], lengths in m.
 * @param {number} t
 */
export function poseAt(t) {
  const out = ease(t, 8, 35) - ease(t, 88, 99);
  const up = ease(t, 42, 58) - ease(t, 80, 90);
  const across = ease(t, 60, 80);
  const sway = 0.01 * sin(2 * Math.PI * 0.3 * t);
  const [x, y, z] = [0.3 + 0.25 * out, -0.2 + 0.45 * across + sway, 0.25 - 0.15 * out + 0.3 * up];
  // A unit quaternion of turns about z and then x gives a rotation that is one to the last digit.
  const [half, tilt] = [0.6 * across + 0.1 * sin(0.2 * t), 0.35 * out];
  const [w, i, j, k] = [cos(half) * cos(tilt), cos(half) * sin(tilt), sin(half) * sin(tilt), sin(half) * cos(tilt)];
  // prettier-ignore
  return Float64Array.of(
    1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w), x,
    2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w), y,
    2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j), z,
    0, 0, 0, 1,
  );
}

/** The gauge is being zeroed: it has nothing to say. */
const ZEROING = { from: 20, to: 20.5 };
/** The fingers meet the cup harder than the gauge can tell. */
const OVERLOAD = 35.04;

/**
 * Forces in N at the given times: [n, 3]. Not all of them are numbers, and the arm at rest has a negative zero.
 * @param {readonly number[]} times
 */
export function forcesAt(times) {
  const noise = new Noise(3);
  const data = new Float32Array(times.length * 3);
  for (const [at, t] of times.entries()) {
    const held = ease(t, 41, 44) - ease(t, 86, 88);
    const push = ease(t, 35, 36) - ease(t, 88, 89);
    data.set([0.05 * noise.normal() + 1.5 * push, 0.05 * noise.normal(), 0.05 * noise.normal() - 6.2 * held], at * 3);
    if (t < 1) data[at * 3 + 1] = -0;
    if (within(t, ZEROING)) data.fill(NaN, at * 3, at * 3 + 3);
    if (Math.abs(t - OVERLOAD) < 1e-6) data[at * 3 + 2] = -Infinity;
  }
  // The gauge says by a NaN of its own why it fell silent; such bits stay what they are.
  const first = times.findIndex((t) => within(t, ZEROING));
  if (first >= 0) new Uint32Array(data.buffer)[first * 3] = 0x7fc0_0abc;
  return data;
}
