/** Deletions against what the reference wrote for the same ones (`data/tombstones.json`), what is read for them, and what is refused. */
import { init } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { isCanonical } from "../../ts/write/cbor.js";
import type { Deletion } from "../../ts/write/deletions.js";
import { compareBytes } from "../conformance/naive/cbor.js";
import { address, base32, multihash } from "../conformance/support/address.js";
import { bytes, concat, map, text, uint } from "../conformance/support/cbor-writer.js";
import { deleteIn, entriesBelow, entry, index, type Objects, page, type Pairs, sortedAnchors, stored, summary, TIMELINE } from "../support/deletions.js";
import { expectFailure } from "../support/failure.js";
import cases from "./data/tombstones.json" with { type: "json" };

await init();

const MOST = (1n << 64n) - 1n;

const deletionOf = (anchors: Iterable<bigint>, more: Partial<Deletion> = {}): Deletion => ({
  timeline: base32(TIMELINE),
  anchors: BigUint64Array.from(anchors),
  reason: undefined,
  nowMs: 9n,
  ...more,
});

/** Anchors as `make_writes.py` notes them: single ones, and `[first, count, step]`. */
function noted(anchors: readonly (string | readonly string[])[]): bigint[] {
  return anchors.flatMap((one) => {
    if (typeof one === "string") return [BigInt(one)];
    const [first = 0n, count = 0n, step = 0n] = one.map(BigInt);
    return Array.from({ length: Number(count) }, (_, at) => first + BigInt(at) * step);
  });
}

describe("as the reference makes them", () => {
  test.each(cases.map((each) => [each.name, each] as const))("%s", async (_, { timeline, given, steps, ...base }) => {
    const objects = stored(...given.map((object) => Uint8Array.from(object.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))));
    let head = "head" in base ? base.head : undefined;
    const expected: bigint[] = [];
    for (const step of steps) {
      const before = objects.size;
      const anchors = noted(step.anchors);
      const written = await deleteIn(objects, head, { timeline, anchors: BigUint64Array.from(anchors), reason: step.reason ?? undefined, nowMs: BigInt(step.now) });
      expect([written.head, objects.size - before]).toEqual([step.head, step.objects]);
      expect(new Set(written.read).size).toBe(written.read.length);
      for (const object of written.made.values()) expect(isCanonical(object)).toBe(true);
      head = written.head;
      expected.push(...anchors);
    }
    if (given.length === 0) expect(sortedAnchors(entriesBelow(objects, head ?? "").keys())).toEqual(sortedAnchors(expected));
  });

  test("there are many cases", () => {
    expect(cases.flatMap(({ steps }) => steps).length).toBeGreaterThan(100);
  });
});

describe("what is read", () => {
  const small = (): Promise<{ objects: Objects; head: string }> => tree(Array.from({ length: 1000 }, (_, at) => BigInt(10 * at)));

  async function tree(anchors: readonly bigint[]): Promise<{ objects: Objects; head: string }> {
    const objects: Objects = new Map();
    return { objects, head: (await deleteIn(objects, undefined, deletionOf(anchors))).head };
  }

  test("are the pages on the way, and what is made takes their place", async () => {
    const { objects, head } = await small();
    const { made, read } = await deleteIn(objects, head, deletionOf([5n, 7n]));
    expect([read.length, made.size]).toEqual([3, 3]);
    const everywhere = await deleteIn(objects, head, deletionOf(Array.from({ length: 8 }, (_, at) => BigInt(1250 * at + 1))));
    expect(everywhere.read.length).toBe(2 + 8);
  });

  test("is nothing if there is no head, or nothing to delete", async () => {
    expect((await deleteIn(new Map(), undefined, deletionOf([1n]))).read).toEqual([]);
    const { objects, head } = await small();
    await expectFailure(deleteIn(objects, head, deletionOf([])), "InvalidArgument");
  });

  test("fails as the store does", async () => {
    const { objects, head } = await small();
    const { read } = await deleteIn(objects, head, deletionOf([0n]));
    for (const absent of read) await expectFailure(deleteIn(new Map([...objects].filter(([own]) => own !== absent)), head, deletionOf([0n])), "NotFound");
  });
});

