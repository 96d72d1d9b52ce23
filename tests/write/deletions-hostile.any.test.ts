/** Deletions on heads and pages at random, damaged ones among them: a typed refusal, or what can be read and says what was said before and what was asked for. */
import * as fc from "fast-check";
import { init } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { addressOf } from "../../ts/codec/hash.js";
import { isDreamDbError } from "../../ts/errors.js";
import { call } from "../../ts/wasm.js";
import { isCanonical } from "../../ts/write/cbor.js";
import type { Deletion } from "../../ts/write/deletions.js";
import { base32, multihash } from "../conformance/support/address.js";
import { text, uint } from "../conformance/support/cbor-writer.js";
import { deleteIn, type Entries, entriesBelow, entry, index, type Objects, page, sortedAnchors, summary, TIMELINE } from "../support/deletions.js";

await init();

const CODES = ["Cbor", "Tombstones", "NotFound"] as const;
const RUNS: fc.Parameters<unknown> = { numRuns: 1500, interruptAfterTimeLimit: 10_000, markInterruptAsFailure: false };
const NOW = 9n;
const MOST = (1n << 64n) - 1n;

/** Few anchors, so that they meet, and some near the end of all. */
const anchor = fc.oneof({ weight: 6, arbitrary: fc.bigInt(0n, 200n) }, fc.bigInt(MOST - 9n, MOST), fc.bigInt(0n, MOST));
const anchors = fc.array(anchor, { minLength: 1, maxLength: 60 });
const reason = fc.option(fc.constantFrom("", "why", "\ufeff", "é".repeat(128)), { nil: undefined });
const bytes = fc.uint8Array({ maxLength: 300 });

/** Some bytes changed, and perhaps cut off. */
const damage = fc.record({
  object: fc.nat(),
  changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
  cut: fc.option(fc.nat(), { freq: 9, nil: undefined }),
});

const deletionOf = (asked: readonly bigint[], why: string | undefined): Deletion => ({ timeline: base32(TIMELINE), anchors: BigUint64Array.from(asked), reason: why, nowMs: NOW });

/** A tree of small pages, its head the last of its objects. */
function tree(deleted: readonly bigint[], fanout: number): Objects {
  const objects: Objects = new Map();
  const cut = <T>(all: readonly T[]): T[][] => Array.from({ length: Math.ceil(all.length / fanout) }, (_, at) => all.slice(at * fanout, (at + 1) * fanout));
  const put = (object: Uint8Array): Uint8Array => {
    objects.set(addressOf(object), object);
    return multihash(object);
  };
  type Known = readonly [hash: Uint8Array, said: readonly [min: bigint, max: bigint, count: bigint, level: bigint]];
  let level: Known[] = cut(sortedAnchors(deleted)).map((own) => {
    const entries = own.map((one) => entry(one, [...(one % 3n === 0n ? [["reason", text(`r${one % 5n}`)] as const] : []), ["deleted_at", uint(one % 7n)]]));
    return [put(page(0, "entries", entries)), [own[0] ?? 0n, own.at(-1) ?? 0n, BigInt(own.length), 0n]];
  });
  for (let height = 1; level.length > 1; height++) {
    level = cut(level).map((own) => {
      const children = own.map(([hash, said]) => summary(hash, said));
      const count = own.reduce((sum, [, said]) => sum + said[2], 0n);
      return [put(page(height, "children", children)), [own[0]?.[1][0] ?? 0n, own.at(-1)?.[1][1] ?? 0n, count, BigInt(height)]];
    });
  }
  const [root] = level;
  put(index(root === undefined ? Uint8Array.of(0xf6) : summary(...root)));
  return objects;
}

/** Pages of one child are not appended to. */
const hasLonely = (deleted: readonly bigint[], fanout: number): boolean => {
  for (let count = Math.ceil(new Set(deleted).size / fanout); count > 1; count = Math.ceil(count / fanout)) if (count % fanout === 1) return true;
  return false;
};

