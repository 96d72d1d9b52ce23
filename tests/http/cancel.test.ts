/** Time and cancellation: a silent server is left, a slow one is not, and an abort ends the request at once with the caller's reason. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { httpStore } from "../../ts/store/http.js";
import type { Mode } from "../support/broken-modes.js";
import { startBrokenServer, type BrokenServer } from "../support/broken-server.js";
import { countListeners } from "../support/listeners.js";
import { pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";

const OBJECT = pattern(20);
let server: BrokenServer;
beforeAll(async () => {
  server = await startBrokenServer({ item: OBJECT });
});
afterEach(() => server.forget());
afterAll(() => server.close());

const store = (mode: Mode, timeoutMs?: number) => httpStore(server.base(mode), { timeoutMs });
const left = () => server.until(() => server.seen[0]?.clientLeft === true);

describe("the timeout", () => {
  it.each(["stall", "stall-in-body"] as const)("ends a read from a server of the kind %s", async (mode) => {
    const error = await expectFailure(store(mode, 250).getRange("item", 0, 10), "Timeout");
    expect(error).toMatchObject({ key: "item", url: `${server.base(mode)}/item` });
    expect(error.message).toContain("250 ms");
    await left();
  });

  it("counts from the last byte, so a slow server may take longer in all", async () => {
    const start = performance.now();
    expect(await store("slow-drip", 500).get("item")).toEqual(OBJECT);
    expect(performance.now() - start).toBeGreaterThan(550);
  });

  it("ends also a fetch that does not listen to its signal, whose late answer is let go", async () => {
    let cancelled = false;
    let late = (_response: Response) => {};
    const deaf = httpStore("http://h", { timeoutMs: 30, fetch: () => new Promise((resolve) => (late = resolve)) });
    await expectFailure(deaf.get("item"), "Timeout");
    late(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })));
    await server.until(() => cancelled);
  });

  it("can be switched off, and must be a time", async () => {
    expect(await store("exact206", Infinity).get("item")).toEqual(OBJECT);
    for (const senseless of [0, -1, NaN]) expect(() => store("exact206", senseless)).toThrow(/timeoutMs/);
  });
});

describe("an abort", () => {
  it.each(["stall", "stall-in-body", "200-endless"] as const)(
    "during a read from a server of the kind %s rejects with the caller's reason and ends the request",
    async (mode) => {
      const controller = new AbortController();
      const reason = new Error("the view moved on");
      const read = expectRejection(store(mode).get("item", { signal: controller.signal }));
      await server.until(() => server.seen.length === 1);
      setTimeout(() => controller.abort(reason), 20);
      expect(await read).toBe(reason);
      await left();
    },
  );

  it("before the call sends nothing", async () => {
    const signal = AbortSignal.abort();
    for (const read of [
      store("exact206").get("item", { signal }),
      store("exact206").getRange("item", 0, 4, { signal }),
      store("exact206").getRange("item", 0, 0, { signal }),
    ]) {
      expect(await expectRejection(read)).toBe(signal.reason);
    }
    expect(server.seen).toHaveLength(0);
  });

  it("with a reason that is no object is a typed error around it", async () => {
    const error = await expectFailure(store("exact206").get("item", { signal: AbortSignal.abort("enough") }), "Aborted");
    expect(error.message).toContain("enough");
    expect(error.cause).toBe("enough");
  });

  it("while the page of a refusal is read gives the reason, not the refusal", async () => {
    const controller = new AbortController();
    const read = expectRejection(store("500-stalled").get("item", { signal: controller.signal }));
    await server.until(() => server.seen[0]?.sent === 10);
    controller.abort();
    expect(await read).toBe(controller.signal.reason);
  });

  it("after the end changes nothing and leaves no listener behind", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = countListeners(signal);
    expect(await store("exact206").get("item", { signal })).toEqual(OBJECT);
    await expectFailure(store("404").get("item", { signal }), "NotFound");
    expect(listeners()).toBe(0);
    controller.abort();
  });
});
