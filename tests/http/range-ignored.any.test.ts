/** The whole object in place of a range: used where it is cheap, cut where it is not, kept where a reader wants it, and never held against the host. */

import { httpStore, type HttpStoreOptions } from "dreamdb-arrays";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { isExact, pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

const OBJECT = pattern(20);
const MiB = 1024 * 1024;

let broken: Broken;
beforeAll(async () => {
  broken = await openBroken({ objects: { item: { pattern: 20 }, big: { pattern: 9 * MiB }, empty: { pattern: 0 } } });
});
beforeEach(() => broken.forget());

const store = (mode: Mode, options?: HttpStoreOptions) => httpStore(`${broken.base(mode)}?sig=secret`, options);

describe("a whole object in place of a range", () => {
  it("gives the first byte, the last byte or everything", async () => {
    expect(await store("200-full").getRange("item", 0, 1)).toEqual(OBJECT.slice(0, 1));
    expect(await store("200-full").getRange("item", 19, 1)).toEqual(OBJECT.slice(19));
    const all = await store("200-full").getRange("item", 0, 20);
    expect(all).toEqual(OBJECT);
    expect(isExact(all)).toBe(true);
  });

  it("is cut by its announced length before any of it is read, and the host named that ignored the Range", async () => {
    const error = await expectFailure(store("200-huge").getRange("item", 10, 5), "RangeIgnored");
    const { host } = new URL(broken.base("200-huge"));
    expect(error.message).toContain(`${host} ignored the Range header and sent the whole object`);
    expect(error.message).toMatch(/Serve objects from a host that supports range requests\.$/);
    expect(error).toMatchObject({ expected: `at most ${8 * MiB}`, actual: "700000000", status: 200, subject: host });
    const { requests } = await broken.until(({ requests }) => requests[0]?.clientLeft === true);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.sent).toBeLessThan(4 * MiB);
  });

  it("is cut at the cap when it announces nothing", async () => {
    const events: number[] = [];
    const onRequest = (event: { bytes: number }) => events.push(event.bytes);
    await expectFailure(store("200-endless", { onRequest }).getRange("item", 10, 5, { maxBytes: 4 * MiB }), "RangeIgnored");
    await broken.until(({ requests }) => requests[0]?.clientLeft === true);
    expect(events).toHaveLength(1);
    expect(events[0]).toBeGreaterThan(4 * MiB);
    expect(events[0]).toBeLessThan(8 * MiB);
  });

  it("is not even begun when the range itself ends above the cap", async () => {
    const error = await expectFailure(store("200-endless").getRange("item", 9 * MiB, 5), "RangeIgnored");
    expect(error.actual).toBe(`at least ${9 * MiB + 5}`);
  });

  it("is accepted up to four times the range, or as far as the call allows", async () => {
    await expectFailure(store("200-full").getRange("big", 0, 5), "RangeIgnored");
    expect(await store("200-full").getRange("big", 0, 3 * MiB)).toHaveLength(3 * MiB);
    expect(await store("200-full").getRange("big", 9 * MiB - 5, 5, { maxBytes: 9 * MiB })).toHaveLength(5);
    await expectFailure(store("200-full", { maxWholeBytes: 8 * MiB }).getRange("big", 0, 3 * MiB), "RangeIgnored");
  });

  it("that ends before the range does is an error", async () => {
    expect(await expectFailure(store("200-full").getRange("item", 18, 5), "BodyLength")).toMatchObject({ expected: "at least 23", actual: "20" });
    expect(await expectFailure(store("200-full").getRange("empty", 0, 1), "BodyLength")).toMatchObject({ actual: "0" });
  });

  it("is offered to who wants to keep it, apart from the result", async () => {
    const wholes: Uint8Array[] = [];
    const bytes = await store("200-full").getRange("item", 0, 20, { onWhole: (all) => void wholes.push(all) });
    expect(wholes).toEqual([OBJECT]);
    expect(bytes).toEqual(OBJECT);
    expect(bytes.buffer).not.toBe(wholes[0]?.buffer);
  });

  it("is not offered where a range came as a range", async () => {
    const wholes: Uint8Array[] = [];
    await store("exact206").getRange("item", 0, 20, { onWhole: (all) => void wholes.push(all) });
    expect(wholes).toEqual([]);
  });

  it("is no verdict on the host: a cold cache that gives all once gives ranges after that, and both are right", async () => {
    const cold = store("200-then-206");
    expect(await cold.getRange("item", 10, 5)).toEqual(OBJECT.slice(10, 15));
    expect(await cold.getRange("item", 10, 5)).toEqual(OBJECT.slice(10, 15));
    expect((await broken.requests()).map(({ headers, sent }) => [headers["range"], sent])).toEqual([["bytes=10-14", 20], ["bytes=10-14", 5]]);
  });

  it("is blamed on the host that sent it, after a redirect", async () => {
    const error = await expectFailure(store("redirect-ignored-range").getRange("item", 10, 5), "RangeIgnored");
    expect(error.subject).toBe(new URL(broken.base("200-huge", "far")).host);
    expect(JSON.stringify(error)).not.toContain("secret");
  });
});
