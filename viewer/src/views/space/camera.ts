/**
 * The camera: where it stands, what it sees, and how it is moved. It goes about a target on a sphere, one axis of the data up.
 *
 * Poses are in the data's own coordinates, so that an address with one shows the same place whatever else is on screen.
 */
import { type Box, centre, radius } from "./box.js";
import { dot, length, minus, plus, times, type Vec3 } from "./vector.js";

/** Which axis of the data points up. */
export const UPS = ["x", "y", "z", "-x", "-y", "-z"] as const;
/** One of them. */
export type Up = (typeof UPS)[number];

/** Where the camera stands: angles in degrees about the target, distance and target in the data's units. */
export interface Pose {
  /** About the axis that is up, from the first of the other two. */
  readonly yaw: number;
  /** Above the plane of the other two, −90 to 90. */
  readonly pitch: number;
  readonly distance: number;
  readonly target: Vec3;
}

/** What it sees from there. */
export interface View {
  readonly eye: Vec3;
  /** To the right and up on screen, unit vectors. */
  readonly right: Vec3;
  readonly up: Vec3;
  /** From the data's coordinates to the clip space of the graphics card, columns one after another. */
  readonly clip: readonly number[];
  /** What is nearer to the eye is not seen. */
  readonly near: number;
  readonly width: number;
  readonly height: number;
}

/** Vertical field of view. */
const FOV = (32 * Math.PI) / 180;
const DEGREE = Math.PI / 180;

/** Two axes that lie, and the one that is up; right-handed in this order. */
export function axesFor(up: Up): readonly [Vec3, Vec3, Vec3] {
  const axis = "xyz".indexOf(up.slice(-1));
  const unit = (at: number, sign = 1): Vec3 => [0, 1, 2].map((one) => (one === at % 3 ? sign : 0)) as unknown as Vec3;
  return up.startsWith("-") ? [unit(axis + 2), unit(axis + 1), unit(axis, -1)] : [unit(axis + 1), unit(axis + 2), unit(axis)];
}

/** Pixels that what is written about the box needs at the sides, above and below. */
const [ASIDE, ABOVE] = [72, 34];

/** The pose that has all of a box on screen, seen a little from above. */
export function fitted(box: Box, up: Up, width: number, height: number): Pose {
  const pose = { yaw: -60, pitch: 22 };
  const { right, above, back } = directions(pose, up);
  const focal = 1 / Math.tan(FOV / 2);
  const [wide, high] = [Math.max(0.3, 1 - (2 * ASIDE) / width) * (width / height), Math.max(0.3, 1 - (2 * ABOVE) / height)];
  const corners = Array.from({ length: 8 }, (_, corner): Vec3 => [(corner & 1 ? box.max : box.min)[0], (corner & 2 ? box.max : box.min)[1], (corner & 4 ? box.max : box.min)[2]]);
  let [target, distance] = [centre(box), 0];
  // What is near is seen larger, so the middle of the box is not that of its picture.
  for (let round = 0; round < 4; round++) {
    const seen = corners.map((corner) => minus(corner, target)).map((from) => [dot(from, right), dot(from, above), dot(from, back)] as const);
    distance = seen.reduce((most, [x, y, depth]) => Math.max(most, depth + focal * Math.max(Math.abs(x) / wide, Math.abs(y) / high)), radius(box));
    if (round === 3) break;
    const middle = (at: 0 | 1): number => {
      const places = seen.map((one) => one[at] / (distance - one[2]));
      return ((Math.min(...places) + Math.max(...places)) / 2) * distance;
    };
    target = plus(plus(target, right, middle(0)), above, middle(1));
  }
  return { ...pose, target, distance };
}

/** Unit vectors to the right, up and towards the eye of who looks from a pose. */
function directions(pose: Pick<Pose, "yaw" | "pitch">, up: Up): { readonly right: Vec3; readonly above: Vec3; readonly back: Vec3 } {
  const [first, second, upward] = axesFor(up);
  const [yaw, pitch] = [pose.yaw * DEGREE, pose.pitch * DEGREE];
  const level = plus(times(first, Math.cos(yaw)), second, Math.sin(yaw));
  return {
    right: plus(times(first, -Math.sin(yaw)), second, Math.cos(yaw)),
    above: plus(times(level, -Math.sin(pitch)), upward, Math.cos(pitch)),
    back: plus(times(level, Math.cos(pitch)), upward, Math.sin(pitch)),
  };
}

