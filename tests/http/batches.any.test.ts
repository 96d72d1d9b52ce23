/** Many Items at once: few requests, few bytes, never more in flight than allowed, each Item right and in its place. */

import { init, openDataset, type OpenOptions } from "dreamdb-arrays";
import { h2Fetch } from "h2-fetch";
import { beforeAll, describe, expect, it } from "vitest";
import { type Broken, openBroken, rangesOf, type SeenRequest } from "../support/broken.js";
import { type Built, FIELD, packedDataset, singlesDataset } from "../support/built.js";
import { sameBytes } from "../support/bytes.js";
import { inPage } from "../support/host.js";

const KiB = 1024;
beforeAll(() => init());

/** A field of a dataset whose index is known already, so that all further requests are for its Items. */
async function served(built: Built, options: OpenOptions = {}, at: "near" | "http2" = "near") {
  const broken = await openBroken({ objects: built.objects });
  const ds = await openDataset(broken.base("exact206", at), built.version, { ...options, ...(at === "http2" && { fetch: h2Fetch }) });
  await ds.media(FIELD).count();
  await broken.forget();
  return { broken, ds, field: ds.media(FIELD) };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const same = (size: number, count: number) => numbers(count).map(() => size);
const bytesSent = (requests: readonly SeenRequest[]) => requests.reduce((sum, { sent }) => sum + sent, 0);
const packRequests = async (broken: Broken, { keys }: Built) => (await broken.requests()).filter(({ key }) => keys.includes(key));

describe("merged ranges", () => {
  it.each([
    ["never", 1, ["bytes=0-24"]],
    ["never", 1000, ["bytes=0-24999"]],
    ["available", 1000, [undefined]],
    ["always", 1000, [undefined]],
  ] as const)("come back in the order of the anchors, repeated ones apart and empty ones empty, verified %s, sizes times %i", async (verify, times, ranges) => {
    const sizes = [5, 0, 15, 5].map((size) => size * times);
    const built = packedDataset([{ sizes, outboard: verify === "available" }]);
    const { broken, field } = await served(built, { verify });
    const anchors = [3, 0, 1, 2, 0];
    const outcomes = await field.readMany(anchors);
    const values = outcomes.map((outcome) => (outcome.status === "value" ? outcome.value : undefined));
    expect(values.map((value) => value?.bytes)).toEqual(anchors.map((anchor) => built.items[anchor]));
    expect(values.map((value) => value?.bytes.byteLength)).toEqual(anchors.map((anchor) => sizes[anchor]));
    const [, first, , , again] = values;
    first?.bytes.fill(255);
    expect(again?.bytes).toEqual(built.items[0]);
    expect(rangesOf(await packRequests(broken, built))).toEqual(ranges);
  });
});

describe("Items that lie far apart", () => {
  it("are asked for alone: of four megabytes the two that are wanted, and a byte more of neither", async () => {
    const size = 400 * KiB;
    const built = packedDataset([{ sizes: same(size, 10) }]);
    const { broken, field } = await served(built, { verify: "never" });
    const outcomes = await field.readMany([0, 9]);
    for (const outcome of outcomes) {
      expect(outcome.status === "value" && sameBytes(outcome.value.bytes, built.items[Number(outcome.anchor)] ?? new Uint8Array(0))).toBe(true);
    }
    const requests = await broken.requests();
    expect(new Set(rangesOf(requests))).toEqual(new Set([`bytes=0-${size - 1}`, `bytes=${9 * size}-${10 * size - 1}`]));
    expect(requests).toHaveLength(2);
    expect(bytesSent(requests)).toBe(2 * size);
  });

  it("are proved by themselves: whole chunks around them, one outboard, and never a byte behind the end of the pack", async () => {
    const length = 160_000;
    const built = packedDataset([{ sizes: same(16_000, 10), outboard: true }]);
    const { broken, field } = await served(built, { verify: "always" });
    const outcomes = await field.readMany([9, 0]);
    expect(outcomes).toMatchObject([9, 0].map((anchor) => ({ anchor: BigInt(anchor), status: "value", value: { verified: "range", bytes: built.items[anchor] } })));
    const requests = await broken.requests();
    const packs = await packRequests(broken, built);
    expect([requests.length, packs.length]).toEqual([3, 2]);
    for (const range of rangesOf(packs)) {
      const [first = -1, last = Infinity] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "")?.slice(1).map(Number) ?? [];
      expect(first % KiB).toBe(0);
      expect(last).toBeLessThan(length);
    }
    expect(bytesSent(packs)).toBeLessThanOrEqual(2 * (16_000 + 2 * KiB));
  });

  it.each(["exact206", "cacheable", "etag-changing"] as const)("in the dozens in one pack are right, and asked for in no more requests than there are Items, by %s", async (mode) => {
    const built = packedDataset([{ sizes: same(1500, 64), outboard: true }]);
    const { broken, ds, field } = await served(built, { verify: "always", maxGap: 0 });
    await broken.rules({ key: "/0000000000000000/", mode });
    const anchors = numbers(32).map((at) => 2 * at);
    const outcomes = await field.readMany(anchors);
    expect(outcomes).toMatchObject(anchors.map((anchor) => ({ status: "value", value: { verified: "range", bytes: built.items[anchor] } })));
    const requests = await broken.requests();
    expect(requests.length).toBeLessThanOrEqual(inPage && mode !== "exact206" ? 65 : 33);
    expect(bytesSent(await packRequests(broken, built))).toBeLessThanOrEqual(64 * 1500);
    const { requests: counted, bytesWanted } = ds.stats();
    // Chromium's cache asks for parts of its own.
    if (!inPage || mode === "exact206") expect(counted).toBe(requests.length + 2);
    expect(bytesWanted).toBe(32 * 1500);
  });
});

