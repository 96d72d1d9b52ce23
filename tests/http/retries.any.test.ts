/** Failures that may pass: tried again with patience and an end to it, counted per request, per call and against the caller's budget. */

import { type DatasetEvent, init, openDataset, type OpenOptions } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, describe, expect, it } from "vitest";
import { type Mode, openBroken } from "../support/broken.js";
import { type Built, FIELD, packedDataset, singlesDataset } from "../support/built.js";
import { expectFailure } from "../support/failure.js";
import { inPage, repeatsResets } from "../support/host.js";

beforeAll(() => init());

/** Retries without long waits. */
const QUICK = { minDelayMs: 1, maxDelayMs: 20 };
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** A field of a dataset whose index is known already. */
async function served(built: Built, options: OpenOptions = {}, at: "near" | "http2" = "near") {
  const events: DatasetEvent[] = [];
  const onEvent = (event: DatasetEvent) => void events.push(event);
  const broken = await openBroken({ objects: built.objects });
  const ds = await openDataset(broken.base("exact206", at), built.version, { retry: QUICK, onEvent, ...options, ...(at === "http2" && { fetch: h2Fetch }) });
  await ds.media(FIELD).count();
  await broken.forget();
  events.splice(0);
  const retries = () => events.filter((event) => event.type === "retry");
  return { broken, ds, field: ds.media(FIELD), retries };
}

describe("a failure that passes", () => {
  const passing: [Mode, string][] = [
    ["408", "HttpStatus"], ["425", "HttpStatus"], ["429", "HttpStatus"], ["500", "HttpStatus"], ["502", "HttpStatus"], ["503", "HttpStatus"],
    ["503-retry-now", "HttpStatus"], ["504", "HttpStatus"], ["reset", "Network"], ["close-early", "BodyLength"], ["stall", "Timeout"],
  ];
  it.each(passing)("(%s) is not seen by the caller: the second try gives the Item", async (mode, code) => {
    const built = singlesDataset(2);
    const { broken, ds, field, retries } = await served(built, { timeoutMs: mode === "stall" ? 1000 : 30_000 });
    await broken.rules({ mode, nth: [1] });
    expect(await field.read(1)).toMatchObject({ bytes: built.items[1], verified: "object" });
    expect(await broken.requests()).toHaveLength(2);
    // What hosts repeat by themselves is not seen here either.
    const tried = (mode === "408" && inPage) || (mode === "reset" && repeatsResets) ? 0 : 1;
    expect(retries()).toMatchObject([{ code, attempt: 1, key: built.keys[1] }].slice(0, tried));
    expect(ds.stats()).toMatchObject({ retries: tried });
  });

  it("is tried again past the caches of the host when a body was short, and only then", async () => {
    const built = singlesDataset(2);
    const { broken, field } = await served(built);
    await broken.rules({ mode: "close-early", nth: [1] }, { mode: "500", nth: [3] });
    expect(await field.read(0)).toMatchObject({ bytes: built.items[0] });
    expect(await field.read(1)).toMatchObject({ bytes: built.items[1] });
    const fresh = (await broken.requests()).map(({ headers }) => headers["cache-control"]);
    expect(fresh).toEqual([undefined, inPage ? "no-cache" : undefined, undefined, undefined]);
  });

  it("may be a refused or reset stream of HTTP/2", async () => {
    for (const mode of ["refused-stream", "reset", "reset-in-body"] as const) {
      const built = singlesDataset(1);
      const { broken, field } = await served(built, {}, "http2");
      await broken.rules({ mode, nth: [1] });
      expect(await field.read(0)).toMatchObject({ bytes: built.items[0] });
      expect(await broken.requests()).toHaveLength(2);
    }
  });
});

describe("a failure that does not pass", () => {
  const lasting: [Mode, string, number][] = [
    // As often as the caller wants.
    ["500", "HttpStatus", 3], ["503-retry-now", "HttpStatus", 3], ["429", "HttpStatus", 3], ["reset", "Network", 3],
    // Once more.
    ["close-early", "BodyLength", 2], ["stall", "Timeout", 2],
    // Never: trying again makes no difference.
    ["404", "NotFound", 1], ["403", "Forbidden", 1], ["206-wrong-range", "RangeMismatch", 1], ["multipart206", "MultipartPartial", 1],
    ["416-empty", "PackSliceOutOfBounds", 1], ["204", "HttpStatus", 1],
  ];
  it.each(lasting)("(%s) is the error %s after %i tries", async (mode, code, tries) => {
    const built = packedDataset([{ sizes: [2000, 2000] }]);
    const { broken, ds, field } = await served(built, { verify: "never", timeoutMs: mode === "stall" ? 500 : 30_000, retry: { ...QUICK, attempts: 3 } });
    await broken.rules({ key: built.keys[0] ?? "", mode });
    const error = await expectFailure(field.read(1));
    expect(error).toMatchObject({ code, field: FIELD, anchor: 1n });
    expect(ds.stats().requests - 2).toBe(tries);
    expect((await broken.requests()).length).toBeLessThanOrEqual(mode === "reset" && repeatsResets ? 2 * tries : tries);
  });

  it("is not tried again at all where the caller does not want it", async () => {
    const built = singlesDataset(1);
    const { broken, field } = await served(built, { retry: { attempts: 1 } });
    await broken.rules({ mode: "503" });
    await expectFailure(field.read(0), "HttpStatus");
    expect(await broken.requests()).toHaveLength(1);
  });

  it("is forgotten by the next call", async () => {
    const built = packedDataset([{ sizes: [2000, 2000], outboard: true }]);
    for (const verify of ["always", "never"] as const) {
      const { broken, field } = await served(built, { verify, retry: { attempts: 1 } });
      await broken.rules({ mode: "503", nth: [1] });
      const outcomes = await Promise.allSettled([field.read(0), field.read(0)]);
      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect(await field.read(0)).toMatchObject({ bytes: built.items[0] });
    }
  });
});