/** What is seen from a pose, of a box, on a screen of so many pixels. */
export function viewFrom(pose: Pose, up: Up, box: Box, width: number, height: number): View {
  const { right, above, back } = directions(pose, up);
  const eye = plus(pose.target, back, pose.distance);
  const reach = radius(box) * 1.1 + length(minus(centre(box), pose.target));
  const near = Math.max(pose.distance * 0.01, (pose.distance - reach) * 0.9);
  const far = Math.max(pose.distance + reach, near * 2);
  const [focal, depth] = [1 / Math.tan(FOV / 2), 1 / (near - far)];
  const rows = [
    [...times(right, (focal * height) / width), (-dot(right, eye) * focal * height) / width],
    [...times(above, focal), -dot(above, eye) * focal],
    [...times(back, (far + near) * depth), -dot(back, eye) * (far + near) * depth + 2 * far * near * depth],
    [...times(back, -1), dot(back, eye)],
  ];
  const clip = Array.from({ length: 16 }, (_, at) => rows[at % 4]?.[Math.floor(at / 4)] ?? 0);
  return { eye, right, up: above, clip, near, width, height };
}

/** The clip matrix for coordinates that are relative: `data = origin + scale · local`. */
export function clipOf({ clip }: View, origin: Vec3, scale: number): Float32Array {
  const local = new Float32Array(16);
  for (let row = 0; row < 4; row++) {
    const at = (column: number): number => clip[column * 4 + row] ?? 0;
    for (let column = 0; column < 3; column++) local[column * 4 + row] = at(column) * scale;
    local[12 + row] = at(0) * origin[0] + at(1) * origin[1] + at(2) * origin[2] + at(3);
  }
  return local;
}

/** Where a place is on screen, in pixels from above on the left; `undefined` behind the eye. */
export function project(view: View, place: Vec3): readonly [x: number, y: number, depth: number] | undefined {
  const { clip } = view;
  const row = (at: number): number => (clip[at] ?? 0) * place[0] + (clip[4 + at] ?? 0) * place[1] + (clip[8 + at] ?? 0) * place[2] + (clip[12 + at] ?? 0);
  const w = row(3);
  return w < view.near ? undefined : [(row(0) / w + 1) * 0.5 * view.width, (1 - row(1) / w) * 0.5 * view.height, w];
}

/** Turned by so many degrees. */
export function turned(pose: Pose, yaw: number, pitch: number): Pose {
  const about = (((pose.yaw + yaw + 180) % 360) + 360) % 360 - 180;
  return { ...pose, yaw: about, pitch: Math.min(90, Math.max(-90, pose.pitch + pitch)) };
}

/** Nearer (below 1) or farther by a factor; within what the box makes sensible. */
export function zoomed(pose: Pose, factor: number, box: Box): Pose {
  const whole = radius(box);
  return { ...pose, distance: Math.min(whole * 100, Math.max(whole / 1000, pose.distance * factor)) };
}

/** Moved along the screen by so many pixels: what is at the target's depth follows the pointer. */
export function panned(pose: Pose, view: View, x: number, y: number): Pose {
  const perPixel = (2 * pose.distance * Math.tan(FOV / 2)) / view.height;
  return { ...pose, target: plus(plus(pose.target, view.right, -x * perPixel), view.up, y * perPixel) };
}

/** A pose for the address. */
export function poseText({ yaw, pitch, distance, target }: Pose): string {
  return [yaw.toFixed(1), pitch.toFixed(1), ...[distance, ...target].map((one) => String(Number(one.toPrecision(9))))].map((one) => one.replace(/\.0$/, "")).join(",");
}

/** The pose that a text says, if it says one. */
export function parsePose(text: string | undefined): Pose | undefined {
  const numbers = (text ?? "").split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [yaw = 0, pitch = 0, distance = 0, x = 0, y = 0, z = 0] = numbers;
  if (numbers.length !== 6 || !numbers.every(Number.isFinite) || distance <= 0 || Math.abs(pitch) > 90) return undefined;
  return { yaw, pitch, distance, target: [x, y, z] };
}
