/** What the viewer counts before it draws in space: the camera, boxes and grids, points, faces and their normals, poses, and what is thinned out. */
import { expect, test } from "vitest";
import type { ArrayFieldInfo, DenseArray, FieldInfo, RaggedArray } from "dreamdb-arrays";
import { gridLines, gridOf, isEmpty, localOf, niceStep, NO_BOX, radius, ticksOf, union } from "../../viewer/src/views/space/box.js";
import { axesFor, clipOf, fitted, panned, parsePose, poseText, project, turned, UPS, viewFrom, zoomed } from "../../viewer/src/views/space/camera.js";
import { drawable, faceFields, facesOf, vertexNormals } from "../../viewer/src/views/space/faces.js";
import { determinant, poseAt, spacingFor, strided, wayPieces } from "../../viewer/src/views/space/matrices.js";
import { elementsAt, indexText, nearest, placed, triplesOfDense, triplesOfRagged } from "../../viewer/src/views/space/triples.js";
import { cross, type Vec3 } from "../../viewer/src/views/space/vector.js";

const BOX = { min: [-1, -1, -1], max: [1, 1, 1] } as const;

test("the axes for each that can be up are right-handed, and the last of them is the one", () => {
  const expected: Readonly<Record<string, Vec3>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], "-x": [-1, 0, 0], "-y": [0, -1, 0], "-z": [0, 0, -1] };
  for (const up of UPS) {
    const [first, second, upward] = axesFor(up);
    expect(upward.map((one) => one + 0)).toEqual(expected[up]);
    expect(cross(first, second).map((one) => one + 0)).toEqual(expected[up]);
  }
});

test("the target is in the middle of the screen, and what lies right and above of it is drawn there, as far as the field of view says", () => {
  const pose = { yaw: -90, pitch: 0, distance: 10, target: [5, 6, 7] } as const;
  // From −y, with z up: x goes to the right.
  const view = viewFrom(pose, "z", { min: [4, 5, 6], max: [6, 7, 8] }, 800, 400);
  expect(view.eye.map((one) => Math.round(one * 1e9) / 1e9)).toEqual([5, -4, 7]);
  expect(project(view, [5, 6, 7])?.map((one) => Math.round(one * 1e6) / 1e6)).toEqual([400, 200, 10]);
  // Half the height of the screen at distance 10 is 10 · tan(16°).
  const half = 10 * Math.tan((16 * Math.PI) / 180);
  expect(project(view, [5, 6, 7 + half])?.[1]).toBeCloseTo(0, 9);
  expect(project(view, [5 + half, 6, 7])?.[0]).toBeCloseTo(600, 9);
  expect(project(view, [5, -5, 7])).toBeUndefined();
});

test("looking along y, z points down where −z is up", () => {
  const view = viewFrom({ yaw: 0, pitch: 0, distance: 10, target: [0, 0, 0] }, "-z", BOX, 400, 400);
  expect(project(view, [0, 0, 1])?.[1]).toBeGreaterThan(200);
});

test("local coordinates are seen where those that they stand for are, also far from the origin", () => {
  const far: Vec3 = [5e6, -4e6, 300];
  const box = { min: far, max: [far[0] + 0.01, far[1] + 0.01, far[2] + 0.01] } as const;
  const view = viewFrom(fitted(box, "z", 500, 500), "z", box, 500, 500);
  const { origin, scale } = localOf(box);
  const clip = clipOf(view, origin, scale);
  for (const place of [box.min, box.max]) {
    const local = place.map((one, axis) => (one - (origin[axis] ?? 0)) / scale);
    const row = (at: number): number => [0, 1, 2].reduce((sum, axis) => sum + (clip[axis * 4 + at] ?? 0) * (local[axis] ?? 0), clip[12 + at] ?? 0);
    expect((row(0) / row(3) + 1) * 250).toBeCloseTo(project(view, place)?.[0] ?? Number.NaN, 1);
    expect((1 - row(1) / row(3)) * 250).toBeCloseTo(project(view, place)?.[1] ?? Number.NaN, 1);
  }
});

