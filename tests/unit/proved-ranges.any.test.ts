/** Ranges proved by outboards: what is fetched for them, what is refused, and what a wrong byte costs its neighbours. */

import { DreamDbError, init, memoryStore, openDataset, type OpenOptions, type Store } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { call } from "../../ts/wasm.js";
import { type BuiltPacks, buildPacks, noise } from "../support/built-packs.js";
import { sameBytes } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";
import { recording, type RecordingStore } from "../support/recording.js";

await init();

const KIB = 1024;
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

async function open({ objects, manifest }: BuiltPacks, options: OpenOptions = {}, over: (store: Store) => Store = (store) => store) {
  const memory = memoryStore(objects);
  const store = recording(over(memory));
  const ds = await openDataset(store, { manifest }, { retry: { attempts: 1 }, ...options });
  const field = ds.media("m");
  await field.count();
  store.forget();
  return { ds, field, store, memory };
}

const isProof = ({ key }: { key: string }) => key.startsWith("bao-outboard/");
const data = (store: RecordingStore) => store.reads.filter((read) => !isProof(read));
const proofs = (store: RecordingStore) => store.reads.filter(isProof);
const sum = (reads: readonly { bytes?: Uint8Array }[]) => reads.reduce((bytes, read) => bytes + (read.bytes?.byteLength ?? 0), 0);

const MEDIUM = buildPacks([times(64, () => 4 * KIB)]);
/** 6 MiB: its outboard is larger than is taken whole. */
const LARGE = buildPacks([times(1536, () => 4 * KIB)]);

