/** Dense columns: every dtype, rank, order and codec against the Items read one by one; where values are put, and what a failure leaves. */

import { codec, type DType, init, type ItemTypeInit, memoryStore, openArrayField, openDataset, type Progress } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { bytesPerElement, TYPED_ARRAYS } from "../../ts/codec/dtype.js";
import { build, f32, itemKeyOf, openBuilt, type StoredItem } from "../support/built-pages.js";
import { concat } from "../conformance/support/cbor-writer.js";
import { noise } from "../support/built-packs.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { countListeners } from "../support/listeners.js";
import { gate, steered } from "../support/recording.js";

await init();

const DTYPES = Object.keys(TYPED_ARRAYS) as DType[];

/** Bytes of the elements in C order, by walking the strides of each value. */
function inCOrder(data: ArrayBufferView, width: number, shape: readonly number[], strides: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const count = shape.reduce((product, extent) => product * extent, 1);
  const out = new Uint8Array(count * width);
  for (let at = 0; at < count; at++) {
    let [rest, from] = [at, 0];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const extent = shape[axis] ?? 1;
      from += (rest % extent) * (strides[axis] ?? 0);
      rest = Math.floor(rest / extent);
    }
    out.set(bytes.subarray(from * width, (from + 1) * width), at * width);
  }
  return out;
}

const SHAPES = [[], [1], [3], [0], [2, 3], [3, 2, 2], [2, 0, 3], [2, 3, 1, 2], [1, 2, 2, 1, 3]];

describe.each([["c", "little"], ["c", "big"], ["f", "little"], ["f", "big"]] as const)("layout %s, %s-endian", (layout, endianness) => {
  test.each(DTYPES)("%s is the stack of its Items, bit for bit", async (dtype) => {
    const width = bytesPerElement(dtype);
    if (width === 1 && endianness === "big") return;
    for (const [number, shape] of SHAPES.entries()) {
      const type = { dtype, shape, layout, ...(width > 1 && { endianness }) } as ItemTypeInit;
      const size = shape.reduce((product, extent) => product * extent, width);
      const body = (at: number) => {
        const bytes = noise(size, 100 * number + at + 1);
        // Of floats, this is a NaN with all its bits set; noise holds others.
        return at === 0 ? bytes.fill(0xff, 0, width) : bytes;
      };
      const items = Array.from({ length: size === 0 ? 2 : 5 }, (_, at) => ({ anchor: 3 * at, body: body(at) }));
      for (const fanout of [undefined, 2]) {
        const { ds } = await openBuilt(build([{ name: "a", type, items, ...(fanout && { fanout }) }]));
        const field = ds.array("a");
        const column = await field.column();
        const stacked = [];
        for (const { anchor } of items) {
          const value = await field.read(anchor);
          if (value === undefined) throw new Error("no Item");
          stacked.push(...inCOrder(value.data, width, value.shape, value.strides));
        }
        expect([...new Uint8Array(column.data.buffer, column.data.byteOffset, column.data.byteLength)]).toEqual(stacked);
        expect(column.data).toBeInstanceOf(TYPED_ARRAYS[dtype]);
        expect(column.shape).toEqual([items.length, ...shape]);
        expect(column.anchors).toEqual(BigUint64Array.from(items, ({ anchor }) => BigInt(anchor)));
        expect([column.order, column.verified, column.dtype]).toEqual(["c", "object", dtype]);
      }
    }
  });
});

