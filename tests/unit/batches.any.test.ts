/** Batches of one field, and rows of several: sizes, what is fetched ahead, and what ends with the iteration. */

import { init, memoryStore, openDataset } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { build, type FieldInit, f32, itemKeyOf, openBuilt } from "../support/built-pages.js";
import { expectFailure, expectRejection, expectThrown } from "../support/failure.js";
import { countListeners } from "../support/listeners.js";
import { type Gate, gate, steered } from "../support/recording.js";

await init();

const TYPE = { dtype: "f32", shape: [1] } as const;
const items = (count: number, step = 1) => Array.from({ length: count }, (_, at) => ({ anchor: at * step, body: f32(at * step) }));
const field = (count: number, fanout?: number): FieldInit => ({ name: "a", type: TYPE, items: items(count), ...(fanout && { fanout }) });
const isItem = (key: string): boolean => /\/[0-9a-f]{16}\//.test(key);
const settled = () => new Promise((resolve) => setTimeout(resolve, 15));

/** A dataset whose Items wait at doors until these are opened; how many were asked for, and are asked for now. The first `free` do not wait. */
async function held(init: FieldInit, free = 0) {
  const built = build([init]);
  const doors = new Map<string, Gate>();
  const asked: string[] = [];
  const inFlight = new Set<string>();
  let isOpen = false;
  const store = steered(memoryStore(built.objects), async (key, options) => {
    if (!isItem(key) || isOpen) return;
    asked.push(key);
    if (asked.length <= free) return;
    inFlight.add(key);
    options?.signal?.addEventListener("abort", () => inFlight.delete(key));
    const door = gate();
    doors.set(key, door);
    await door.opened;
    inFlight.delete(key);
  });
  const ds = await openDataset(store, { manifest: built.manifest });
  const open = () => {
    for (const door of doors.values()) door.open();
  };
  return { ds, asked, inFlight, open, openAll: () => ((isOpen = true), open()) };
}

describe("sizes", () => {
  test.each([undefined, 2, 3])("all but the last have the size, across pages (fan-out %s)", async (fanout) => {
    const { ds } = await openBuilt(build([field(11, fanout)]));
    for (const batchSize of [1, 2, 4, 5, 11, 12, 1000]) {
      const lengths: number[] = [];
      const data: number[] = [];
      for await (const batch of ds.array("a").batches({ batchSize })) {
        lengths.push(batch.anchors.length);
        data.push(...(batch.data as Float32Array));
      }
      expect(data).toEqual(items(11).map(({ anchor }) => anchor));
      expect(lengths.slice(0, -1).every((length) => length === batchSize)).toBe(true);
      expect(lengths.at(-1)).toBe(11 % batchSize || batchSize);
    }
  });

  test("nothing is no batch", async () => {
    const { ds } = await openBuilt(build([field(3)]));
    expect(await ds.array("a").batches({ start: 9 }).next()).toEqual({ done: true, value: undefined });
    expect(await ds.batches({ start: 9 }).next()).toEqual({ done: true, value: undefined });
  });

  test("what cannot be is refused at once", async () => {
    const { ds } = await openBuilt(build([field(3)]));
    for (const batchSize of [0, -1, 1.5, Number.NaN, Infinity, "2" as never]) {
      expectThrown(() => ds.array("a").batches({ batchSize }), "InvalidArgument");
      expectThrown(() => ds.batches({ batchSize }), "InvalidArgument");
      expectThrown(() => ds.rows({ batchSize }), "InvalidArgument");
    }
    for (const window of [{ start: -1 }, { end: 0.5 }]) {
      expectThrown(() => ds.array("a").batches(window), "InvalidArgument");
      expectThrown(() => ds.batches(window), "InvalidArgument");
      expectThrown(() => ds.rows(window), "InvalidArgument");
    }
    expectThrown(() => ds.rows({ fields: ["b"] }), "NoSuchField");
  });
});