describe("what is fetched", () => {
  test("neighbours in one call are one range and the outboard, in whatever order they are asked for", async () => {
    const { field, store } = await open(MEDIUM);
    const anchors = [12, 10, 11, 13, 10];
    const outcomes = await field.readMany(anchors);
    expect(outcomes.map((outcome) => outcome.status === "value" && [outcome.anchor, outcome.value.verified])).toEqual(anchors.map((at) => [BigInt(at), "range"]));
    for (const [at, outcome] of outcomes.entries()) expect(outcome.status === "value" && outcome.value.bytes).toEqual(MEDIUM.items[anchors[at] ?? 0]);
    expect(data(store).map(({ offset, length }) => [offset, length])).toEqual([[40 * KIB, 16 * KIB]]);
    expect(proofs(store).map(({ kind, bytes }) => [kind, bytes?.byteLength])).toEqual([["get", 8 + 64 * 255]]);
    // Copies: writing into one does not reach the other.
    const [, second, , , fifth] = outcomes;
    if (second?.status === "value" && fifth?.status === "value") {
      second.value.bytes.fill(0);
      expect(fifth.value.bytes).toEqual(MEDIUM.items[10]);
    }
  });

  test("any choice of Items costs at most 2 KiB a range, and the outboard once", async () => {
    for (const [seed, count] of [[1, 1], [2, 3], [3, 10], [4, 30]] as const) {
      const { ds, field, store } = await open(MEDIUM, { maxGap: 0 });
      const anchors = [...new Set([...noise(count, seed)].map((byte) => byte % 64))];
      const plan = await ds.plan({ field: "m", anchors });
      await field.readMany(anchors);
      const wanted = anchors.length * 4 * KIB;
      expect(sum(data(store))).toBeLessThanOrEqual(wanted + 2 * KIB * data(store).length);
      expect(proofs(store).length).toBe(1);
      expect([store.reads.length, sum(store.reads), wanted]).toEqual([plan.requests, plan.bytes, plan.bytesWanted]);
    }
  });

  test("Items that fill most of a pack are taken with it, by one plain request and without a proof", async () => {
    const { field, store } = await open(MEDIUM);
    const outcomes = await field.readMany(times(62, (at) => at));
    expect(store.reads.map(({ kind, bytes }) => [kind, bytes?.byteLength])).toEqual([["get", 256 * KIB]]);
    expect(outcomes.every((outcome) => outcome.status === "value" && outcome.value.verified === "object")).toBe(true);
  });

  test("of a large pack only pages of the outboard, and fewer for its neighbour", async () => {
    const { field, store } = await open(LARGE);
    expect((await field.read(500))?.bytes).toEqual(LARGE.items[500]);
    expect(sum(data(store))).toBe(4 * KIB);
    expect(sum(proofs(store))).toBeLessThan(64 * KIB);
    expect(proofs(store).every(({ kind }) => kind === "range")).toBe(true);
    store.forget();
    expect((await field.read(503))?.verified).toBe("range");
    expect([data(store).length, proofs(store).length]).toEqual([1, 0]);
  });

  test("every Item of a large pack, one by one, takes each byte of it once, and of its outboard none twice", async () => {
    const { ds, field, store } = await open(LARGE);
    for (const [anchor, item] of LARGE.items.entries()) expect(sameBytes((await field.read(anchor))?.bytes, item)).toBe(true);
    expect(sum(data(store))).toBe(1536 * 4 * KIB);
    const pages = proofs(store).map(({ offset = 0, length = 0 }) => [offset, offset + length] as const).sort(([a], [b]) => a - b);
    for (const [at, [start]] of pages.entries()) expect(start).toBeGreaterThanOrEqual(pages[at - 1]?.[1] ?? 0);
    expect(sum(proofs(store))).toBeLessThanOrEqual(8 + 64 * (1536 * 4 - 1));
    expect(ds.stats().requests).toBeLessThan(100);
  });

  test("spans longer than a request may be come in several, and fit together", async () => {
    const built = buildPacks([[5, 100 * KIB, 70 * KIB, 3]]);
    for (const verify of ["always", "never"] as const) {
      const { field, store } = await open(built, { verify, maxRequestBytes: 32 * KIB });
      for (const anchor of [1, 2, 3]) expect((await field.read(anchor))?.bytes).toEqual(built.items[anchor]);
      expect(Math.max(...data(store).map(({ length = 0 }) => length))).toBeLessThanOrEqual(32 * KIB);
    }
  });

  test("what was to be read ahead, and was not sent, is neither planned for as if it were nor refused for what befell the call before", async () => {
    let busy = false;
    const { ds, field } = await open(MEDIUM, { maxRequestBytes: 4 * KIB, retry: {} }, (store) => ({
      ...store,
      getRange: async (key, ...range) => {
        if (busy) throw new DreamDbError("HttpStatus", "busy", { key, status: 503, retryAfterMs: 3_600_000 });
        return store.getRange(key, ...range);
      },
    }));
    for (const anchor of [0, 1, 2]) await field.read(anchor);
    busy = true;
    await expectFailure(field.read(3), "HttpStatus");
    busy = false;
    expect(await ds.plan({ field: "m", anchors: [4] })).toMatchObject({ requests: 1, bytes: 4 * KIB });
    expect((await field.read(4))?.bytes).toEqual(MEDIUM.items[4]);
  });

  test("empty Items cost nothing, whatever is asked with them", async () => {
    const built = buildPacks([[0, 3000, 0, 2000, 0]]);
    const { field, store } = await open(built);
    const outcomes = await field.readMany([0, 2, 4]);
    expect(outcomes.map((outcome) => outcome.status === "value" && [outcome.value.bytes.byteLength, outcome.value.verified])).toEqual(times(3, () => [0, "object"]));
    expect(store.reads).toEqual([]);
  });
});

/** The same with a wrong byte in one Item of the first pack, all of which have 4 KiB. */
function spoiled(built: BuiltPacks, item: number): BuiltPacks {
  const [pack] = built.packs;
  const body = new Uint8Array(pack?.body ?? []);
  body[item * 4 * KIB + 5] = 1 + (body[item * 4 * KIB + 5] ?? 0);
  return { ...built, objects: new Map(built.objects).set(pack?.key ?? "", body) };
}

