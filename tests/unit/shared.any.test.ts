/** One read for several callers: who leaves does so alone, the work stops with the last of them, and a failure is nobody's answer later. */

import { DreamDbError, init, memoryStore, openDataset, type Store } from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { Shared } from "../../ts/io/shared.js";
import { countListeners } from "../support/listeners.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { loadObjects, loadSidecar } from "../support/fixtures.js";
import { type Gate, gate, recording, type RecordingStore, steered } from "../support/recording.js";

await init();

/** Lets everything that can go on do so. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("shared work", () => {
  /** Work that counts its starts, and waits for the door or its signal. */
  function work(door: Gate, result: () => number = () => 7) {
    const signals: (AbortSignal | undefined)[] = [];
    const start = async (signal: AbortSignal | undefined) => {
      signals.push(signal);
      await door.opened;
      return result();
    };
    return { start, signals };
  }

  test("runs once for all who come while it runs, and anew for who comes later", async () => {
    const [shared, door] = [new Shared<number>(), gate()];
    const { start, signals } = work(door);
    const callers = [shared.run("a", start), shared.run("a", start), shared.run("b", start)];
    expect(signals.length).toBe(2);
    door.open();
    expect(await Promise.all(callers)).toEqual([7, 7, 7]);
    expect(await shared.run("a", start)).toBe(7);
    expect(signals.length).toBe(3);
  });

  test("goes on while one caller is left, and is told when none is", async () => {
    const [shared, door] = [new Shared<number>(), gate()];
    const { start, signals } = work(door);
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const reads = [first, second, third].map(({ signal }) => expectRejection(shared.run("a", start, signal)));
    const reasons = [new Error("first"), new Error("second"), new Error("third")];
    first.abort(reasons[0]);
    expect(await reads[0]).toBe(reasons[0]);
    second.abort(reasons[1]);
    expect(await reads[1]).toBe(reasons[1]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
    third.abort(reasons[2]);
    expect(await reads[2]).toBe(reasons[2]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test("whoever comes after the last one left starts anew, and the old end does not touch the new start", async () => {
    const [shared, doors] = [new Shared<number>(), [gate(), gate()] as const];
    const leaving = new AbortController();
    const left = expectRejection(shared.run("a", work(doors[0], () => 1).start, leaving.signal));
    leaving.abort();
    await left;
    const late = work(doors[1], () => 2);
    const [one, other] = [shared.run("a", late.start), shared.run("a", late.start)];
    doors[0].open();
    await settled();
    const another = shared.run("a", late.start);
    doors[1].open();
    expect(await Promise.all([one, other, another])).toEqual([2, 2, 2]);
    expect(late.signals.length).toBe(1);
    // Nobody could leave, so there is nothing that could tell it.
    expect(late.signals).toEqual([undefined]);
  });

  test("that fails does so for all who wait, and the next call starts anew", async () => {
    const [shared, door] = [new Shared<number>(), gate()];
    let runs = 0;
    const failing = async () => {
      await door.opened;
      if (++runs === 1) throw new Error("once");
      return runs;
    };
    const reads = [shared.run("a", failing), shared.run("a", failing)].map(expectRejection);
    door.open();
    const [first, second] = await Promise.all(reads);
    expect(first).toBe(second);
    expect(await shared.run("a", failing)).toBe(2);
  });

  test("is not begun for a signal that is aborted already, whose reason comes out", async () => {
    const shared = new Shared<number>();
    const reason = new Error("too late");
    let runs = 0;
    expect(await expectRejection(shared.run("a", async () => ++runs, AbortSignal.abort(reason)))).toBe(reason);
    expect(runs).toBe(0);
  });

  test("leaves no listener behind", async () => {
    const [shared, controller] = [new Shared<number>(), new AbortController()];
    const count = countListeners(controller.signal);
    await shared.run("a", async () => 1, controller.signal);
    await expectRejection(shared.run("a", () => Promise.reject(new Error("no")), controller.signal));
    expect(count()).toBe(0);
  });
});

describe("readers of one pack", () => {
  const PACKED = /image\.png\/0000000000000000\/d/;
  let objects: Map<string, Uint8Array<ArrayBuffer>>;
  beforeAll(async () => {
    objects = await loadObjects("packs", await loadSidecar("packs"));
  });

  /** The images of `im2`, all in one pack, read through a store that does something before each read of a pack. */
  async function images(steer: (key: string) => Promise<void> | void) {
    const store: RecordingStore = recording(
      steered(memoryStore(objects), async (key) => {
        if (PACKED.test(key) || key.startsWith("bao-outboard/")) await steer(key);
      }),
    );
    const field = (await openDataset(store)).media("im2");
    await field.count();
    store.forget();
    return { field, store };
  }

  const packReads = (store: RecordingStore) => store.reads.filter(({ key }) => key.includes("/0000000000000000/"));

  test("ask once for the bytes that they share; who leaves gets the reason, who stays the data", async () => {
    const door = gate();
    const { field, store } = await images(() => door.opened);
    const leaving = new AbortController();
    const reason = new Error("scrolled away");
    const left = expectRejection(field.read(200n, { signal: leaving.signal }));
    const staying = [field.read(200n), field.read(200n)];
    await settled();
    leaving.abort(reason);
    expect(await left).toBe(reason);
    door.open();
    const sizes = (await Promise.all(staying)).map((item) => item?.bytes.byteLength);
    expect(sizes).toEqual([1200, 1200]);
    // The outboard and the range, each once.
    expect(store.reads.length).toBe(2);
  });

  test("of neighbours ask for no byte twice", async () => {
    const { field, store } = await images(() => settled().then(() => undefined));
    const anchors = Array.from({ length: 16 }, (_, at) => BigInt(200 + at));
    await Promise.all(anchors.map((anchor) => field.read(anchor)));
    const bytes = packReads(store).reduce((sum, { length = Number.NaN }) => sum + length, 0);
    expect(bytes).toBe(19_320);
    expect(store.reads.filter(({ key }) => key.startsWith("bao-outboard/")).length).toBe(1);
  });

  test("that all leave stop the request, and the next one reads", async () => {
    let door = gate();
    const { field, store } = await images((key) => (key.startsWith("bao-outboard/") ? undefined : door.opened));
    const controllers = [new AbortController(), new AbortController()];
    const reads = controllers.map(({ signal }) => expectRejection(field.read(200n, { signal })));
    await settled();
    expect(packReads(store).length).toBe(1);
    const signal = packReads(store)[0]?.signal;
    controllers[0]?.abort();
    await settled();
    expect(signal?.aborted).toBe(false);
    controllers[1]?.abort();
    expect((await Promise.all(reads)).map((error) => (error as Error).name)).toEqual(["AbortError", "AbortError"]);
    expect(signal?.aborted).toBe(true);

    const stale = door;
    door = gate();
    door.open();
    expect((await field.read(200n))?.bytes.byteLength).toBe(1200);
    expect(packReads(store).length).toBe(2);
    stale.open();
    await settled();
    expect((await field.read(200n))?.bytes.byteLength).toBe(1200);
    expect(packReads(store).length).toBe(2);
  });

  test("share a failure, which is not kept", async () => {
    let failures = 1;
    const { field, store } = await images(async (key) => {
      await settled();
      if (!key.startsWith("bao-outboard/") && failures-- > 0) throw new DreamDbError("HttpStatus", "501 Not Implemented", { status: 501 });
    });
    const errors = await Promise.all([200n, 200n].map((anchor) => expectFailure(field.read(anchor), "HttpStatus")));
    // Each with its own context, which the shared error has not.
    expect(errors.map(({ field: name, anchor, status }) => [name, anchor, status])).toEqual([["im2", 200n, 501], ["im2", 200n, 501]]);
    expect((await field.read(200n))?.bytes.byteLength).toBe(1200);
    expect(packReads(store).length).toBe(2);
  });

  test("with a signal that is aborted already, read nothing", async () => {
    const { field, store } = await images(() => undefined);
    const reason = new Error("before");
    expect(await expectRejection(field.read(200n, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(store.reads.length).toBe(0);
  });

  test("leave no listener on a signal that outlives many reads", async () => {
    const { field } = await images(() => undefined);
    const controller = new AbortController();
    const count = countListeners(controller.signal);
    for (let anchor = 200n; anchor < 216n; anchor++) await field.read(anchor, { signal: controller.signal });
    expect(count()).toBe(0);
  });
});

test("a call of many Items puts one listener on its signal, and takes it away", async () => {
  const objects = await loadObjects("packs", await loadSidecar("packs"));
  const packs = (await openDataset(memoryStore(objects))).media("im");
  await packs.count();
  const anchors = Array.from({ length: 400 }, (_, at) => BigInt(10 * (at % 8)));
  const controller = new AbortController();
  const count = countListeners(controller.signal);
  const read = packs.readMany(anchors, { signal: controller.signal });
  let most = 0;
  for (let turn = 0; turn < 50; turn++) {
    await Promise.resolve();
    most = Math.max(most, count());
  }
  await read;
  expect([most, count()]).toEqual([1, 0]);
});

describe("readers of one Track", () => {
  const ANCHOR = 1700000000033333333n;
  let objects: Map<string, Uint8Array<ArrayBuffer>>;
  beforeAll(async () => {
    objects = await loadObjects("arrays-basic", await loadSidecar("arrays-basic"));
  });

  function opened(steer: (key: string) => Promise<void> | void): { store: RecordingStore; ds: ReturnType<typeof openDataset> } {
    const store = recording(steered(memoryStore(objects), steer));
    return { store, ds: openDataset(store, "main", { retry: { attempts: 1 } }) };
  }

  const tracks = (store: RecordingStore) => store.reads.filter(({ key }) => key.includes("/track/"));

  test("fetch it once, however many fields of that name are asked for", async () => {
    const { store, ds } = opened(() => undefined);
    const dataset = await ds;
    await Promise.all([dataset.array("pose").read(ANCHOR), dataset.array("pose", { dtype: "f32" }).count(), dataset.readArrayItem("pose", ANCHOR)]);
    await dataset.array("pose").anchors();
    expect(tracks(store).length).toBe(1);
  });

  test("fetch it again after a failure, once", async () => {
    let failures = 2;
    const { store, ds } = opened((key) => {
      if (key.includes("/track/") && failures-- > 0) throw new DreamDbError("Network", "no answer");
    });
    const pose = (await ds).array("pose");
    const first = await Promise.all([expectFailure(pose.count(), "Network"), expectFailure(pose.read(ANCHOR), "Network")]);
    expect(first.map(({ field }) => field)).toEqual(["pose", "pose"]);
    await expectFailure(pose.anchors(), "Network");
    expect(await pose.count()).toBe(4);
    expect((await pose.read(ANCHOR))?.shape).toEqual([2, 3]);
    expect(tracks(store).length).toBe(3);
  });

  test("one of whom leaves: the others read on", async () => {
    const door = gate();
    const { store, ds } = opened((key) => (key.includes("/track/") ? door.opened : undefined));
    const pose = (await ds).array("pose");
    const leaving = new AbortController();
    const left = expectRejection(pose.read(ANCHOR, { signal: leaving.signal }));
    const count = pose.count();
    await settled();
    leaving.abort();
    expect(((await left) as Error).name).toBe("AbortError");
    door.open();
    expect(await count).toBe(4);
    expect(tracks(store).map(({ signal }) => signal?.aborted)).toEqual([false]);
  });
});

describe("a single read", () => {
  test.each([
    ["an Error", new Error("mine"), (error: unknown, reason: unknown) => error === reason],
    ["nothing", undefined, (error: unknown) => (error as Error).name === "AbortError"],
    ["a string", "tired", (error: unknown) => error instanceof DreamDbError && error.code === "Aborted" && error.cause === "tired"],
  ])("aborted with %s rejects with that, at each of its steps", async (_, reason, fits) => {
    const objects = await loadObjects("arrays-basic", await loadSidecar("arrays-basic"));
    for (const step of ["refs/", "manifests/", "/track/", "/17979cfe"]) {
      const controller = new AbortController();
      const { signal } = controller;
      const store: Store = steered(memoryStore(objects), (key) => {
        if (key.includes(step)) controller.abort(reason);
      });
      const read = async () => (await openDataset(store, "main", { signal })).array("pose").read(1700000000033333333n, { signal });
      expect([step, fits(await expectRejection(read()), reason)]).toEqual([step, true]);
    }
  });

  test("of a deleted row, aborted while the deletions are fetched, rejects", async () => {
    const objects = await loadObjects("hand-minimal", await loadSidecar("hand-minimal"));
    const controller = new AbortController();
    const store = steered(memoryStore(objects), (key) => {
      if (key.startsWith("tombstones/")) controller.abort();
    });
    const dense = (await openDataset(store, "tomb-legacy")).array("dense");
    expect(((await expectRejection(dense.read(10n, { signal: controller.signal }))) as Error).name).toBe("AbortError");
    expect(await dense.read(10n)).toBeUndefined();
  });
});