test("all corners of a box are on screen where it fits", () => {
  const box = { min: [0, 0, 0], max: [8, 1, 0.1] } as const;
  for (const [width, height] of [[700, 320], [300, 600]] as const) {
    for (const up of UPS) {
      const view = viewFrom(fitted(box, up, width, height), up, box, width, height);
      for (let corner = 0; corner < 8; corner++) {
        const [x = -1, y = -1] = project(view, [corner & 1 ? 8 : 0, corner & 2 ? 1 : 0, corner & 4 ? 0.1 : 0]) ?? [];
        expect(x).toBeGreaterThanOrEqual(40);
        expect(x).toBeLessThanOrEqual(width - 40);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(height);
      }
    }
  }
});

test("turning ends above and below, goes round, and zooming ends too", () => {
  const pose = { yaw: 170, pitch: 80, distance: 3, target: [0, 0, 0] } as const;
  expect(turned(pose, 20, 20)).toEqual({ ...pose, yaw: -170, pitch: 90 });
  expect(zoomed(pose, 2, BOX).distance).toBe(6);
  expect(zoomed(pose, 1e9, BOX).distance).toBeCloseTo(100 * Math.sqrt(3), 9);
});

test("panning keeps what was at the target under the pointer", () => {
  const pose = { yaw: 30, pitch: 20, distance: 3, target: [1, 2, 3] } as const;
  const view = viewFrom(pose, "y", BOX, 640, 480);
  const moved = viewFrom(panned(pose, view, 37, -12), "y", BOX, 640, 480);
  const [x = 0, y = 0] = project(moved, pose.target) ?? [];
  expect(x).toBeCloseTo(320 + 37, 6);
  expect(y).toBeCloseTo(240 - 12, 6);
});

test("a pose goes through the address; texts that are none are none", () => {
  const pose = { yaw: -12.5, pitch: 90, distance: 0.25, target: [1e6, -0.001, 3] } as const;
  expect(poseText(pose)).toBe("-12.5,90,0.25,1000000,-0.001,3");
  expect(parsePose(poseText(pose))).toEqual(pose);
  for (const text of [undefined, "", "1,2,3", "1,2,0,0,0,0", "1,91,1,0,0,0", "1,2,3,4,5,x", "1,2,Infinity,4,5,6", "1,2,3,,5,6"]) expect(parsePose(text)).toBeUndefined();
});

test("steps are 1, 2 or 5 times a power of ten, four to ten of them to an extent", () => {
  for (let extent = 1e-9; extent < 1e9; extent *= 1.37) {
    const step = niceStep(extent);
    expect(Number(step.toPrecision(1))).toBe(step);
    expect(["1", "2", "5"]).toContain(step.toExponential()[0]);
    expect(extent / step).toBeGreaterThan(3.3);
    expect(extent / step).toBeLessThan(10);
  }
});

test("a grid lies about its box, on lines of one step, and has extent where the box has none", () => {
  const grid = gridOf({ min: [-0.11, 0.37, 5], max: [0.11, 0.43, 5] });
  expect(grid.step).toBeCloseTo(0.05, 12);
  expect(ticksOf(grid, 0)).toEqual([-0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15]);
  expect(ticksOf(grid, 1)).toEqual([0.35, 0.4, 0.45]);
  expect(ticksOf(grid, 2)).toEqual([4.95, 5, 5.05]);
  // Lines along y at each of seven x, along x at each of three y.
  const lines = gridLines(grid, 2, false);
  expect(lines.length).toBe(2 * (7 + 3));
  expect(lines.every(([, , z]) => z === grid.min[2])).toBe(true);
  expect(isEmpty(gridOf(NO_BOX))).toBe(false);
  expect(gridOf({ min: [7, 7, 7], max: [7, 7, 7] }).step).toBeGreaterThan(0);
});

