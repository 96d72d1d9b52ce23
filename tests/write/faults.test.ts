/**
 * Writers that are cut off at every single step: the old dataset stays readable, nothing is published in part, and a second run succeeds.
 *
 * The store's calls are made to fail one by one, before or after they were carried out, or to hang until the caller gives up; over memory, a folder and
 * HTTP alike.
 */
import { cp, readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Dataset, init, isDreamDbError, memoryStore, openDataset, type WritableDataset, type WritableStore } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { httpStore } from "../../ts/store/http.js";
import { testDir } from "../support/temp-dir.js";
import { contentsOf, type Fault, faulty, rowsFrom, schemaOfAll } from "../support/writes.js";

beforeAll(() => init());

/** Nothing is tried again, so that a failure is one; and one thing is done after another. */
const ONCE = { retry: { attempts: 1 }, concurrency: 1 };

/** Makes a dataset in a place, and gives fresh copies of that place. */
type Place = (make: (store: WritableStore) => Promise<unknown>) => Promise<() => Promise<WritableStore>>;

const PLACES: Record<string, Place> = {
  async memory(make) {
    const origin = await testDir();
    await make(fsStore(origin, { durable: false }));
    const objects = await objectsIn(origin);
    return async () => memoryStore(objects);
  },
  async folder(make) {
    const origin = await testDir();
    await make(fsStore(origin, { durable: false }));
    return async () => fsStore(await copyOf(origin), { durable: false });
  },
  async http(make) {
    const origin = await testDir();
    await make(fsStore(origin, { durable: false }));
    return async () => {
      const server = await serveDirectory(await copyOf(origin), { writable: true });
      onTestFinished(() => server.close());
      return httpStore(server.url);
    };
  },
};

/** What lies in a folder, by keys. */
async function objectsIn(dir: string): Promise<[string, Uint8Array][]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes(".dreamdb"));
  return await Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, Uint8Array]> => {
      const path = join(parentPath, name);
      return [relative(dir, path).split(sep).join("/"), await readFile(path)];
    }),
  );
}

async function copyOf(dir: string): Promise<string> {
  const copy = await testDir();
  await cp(dir, copy, { recursive: true });
  return copy;
}

/** What is done in one call, and whether it was. */
interface Deed {
  readonly name: string;
  readonly does: (ds: WritableDataset, signal?: AbortSignal) => Promise<unknown>;
  readonly isDone: (store: WritableStore) => Promise<boolean>;
}

/** What a Ref says; `undefined` if there is none. */
async function refOf(store: WritableStore, name: string): Promise<Uint8Array | undefined> {
  return await store.get(`refs/${name}`).catch((error: unknown) => {
    if (isDreamDbError(error, "NotFound")) return undefined;
    throw error;
  });
}

const hasField = async (store: WritableStore, field: string): Promise<boolean> => (await openDataset(store)).fields.some(({ name }) => name === field);
const CONSTANT = { dtype: "f64", shape: [] } as const;

const DEEDS: readonly Deed[] = [
  { name: "append", does: (ds, signal) => ds.append(rowsFrom(10, 1), { signal }), isDone: async (store) => (await contentsOf(store)).has(10n) },
  { name: "delete", does: (ds, signal) => ds.delete([1], "no reason", { signal }), isDone: async (store) => !(await contentsOf(store)).has(1n) },
  { name: "addArrayConstant", does: (ds, signal) => ds.addArrayConstant("k", CONSTANT, 1, { signal }), isDone: (store) => hasField(store, "k") },
  { name: "addField", does: (ds, signal) => ds.addField("more", { kind: "array", required: false, ...CONSTANT }, { signal }), isDone: (store) => hasField(store, "more") },
  { name: "branch", does: (ds, signal) => ds.branch("side", { signal }), isDone: async (store) => (await refOf(store, "side")) !== undefined },
  { name: "snapshot", does: (ds, signal) => ds.snapshot("v1", { signal }), isDone: async (store) => (await refOf(store, "main@v1")) !== undefined },
];

async function before(store: WritableStore): Promise<void> {
  const ds = await Dataset.create(store, "main", schemaOfAll());
  await ds.append(rowsFrom(0, 4));
  await ds.delete([3]);
}