test("anchors may have any order, be there twice, and stay as they are", async () => {
  const anchors = BigUint64Array.of(MOST, 3n, 0n, 3n, MOST);
  const objects: Objects = new Map();
  const { head } = await deleteIn(objects, undefined, deletionOf([], { anchors, reason: "why" }));
  expect(anchors).toEqual(BigUint64Array.of(MOST, 3n, 0n, 3n, MOST));
  expect([...entriesBelow(objects, head)]).toEqual([0n, 3n, MOST].map((anchor) => [anchor, ["why", 9n]]));
});

test("arguments that are refused", async () => {
  const refused = (deletion: Deletion, code: "InvalidArgument" | "Multihash" = "InvalidArgument") => expectFailure(deleteIn(new Map(), undefined, deletion), code);
  expect((await refused(deletionOf([]))).message).toMatch(/no anchor/);
  expect((await refused(deletionOf([1n], { reason: "r".repeat(257) }))).message).toMatch(/256 bytes/);
  await refused(deletionOf([1n], { reason: "é".repeat(129) }));
  await refused(deletionOf([1n], { timeline: "d" }), "Multihash");
  await deleteIn(new Map(), undefined, deletionOf([1n], { reason: "é".repeat(128) }));
});

describe("heads and pages", () => {
  const at: Pairs = [["deleted_at", uint(7)]];
  const sound = page(0, "entries", [entry(1)]);
  const root = summary(multihash(sound), [1, 1, 1, 0]);

  const tried = (head: Uint8Array, ...pages: readonly Uint8Array[]) => {
    const objects = stored(head, ...pages);
    return deleteIn(objects, address(head), deletionOf([5n])).then((written) => ({ objects, ...written }));
  };
  const refused = async (head: Uint8Array, ...pages: readonly Uint8Array[]) => (await expectFailure(tried(head, ...pages), "Tombstones")).message;
  const ofLeaf = (leaf: Uint8Array) => [index(summary(multihash(leaf), [1, 1, 1, 0])), leaf] as const;

  test("that are sound are written to", async () => {
    expect((await tried(index(root), sound)).made.size).toBe(2);
    await expectFailure(tried(index(root)), "NotFound");
  });

  test("of other kinds, or no CBOR", async () => {
    expect(await refused(map([]))).toMatch(/lacks the key/);
    await expectFailure(tried(Uint8Array.of(0x18)), "Cbor");
    await expectFailure(tried(index(root), Uint8Array.of(0x18)), "NotFound");
    const objects = stored(index(root)).set(address(sound), Uint8Array.of(0x18));
    await expectFailure(deleteIn(objects, address(index(root)), deletionOf([5n])), "Cbor");
  });

  test("with parents in another order", async () => {
    const parents = ["a", "b"].map((name) => multihash(new TextEncoder().encode(name))).sort(compareBytes);
    await tried(index(root, parents), sound);
    expect(await refused(index(root, parents.toReversed()), sound)).toMatch(/strictly ascending/);
    expect(await refused(index(root, [...parents, ...parents.slice(1)]), sound)).toMatch(/strictly ascending/);
  });

  test("with unknown, repeated or missing keys", async () => {
    expect(await refused(index(root, [], [["more", uint(1)]]), sound)).toBe("the head of tombstones has the unknown key `more`");
    expect(await refused(index(root, [], [["issued_at", uint(1)]]), sound)).toBe("the head of tombstones repeats the key `issued_at`");
    // A byte order mark is part of a key.
    expect(await refused(index(root, [], [["\ufeffroot", uint(1)]]), sound)).toMatch(/unknown key/);
    const leaf = (more: Pairs) => refused(...ofLeaf(page(0, "entries", [entry(1, more)])));
    expect(await leaf([])).toBe("an entry of tombstones lacks the key `deleted_at`");
    expect(await leaf([...at, ["more", uint(1)]])).toBe("an entry of tombstones has the unknown key `more`");
    expect(await leaf([...at, ...at])).toBe("an entry of tombstones repeats the key `deleted_at`");
    const wider = map([["kind", text("dreamdb.tombstone-page.v1")], ["level", uint(0)], ["entries", concat(Uint8Array.of(0x81), entry(1))], ["x", uint(1)]]);
    expect(await refused(...ofLeaf(wider))).toBe("a page of tombstones has the unknown key `x`");
  });

  test("with values of other types", async () => {
    const leaf = (more: Pairs) => refused(...ofLeaf(page(0, "entries", [entry(1, more)])));
    expect(await leaf([["reason", uint(1)], ...at])).toBe("an entry of tombstones has a `reason` that is not text");
    for (const wrong of [text("7"), Uint8Array.of(0xf6), Uint8Array.of(0x20), concat(Uint8Array.of(0xc3), bytes(Uint8Array.of(7))), concat(Uint8Array.of(0xc2), bytes(new Uint8Array(9).fill(1)))]) {
      expect(await leaf([["deleted_at", wrong]])).toBe("an entry of tombstones has a `deleted_at` that is not an unsigned integer");
    }
  });

  test("of one child or too many, and levels that no tree has", async () => {
    const lonely = page(1, "children", [root]);
    expect(await refused(index(summary(multihash(lonely), [1, 1, 1, 1])), lonely, sound)).toMatch(/2 to 128 children/);
    const children = Array.from({ length: 129 }, (_, one) => summary(TIMELINE, [one, one, 1, 0]));
    const crowded = page(1, "children", children);
    expect(await refused(index(summary(multihash(crowded), [0, 128, 129, 1])), crowded)).toMatch(/2 to 128 children/);
    // Another page than its parent says, at a level that no tree has.
    expect(await refused(index(summary(multihash(sound), [1, 1, 1, 17])), sound)).toMatch(/deeper/);
  });

  test("that would be too large, or count more than there are", async () => {
    const lengthy = (length: number) => page(0, "entries", [entry(1, [["reason", text("r".repeat(length))], ...at])]);
    const room = 65_536 - lengthy(60_000).byteLength;
    expect(await refused(...ofLeaf(lengthy(60_000 + room)))).toMatch(/more than 65,536 bytes/);
    expect((await tried(...ofLeaf(lengthy(60_000 + room - 40)))).made.size).toBe(2);
    const leaf = page(0, "entries", [entry(1), entry(8)]);
    const parent = (more: bigint) => page(1, "children", [summary(multihash(leaf), [1, 8, 2, 0]), summary(TIMELINE, [10, 20, more, 0])]);
    const counting = (count: bigint) => [index(summary(multihash(parent(count - 2n)), [1, 20, count, 1])), parent(count - 2n), leaf] as const;
    expect(await refused(...counting(MOST))).toMatch(/counts more anchors/);
    expect((await tried(...counting(MOST - 1n))).made.size).toBe(3);
  });

  test("that are spelled otherwise are written canonically", async () => {
    const wide = (value: number) => Uint8Array.of(0x1b, 0, 0, 0, 0, 0, 0, 0, value);
    const big = (...digits: readonly number[]) => concat(Uint8Array.of(0xd8, 2), bytes(Uint8Array.from(digits)));
    const reversed = concat(Uint8Array.of(0xa3), text("deleted_at"), big(0, 0, 1, 0), text("anchor"), wide(1), Uint8Array.of(0x78, 6), text("reason").subarray(1), Uint8Array.of(0x78, 1, 0x72));
    const leaf = page(0, "entries", [reversed, entry(2, [["deleted_at", big()]]), entry(3, [["deleted_at", big(...new Uint8Array(9).fill(255, 1))]]), entry(4)]);
    const head = index(summary(multihash(leaf), [1, 4, 4, 0]), [], []);
    const { made, objects, head: next } = await tried(head, leaf);
    for (const object of made.values()) expect(isCanonical(object)).toBe(true);
    expect([...entriesBelow(objects, next)]).toEqual([
      [1n, ["r", 256n]],
      [2n, [undefined, 0n]],
      [3n, [undefined, MOST]],
      [4n, [undefined, 7n]],
      [5n, [undefined, 9n]],
    ]);
  });

  test("with bytes behind them are read as they are otherwise", async () => {
    const [leaf, behind] = [concat(sound, Uint8Array.of(1)), Uint8Array.of(0)];
    const { objects, head } = await tried(concat(index(summary(multihash(leaf), [1, 1, 1, 0])), behind), leaf);
    expect([...entriesBelow(objects, head).keys()]).toEqual([1n, 5n]);
  });
});
