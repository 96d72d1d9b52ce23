/** Triples of numbers, and how one counts with them. In doubles: only what goes to the graphics card is rounded to f32, once it is relative to its middle. */

/** A place or a direction. */
export type Vec3 = readonly [number, number, number];

/** `a + s · b`. */
export function plus(a: Vec3, b: Vec3, s = 1): Vec3 {
  return [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
}

/** `a − b`. */
export function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** `s · a`. */
export function times(a: Vec3, s: number): Vec3 {
  return [s * a[0], s * a[1], s * a[2]];
}

/** The scalar product. */
export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The vector product. */
export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The length. */
export function length(a: Vec3): number {
  return Math.hypot(a[0], a[1], a[2]);
}