test.each([["<f8", false], ["<f8", true], [">f8", true]] as const)(".npy files of %s, Fortran order %s", async (descr, fortran) => {
  const type = { dtype: "f64", shape: [2, 3], codec: "npy", layout: fortran ? "f" : "c", endianness: descr === ">f8" ? "big" : "little" } as const;
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (2, 3), }`.padEnd(117) + "\n";
  const front = Uint8Array.of(0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, 118, 0, ...new TextEncoder().encode(header));
  const stored = Array.from({ length: 4 }, (_, at) => ({ anchor: at, body: concat(front, noise(48, at + 1)) }));
  const { ds } = await openBuilt(build([{ name: "a", type, items: stored }]));
  const { data, shape } = await ds.array("a").column();
  const expected = stored.flatMap(({ body }) => {
    const bytes = body.slice(128);
    const elements = Array.from({ length: 6 }, (_, at) => [...bytes.subarray(8 * at, 8 * at + 8)]);
    if (descr === ">f8") for (const element of elements) element.reverse();
    return (fortran ? [0, 2, 4, 1, 3, 5] : [0, 1, 2, 3, 4, 5]).flatMap((at) => elements[at] ?? []);
  });
  expect([...new Uint8Array(data.buffer)]).toEqual(expected);
  expect(shape).toEqual([4, 2, 3]);
});

const TYPE = { dtype: "f32", shape: [2] } as const;
const items = (count: number): StoredItem[] => Array.from({ length: count }, (_, at) => ({ anchor: at, body: f32(at, -at) }));

describe("where values are put", () => {
  test("the caller's array, if it is of the dtype and long enough", async () => {
    const { ds } = await openBuilt(build([{ name: "a", type: TYPE, items: items(5) }]));
    const field = ds.array("a", { dtype: "f32" });
    const memory = new ArrayBuffer(64);
    const out = new Float32Array(memory, 8, 13);
    const column = await field.column({ out });
    expect(column.data.buffer).toBe(memory);
    expect([column.data.byteOffset, column.data.length]).toEqual([8, 10]);
    expect([...out]).toEqual([0, -0, 1, -1, 2, -2, 3, -3, 4, -4, 0, 0, 0]);
    await expectFailure(field.column({ out: new Float32Array(9) }), "InvalidArgument");
    await expectFailure(field.column({ out: new Int32Array(10) as never }), "InvalidArgument");
    await expectFailure(field.column({ out: [] as never }), "InvalidArgument");
  });

  test("nothing is written there after a failure", async () => {
    const built = build([{ name: "a", type: TYPE, items: items(8) }]);
    const door = gate();
    const late = itemKeyOf({ type: TYPE }, { anchor: 7, body: f32(7, -7) });
    const early = itemKeyOf({ type: TYPE }, { anchor: 0, body: f32(0, -0) });
    built.objects.delete(early);
    const store = steered(memoryStore(built.objects), (key) => (key === late ? door.opened : undefined));
    const ds = await openDataset(store, { manifest: built.manifest });
    const out = new Float32Array(16);
    await expectFailure(ds.array("a").column({ out }), "NotFound");
    out.fill(42);
    door.open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([...out]).toEqual(new Array(16).fill(42));
  });
});

describe("limits and progress", () => {
  test("maxBytes is held before any Item is asked for", async () => {
    const { ds, store } = await openBuilt(build([{ name: "a", type: TYPE, items: items(4) }]));
    const error = await expectFailure(ds.array("a").column({ maxBytes: 31 }), "TooLarge");
    expect([error.field, error.actual]).toEqual(["a", "32"]);
    expect(store.keys().every((key) => key.includes("/track/"))).toBe(true);
    expect((await ds.array("a").column({ maxBytes: 32 })).data.length).toBe(8);
    await expectFailure(ds.array("a").column({ maxBytes: -1 }), "InvalidArgument");
  });

  test("a batch has a limit as well, and smaller ones are advised", async () => {
    const itemType = { dtype: "u8", shape: [2 ** 29] } as const;
    const entries = [1, 2, 3].map((anchor) => ({ anchor, address: codec.addressOf(new Uint8Array(0)) }));
    const field = await openArrayField(memoryStore(), { itemType, entries, path: "p" });
    const error = await expectFailure(field.batches({ batchSize: 3 }).next(), "TooLarge");
    expect(error.message).toContain("read it by batches(), smaller than this, or raise maxBytes");
  });

  test("progress grows to the whole", async () => {
    const { ds } = await openBuilt(build([{ name: "a", type: TYPE, items: items(3000) }]));
    const told: Progress[] = [];
    await ds.array("a").column({ onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)).toEqual({ items: 3000, total: 3000, bytes: 24_000 });
    expect(told.length).toBeGreaterThan(1);
    for (const [at, { items: done, bytes }] of told.entries()) expect([done > (told[at - 1]?.items ?? 0), bytes]).toEqual([true, 8 * done]);
  });

  test("what the caller's function throws fails the column", async () => {
    const { ds } = await openBuilt(build([{ name: "a", type: TYPE, items: items(3) }]));
    const reason = new Error("no more");
    const failed = ds.array("a").column({
      onProgress: () => {
        throw reason;
      },
    });
    expect(await expectRejection(failed)).toBe(reason);
  });
});

describe("an abort", () => {
  test.each([undefined, 2])("rejects with its reason and leaves nothing under way (fan-out %s)", async (fanout) => {
    const built = build([{ name: "a", type: TYPE, items: items(40), ...(fanout && { fanout }) }]);
    const inFlight = new Set<string>();
    const never = new Promise<void>(() => undefined);
    const store = steered(memoryStore(built.objects), (key, options) => {
      if (!/\/[0-9a-f]{16}\//.test(key)) return;
      inFlight.add(key);
      options?.signal?.addEventListener("abort", () => inFlight.delete(key));
      return never;
    });
    const ds = await openDataset(store, { manifest: built.manifest }, { concurrency: 4 });
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const read = expectRejection(ds.array("a").column({ signal: controller.signal }));
    while (inFlight.size < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await read).toBe(reason);
    expect(inFlight.size).toBe(0);
    expect(listeners()).toBe(0);
  });
});

describe("one wrong Item fails the column", () => {
  const bodies = items(10);
  const victim = bodies[6] ?? { anchor: 6, body: f32() };
  const key = itemKeyOf({ type: TYPE }, victim);
  const flipped = victim.body.map((byte, at) => (at === 5 ? byte ^ 1 : byte));

  test.each([
    ["a wrong byte", flipped, "HashMismatch"],
    ["no object", undefined, "NotFound"],
    ["a wrong length, and so wrong bytes", victim.body.slice(1), "HashMismatch"],
    ["no bytes", new Uint8Array(0), "HashMismatch"],
  ] as const)("%s", async (_, served, code) => {
    for (const fanout of [undefined, 3]) {
      const built = build([{ name: "a", type: TYPE, items: bodies, ...(fanout && { fanout }) }]);
      if (served === undefined) built.objects.delete(key);
      else built.objects.set(key, served);
      const { ds } = await openBuilt(built);
      const error = await expectFailure(ds.array("a").column(), code);
      expect([error.field, error.anchor, error.key]).toEqual(["a", 6n, key]);
    }
  });

  test.each(["always", "never"] as const)("right bytes of another length, verified %s", async (verify) => {
    const long = { anchor: 6, body: f32(1, 2, 3) };
    const all = bodies.with(6, long);
    const { ds } = await openBuilt(build([{ name: "a", type: TYPE, items: all }]), { verify });
    const error = await expectFailure(ds.array("a").column(), "PayloadLength");
    expect([error.field, error.anchor, error.key]).toEqual(["a", 6n, itemKeyOf({ type: TYPE }, long)]);
  });

  test("unverified bytes are said to be so", async () => {
    const { ds } = await openBuilt(build([{ name: "a", type: TYPE, items: bodies }]), { verify: "never" });
    expect((await ds.array("a").column()).verified).toBe("none");
  });
});
