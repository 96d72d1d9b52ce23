/** The example episode: the same version whenever it is written, and what it says it holds. Over memory. */
import { inflateSync } from "node:zlib";
import { at, type Dataset, memoryStore, openDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { cos, sin } from "../../viewer/episode/exact.mjs";
import { writeEpisode } from "../../viewer/episode/write.mjs";

/** Nanoseconds since 1970 of a millisecond of the episode. */
const anchor = (ms: number): bigint => 1_764_000_000_000_000_000n + BigInt(ms) * 1_000_000n;

let manifest: string;
let ds: Dataset;
beforeAll(async () => {
  const store = memoryStore();
  manifest = await writeEpisode(store);
  ds = await openDataset(store, "main");
}, 60_000);

it("is the same version whenever and wherever it is written", async () => {
  expect(ds.manifest.address).toBe(manifest);
  expect(await writeEpisode(memoryStore())).toBe(manifest);
  expect(manifest).toMatchInlineSnapshot(`"dzaxvw2fdbacvgenukz72ss3cpiwdm5xstmioof5j7ozkcpmplfg2"`);
}, 60_000);

it("has no fault", async () => {
  const { items, faults } = await ds.audit();
  expect(faults).toEqual([]);
  expect(items).toBe(4800 + 2400 + 2 * 960 + 300 + 1000 + 500 + 5 * 200 + 2 + 3 * 1000 + 5);
}, 60_000);

it("computes what the engine does", () => {
  for (let x = -50; x < 50; x += 0.0371) {
    expect(sin(x)).toBeCloseTo(Math.sin(x), 12);
    expect(cos(x)).toBeCloseTo(Math.cos(x), 12);
  }
});

describe("what timelines have to show", () => {
  it("are rates of their own, and four seconds without the arm", async () => {
    const joints = await ds.array("joints").anchors();
    // What is deleted stays listed.
    expect(joints.length).toBe(4800);
    expect(joints.slice(0, 3)).toEqual(BigUint64Array.of(anchor(0), anchor(20), anchor(40)));
    for (const name of ["joints", "pose", "force", "cycle"]) {
      expect((await ds.array(name).anchors()).filter((each) => each >= anchor(58_000) && each < anchor(62_000)).length).toBe(0);
    }
    const hits = await ds.ragged("hits").anchors();
    expect(hits.slice(0, 2)).toEqual(BigUint64Array.of(anchor(7), anchor(207)));
    const hand = await ds.array("hand").anchors();
    expect([hand[0], hand.at(-1)]).toEqual([anchor(35_000), anchor(64_900)]);
  });

  it("are deleted rows, a second of them and single ones", async () => {
    const asked = [70_980, 71_000, 71_980, 72_000, 12_020, 12_040].map(anchor);
    const statuses = (await ds.array("joints").readMany(asked)).map(({ status }) => status);
    expect(statuses).toEqual(["value", "deleted", "deleted", "value", "deleted", "value"]);
  });
});

describe("what fields have to show", () => {
  it("are declared units, frames and axes", () => {
    const meant = ds.fields.flatMap((info) => ("type" in info && "units" in info.type ? [[info.name, info.type.units, info.type.frame, info.type.axisOrder]] : []));
    expect(meant).toContainEqual(["touch", "count", "fingertip", "finger,component,row,column"]);
    expect(meant).toContainEqual(["pose", "m", "world", "row,column"]);
    expect(meant).toContainEqual(["gravity", "m/s^2", "world", "xyz"]);
  });

  it("are rotations in the poses", async () => {
    const { data, shape } = await ds.array("pose", { dtype: "f64" }).column();
    expect(shape).toEqual([960 - 10 - 3, 4, 4]);
    for (let item = 0; item < data.length; item += 16) {
      const m = data.subarray(item, item + 16);
      const row = (r: number) => [...m.subarray(r * 4, r * 4 + 3)];
      const dot = (a: number[], b: number[]) => a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);
      for (const [a, b] of [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]] as const) expect(dot(row(a), row(b))).toBeCloseTo(a === b ? 1 : 0, 12);
      const [[a = 0, b = 0, c = 0], x, y] = [row(0), row(1), row(2)] as const;
      expect(a * ((x[1] ?? 0) * (y[2] ?? 0) - (x[2] ?? 0) * (y[1] ?? 0)) - b * ((x[0] ?? 0) * (y[2] ?? 0) - (x[2] ?? 0) * (y[0] ?? 0)) + c * ((x[0] ?? 0) * (y[1] ?? 0) - (x[1] ?? 0) * (y[0] ?? 0))).toBeCloseTo(1, 12);
      expect([...m.subarray(12)]).toEqual([0, 0, 0, 1]);
    }
  });

  it("are forces that are no numbers, with their bits", async () => {
    const read = async (ms: number) => (await ds.array("force", { dtype: "f32" }).read(anchor(ms)))?.data ?? new Float32Array();
    const bits = (data: Float32Array) => [...new Uint32Array(data.slice().buffer)];
    expect(bits(await read(20_000))).toEqual([0x7fc00abc, 0x7fc00000, 0x7fc00000]);
    expect([...(await read(20_480))]).toEqual([NaN, NaN, NaN]);
    expect([...(await read(20_520))].every(Number.isFinite)).toBe(true);
    expect((await read(35_040))[2]).toBe(-Infinity);
    expect(Object.is((await read(0))[1], -0)).toBe(true);
  });

  it("is a counter that no number can hold", async () => {
    const { data } = await ds.array("cycle", { dtype: "u64" }).column({ start: anchor(0), end: anchor(200) });
    expect([...data]).toEqual([9_007_199_254_740_993n, 9_007_199_254_741_093n]);
  });

  it("is a closed surface of 778 vertices, whose outside is outside", async () => {
    const faces = await ds.constant("hand_faces").read();
    if (faces === undefined || !("data" in faces)) throw new Error("hand_faces is an array");
    const triangles = Array.from({ length: 1552 }, (_, face) => [0, 1, 2].map((corner) => Number(at(faces, face, corner))));
    const edges = new Map<string, number>();
    for (const [a, b, c] of triangles) for (const edge of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) edges.set(edge, (edges.get(edge) ?? 0) + 1);
    expect([...edges.values()].every((count) => count === 1)).toBe(true);
    expect([...edges.keys()].every((edge) => edges.has(edge.split(" ").toReversed().join(" ")))).toBe(true);
    // Euler: a sphere with nothing attached.
    expect(new Set(triangles.flat()).size - edges.size / 2 + triangles.length).toBe(2);
    expect(new Set(triangles.flat()).size).toBe(778);
    const hand = await ds.array("hand", { dtype: "f32", shape: [778, 3] }).read(anchor(50_000));
    const point = (vertex: number) => [...(hand?.data.subarray(vertex * 3, vertex * 3 + 3) ?? [])] as [number, number, number];
    const volume = triangles.reduce((sum, [i = 0, j = 0, k = 0]) => {
      const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [point(i), point(j), point(k)];
      return sum + (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    }, 0);
    // Between a small and a large hand, in m³.
    expect(volume).toBeGreaterThan(1e-4);
    expect(volume).toBeLessThan(6e-4);
  });

  it("are pictures in packs, which are PNG files", async () => {
    const { items } = await ds.media("camera").column({ start: anchor(30_000), end: anchor(31_000) });
    expect(items.length).toBe(10);
    for (const { bytes, form } of items) {
      expect(form).toBe("packed");
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      expect(Buffer.from(bytes.subarray(0, 8)).toString("hex")).toBe("89504e470d0a1a0a");
      expect([view.getUint32(16), view.getUint32(20)]).toEqual([64, 48]);
      const length = view.getUint32(33);
      // Every row: which filter, then three bytes a pixel.
      expect(inflateSync(bytes.subarray(41, 41 + length)).byteLength).toBe(48 * (1 + 64 * 3));
    }
  });

  it("is one matrix in three orders", async () => {
    const column = async (name: string) => (await ds.array(name, { dtype: "f32", shape: [6, 8] }).column()).data;
    const plain = await column("pressure");
    expect(Math.max(...plain)).toBeGreaterThan(10);
    expect(await column("pressure_be")).toEqual(plain);
    expect(await column("pressure_f")).toEqual(plain);
    const [be, f] = [ds.array("pressure_be").info.type, ds.array("pressure_f").info.type];
    expect([be.endianness, f.codec, f.layout]).toEqual(["big", "npy", "f"]);
  });

  it("are rows of all lengths, and contacts of which some are stored zeros", async () => {
    const { rowOffsets } = await ds.ragged("hits").column();
    const lengths = [...rowOffsets].slice(1).map((end, row) => Number(end - (rowOffsets[row] ?? 0n)));
    expect(Math.min(...lengths)).toBe(0);
    expect(Math.max(...lengths)).toBeGreaterThan(20);
    const contacts = await ds.csr("contacts", { dtype: "f32" }).read(anchor(50_000));
    expect(contacts?.shape).toEqual([200n, 200n]);
    expect([...(contacts?.values ?? [])].filter((force) => force === 0).length).toBe(8);
  });

  it("are phases, and what else is told of rows", async () => {
    const { anchors, values, categories } = await ds.scalar("phase", { valueType: "categorical" }).column();
    const begins = [...values].flatMap((phase, row) => (phase === values[row - 1] ? [] : [[phase, anchors[row]]]));
    expect(begins).toEqual([["idle", 0], ["reach", 8000], ["grasp", 35_000], ["lift", 42_000], ["carry", 60_000], ["place", 80_000], ["retreat", 90_000]].map(([phase, ms]) => [phase, anchor(Number(ms))]));
    expect([...categories].sort()).toEqual(["carry", "grasp", "idle", "lift", "place", "reach", "retreat"]);
    expect(await ds.scalar("held").read(anchor(50_000))).toBe(true);
    expect(await ds.scalar("held").read(anchor(40_900))).toBe(false);
    expect(await ds.scalar("note").read(anchor(35_000))).toBe("first contact, force out of range");
    const temperatures = [...(await ds.scalar("temperature", { valueType: "float" }).column()).values];
    expect(temperatures.every((value) => value > 30 && value < 39 && Number.isInteger(value * 64))).toBe(true);
  });
});