describe("a wrong byte", () => {
  test("in one Item of a call is that Item's failure alone; its neighbours are what they are", async () => {
    const [pack] = MEDIUM.packs;
    const { field, store } = await open(spoiled(MEDIUM, 20));
    const outcomes = await field.readMany(times(20, (at) => 10 + at));
    expect(outcomes.filter(({ status }) => status === "error").map(({ anchor }) => anchor)).toEqual([20n]);
    for (const outcome of outcomes) {
      if (outcome.status === "value") expect(outcome.value.bytes).toEqual(MEDIUM.items[Number(outcome.anchor)]);
      else expect(outcome.status === "error" && [outcome.error.code, outcome.error.key, outcome.error.field, outcome.error.anchor]).toEqual(["HashMismatch", pack?.key, "m", 20n]);
    }
    expect(data(store).length).toBe(1);
    // The wrong bytes are not kept: with the right object in place the Item is read.
    await expectFailure(field.read(20), "HashMismatch");
  });

  test("in one Item is no failure of those that another call reads by the same request", async () => {
    const wrong = spoiled(MEDIUM, 20);
    const together = await open(wrong, { maxGap: 16 * KIB });
    const [first, second] = await Promise.all([together.field.readMany([18, 20]), together.field.readMany([19, 20])]);
    expect([first, second].map((outcomes) => outcomes.map(({ status }) => status))).toEqual([["value", "error"], ["value", "error"]]);
    // One by one, with some that are read ahead.
    const { field } = await open(wrong, { maxRequestBytes: 8 * KIB });
    for (let at = 0; at < 40; at++) {
      if (at === 20) await expectFailure(field.read(at), "HashMismatch");
      else expect((await field.read(at))?.bytes).toEqual(MEDIUM.items[at]);
    }
  });

  test("in one Item is its failure alone where the whole comes in place of a range as well", async () => {
    const wholes = (store: Store): Store => ({
      ...store,
      async getRange(key, offset, length, options) {
        const whole = await store.get(key);
        options?.onWhole?.(whole);
        return whole.slice(offset, offset + length);
      },
    });
    for (const verify of ["always", "available"] as const) {
      const { field, store } = await open(spoiled(MEDIUM, 20), { verify }, wholes);
      const outcomes = await field.readMany([3, 19, 20, 40]);
      expect(outcomes.map(({ status }) => status)).toEqual(["value", "value", "error", "value"]);
      expect(outcomes[2]).toMatchObject({ error: { code: "HashMismatch" } });
      expect(data(store).length).toBe(1);
    }
    const without = await open(spoiled(buildPacks([times(64, () => 4 * KIB)], { outboards: false }), 20), { verify: "available" }, wholes);
    expect((await without.field.readMany([3, 19])).map((outcome) => outcome.status === "error" && outcome.error.code)).toEqual(["HashMismatch", "HashMismatch"]);
  });

  test("in a pack that is taken whole is the failure of its Item alone as well, if there is an outboard to tell", async () => {
    for (const outboards of [true, false]) {
      const built = buildPacks([times(64, () => 4 * KIB)], { outboards });
      const { field, store } = await open(spoiled(built, 20));
      const outcomes = await field.readMany(times(64, (at) => at));
      expect(outcomes.filter(({ status }) => status === "error").map(({ anchor }) => anchor)).toEqual(outboards ? [20n] : times(64, (at) => BigInt(at)));
      for (const outcome of outcomes) {
        if (outcome.status === "value") expect(sameBytes(outcome.value.bytes, built.items[Number(outcome.anchor)])).toBe(true);
        else expect(outcome.status === "error" && outcome.error.code).toBe("HashMismatch");
      }
      expect(data(store).map(({ kind }) => kind)).toEqual(["get"]);
    }
  });

  test("in an outboard refuses what it was to prove, and is asked for again", async () => {
    const [pack] = LARGE.packs;
    const right = LARGE.objects.get(pack?.outboardKey ?? "") ?? new Uint8Array(0);
    // The root node.
    const wrong = right.map((byte, at) => (at === 20 ? byte ^ 4 : byte));
    const { field, memory } = await open({ ...LARGE, objects: new Map(LARGE.objects).set(pack?.outboardKey ?? "", wrong) });
    expect((await expectFailure(field.read(500), "HashMismatch")).message).toContain("the outboard's root node does not belong to it");
    memory.set(pack?.outboardKey ?? "", right);
    expect((await field.read(500))?.bytes).toEqual(LARGE.items[500]);
  });

  test("anywhere, one bit at a time: the right bytes or a refusal", async () => {
    const built = buildPacks([[700, 1500, 4000, 10, 2000]]);
    const [pack] = built.packs;
    for (const key of [pack?.key ?? "", pack?.outboardKey ?? ""]) {
      const right = built.objects.get(key) ?? new Uint8Array(0);
      for (let bit = 0; bit < right.byteLength * 8; bit += 997) {
        const wrong = right.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        const { field } = await open({ ...built, objects: new Map(built.objects).set(key, wrong) });
        for (const [anchor, item] of built.items.entries()) {
          const [outcome] = await field.readMany([anchor]);
          if (outcome?.status === "value") expect(sameBytes(outcome.value.bytes, item)).toBe(true);
          else expect(outcome?.status === "error" && outcome.error.code).toMatch(/^(HashMismatch|PackLength|PackSliceOutOfBounds)$/);
        }
      }
    }
  });
});