test("boxes of finite doubles that are as large as they get stay finite", () => {
  const box = { min: [-1.7e308, 0, 0], max: [1.7e308, 1, 1] } as const;
  expect(localOf(box)).toEqual({ origin: [0, 0.5, 0.5], scale: 1.7e308 });
  expect(Number.isFinite(radius({ min: [-1e150, 0, 0], max: [1e150, 0, 0] }))).toBe(true);
  expect(union(NO_BOX, BOX)).toEqual(BOX);
});

test("points of an Item in Fortran order come in the order of their index, exactly", () => {
  // [2, 2, 3]: element [i, j, k] is 100 i + 10 j + k above 2^53, and lies at i + 2 j + 4 k.
  const data = new BigInt64Array(12);
  for (const i of [0, 1]) for (const j of [0, 1]) for (const k of [0, 1, 2]) data[i + 2 * j + 4 * k] = 9_007_199_254_740_993n + BigInt(100 * i + 10 * j + k);
  const value: DenseArray = { family: "dense-array", dtype: "i64", data, shape: [2, 2, 3], strides: [1, 2, 4], order: "f" };
  const triples = triplesOfDense(value);
  expect(triples.count).toBe(4);
  expect(elementsAt(triples, 1)).toEqual([9_007_199_254_741_003n, 9_007_199_254_741_004n, 9_007_199_254_741_005n]);
  expect(elementsAt(triples, 2)[0]).toBe(9_007_199_254_741_093n);
  expect([0, 1, 2, 3].map((at) => indexText(triples, at))).toEqual(["[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]"]);
});

test("points of a ragged Item say their row and their place in it; rows may be empty", () => {
  const value: RaggedArray = { family: "ragged-array", kind: "ragged-array", dtype: "f32", rowOffsets: BigUint64Array.of(0n, 2n, 2n, 5n), values: Float32Array.from({ length: 15 }, (_, at) => at), innerShape: [3] };
  const triples = triplesOfRagged(value);
  expect([0, 1, 2, 4].map((at) => indexText(triples, at))).toEqual(["row 0, 0", "row 0, 1", "row 2, 0", "row 2, 2"]);
  expect([...(triples.rows?.of ?? [])]).toEqual([0, 0, 2, 2, 2]);
});

test("points with a NaN or an infinity are left out and counted; the nearest is found among the others", () => {
  const data = Float64Array.of(0, 0, 0, 1, Number.NaN, 0, 0, 0, Infinity, 2, 2, 2, -2, -2, -2);
  const place = placed({ data, count: 5, leading: [5], rows: undefined });
  expect(place.leftOut).toBe(2);
  expect([...place.drawn]).toEqual([0, 3, 4]);
  expect(place.box).toEqual({ min: [-2, -2, -2], max: [2, 2, 2] });
  const view = viewFrom({ yaw: -90, pitch: 0, distance: 12, target: [0, 0, 0] }, "z", place.box, 600, 600);
  const clip = clipOf(view, place.local.origin, place.local.scale);
  for (const at of [0, 3, 4]) {
    const [x = 0, y = 0] = project(view, [data[3 * at] ?? 0, data[3 * at + 1] ?? 0, data[3 * at + 2] ?? 0]) ?? [];
    expect(nearest(place, clip, 600, 600, x + 5, y - 5)).toBe(at);
    expect(nearest(place, clip, 600, 600, x + 40, y - 40)).toBeUndefined();
  }
});

test("of points at one place on screen the one in front is the nearest", () => {
  const data = Float64Array.of(0, 1, 0, 0, -1, 0);
  const place = placed({ data, count: 2, leading: [2], rows: undefined });
  const view = viewFrom({ yaw: -90, pitch: 0, distance: 12, target: [0, 0, 0] }, "z", place.box, 600, 600);
  expect(nearest(place, clipOf(view, place.local.origin, place.local.scale), 600, 600, 300, 300)).toBe(1);
});

test("faces name points that there are, or the first that does not is told", () => {
  expect([...facesOf(BigInt64Array.of(0n, 1n, 2n), 3, "t")]).toEqual([0, 1, 2]);
  expect(() => facesOf(Uint16Array.of(0, 1, 2, 2, 3, 1), 3, "t")).toThrow('face 1 of "t" names point 3 at place 1; the Item has 3 points, 0 to 2');
  expect(() => facesOf(Int32Array.of(0, -1, 2), 3, "t")).toThrow("names point -1 at place 1");
  expect([...drawable(Uint32Array.of(0, 1, 2, 1, 2, 3), (point) => point !== 0)]).toEqual([1, 2, 3]);
});