describe("what is under way", () => {
  test.each([undefined, 2])("the batch that is waited for and the next one, no more (fan-out %s)", async (fanout) => {
    const { ds, asked, open, openAll } = await held(field(12, fanout));
    const batches = ds.array("a").batches({ batchSize: 2 });
    expect(asked.length).toBe(0);
    const first = batches.next();
    await settled();
    expect(asked.length).toBe(4);
    open();
    expect((await first).value?.data).toEqual(Float32Array.of(0, 1));
    await settled();
    expect(asked.length, "while the caller uses the first").toBe(4);
    const second = batches.next();
    await settled();
    expect(asked.length).toBe(6);
    expect((await second).value?.data).toEqual(Float32Array.of(2, 3));
    await settled();
    expect(asked.length).toBe(6);
    openAll();
    await batches.return();
  });

  test.each(["a field's batches", "batches", "rows"])("a break ends what is under way: %s", async (what) => {
    const unhandled: unknown[] = [];
    const note = (event: { reason?: unknown } | Error) => unhandled.push(event);
    const host = globalThis as { process?: { on(name: string, listen: typeof note): void; off(name: string, listen: typeof note): void } };
    host.process?.on("unhandledRejection", note);
    const { ds, asked, inFlight } = await held(field(20, 3), 2);
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const options = { batchSize: 2, signal: controller.signal };
    const all: AsyncGenerator<unknown> = what === "rows" ? ds.rows(options) : what === "batches" ? ds.batches(options) : ds.array("a").batches(options);
    for await (const batch of all) {
      expect(batch).toBeDefined();
      expect(inFlight.size).toBeGreaterThan(0);
      break;
    }
    const begun = asked.length;
    await settled();
    expect(inFlight.size).toBe(0);
    expect(asked.length).toBe(begun);
    expect(listeners()).toBe(0);
    host.process?.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("an abort rejects with its reason", async () => {
    const { ds, inFlight } = await held(field(20));
    for (const begin of [
      (signal: AbortSignal) => ds.array("a").batches({ batchSize: 2, signal }),
      (signal: AbortSignal) => ds.batches({ batchSize: 2, signal }),
      (signal: AbortSignal) => ds.rows({ batchSize: 2, signal }),
    ]) {
      const controller = new AbortController();
      const listeners = countListeners(controller.signal);
      const all = begin(controller.signal);
      const first = expectRejection(all.next());
      await settled();
      const reason = new Error("enough");
      controller.abort(reason);
      expect(await first).toBe(reason);
      expect([inFlight.size, listeners()]).toEqual([0, 0]);
      expect((await all.next()).done).toBe(true);
    }
  });
});

describe("a failure comes in its turn", () => {
  test.each([undefined, 2])("of an Item (fan-out %s)", async (fanout) => {
    const built = build([field(9, fanout)]);
    built.objects.delete(itemKeyOf({ type: TYPE }, { anchor: 5, body: f32(5) }));
    const { ds } = await openBuilt(built);
    const batches = ds.array("a").batches({ batchSize: 2 });
    const rows = ds.rows({ batchSize: 2 });
    for (const start of [0, 2]) {
      expect((await batches.next()).value?.data).toEqual(Float32Array.of(start, start + 1));
      for (const anchor of [start, start + 1]) expect((await rows.next()).value?.anchor).toBe(BigInt(anchor));
    }
    for (const failing of [batches.next(), rows.next()]) {
      const error = await expectFailure(failing, "NotFound");
      expect([error.field, error.anchor]).toEqual(["a", 5n]);
    }
    expect((await batches.next()).done).toBe(true);
  });

  test("of a page, even the one right after", async () => {
    const built = build([field(8, 2)]);
    const { ds: whole, store } = await openBuilt(built);
    await whole.array("a").column({ start: 4, end: 6 });
    const leaf = store.keys().filter((key) => key.includes("/index/")).at(-1) ?? "";
    built.objects.delete(leaf);
    const { ds } = await openBuilt(built);
    const batches = ds.array("a").batches({ batchSize: 2 });
    expect((await batches.next()).value?.data).toEqual(Float32Array.of(0, 1));
    expect((await batches.next()).value?.data).toEqual(Float32Array.of(2, 3));
    const error = await expectFailure(batches.next(), "NotFound");
    expect([error.field, error.key]).toEqual(["a", leaf]);
  });

  test("of an inner page, after what comes before it", async () => {
    const built = build([field(8, 2)]);
    const { ds: whole, store } = await openBuilt(built);
    await whole.array("a").read(7);
    // The root, then the second of its two pages.
    const inner = store.keys().filter((key) => key.includes("/index/"))[1] ?? "";
    built.objects.delete(inner);
    const { ds } = await openBuilt(built);
    const batches = ds.array("a").batches({ batchSize: 4 });
    expect((await batches.next()).value?.data).toEqual(Float32Array.of(0, 1, 2, 3));
    expect((await expectFailure(batches.next(), "NotFound")).key).toBe(inner);
  });
});
