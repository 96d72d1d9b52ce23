/** Points, faces and poses that tests of what is drawn in space know. */
import { Schema } from "dreamdb-arrays";
import { type Served, served } from "./dataset.js";

/** Items of the moving fields; their anchors are 1000, 1010, … */
export const COUNT = 24;
/** Points of the large cloud. */
export const LARGE = 100_000;
/** Rings and points of a ring of the torus. */
export const [RINGS, AROUND] = [30, 26];

/** The anchor of an Item. */
export const anchorOf = (at: number): bigint => 1000n + 10n * BigInt(at);

/** Point `index` of the torus at an Item, in doubles that f32 rounds. */
export function torusPoint(index: number, at: number): readonly [number, number, number] {
  const [u, v] = [((index / AROUND) | 0) * ((2 * Math.PI) / RINGS), (index % AROUND) * ((2 * Math.PI) / AROUND)];
  const [big, small] = [0.08, 0.03 + 0.0005 * at];
  return [(big + small * Math.cos(v)) * Math.cos(u), (big + small * Math.cos(v)) * Math.sin(u), 0.4 + small * Math.sin(v)];
}

/** Two triangles for each of its squares. */
export function torusFaces(): number[] {
  const faces: number[] = [];
  for (let ring = 0; ring < RINGS; ring++) {
    for (let at = 0; at < AROUND; at++) {
      const [a, b] = [ring * AROUND + at, ring * AROUND + ((at + 1) % AROUND)];
      const [c, d] = [((ring + 1) % RINGS) * AROUND + at, ((ring + 1) % RINGS) * AROUND + ((at + 1) % AROUND)];
      faces.push(a, c, b, b, c, d);
    }
  }
  return faces;
}

/** Row-major matrix of an Item: a turn about z that climbs along a helix. */
export function poseOf(at: number): number[] {
  const angle = at / 4;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c, -s, 0, 0.3 * c, s, c, 0, 0.3 * s, 0, 0, 1, 0.5 + 0.02 * at, 0, 0, 0, 1];
}

/** A few points, two of which cannot be drawn. */
export const SOME = [0.1, 0.2, 0.3, -0.5, Number.NaN, 0.25, 1, 0, -0.125, Infinity, 0, 0, 0.7, -0.4, 0.05];

/** All of it over HTTP. */
export async function serveSpace(): Promise<Served> {
  const each = { dtype: "f32", units: "m", frame: "camera" } as const;
  const schema = new Schema()
    .array("vertices", { ...each, shape: [RINGS * AROUND, 3] })
    .array("pose", { dtype: "f64", shape: [4, 4], units: "m", frame: "world" })
    .array("some", { dtype: "f64", shape: [5, 3], units: "mm", required: false })
    .array("deep", { dtype: "i64", shape: [2, 2, 3], layout: "f", required: false })
    .array("large", { ...each, shape: [LARGE, 3], required: false })
    .ragged("hits", { ...each, innerShape: [3], required: false });
  const all = await served(
    schema,
    Array.from({ length: COUNT }, (_, at) => ({
      anchor: anchorOf(at),
      values: {
        vertices: Float32Array.from({ length: RINGS * AROUND * 3 }, (_, one) => torusPoint((one / 3) | 0, at)[one % 3] ?? 0),
        pose: Float64Array.from(poseOf(at)),
        ...(at === 0 ? once() : {}),
      },
    })),
  );
  const { ds } = all;
  await ds.addArrayConstant("triangles", { family: "dense-array", dtype: "u16", shape: [2 * RINGS * AROUND, 3] }, Uint16Array.from(torusFaces()));
  await ds.addArrayConstant("wrong", { family: "dense-array", dtype: "i32", shape: [2, 3] }, Int32Array.of(0, 1, 2, 3, 4, RINGS * AROUND));
  await ds.addArrayConstant("no faces", { family: "dense-array", dtype: "f32", shape: [2, 3] }, new Float32Array(6));
  await ds.addArrayConstant("squares", { family: "dense-array", dtype: "u16", shape: [1, 4] }, new Uint16Array(4));
  await ds.addArrayConstant("mirror", { family: "dense-array", dtype: "f32", shape: [4, 4], layout: "f" }, { data: Float32Array.of(-1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1), shape: [4, 4], order: "c" });
  return all;
}

/** What is there at the first anchor alone. */
function once() {
  return {
    some: Float64Array.from(SOME),
    // In Fortran order: element [i, j, k] lies at i + 2 j + 4 k.
    deep: { data: BigInt64Array.from({ length: 12 }, (_, one) => 9_007_199_254_740_993n + BigInt(one)), shape: [2, 2, 3], order: "f" as const },
    // Scattered: the low digits of sines know no order.
    large: Float32Array.from({ length: 3 * LARGE }, (_, one) => ((Math.sin(one * 12.9898) * 43_758.5453) % 1) * (one % 3 === 2 ? 0.4 : 1)),
    hits: { rowOffsets: [0, 2, 2, 5], values: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1]) },
  };
}