test("only fields of integers that are declared [f, 3] can be faces, Constants first", () => {
  const field = (name: string, dtype: string, shape: bigint[], trackKind: string): FieldInfo =>
    ({ kind: "array", family: "dense-array", name, dtype, shape, trackKind }) as unknown as ArrayFieldInfo;
  const fields = [field("moving", "i32", [4n, 3n], "event"), field("floats", "f32", [4n, 3n], "constant"), field("squares", "u8", [4n, 4n], "constant"), field("deep", "u8", [2n, 4n, 3n], "constant"), field("still", "u64", [9n, 3n], "constant")];
  expect(faceFields(fields).map(({ name }) => name)).toEqual(["still", "moving"]);
});

test("normals of points are those of the faces about them, by their areas", () => {
  // A square in the plane z = 0, and one of half its size that stands on its edge.
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0.5, 1, 0, 0.5);
  const normals = vertexNormals(positions, Uint32Array.of(0, 1, 2, 0, 2, 3, 0, 1, 5, 0, 5, 4));
  // Of point 2 both faces lie in the plane; of point 4 its one face stands, its normal is −y.
  expect([...normals.subarray(6, 9)]).toEqual([0, 0, 1]);
  expect([...normals.subarray(12, 15)].map((one) => one + 0)).toEqual([0, -1, 0]);
  // At point 0: twice the area of two triangles of 1/2 up, of two of 1/4 towards −y.
  expect(normals[1]).toBeCloseTo(-1 / Math.sqrt(5), 6);
  expect(normals[2]).toBeCloseTo(2 / Math.sqrt(5), 6);
  expect([...vertexNormals(positions, new Uint32Array(0))].every((one) => one === 0)).toBe(true);
});

test("a matrix is read by its columns or by its rows, and the determinant is of the axes", () => {
  const matrix = Float64Array.of(0, -2, 0, 10, 1, 0, 0, 20, 0, 0, 3, 30, 7, 8, 9, 1);
  const columns = poseAt(matrix, 0, "columns");
  expect(columns).toEqual({ axes: [[0, 1, 0], [-2, 0, 0], [0, 0, 3]], position: [10, 20, 30] });
  expect(determinant(columns)).toBe(6);
  const rows = poseAt(matrix, 0, "rows");
  expect(rows).toEqual({ axes: [[0, -2, 0], [1, 0, 0], [0, 0, 3]], position: [7, 8, 9] });
  expect(determinant(poseAt(Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), 0, "columns"))).toBe(-1);
});

test("what is thinned out keeps its first and its last, and no more than was said", () => {
  expect(strided(3, 10)).toEqual({ stride: 1, places: Uint32Array.of(0, 1, 2) });
  expect(strided(10, 4)).toEqual({ stride: 4, places: Uint32Array.of(0, 4, 8, 9) });
  for (const [count, most] of [[20_001, 20_000], [200_000, 20_000], [40_000, 20_000], [39_999, 20_000], [1_000_003, 777]] as const) {
    const { stride, places } = strided(count, most);
    expect(places.length).toBeLessThanOrEqual(most);
    expect(places.length).toBeGreaterThan(most / 2 - 2);
    expect([places[0], places[1], places.at(-1)]).toEqual([0, stride, count - 1]);
  }
  expect([1, 12, 24, 100, 1200].map(spacingFor)).toEqual([1, 1, 2, 10, 100]);
});

test("a way has a gap where a position cannot be drawn", () => {
  const { pieces, ends } = wayPieces([[0, 0, 0], [1, 0, 0], [Number.NaN, 0, 0], [3, 0, 0], [4, 0, 0]], (place) => place);
  expect([...pieces]).toEqual([0, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0]);
  expect([...ends]).toEqual([1, 4]);
});
