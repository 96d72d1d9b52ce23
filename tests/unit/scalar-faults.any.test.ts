/** Scalar columns whose objects are wrong, missing or cannot be had: always an error, never a row less. */
import { describe, expect, inject, test } from "vitest";
import { DreamDbError, httpStore, memoryStore, openDataset, type Store } from "dreamdb-arrays";
import { expectFailure, expectThrown } from "../support/failure.js";
import { recording } from "../support/recording.js";

const FIELDS = ["bo", "cat", "fl", "in", "st", "ts"] as const;

/** All objects of the fixture, as far as they are asked for: a copy that can be broken. */
async function objects(fixture = "scalars"): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const base = `${inject("fixturesUrl")}/${fixture}`;
  const listed = (await (await fetch(`${base}/expected.json`)).json()) as { objects: Record<string, number> };
  const store = httpStore(`${base}/data`);
  return new Map(await Promise.all(Object.keys(listed.objects).map(async (key) => [key, await store.get(key)] as const)));
}

async function column(store: Store, name: string, verify: "always" | "available" | "never" = "always") {
  return (await openDataset(store, "main", { verify, retry: { attempts: 1 } })).scalar(name).column();
}

/** Keys of what a column is read from, after its manifest. */
async function keysOf(all: Map<string, Uint8Array<ArrayBuffer>>, name: string): Promise<string[]> {
  const store = recording(memoryStore(all));
  await column(store, name);
  return [...new Set(store.keys())].filter((key) => !/^(refs|manifests)\//.test(key));
}

/** A store that fails for some keys. */
function failing(all: Map<string, Uint8Array<ArrayBuffer>>, fails: (key: string, isRange: boolean) => DreamDbError | undefined): Store {
  const store = memoryStore(all);
  const guard = (key: string, isRange: boolean): void => {
    const error = fails(key, isRange);
    if (error !== undefined) throw error;
  };
  return {
    describe: (key) => store.describe(key),
    async get(key, options) {
      guard(key, false);
      return store.get(key, options);
    },
    async getRange(key, start, length, options) {
      guard(key, true);
      return store.getRange(key, start, length, options);
    },
  };
}

describe.each(FIELDS)("%s", (name) => {
  test("is refused if a bit of any object is wrong", async () => {
    const all = await objects();
    const keys = await keysOf(all, name);
    expect(keys.some((key) => key.startsWith("scalar-index/"))).toBe(true);
    expect(keys.filter((key) => key.includes("/bucket/")).length).toBeGreaterThan(1);
    const right = await column(memoryStore(all), name);
    for (const key of keys) {
      const bytes = all.get(key) ?? new Uint8Array(0);
      for (const at of [0, bytes.byteLength >> 1, bytes.byteLength - 1]) {
        const broken = new Map(all).set(key, Uint8Array.from(bytes, (byte, place) => (place === at ? byte ^ 16 : byte)));
        if (key.startsWith("bao-outboard/")) {
          // It says how long the pack is and proves it, or it does not; what it proves is right.
          const outcome = await column(memoryStore(broken), name).catch((error: unknown) => error);
          if (!(outcome instanceof DreamDbError)) expect(outcome).toMatchObject({ anchors: right.anchors, values: right.values });
          continue;
        }
        const error = await expectFailure(column(memoryStore(broken), name), "HashMismatch");
        expect([error.key, error.field]).toEqual([key, name]);
        const ds = await openDataset(memoryStore(broken), "main");
        await expectFailure(ds.scalar(name).count(), "HashMismatch");
      }
    }
  });

  test("is refused if an object is missing, but for what only proves", async () => {
    const all = await objects();
    const right = await column(memoryStore(all), name);
    for (const key of await keysOf(all, name)) {
      const fewer = new Map(all);
      fewer.delete(key);
      if (key.startsWith("bao-outboard/")) {
        expect(await column(memoryStore(fewer), name)).toMatchObject({ anchors: right.anchors, values: right.values });
        expect((await column(memoryStore(fewer), name, "available")).values).toEqual(right.values);
      } else {
        expect((await expectFailure(column(memoryStore(fewer), name), "NotFound")).key).toBe(key);
      }
    }
  });

  test("is refused if outboards or ranges fail otherwise than by absence", async () => {
    const all = await objects();
    const broken = failing(all, (key) => (key.startsWith("bao-outboard/") ? new DreamDbError("HttpStatus", "500", { status: 500 }) : undefined));
    await expectFailure(column(broken, name), "HttpStatus");
    const short = failing(all, (key, isRange) =>
      isRange && key.includes("/bucket/") ? new DreamDbError("RangeNotSatisfiable", "416", { status: 416 }) : undefined,
    );
    await expectFailure(column(short, name, "never"), "PackSliceOutOfBounds");
  });
});

test("a wrong record is the failure of the anchors that it may have, and of no others", async () => {
  const all = await objects();
  const ds = await openDataset(memoryStore(all), "main");
  const { anchors, values } = await ds.scalar("in", { valueType: "int" }).column();
  const pack = [...all.keys()].filter((key) => key.includes("scalar.i64.field=in/bucket/"));
  expect(pack.length).toBe(3);
  let failed = 0;
  for (const key of pack) {
    const bytes = all.get(key) ?? new Uint8Array(0);
    const broken = new Map(all).set(key, Uint8Array.from(bytes, (byte, at) => (at === bytes.byteLength - 1 ? byte ^ 1 : byte)));
    const outcomes = await (await openDataset(memoryStore(broken), "main")).scalar("in").readMany(anchors);
    const errors = outcomes.filter(({ status }) => status === "error");
    failed += errors.length;
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(anchors.length);
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.status === "value") expect(outcome.value).toBe(values[at]);
      else expect(outcome).toMatchObject({ status: "error", error: { code: "HashMismatch", field: "in", anchor: anchors[at] } });
    }
  }
  // The packs lie apart: every anchor is in one of them.
  expect(failed).toBe(anchors.length);
});

test("a column that was asked for as another type is refused", async () => {
  const ds = await openDataset(memoryStore(await objects()), "main");
  for (const [code, open] of [
    ["WrongDtype", () => ds.scalar("cat", { valueType: "int" })],
    ["NoSuchField", () => ds.scalar("none")],
    ["WrongFamily", () => ds.array("cat")],
    ["WrongFamily", () => ds.media("cat")],
  ] as const) {
    expectThrown(open, code);
  }
  const constants = await openDataset(`${inject("fixturesUrl")}/constants/data`);
  expectThrown(() => constants.scalar("title"), "WrongFamily");
  await expectFailure(ds.scalar("cat").column({ start: -1 }), "InvalidArgument");
  await expectFailure(ds.scalar("cat").read(0.5), "InvalidArgument");
});

test("a cancelled read ends with the caller's reason, and the next one goes through", async () => {
  const store = memoryStore(await objects());
  const field = (await openDataset(store, "main")).scalar("st");
  const reason = new Error("enough");
  await expect(field.column({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(field.readMany([10n, 20n], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const running = field.column({ signal: controller.signal });
  controller.abort(reason);
  await expect(running).rejects.toBe(reason);
  expect((await field.column()).anchors.length).toBe(16);
});

test("an index is read once, records of one pack together", async () => {
  const store = recording(memoryStore(await objects()));
  const ds = await openDataset(store, "main");
  const all = FIELDS.map((name) => ds.scalar(name).column());
  await Promise.all(all);
  store.forget();
  await ds.scalar("in").column({ start: 10, end: 41 });
  expect(store.keys().filter((key) => /index|track/.test(key))).toEqual([]);
});