describe("a gap", () => {
  it("may be bridged up to maxGap, but not to behind the end of a small object", async () => {
    const built = packedDataset([{ sizes: same(10, 4) }]);
    for (const [maxGap, expected] of [[0, ["bytes=0-9", "bytes=30-39"]], [19, ["bytes=0-9", "bytes=30-39"]], [20, ["bytes=0-39"]], [65_536, ["bytes=0-39"]]] as const) {
      const { broken, field } = await served(built, { verify: "never", maxGap });
      const outcomes = await field.readMany([0, 3]);
      expect(outcomes).toMatchObject([{ value: { bytes: built.items[0] } }, { value: { bytes: built.items[3] } }]);
      const ranges = rangesOf(await broken.requests());
      expect(ranges).toHaveLength(expected.length);
      expect(new Set(ranges)).toEqual(new Set(expected));
    }
  });
});

describe("a host that answers ranges with the whole", () => {
  it.each([["never", false], ["available", false], ["available", true], ["always", true]] as const)(
    "sends it once, and that serves a hundred Items (verified %s, outboard %s)",
    async (verify, outboard) => {
      const built = packedDataset([{ sizes: same(500, 100), outboard }]);
      const { broken, field } = await served(built, { verify, maxGap: 0 });
      await broken.rules({ key: built.keys[0] ?? "", mode: "200-full" });
      const anchors = numbers(100).filter((at) => at % 2 === 0);
      const outcomes = await Promise.all([field.readMany(anchors), ...anchors.map((anchor) => field.read(anchor))]);
      expect(outcomes[0]).toMatchObject(anchors.map((anchor) => ({ status: "value", value: { bytes: built.items[anchor], verified: verify === "never" ? "none" : "object" } })));
      expect(outcomes.slice(1)).toMatchObject(anchors.map((anchor) => ({ bytes: built.items[anchor] })));
      expect(await packRequests(broken, built)).toHaveLength(1);
    },
  );

  it("once, and not the next time, is no reason to stop asking for ranges", async () => {
    const built = packedDataset([{ sizes: same(1500, 100) }, { sizes: same(1500, 100) }]);
    const { broken, field } = await served(built, { verify: "never" });
    await broken.rules({ key: "/0000000000000000/", mode: "200-full", nth: [1] });
    expect(await field.read(50)).toMatchObject({ bytes: built.items[50] });
    expect(await field.read(150)).toMatchObject({ bytes: built.items[150] });
    const requests = await packRequests(broken, built);
    expect(rangesOf(requests)).toEqual(["bytes=75000-76499", "bytes=75000-76499"]);
    expect(requests[1]?.sent).toBe(1500);
  });
});

describe("thousands of Items at once", () => {
  it.each([["near", 1000, undefined], ["http2", 5000, undefined], ["http2", 500, 3]] as const)(
    "from the server %s are all there (%i), with never more in flight than allowed",
    async (at, count, concurrency) => {
      const built = singlesDataset(count);
      const { broken, ds, field } = await served(built, { concurrency }, at);
      await broken.rules({ mode: "delayed", nth: numbers(300) });
      const outcomes = await field.readMany(numbers(count));
      const text = new TextDecoder();
      const read = outcomes.map((outcome) => (outcome.status === "value" ? text.decode(outcome.value.bytes) : outcome.status));
      expect(read).toEqual(numbers(count).map((anchor) => `Item ${anchor}`));
      const { most, requests } = await broken.log();
      expect(requests).toHaveLength(count);
      expect(most).toBeGreaterThan(1);
      expect(most).toBeLessThanOrEqual(concurrency ?? (inPage ? 6 : 32));
      expect(ds.stats()).toMatchObject({ requests: count + 2, retries: 0 });
    },
    120_000,
  );
});