describe.each(Object.entries(PLACES))("over %s", (_place, placeOf) => {
  it.each(DEEDS)("$name: each call of the store fails in turn", async ({ does, isDone }) => {
    const fresh = await placeOf(before);
    const store = faulty(await fresh());
    const old = await contentsOf(store);
    expect(await isDone(store)).toBe(false);
    const ds = await Dataset.open(store, "main", ONCE);
    store.arm(-1, "before");
    await does(ds);
    const count = store.calls.length;
    expect(count).toBeGreaterThan(0);
    const done = await contentsOf(store);
    expect(await isDone(store)).toBe(true);

    for (const fault of ["before", "after", "hangs"] as const) {
      for (let at = 0; at < count; at++) await cutOff(await fresh(), at, fault);
    }

    async function cutOff(place: WritableStore, at: number, fault: Fault): Promise<void> {
      const cut = faulty(place);
      const writer = await Dataset.open(cut, "main", ONCE);
      cut.arm(at, fault);
      const error = await does(writer, fault === "hangs" ? AbortSignal.timeout(20) : undefined).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      cut.disarm();
      const call = `${fault} ${cut.calls[at]}`;
      const found = await contentsOf(place);
      const published = await isDone(place);
      // All or nothing.
      expect({ call, found }).toEqual({ call, found: published ? done : old });
      // What was acknowledged is there; what is there was acknowledged, unless the caller gave up, or it could not be known.
      if (error === undefined) expect({ call, published }).toEqual({ call, published: true });
      const known = fault !== "hangs" && !isDreamDbError(error, "RefUncertain");
      if (error !== undefined && known) expect({ call, published }).toEqual({ call, published: false });
      // The reader of the old version reads on.
      expect(await writer.current.array("pose").read(2n)).toBeDefined();

      // A second run succeeds, by the same writer.
      if (!published) {
        await writer.refresh();
        await does(writer);
        expect({ call, again: await contentsOf(place), isDone: await isDone(place) }).toEqual({ call, again: done, isDone: true });
      }
    }
  }, 60_000);

  it("create: each call of the store fails in turn", async () => {
    const fresh = await placeOf(async () => undefined);
    const store = faulty(await fresh());
    store.arm(-1, "before");
    await Dataset.create(store, "main", schemaOfAll(), ONCE);
    const count = store.calls.length;
    for (const fault of ["before", "after", "hangs"] as const) {
      for (let at = 0; at < count; at++) {
        const place = await fresh();
        const cut = faulty(place);
        cut.arm(at, fault);
        const error = await Dataset.create(cut, "main", schemaOfAll(), { ...ONCE, signal: fault === "hangs" ? AbortSignal.timeout(20) : undefined }).then(
          () => undefined,
          (failure: unknown) => failure,
        );
        const call = `${fault} ${cut.calls[at]}`;
        const again = await Dataset.create(place, "main", schemaOfAll()).then(
          () => "made",
          (failure: unknown) => (isDreamDbError(failure, "RefExists") ? "there" : failure),
        );
        const uncertain = fault === "hangs" || isDreamDbError(error, "RefUncertain");
        if (!uncertain) expect({ call, again }).toEqual({ call, again: error === undefined ? "there" : "made" });
        expect([...(await contentsOf(place)).keys()]).toEqual([]);
      }
    }
  }, 60_000);
});

describe("a failure that passes", () => {
  it("is not noticed: each call fails once, before or after it was carried out", async () => {
    const fresh = await PLACES["memory"]?.(before);
    for (const fault of ["before", "after"] as const) {
      for (let at = 0; ; at++) {
        const place = await fresh?.();
        if (place === undefined) throw new Error("there is no place");
        const store = faulty(place);
        const ds = await Dataset.open(store, "main", { retry: { minDelayMs: 1 }, concurrency: 4 });
        store.arm(at, fault);
        await ds.append(rowsFrom(10, 3));
        if (store.calls.length <= at) break;
        store.disarm();
        expect([...(await contentsOf(place)).keys()]).toEqual([0n, 1n, 2n, 10n, 11n, 12n]);
      }
    }
  });
});
