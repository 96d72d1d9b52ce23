/** What a read gives belongs to the caller: changing it changes no later read, and large values are not copied on their way. */

import { type Dataset, init, memoryStore, openDataset, type Store, type VerifyPolicy } from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../../ts/wasm.js";
import { isExact } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";
import { FIXTURES, type Fixture, loadObjects, loadSidecar } from "../support/fixtures.js";
import { recording } from "../support/recording.js";
import { integer, type RefFact } from "../support/sidecar.js";

await init();

interface Loaded {
  readonly fact: RefFact;
  readonly objects: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

const fixtures = new Map<Fixture, Loaded>();
beforeAll(async () => {
  for (const fixture of FIXTURES) {
    const sidecar = await loadSidecar(fixture);
    const fact = Object.values(sidecar.refs)[0];
    if (fact !== undefined) fixtures.set(fixture, { fact, objects: await loadObjects(fixture, sidecar) });
  }
});

function loaded(fixture: Fixture): Loaded {
  const found = fixtures.get(fixture);
  if (found === undefined) throw new Error(`${fixture} is not loaded`);
  return found;
}

/** Every Item and Constant of a version, by name. */
async function readAll(ds: Dataset, fact: RefFact): Promise<Map<string, object>> {
  const values = new Map<string, object>();
  for (const [name, { items, mime }] of Object.entries(fact.fields)) {
    if (items === undefined) values.set(name, (await ds.constant(name).read()) ?? {});
    for (const { anchor } of items ?? []) {
      const at = integer(anchor);
      values.set(`${name} at ${at}`, (await (mime === undefined ? ds.readArrayItem(name, at) : ds.media(name).read(at))) ?? {});
    }
  }
  return values;
}

/** Every buffer that can be reached from a value. */
function views(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(views) : [];
}

function overwrite(value: unknown): void {
  for (const { buffer, byteOffset, byteLength } of views(value)) new Uint8Array(buffer, byteOffset, byteLength).fill(0xee);
}

const POLICIES: readonly VerifyPolicy[] = ["always", "available", "never"];

describe.each(FIXTURES)("%s", (fixture) => {
  test.each(POLICIES)("what was written into results is in no later read, verified %s", async (verify) => {
    const { fact, objects } = loaded(fixture);
    const store = memoryStore(objects);
    const ref = Object.keys((await loadSidecar(fixture)).refs)[0] ?? "main";
    const [ds, untouched] = [await openDataset(store, ref, { verify }), await openDataset(store, ref, { verify })];
    const expected = await readAll(untouched, fact);
    const first = await readAll(ds, fact);
    expect(first).toEqual(expected);
    for (const value of first.values()) overwrite(value);
    expect(await readAll(ds, fact)).toEqual(expected);
  });

  test("nor is what was written into the dataset's own facts", async () => {
    const { fact, objects } = loaded(fixture);
    const ref = Object.keys((await loadSidecar(fixture)).refs)[0] ?? "main";
    const [ds, untouched] = [await openDataset(memoryStore(objects), ref), await openDataset(memoryStore(objects), ref)];
    for (const info of ds.fields) {
      overwrite(info);
      expect(Object.isFrozen(info)).toBe(true);
      expect(info.kind !== "array" || ("type" in info && Object.isFrozen(info.type))).toBe(true);
    }
    for (const { name, trackKind, kind } of ds.fields) {
      if (trackKind !== "constant") overwrite(await (kind === "array" ? arrayAnchors(ds, name) : ds.media(name).anchors()));
    }
    expect(ds.fields).toEqual(untouched.fields);
    expect(await readAll(ds, fact)).toEqual(await readAll(untouched, fact));
  });
});

function arrayAnchors(ds: Dataset, name: string): Promise<BigUint64Array> {
  const info = ds.fields.find((field) => field.name === name) as { family?: string };
  if (info.family === "dense-array") return ds.array(name).anchors();
  return (info.family === "ragged-array" ? ds.ragged(name) : ds.csr(name)).anchors();
}

describe("a value lies in the very bytes that were fetched", () => {
  const ANCHOR = 1700000000033333333n;

  async function opened(fixture: Fixture, verify: VerifyPolicy = "always") {
    const store = recording(memoryStore(loaded(fixture).objects));
    const ds = await openDataset(store, "main", { verify });
    return { ds, given: () => store.reads.at(-1)?.given?.buffer };
  }

  test.each(["pose", "i64", "u64", "i8", "fraw", "npyf", "scalar0d", "be"])("dense %s", async (name) => {
    const { ds, given } = await opened("arrays-basic");
    const item = await ds.array(name).read(ANCHOR);
    expect(item?.data.buffer).toBe(given());
  });

  test("ragged and sparse parts", async () => {
    const { ds, given } = await opened("arrays-basic");
    for (const name of ["rag", "ragbe", "ragr"]) {
      const item = await ds.ragged(name).read(ANCHOR);
      expect([item?.rowOffsets.buffer, item?.values.buffer]).toEqual([given(), given()]);
    }
    for (const name of ["csr", "csrbe"]) {
      const item = await ds.csr(name).read(ANCHOR);
      for (const part of [item?.rowOffsets, item?.columnIndices, item?.values]) expect(part?.buffer).toBe(given());
    }
  });

  test("single media", async () => {
    const single = await opened("singles-bao");
    expect((await single.ds.media("im").read(13n))?.bytes.buffer).toBe(single.given());
  });

  test("but one cut out of a pack is a copy that holds nothing else", async () => {
    for (const verify of POLICIES) {
      const { ds, given } = await opened("packs", verify);
      const item = await ds.media("im2").read(207n);
      expect(item?.bytes.buffer).not.toBe(given());
      expect(item?.bytes.byteLength).toBe(1207);
      expect(isExact(item?.bytes ?? new Uint8Array(0))).toBe(true);
    }
  });

  test("and those who ask for one object at once get a copy each", async () => {
    const { ds } = await opened("arrays-basic");
    const pose = ds.array("pose");
    await pose.count();
    const before = ds.stats().requests;
    const items = await Promise.all([pose.read(ANCHOR), pose.read(ANCHOR), pose.read(ANCHOR)]);
    expect(ds.stats().requests - before).toBe(1);
    expect(new Set(items.map((item) => item?.data.buffer)).size).toBe(3);
    expect(items[1]).toEqual(items[0]);
    expect(items[2]).toEqual(items[0]);
  });
});

test("values outlive the core's memory", async () => {
  const { fact, objects } = loaded("arrays-basic");
  const ds = await openDataset(memoryStore(objects));
  const before = await readAll(ds, fact);
  call((core) => core.addressOf(new Uint8Array(64 << 20)));
  expect(before).toEqual(await readAll(await openDataset(memoryStore(objects)), fact));
  expect(await readAll(ds, fact)).toEqual(before);
});

describe("a store of a caller's own", () => {
  /** A store over another, whose answers are changed before they are given. */
  function changing(store: Store, change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): Store {
    const changed = async (bytes: Promise<Uint8Array<ArrayBuffer>>) => change(await bytes) as Uint8Array<ArrayBuffer>;
    return {
      get: (key, options) => changed(store.get(key, options)),
      getRange: (key, offset, length, options) => changed(store.getRange(key, offset, length, options)),
      describe: (key) => store.describe(key),
    };
  }

  function within(bytes: Uint8Array): Uint8Array {
    const larger = new Uint8Array(bytes.byteLength + 13).fill(0xee);
    larger.set(bytes, 5);
    return larger.subarray(5, 5 + bytes.byteLength);
  }

  /** Like Node's Buffer, whose `slice` gives a view. */
  class SharingSlices extends Uint8Array<ArrayBuffer> {
    override slice(start?: number, end?: number): Uint8Array<ArrayBuffer> {
      return this.subarray(start, end);
    }
  }

  test.each([
    ["parts of larger buffers", within],
    ["a subclass whose slices share memory", (bytes: Uint8Array<ArrayBuffer>) => new SharingSlices(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
  ] as const)("may give %s, and reads are as from any other", async (_, change) => {
    for (const fixture of ["arrays-basic", "packs"] as const) {
      const { fact, objects } = loaded(fixture);
      for (const verify of POLICIES) {
        const [ds, plain] = [
          await openDataset(changing(memoryStore(objects), change), "main", { verify }),
          await openDataset(memoryStore(objects), "main", { verify }),
        ];
        const values = await readAll(ds, fact);
        expect(values).toEqual(await readAll(plain, fact));
        for (const value of values.values()) {
          for (const view of views(value)) expect(Object.getPrototypeOf(Object.getPrototypeOf(view))).toBe(Object.getPrototypeOf(Uint8Array.prototype));
          overwrite(value);
        }
        expect(await readAll(ds, fact)).toEqual(await readAll(plain, fact));
      }
    }
  });

  test.each([["too few", -1], ["too many", 1]])("that gives %s bytes for a range is refused", async (_, extra) => {
    const { objects } = loaded("packs");
    const store = memoryStore(objects);
    const wrong: Store = { ...store, getRange: (key, offset, length, options) => store.getRange(key, offset, length + extra, options) };
    const ds = await openDataset(wrong, "main", { verify: "available" });
    const error = await expectFailure(ds.media("im2").read(200n), "BodyLength");
    expect([error.expected, error.actual, error.field, error.anchor]).toEqual(["2048", `${2048 + extra}`, "im2", 200n]);
  });
});
