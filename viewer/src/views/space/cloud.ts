/** From points and choices to what stands in the room. */
import { type Colour, coloursFor, palette } from "./colours.js";
import { drawable, vertexNormals } from "./faces.js";
import { inShuffledOrder } from "./order.js";
import type { Thing } from "./room.js";
import type { Placed, Triples } from "./triples.js";

/** By what points are coloured. */
export const COLOURINGS = ["none", "x", "y", "z", "index", "row"] as const;
/** One of them. */
export type Colouring = (typeof COLOURINGS)[number];

/** Sizes of points, in pixels. */
export const SIZES = [1, 2, 3, 4, 6, 8, 12] as const;

/** The size for so many points for which none was chosen. */
export function sizeFor(count: number): number {
  return count > 20_000 ? 2 : count > 2000 ? 3 : count > 200 ? 4 : 8;
}

/** Values at both ends of the colours. */
export function colourRange(colouring: Colouring, { box, drawn }: Placed, { count, rows }: Triples): readonly [number, number] | undefined {
  if (colouring === "none" || drawn.length === 0) return undefined;
  if (colouring === "index") return [0, count - 1];
  if (colouring === "row") return [0, Math.max(0, (rows?.starts.length ?? 1) - 2)];
  const axis = "xyz".indexOf(colouring);
  return [box.min[axis] ?? 0, box.max[axis] ?? 0];
}

/** A colour for each point, as bytes. */
export function pointColours(colouring: Colouring, place: Placed, triples: Triples, isDark: boolean, isMesh: boolean): Uint8Array<ArrayBuffer> {
  const range = colourRange(colouring, place, triples);
  if (range === undefined) return coloursFor(triples.count, isDark, undefined, isMesh ? palette(isDark).body : undefined);
  const [low, high] = range;
  const part = (value: number): number => (high > low ? (value - low) / (high - low) : 0.5);
  const { data, rows } = triples;
  if (colouring === "index") return coloursFor(triples.count, isDark, part);
  if (colouring === "row") return coloursFor(triples.count, isDark, (at) => part(rows?.of[at] ?? 0));
  const axis = "xyz".indexOf(colouring);
  return coloursFor(triples.count, isDark, (at) => part(Number(data[3 * at + axis])));
}

/** The points. */
export function pointsThing({ local, positions, drawn }: Placed, colours: Uint8Array<ArrayBuffer>, size: number): Thing {
  return { kind: "points", local, ...inShuffledOrder(positions, colours, drawn), size };
}

/** The faces whose points are there. */
export function facesThing({ local, positions, drawn }: Placed, faces: Uint32Array<ArrayBuffer>, colours: Uint8Array<ArrayBuffer>, isFlat: boolean): Thing & { readonly kind: "faces" } {
  let index = faces;
  if (drawn.length * 3 !== positions.length) {
    const isThere = new Uint8Array(positions.length / 3);
    for (const at of drawn) isThere[at] = 1;
    index = drawable(faces, (point) => isThere[point] === 1);
  }
  const normals = isFlat ? new Float32Array(positions.length) : vertexNormals(positions, index);
  return { kind: "faces", local, positions, normals, index, colours, isFlat };
}

/** A part of colours that is one colour. */
export function evenColours(count: number, colour: Colour): Uint8Array<ArrayBuffer> {
  const bytes = [...colour.map((one) => Math.round(one * 255)), 255];
  return Uint8Array.from({ length: 4 * count }, (_, at) => bytes[at % 4] ?? 0);
}
