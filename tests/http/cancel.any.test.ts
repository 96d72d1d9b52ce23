/** Time and cancellation: a silent server is left, a slow one is not, and an abort ends the request at once with the caller's reason. */

import { httpStore } from "dreamdb-arrays";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { countListeners } from "../support/listeners.js";

const OBJECT = pattern(20);
let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { item: { pattern: 20 } } });
});
beforeEach(() => broken.forget());

const store = (mode: Mode, timeoutMs?: number) => httpStore(broken.base(mode), { timeoutMs });
const left = () => broken.until(({ requests }) => requests[0]?.clientLeft === true);

describe("the timeout", () => {
  it.each(["stall", "stall-in-body"] as const)("ends a read from a server of the kind %s, and the request with it", async (mode) => {
    const error = await expectFailure(store(mode, 250).getRange("item", 0, 10), "Timeout");
    expect(error).toMatchObject({ key: "item", url: `${broken.base(mode)}/item` });
    expect(error.message).toContain("nothing arrived for 250 ms");
    const { requests } = await left();
    expect(requests).toHaveLength(1);
  });

  it("counts from the last byte, so a slow server may take longer in all", async () => {
    // Twenty bytes, 40 ms apart.
    expect(await store("slow-drip", 600).get("item")).toEqual(OBJECT);
  });

  it("ends also a fetch that does not listen to its signal, whose late answer is let go", async () => {
    let late = (_response: Response) => {};
    const cancelled = new Promise<void>((resolve) => {
      const deaf = httpStore("http://h", { timeoutMs: 30, fetch: () => new Promise((answer) => (late = answer)) });
      void expectFailure(deaf.get("item"), "Timeout").then(() => late(new Response(new ReadableStream({ cancel: () => resolve() }))));
    });
    await cancelled;
    expect(late).toBeTypeOf("function");
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
      await broken.until(({ requests }) => requests.length === 1);
      controller.abort(reason);
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
    expect(await broken.requests()).toHaveLength(0);
  });

  it("with a reason that is no object is a typed error around it", async () => {
    const error = await expectFailure(store("exact206").get("item", { signal: AbortSignal.abort("enough") }), "Aborted");
    expect(error.message).toContain("enough");
    expect(error.cause).toBe("enough");
  });

  it("in the body gives the reason, be it an error that has a meaning to us", async () => {
    const controller = new AbortController();
    const reason = new RangeError("enough");
    const read = expectRejection(store("stall-in-body").get("item", { signal: controller.signal }));
    await broken.until(({ requests }) => (requests[0]?.sent ?? 0) > 0);
    controller.abort(reason);
    expect(await read).toBe(reason);
  });

  it("while the page of a refusal is read gives the reason, not the refusal", async () => {
    const controller = new AbortController();
    const read = expectRejection(store("500-stalled").get("item", { signal: controller.signal }));
    await broken.until(({ requests }) => requests[0]?.sent === 10);
    controller.abort();
    expect(await read).toBe(controller.signal.reason);
  });

  it("of one read leaves another of the same bytes alone", async () => {
    const controller = new AbortController();
    const first = expectRejection(store("held").getRange("item", 3, 4, { signal: controller.signal }));
    // By another URL, as Chromium's cache lets the requests for one URL wait for each other.
    const second = httpStore(`${broken.base("held")}?reader=2`).getRange("item", 3, 4);
    await broken.until(({ requests }) => requests.length === 2);
    controller.abort();
    expect(await first).toBe(controller.signal.reason);
    await broken.until(({ requests }) => requests.filter(({ clientLeft }) => clientLeft).length === 1);
    await broken.release();
    expect(await second).toEqual(OBJECT.slice(3, 7));
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
