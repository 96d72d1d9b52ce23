/** Requests through a store that fails: what is tried again, how often in all, and what is told about it. */

import { type DatasetEvent, DreamDbError, type ErrorCode, memoryStore, type ReadOptions, type Store } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { newCall } from "../../ts/io/call.js";
import { Requests, type RequestOptions } from "../../ts/io/requests.js";
import { newCounters } from "../../ts/io/stats.js";
import { pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";

const OBJECT = pattern(100);

/** What a store answers one time: a failure, or the truth. */
type Answer = DreamDbError | "right";

function setUp(answers: readonly Answer[], options: Partial<RequestOptions> = {}) {
  const asked: (ReadOptions | undefined)[] = [];
  const real = memoryStore([["a", OBJECT], ["b", OBJECT]]);
  const answer = (read: ReadOptions | undefined) => {
    const next = answers[asked.length] ?? "right";
    asked.push(read);
    if (next !== "right") throw next;
  };
  const store: Store = {
    describe: (key) => key,
    async get(key, read) {
      answer(read);
      return real.get(key, read);
    },
    async getRange(key, offset, length, read) {
      answer(read);
      return real.getRange(key, offset, length, read);
    },
  };
  const events: DatasetEvent[] = [];
  const counters = newCounters();
  const requests = new Requests(store, counters, {
    concurrency: 4,
    maxRequests: Infinity,
    retry: { minDelayMs: 1 },
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { requests, asked, events, counters };
}

const status = (code: number, retryAfterMs?: number) => new DreamDbError("HttpStatus", `answered ${code}`, { status: code, retryAfterMs });
const failure = (code: ErrorCode, url?: string) => new DreamDbError(code, "no", { url });

describe("a failure that may pass", () => {
  test.each<readonly [name: string, error: DreamDbError, tries: number]>([
    ...[408, 425, 429, 500, 502, 503, 504].map((code) => [`the answer ${code}`, status(code), 4] as const),
    ["no answer", failure("Network"), 4],
    ["a silent server", failure("Timeout"), 2],
    ["a short body", failure("BodyLength", "http://h/a"), 2],
  ])("%s is tried again, so many times and no more", async (_, error, tries) => {
    const good = setUp(Array.from({ length: tries - 1 }, () => error));
    expect(await good.requests.get("a", newCall())).toEqual(OBJECT);
    expect([good.asked.length, good.counters.requests, good.counters.retries]).toEqual([tries, tries, tries - 1]);
    const bad = setUp(Array.from({ length: 9 }, () => error));
    expect(await expectFailure(bad.requests.getRange("a", 1, 2, newCall()), error.code)).toBe(error);
    expect([bad.asked.length, bad.counters.ranges, bad.counters.bytesFetched]).toEqual([tries, tries, 0]);
  });

  test("of a body that was too short is tried again around caches, and only then", async () => {
    const { requests, asked } = setUp([failure("BodyLength", "http://h/a"), "right", status(503)]);
    await requests.get("a", newCall());
    await requests.get("a", newCall());
    expect(asked.map((read) => read?.fresh ?? false)).toEqual([false, true, false, false]);
  });

  test.each([
    ["absence", failure("NotFound")],
    ["refusal", failure("Forbidden")],
    ["the answer 400", status(400)],
    ["the answer 501", status(501)],
    ["an ignored range", failure("RangeIgnored")],
    ["a compressed answer", failure("CompressedPartial")],
    ["another range", failure("RangeMismatch")],
    ["a file that is too short", failure("BodyLength")],
    ["an object that is too large", failure("TooLarge")],
  ])("is not %s, which is told at once", async (_, error) => {
    const { requests, asked } = setUp([error]);
    expect(await expectFailure(requests.get("a", newCall()), error.code)).toBe(error);
    expect(asked.length).toBe(1);
  });

  test("is not tried again where that was not wanted", async () => {
    const { requests, asked } = setUp([status(503)], { retry: { attempts: 1 } });
    await expectFailure(requests.get("a", newCall()), "HttpStatus");
    expect(asked.length).toBe(1);
  });
});

describe("a busy server", () => {
  test("is waited for as long as it says, by all requests", async () => {
    const { requests, events } = setUp([status(429, 50)]);
    const started = performance.now();
    await requests.get("a", newCall());
    expect(performance.now() - started).toBeGreaterThanOrEqual(49);
    const later = setUp([status(503, 60)]);
    const first = later.requests.get("a", newCall());
    await new Promise((resolve) => setTimeout(resolve, 10));
    const second = performance.now();
    await later.requests.get("b", newCall());
    expect(performance.now() - second).toBeGreaterThanOrEqual(35);
    await first;
    expect(events.filter(({ type }) => type === "retry")).toEqual([{ type: "retry", key: "a", code: "HttpStatus", attempt: 1, delayMs: 50 }]);
  });

  test("that wants more patience than there is is not waited for", async () => {
    const { requests, asked } = setUp([status(429, 60_000)], { retry: { maxDelayMs: 1000 } });
    expect((await expectFailure(requests.get("a", newCall()), "HttpStatus")).retryAfterMs).toBe(60_000);
    expect(asked.length).toBe(1);
  });

  test("is not waited for longer than timers can wait, which go off at once beyond", async () => {
    const { requests, asked } = setUp([status(429, 2 ** 32)], { retry: { maxDelayMs: Number.POSITIVE_INFINITY } });
    expect((await expectFailure(requests.get("a", newCall()), "HttpStatus")).retryAfterMs).toBe(2 ** 32);
    expect(asked.length).toBe(1);
    const patient = setUp([status(500)], { retry: { minDelayMs: 2 ** 40, maxDelayMs: Number.POSITIVE_INFINITY } });
    const leaving = new AbortController();
    const read = expectRejection(patient.requests.get("a", newCall(leaving.signal)));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(patient.asked.length).toBe(1);
    leaving.abort();
    await read;
  });

  test("costs one call so many tries and no more, however many Items it asked for; the next call is a new one", async () => {
    const { requests, asked, counters } = setUp(Array.from({ length: 1000 }, () => status(429)), { concurrency: 4 });
    const call = newCall();
    const reads = Array.from({ length: 500 }, () => expectFailure(requests.get("a", call), "HttpStatus"));
    await Promise.all(reads);
    expect(counters.retries).toBe(16);
    // At most those in flight when patience ended come on top of the retries.
    expect(asked.length).toBeLessThanOrEqual(16 + 2 * 4);
    const before = asked.length;
    await expectFailure(requests.get("a", newCall()), "HttpStatus");
    expect(asked.length - before).toBe(4);
  });

  test("keeps nobody who leaves, and no timer either", async () => {
    const { requests } = setUp([status(503, 20_000)]);
    const leaving = new AbortController();
    const read = expectRejection(requests.get("a", newCall(leaving.signal)));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error("enough");
    leaving.abort(reason);
    expect(await read).toBe(reason);
  });
});

describe("a budget", () => {
  test("counts every try, and refuses the one too many before it is sent", async () => {
    const { requests, asked } = setUp([status(500), "right", "right"], { maxRequests: 3 });
    await requests.get("a", newCall());
    await requests.get("b", newCall());
    const error = await expectFailure(requests.get("a", newCall()), "RequestBudget");
    expect(error.message).toContain("maxRequests is 3");
    expect(asked.length).toBe(3);
  });
});

describe("events", () => {
  test("tell each try, without an address", async () => {
    const { requests, events } = setUp([failure("Network", "http://h/a?sig=secret")]);
    await requests.getRange("a", 10, 5, newCall());
    expect(events).toEqual([
      { type: "request", kind: "range", key: "a", offset: 10, length: 5, bytes: 0, attempt: 1, code: "Network", ms: expect.any(Number) },
      { type: "retry", key: "a", code: "Network", attempt: 1, delayMs: expect.any(Number) },
      { type: "request", kind: "range", key: "a", offset: 10, length: 5, bytes: 5, attempt: 2, ms: expect.any(Number) },
    ]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });
});

test("a store that does not listen to the signal is not waited for", async () => {
  const never: Store = { describe: (key) => key, get: () => new Promise(() => undefined), getRange: () => new Promise(() => undefined) };
  const requests = new Requests(never, newCounters(), { concurrency: 1, maxRequests: Infinity });
  for (const read of [(signal: AbortSignal) => requests.get("a", newCall(signal)), (signal: AbortSignal) => requests.getRange("a", 0, 1, newCall(signal))]) {
    const leaving = new AbortController();
    const left = expectRejection(read(leaving.signal));
    const reason = new Error("away");
    leaving.abort(reason);
    expect(await left).toBe(reason);
  }
});
