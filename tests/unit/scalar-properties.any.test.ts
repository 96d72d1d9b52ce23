/** Objects of scalar indexes with anything wrong in them: each is read, and then sound, or refused. */
import { init } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { LeafEntries } from "../../ts/dataset/scalars/entries.js";
import type { ScalarType } from "../../ts/dataset/scalar-values.js";
import { BOUNDED } from "../conformance/support/arbitraries.js";
import { array, bytes, map, text, uint } from "../conformance/support/cbor-writer.js";
import { checkIndex, codeOf, entriesOf, entry, leafOf, OBJECT, page, readPage, readTrack, trackOf, TYPES } from "../support/scalar-objects.js";

beforeAll(() => init());

const ALL = Object.keys(TYPES) as ScalarType[];
const CODES = [undefined, "Cbor", "ScalarIndex"];
const TRACK_CODES = [...CODES, "TrackField", "TrackMismatch", "Multihash"];

/** A value of each type. */
const VALUES: Readonly<Record<ScalarType, readonly number[]>> = {
  categorical: [0x62, 0xc3, 0xa9],
  bool: [0xf5],
  int: [0x39, 1, 0],
  float: [0xfb, 0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a],
  string: [0x61, 120],
  timestamp: [0x1a, 0, 1, 0, 0],
};

/** A change of some bytes: others in their place, fewer, or more. */
const changes = fc.array(fc.tuple(fc.nat(400), fc.constantFrom("put", "flip", "cut", "add"), fc.uint8Array({ minLength: 1, maxLength: 4 })), { maxLength: 3 });

function changed(object: Uint8Array, all: readonly (readonly [number, string, Uint8Array])[]): Uint8Array {
  let changing = [...object];
  for (const [place, how, given] of all) {
    const at = place % (changing.length + 1);
    if (how === "flip") changing[at] = (changing[at] ?? 0) ^ (1 << ((given[0] ?? 0) & 7));
    else if (how === "cut") changing = [...changing.slice(0, at), ...changing.slice(at + given.length)];
    else changing.splice(at, how === "put" ? given.length : 0, ...given);
  }
  return Uint8Array.from(changing);
}

function expectSound({ texts, words, starts, ends, objects, offsets, lengths, addresses }: LeafEntries, type: ScalarType): void {
  const count = starts.length;
  expect([ends, objects, offsets, lengths, texts ?? words].map((column) => column?.length)).toEqual([count, count, count, count, count]);
  expect(texts === undefined).toBe(type !== "categorical" && type !== "string");
  expect(addresses.length % 33).toBe(0);
  expect(objects.every((object) => object < addresses.length / 33)).toBe(true);
  expect(starts.every((start, at) => start < (ends[at] ?? 0n))).toBe(true);
  if (type === "float") expect(new Float64Array(words?.buffer ?? new ArrayBuffer(0)).every(Number.isFinite)).toBe(true);
  if (type === "bool") expect(words?.every((word) => word < 2n)).toBe(true);
}

test("leaves", () => {
  const other = array([bytes(Uint8Array.of(0x20)), uint(1), uint(2n ** 63n), bytes(OBJECT.map((byte, at) => (at === 32 ? byte ^ 1 : byte)))]);
  fc.assert(
    fc.property(fc.constantFrom(...ALL), changes, (type, all) => {
      const object = changed(page("leaf", 0, TYPES[type][1], type === "int" ? [entry(VALUES.int), other, entry([0x17])] : [entry(VALUES[type]), entry(VALUES[type])]), all);
      const code = codeOf(() => readPage(type, object));
      expect(CODES).toContain(code);
      if (code !== undefined) return;
      expectSound(entriesOf(object, type), type);
      expect(codeOf(() => readPage(type, object, 1))).toBe("ScalarIndex");
    }),
    { ...BOUNDED, numRuns: 1500 },
  );
});

test("pages above", () => {
  const child = array([bytes(Uint8Array.of(1)), bytes(Uint8Array.of(2)), bytes(OBJECT)]);
  fc.assert(
    fc.property(changes, (all) => {
      const object = changed(page("internal", 1, TYPES.int[1], [child, child]), all);
      const code = codeOf(() => readPage("int", object, 1));
      expect(CODES).toContain(code);
      if (code !== undefined) return;
      const { children } = readPage("int", object, 1);
      expect([children?.length === 0, (children?.length ?? 1) % 33]).toEqual([false, 0]);
      expect(codeOf(() => readPage("int", object, 0))).toBe("ScalarIndex");
    }),
    { ...BOUNDED, numRuns: 1000 },
  );
});

test("Tracks", () => {
  const tree = map([["form", text("scalar-btree-v1")], ["root", bytes(OBJECT)], ["page_count", uint(3)], ["tree_height", uint(2)], ["total_entries", uint(9)]]);
  fc.assert(
    fc.property(fc.constantFrom<ScalarType[]>("bool", "categorical", "int"), changes, (type, all) => {
      const object = changed(trackOf(type, type === "int" ? tree : array([entry(VALUES[type]), entry(VALUES[type])])), all);
      const code = codeOf(() => readTrack(type, object));
      expect(TRACK_CODES).toContain(code);
      if (code !== undefined) return;
      const root = readTrack(type, object);
      if (root.entries !== undefined) expectSound(root.entries, type);
      else expect(root.height > 0n && root.pages >= root.height && root.total > 0n).toBe(true);
    }),
    { ...BOUNDED, numRuns: 1000 },
  );
});

test("descriptors", () => {
  const descriptor = map([["metric", text("ordinal")], ["params", map([["version", uint(1)]])], ["algorithm", text(TYPES.int[1])], ["field_name", text("x")]]);
  fc.assert(
    fc.property(changes, (all) => {
      const object = changed(descriptor, all);
      const code = codeOf(() => checkIndex("int", object));
      expect(CODES).toContain(code);
      if (code === undefined) expect(codeOf(() => checkIndex("int", object, "y"))).toBe("ScalarIndex");
    }),
    { ...BOUNDED, numRuns: 1000 },
  );
});

test("any bytes at all", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...ALL), (object, type) => {
      for (const read of [() => readPage(type, object), () => readPage(type, object, 1), () => checkIndex(type, object)]) expect(CODES).toContain(codeOf(read));
      expect(TRACK_CODES).toContain(codeOf(() => readTrack(type, object)));
      expect(CODES).toContain(codeOf(() => readPage(type, leafOf(type, object))));
    }),
    { ...BOUNDED, numRuns: 1000 },
  );
});
