/** What every store does alike: memory, Blobs, a folder, and HTTP over the static server. */

import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveDirectory, type StaticServer } from "../../ts/cli/server/serve.js";
import { blobStore } from "../../ts/store/blob.js";
import { fsStore } from "../../ts/store/fs.js";
import { httpStore } from "../../ts/store/http.js";
import { memoryStore } from "../../ts/store/memory.js";
import type { Store, StoreOptions, TransferEvent } from "../../ts/store/types.js";
import { countListeners } from "../support/listeners.js";
import { isExact, pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { makeTempDir, put } from "../support/temp-dir.js";

const KEY = "t/array.f32.kind=event.storage=dense/000000000000000a/d2xr@1";
const LARGE = pattern(1_500_000);
const OBJECTS: [string, Uint8Array<ArrayBuffer>][] = [
  [KEY, pattern(100)],
  ["large", LARGE],
  ["empty", new Uint8Array(0)],
  ["odd/%3D ?#\u00e9", Uint8Array.of(1)],
];

let dir = "";
let server: StaticServer | undefined;
beforeAll(async () => {
  dir = await makeTempDir();
  for (const [key, bytes] of OBJECTS) await put(dir, key, bytes);
  server = await serveDirectory(dir);
});
afterAll(async () => {
  await server?.close();
  await rm(dir, { recursive: true, force: true });
});

const STORES: Record<string, (options: StoreOptions) => Store> = {
  memory: (options) => memoryStore(OBJECTS, options),
  blob: (options) => blobStore(OBJECTS.map(([key, bytes]) => [key, new Blob([bytes])] as const), options),
  fs: (options) => fsStore(dir, options),
  http: (options) => httpStore(server?.url ?? "", options),
};

describe.each(Object.entries(STORES))("the %s store", (_name, make) => {
  it("gives whole objects in exact buffers", async () => {
    const store = make({});
    for (const [key, bytes] of OBJECTS) {
      const got = await store.get(key);
      expect(Buffer.compare(got, bytes)).toBe(0);
      expect(Object.getPrototypeOf(got)).toBe(Uint8Array.prototype);
      expect(isExact(got)).toBe(true);
    }
  });

  it("gives ranges at the start, in the middle, at the end and of everything", async () => {
    const store = make({});
    for (const [offset, length] of [[0, 1], [0, 10], [40, 7], [99, 1], [90, 10], [0, 100]] as const) {
      const got = await store.getRange(KEY, offset, length);
      expect(got).toEqual(pattern(100).slice(offset, offset + length));
      expect(isExact(got)).toBe(true);
    }
    const got = await store.getRange("large", 7, 1_400_000);
    expect(Buffer.compare(got, LARGE.subarray(7, 1_400_007))).toBe(0);
  });

  it("gives no bytes for no length, without a look", async () => {
    const events: TransferEvent[] = [];
    const store = make({ onRequest: (event) => void events.push(event) });
    for (const [key, offset] of [[KEY, 0], [KEY, 100], [KEY, 460], ["missing", 0]] as const) {
      expect(await store.getRange(key, offset, 0)).toEqual(new Uint8Array(0));
    }
    expect(events).toEqual([]);
  });

  it("fails on ranges past the end, by no byte or by many", async () => {
    const store = make({});
    for (const [key, offset, length] of [[KEY, 99, 2], [KEY, 100, 1], [KEY, 1000, 5], [KEY, 0, 101], ["empty", 0, 1]] as const) {
      const error = await expectFailure(store.getRange(key, offset, length), "BodyLength", "RangeNotSatisfiable");
      expect(error.key).toBe(key);
      expect(error.message).toContain(store.describe(key));
    }
    expect(await expectFailure(store.getRange(KEY, 98, 5))).toMatchObject({ code: "BodyLength", expected: "5", actual: "2" });
  });

  it("says that a missing object is missing", async () => {
    const store = make({});
    // One after another: one that fails while another is waited for would be nobody's.
    for (const read of [() => store.get("t/missing"), () => store.getRange("t/missing", 0, 4), () => store.get("t")]) {
      const error = await expectFailure(read(), "NotFound");
      expect(error.message).toContain(store.describe(error.key ?? "?"));
    }
  });

  it("refuses whole objects above maxBytes and takes them at it", async () => {
    const store = make({});
    expect(await store.get(KEY, { maxBytes: 100 })).toHaveLength(100);
    expect(await store.get("empty", { maxBytes: 0 })).toHaveLength(0);
    const error = await expectFailure(store.get(KEY, { maxBytes: 99 }), "TooLarge");
    expect(error).toMatchObject({ key: KEY, expected: "at most 99", actual: "100" });
    expect(await store.getRange(KEY, 0, 50, { maxBytes: 10 })).toHaveLength(50);
  });

  it("refuses senseless arguments", async () => {
    const store = make({});
    for (const key of ["", "/a", "a//b", "a/", "..", "a/../b", "\0"]) {
      await expectFailure(store.get(key), "InvalidArgument");
      await expectFailure(store.getRange(key, 0, 1), "InvalidArgument");
    }
    for (const [offset, length] of [[-1, 1], [0, -1], [0, 0.5], [NaN, 1]] as const) {
      await expectFailure(store.getRange(KEY, offset, length), "InvalidArgument");
    }
    await expectFailure(store.get(KEY, { maxBytes: -1 }), "InvalidArgument");
  });

  it("rejects with the signal's reason, aborted before or during", async () => {
    const store = make({});
    const calls = [
      (signal: AbortSignal) => store.get("large", { signal }),
      (signal: AbortSignal) => store.getRange("large", 5, 1_000_000, { signal }),
    ];
    for (const call of calls) {
      const before = AbortSignal.abort(new Error("before"));
      expect(await expectRejection(call(before))).toBe(before.reason);
      const during = new AbortController();
      const read = expectRejection(call(during.signal));
      during.abort(new Error("during"));
      expect(await read).toBe(during.signal.reason);
      expect(await call(new AbortController().signal)).toBeInstanceOf(Uint8Array);
    }
  });

  it("leaves nothing on a signal that outlives the read", async () => {
    const store = make({});
    const { signal } = new AbortController();
    const listeners = countListeners(signal);
    await store.get(KEY, { signal });
    await store.getRange(KEY, 3, 4, { signal });
    await expectFailure(store.get("missing", { signal }), "NotFound");
    await expectFailure(store.getRange(KEY, 99, 2, { signal }), "BodyLength");
    expect(listeners()).toBe(0);
  });

  it("gives results that depend on nothing", async () => {
    const store = make({});
    (await store.get(KEY)).fill(255);
    (await store.getRange(KEY, 0, 100)).fill(255);
    expect(await store.get(KEY)).toEqual(pattern(100));
    const twice = await Promise.all([store.getRange(KEY, 3, 4), store.getRange(KEY, 3, 4)]);
    twice[0].fill(255);
    expect(twice[1]).toEqual(pattern(100).slice(3, 7));
  });

  it("tells its observer of each transfer, failed or not", async () => {
    const events: TransferEvent[] = [];
    const store = make({ onRequest: (event) => void events.push(event) });
    await store.get(KEY);
    await store.getRange(KEY, 10, 5);
    await expectFailure(store.get("missing"));
    expect(events).toMatchObject([
      { kind: "get", key: KEY, bytes: 100, ok: true },
      { kind: "range", key: KEY, offset: 10, length: 5, bytes: 5, ok: true },
      { kind: "get", key: "missing", bytes: 0, ok: false },
    ]);
    expect(events.every((event) => event.ms >= 0)).toBe(true);
  });

  it("serves many reads at once", async () => {
    const store = make({});
    const reads = Array.from({ length: 60 }, (_, i) => store.getRange("large", i * 1000, 100 + i));
    for (const [i, got] of (await Promise.all(reads)).entries()) {
      expect(got).toEqual(LARGE.slice(i * 1000, i * 1000 + 100 + i));
    }
  });
});