describe("a server that is busy for everybody", () => {
  it("is waited for as long as it says", async () => {
    const built = singlesDataset(3);
    const { broken, field, retries } = await served(built, { retry: { attempts: 2, minDelayMs: 1, maxDelayMs: 5000 } });
    await broken.rules({ mode: "429-retry-after", nth: [1] });
    const outcomes = await field.readMany([0, 1, 2]);
    expect(outcomes.map(({ status }) => status)).toEqual(["value", "value", "value"]);
    expect(retries().map((event) => event.type === "retry" && event.delayMs)).toEqual([2000]);
  });

  it("is waited for by all Items of a call together, and given up after so many tries", async () => {
    const built = singlesDataset(20);
    const { broken, field, retries } = await served(built, { concurrency: 20, retry: { attempts: 2, minDelayMs: 1, maxDelayMs: 5000 } });
    await broken.rules({ mode: "429-retry-after" });
    const outcomes = await field.readMany(numbers(20));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "error", error: { code: "HttpStatus", status: 429, retryAfterMs: 2000 } });
    expect(retries().length).toBeGreaterThan(0);
    for (const event of retries()) expect(event).toMatchObject({ delayMs: 2000, attempt: 1 });
    expect((await broken.requests()).length).toBeLessThanOrEqual(36);
  });

  it("is not waited for when it asks for more time than the caller has", async () => {
    const built = singlesDataset(3);
    const { broken, field, retries } = await served(built);
    await broken.rules({ mode: "429-retry-after" });
    const error = await expectFailure(field.read(0), "HttpStatus");
    expect(error).toMatchObject({ status: 429, retryAfterMs: 2000 });
    expect(retries()).toEqual([]);
    expect(await broken.requests()).toHaveLength(1);
  });

  it.each(["429", "503-retry-now", "500", "reset"] as const)("(%s) gets no storm of retries: a hundred Items, hardly more requests than Items", async (mode) => {
    const built = singlesDataset(100);
    const { broken, ds, field } = await served(built);
    await broken.rules({ mode });
    const outcomes = await field.readMany(numbers(100));
    expect(outcomes.map(({ status }) => status)).toEqual(numbers(100).map(() => "error"));
    const code = mode === "reset" ? "Network" : "HttpStatus";
    for (const outcome of outcomes) expect(outcome).toMatchObject({ error: { code, field: FIELD } });
    expect(ds.stats().requests - 2).toBeLessThanOrEqual(116);
    expect((await broken.requests()).length).toBeLessThanOrEqual(mode === "reset" && repeatsResets ? 232 : 116);
  });
});

describe("a budget of requests", () => {
  it("is enough for two hundred Items in four packs, and the host's own limit is never met", async () => {
    const built = packedDataset(numbers(4).map(() => ({ sizes: numbers(50).map(() => 100), outboard: true })));
    let sent = 0;
    const limited: OpenOptions["fetch"] = async (url, init) => {
      if (++sent > 50) throw new Error("Too many subrequests.");
      return await h2Fetch(url, init);
    };
    const broken = await openBroken({ objects: built.objects });
    const ds = await openDataset(broken.base("exact206"), built.version, { maxRequests: 50, fetch: limited });
    const outcomes = await ds.media(FIELD).readMany(numbers(200));
    expect(outcomes).toMatchObject(numbers(200).map((at) => ({ status: "value", value: { bytes: built.items[at] } })));
    expect(sent).toBeLessThanOrEqual(10);
    expect(await broken.requests()).toHaveLength(sent);
  });

  it("that does not suffice is told before the first request, with what is left and what is needed", async () => {
    const built = singlesDataset(200);
    const { broken, field } = await served(built, { maxRequests: 50 });
    const error = await expectFailure(field.readMany(numbers(200)), "RequestBudget");
    expect(error.message).toMatch(/maxRequests is 50 and 2 were sent: 200 more are needed and not sent/);
    expect(error).toMatchObject({ expected: "at most 50", actual: "202", field: FIELD });
    expect(await broken.requests()).toHaveLength(0);
    expect((await field.readMany(numbers(48))).map(({ status }) => status)).toEqual(numbers(48).map(() => "value"));
    await expectFailure(field.read(100), "RequestBudget");
    expect(await broken.requests()).toHaveLength(48);
  });

  it("counts second tries, too", async () => {
    const built = singlesDataset(4);
    const { broken, field } = await served(built, { maxRequests: 4, retry: { ...QUICK, attempts: 10 } });
    await broken.rules({ mode: "500" });
    const error = await expectFailure(field.read(0), "RequestBudget", "HttpStatus");
    expect(error).toMatchObject({ field: FIELD, anchor: 0n });
    expect(await broken.requests()).toHaveLength(2);
  });

  it("ends the opening of a dataset as well", async () => {
    const built = singlesDataset(1);
    const broken = await openBroken({ objects: built.objects });
    await expectFailure(openDataset(broken.base("exact206"), built.version, { maxRequests: 0 }), "RequestBudget");
    expect(await broken.requests()).toHaveLength(0);
  });
});
