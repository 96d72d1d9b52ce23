/** Faces: triples of indices of points, and the normals that come of them. */
import type { AnyTypedArray, ArrayFieldInfo, FieldInfo } from "dreamdb-arrays";
import { isArrayField } from "dreamdb-arrays";

const INTEGERS: ReadonlySet<string> = new Set(["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]);

/** Fields that a person may take for faces: integers, declared `[f, 3]`; Constants first. Which of them is meant nobody but that person knows. */
export function faceFields(fields: readonly FieldInfo[]): ArrayFieldInfo[] {
  const able = fields.filter(isArrayField).filter(({ family, dtype, shape }) => family === "dense-array" && INTEGERS.has(dtype) && shape?.length === 2 && shape[1] === 3n);
  return [...able.filter(({ trackKind }) => trackKind === "constant"), ...able.filter(({ trackKind }) => trackKind !== "constant")];
}

/** Three indices for each face, each of a point that there is. */
export function facesOf(data: AnyTypedArray, points: number, field: string): Uint32Array<ArrayBuffer> {
  const faces = new Uint32Array(data.length);
  for (let at = 0; at < data.length; at++) {
    const index = data[at] ?? 0;
    if (index < 0 || index >= points) {
      throw new RangeError(`face ${Math.floor(at / 3)} of ${JSON.stringify(field)} names point ${index} at place ${at % 3}; the Item has ${points} points, 0 to ${points - 1}`);
    }
    faces[at] = Number(index);
  }
  return faces;
}

/** The faces whose points can all be drawn. */
export function drawable(faces: Uint32Array<ArrayBuffer>, isDrawn: (point: number) => boolean): Uint32Array<ArrayBuffer> {
  const kept = new Uint32Array(faces.length);
  let count = 0;
  for (let at = 0; at + 2 < faces.length; at += 3) {
    const [a = 0, b = 0, c = 0] = [faces[at], faces[at + 1], faces[at + 2]];
    if (!(isDrawn(a) && isDrawn(b) && isDrawn(c))) continue;
    kept[count] = a;
    kept[count + 1] = b;
    kept[count + 2] = c;
    count += 3;
  }
  return kept.slice(0, count);
}

/** A unit normal for each point: of the faces about it, each by its area. Of a point without faces, or whose faces cancel, there is none: zeros. */
export function vertexNormals(positions: Float32Array, faces: Uint32Array): Float32Array<ArrayBuffer> {
  const normals = new Float32Array(positions.length);
  const p = (at: number): number => positions[at] ?? 0;
  for (let at = 0; at + 2 < faces.length; at += 3) {
    const [a, b, c] = [3 * (faces[at] ?? 0), 3 * (faces[at + 1] ?? 0), 3 * (faces[at + 2] ?? 0)];
    const [ux, uy, uz] = [p(b) - p(a), p(b + 1) - p(a + 1), p(b + 2) - p(a + 2)];
    const [vx, vy, vz] = [p(c) - p(a), p(c + 1) - p(a + 1), p(c + 2) - p(a + 2)];
    // Its length is twice the area of the face.
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const corner of [a, b, c]) {
      normals[corner] = (normals[corner] ?? 0) + nx;
      normals[corner + 1] = (normals[corner + 1] ?? 0) + ny;
      normals[corner + 2] = (normals[corner + 2] ?? 0) + nz;
    }
  }
  for (let at = 0; at + 2 < normals.length; at += 3) {
    const size = Math.hypot(normals[at] ?? 0, normals[at + 1] ?? 0, normals[at + 2] ?? 0);
    if (size === 0) continue;
    for (let axis = at; axis < at + 3; axis++) normals[axis] = (normals[axis] ?? 0) / size;
  }
  return normals;
}