/** Deletes, and holds what comes of it to what must hold whatever was there; whether it was refused. */
async function holds(objects: Objects, head: string, asked: readonly bigint[], why: string | undefined): Promise<boolean> {
  const before = new Map(objects);
  let written: Awaited<ReturnType<typeof deleteIn>>;
  try {
    written = await deleteIn(objects, head, deletionOf(asked, why));
  } catch (error) {
    if (isDreamDbError(error, ...CODES)) return true;
    throw error;
  }
  const { made } = written;
  for (const [address, object] of made) expect([isCanonical(object), addressOf(object)]).toEqual([true, address]);
  expect([...made.keys()].at(-1)).toBe(written.head);
  expect(new Set(written.read).size).toBe(written.read.length);
  const after = call((core) => core.decodeTombstones(made.get(written.head) ?? new Uint8Array(0)));
  expect(after.timeline).toBe(base32(TIMELINE));
  // Pages that nothing goes to are not read, and may be anything, before and after.
  const isParent = after.parents.length === 1 && after.parents[0] === head;
  const expected: Entries = isParent ? new Map() : entriesBelow(before, head, true);
  for (const one of asked) expected.set(one, [why, NOW]);
  expect(entriesBelow(objects, written.head, true)).toEqual(expected);
  return false;
}

const trees = fc.record({ deleted: fc.array(anchor, { maxLength: 60 }), fanout: fc.integer({ min: 2, max: 9 }), asked: anchors, reason });

test("what was deleted stays so, and what is deleted again has the later entry", async () => {
  const property = fc.asyncProperty(trees, async ({ deleted, fanout, asked, reason: why }) => {
    const objects = tree(deleted, fanout);
    const isRefused = await holds(objects, [...objects.keys()].at(-1) ?? "", asked, why);
    if (isRefused) expect(hasLonely(deleted, fanout)).toBe(true);
  });
  await fc.assert(property, RUNS);
});

test("deleting the same again changes nothing", async () => {
  const property = fc.asyncProperty(fc.array(anchor, { minLength: 1, maxLength: 400 }), reason, async (asked, why) => {
    const objects: Objects = new Map();
    const first = await deleteIn(objects, undefined, deletionOf(asked, why));
    expect(entriesBelow(objects, first.head)).toEqual(new Map(asked.map((one) => [one, [why, NOW]])));
    const again = await deleteIn(objects, first.head, deletionOf(asked, why));
    expect([again.head, again.made, again.read.length]).toEqual([first.head, first.made, first.made.size]);
  });
  await fc.assert(property, { ...RUNS, numRuns: 300 });
});

test("damaged heads and pages are refused, or what comes of them can be read", async () => {
  let [refusals, all] = [0, 0];
  const property = fc.asyncProperty(trees, fc.array(damage, { minLength: 1, maxLength: 2 }), async ({ deleted, fanout, asked, reason: why }, damages) => {
    const objects = tree(deleted, fanout);
    const addresses = [...objects.keys()];
    for (const { object: which, changes, cut } of damages) {
      const address = addresses[which % addresses.length] ?? "";
      const object = Uint8Array.from(objects.get(address) ?? []);
      for (const [at, byte] of changes) object[at % object.byteLength] = byte;
      // It keeps its address, so that it is found: what is read is checked elsewhere.
      objects.set(address, cut === undefined ? object : object.subarray(0, cut % object.byteLength));
    }
    all++;
    if (await holds(objects, addresses.at(-1) ?? "", asked, why)) refusals++;
  });
  await fc.assert(property, RUNS);
  expect(refusals).toBeGreaterThan(0);
  expect(refusals).toBeLessThan(all);
});

test("bytes at random are refused, as heads and as pages", async () => {
  const property = fc.asyncProperty(bytes, anchors, fc.boolean(), async (object, asked, isHead) => {
    const head = isHead ? object : index(summary(multihash(object), [1n, 1n, 1n, 0n]));
    const objects: Objects = new Map([object, head].map((each) => [addressOf(each), each]));
    expect(await holds(objects, addressOf(head), asked, undefined)).toBe(true);
  });
  await fc.assert(property, RUNS);
});