describe("an outboard", () => {
  test.each([
    ["always", "object"],
    ["available", "none"],
  ] as const)("that is missing is asked for once, verified %s", async (verify, verified) => {
    const bare = buildPacks([times(64, () => 4 * KIB)], { outboards: false });
    const { field, store } = await open(bare, { verify });
    for (const anchor of [3, 40, 9]) expect(await field.read(anchor)).toMatchObject({ verified, bytes: bare.items[anchor] });
    expect(proofs(store).length).toBe(1);
    // Either the whole pack, once, or each Item by itself.
    expect(data(store).map(({ kind, bytes }) => [kind, bytes?.byteLength])).toEqual(verify === "always" ? [["get", 256 * KIB]] : times(3, () => ["range", 4 * KIB]));
  });

  test("that cannot be had is an error, and no reason to do without", async () => {
    for (const verify of ["always", "available"] as const) {
      const { field, memory } = await open(MEDIUM, { verify });
      const [pack] = MEDIUM.packs;
      memory.set(pack?.outboardKey ?? "", new Uint8Array(5_000_000));
      const error = await expectFailure(field.read(7), "TooLarge");
      expect([error.key, error.field, error.anchor]).toEqual([pack?.outboardKey, "m", 7n]);
    }
  });

  test.each([
    ["more", 5, "PackLength"],
    ["fewer", -5, "PackSliceOutOfBounds"],
  ] as const)("that says the pack has %s bytes than its Items is a fault of the pack, by its name", async (_, change, code) => {
    for (const built of [MEDIUM, LARGE]) {
      const [pack] = built.packs;
      const outboard = new Uint8Array(built.objects.get(pack?.outboardKey ?? "") ?? []);
      const length = pack?.body.byteLength ?? 0;
      new DataView(outboard.buffer).setBigUint64(0, BigInt(length + change), true);
      const { field } = await open({ ...built, objects: new Map(built.objects).set(pack?.outboardKey ?? "", outboard) });
      const error = await expectFailure(field.read(7), code);
      expect([error.key, error.expected, error.actual]).toEqual([pack?.outboardKey, String(length), String(length + change)]);
    }
  });

  test("of a pack that really is longer than its Items says so before a byte of it is given out", async () => {
    // The Track's entries stay; the pack under its address goes on behind them.
    const built = buildPacks([times(64, () => 4 * KIB)]);
    const longer = buildPacks([[...times(64, () => 4 * KIB), 3 * KIB]]);
    const [pack, other] = [built.packs[0], longer.packs[0]];
    const objects = new Map(built.objects);
    objects.set(pack?.outboardKey ?? "", longer.objects.get(other?.outboardKey ?? "") ?? new Uint8Array(0));
    objects.set(pack?.key ?? "", other?.body ?? new Uint8Array(0));
    const { field } = await open({ ...built, objects });
    await expectFailure(field.read(7), "PackLength");
  });

  test("has the layout that is counted on here", () => {
    for (const length of [0, 1, 1024, 1025, 3000, 100_000]) {
      const { bytes } = call((core) => core.makeOutboard(noise(length, 3)));
      expect(bytes.byteLength).toBe(8 + 64 * Math.max(0, Math.ceil(length / 1024) - 1));
      expect(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true)).toBe(BigInt(length));
    }
  });
});
