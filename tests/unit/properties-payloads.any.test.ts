/** Items of every family at random: they decode to what was put in, bit for bit, and changed ones are refused as the rules say. */
import { codec, init, isDreamDbError } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { DecodedPayload } from "../../ts/conformance/implementation.js";
import { hexOf } from "../../ts/conformance/vector.js";
import { naive } from "../conformance/naive/implementation.js";
import { Refusal } from "../conformance/naive/refusal.js";
import { ours } from "../../ts/cli/vectors/implementation.js";
import { BOUNDED, builtItem, mutation, PATIENCE, twinOf } from "../conformance/support/arbitraries.js";

/** All of a payload as text, but for the values, which the bits say better. */
function shown({ shape, bits, rowOffsets, columnIndices }: DecodedPayload): string {
  const list = (numbers: ArrayLike<bigint> | undefined) => (numbers === undefined ? "-" : Array.from(numbers).join());
  return `${shape.join("x")} ${hexOf(bits)} ${list(rowOffsets)} ${list(columnIndices)}`;
}

/** What decoding gives, or the code with which it refuses. Any other error fails the property. */
function outcome(use: () => DecodedPayload): string {
  try {
    return shown(use());
  } catch (error) {
    if (isDreamDbError(error) || error instanceof Refusal) return error.code;
    throw error;
  }
}

describe("a random Item", () => {
  beforeAll(() => init());

  it("decodes to the elements, rows and columns that were put in", () => {
    const property = fc.property(builtItem, ({ document: { cbor, family, extents }, payload, bits, rows }) => {
      const found = ours.decodePayload({ typeCbor: cbor, payload });
      expect(hexOf(found.bits)).toBe(hexOf(bits));
      const offsets = rows.map((_, row) => BigInt(rows.slice(0, row).flat().length));
      const end = BigInt(rows.flat().length);
      if (family === "dense-array") expect(found.shape.map(BigInt)).toEqual(extents);
      else expect(Array.from(found.rowOffsets ?? [])).toEqual([...offsets, end]);
      if (family === "ragged-array") expect(found.shape.map(BigInt)).toEqual([end, ...extents]);
      if (family === "sparse-csr") expect(Array.from(found.columnIndices ?? [])).toEqual(rows.flat());
      codec.validate(cbor, payload);
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  it("decodes to the same elements in the other byte order, under another identity", () => {
    const property = fc.property(builtItem, (item) => {
      const twin = twinOf(item);
      const [first, second] = [item, twin].map(({ document, payload }) => outcome(() => ours.decodePayload({ typeCbor: document.cbor, payload })));
      expect(second).toBe(first);
      expect(codec.itemTypeId(twin.document.cbor)).not.toBe(codec.itemTypeId(item.document.cbor));
      if (item.document.elementSize > 1) expect(hexOf(twin.payload) === hexOf(item.payload)).toBe(isPalindrome(item));
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);

  it("with its bytes changed is decoded or refused as the naive implementation does it, and the input is left alone", () => {
    const property = fc.property(builtItem, mutation, ({ document, payload: whole }, change) => {
      const payload = change(whole);
      const [typeCbor, before] = [document.cbor, hexOf(payload)];
      expect(outcome(() => ours.decodePayload({ typeCbor, payload }))).toBe(outcome(() => naive.decodePayload({ typeCbor, payload })));
      expect(hexOf(payload)).toBe(before);
    });
    fc.assert(property, { ...BOUNDED, numRuns: 2000 });
  }, PATIENCE);

  it("under the type of another is decoded or refused as the naive implementation does it", () => {
    const property = fc.property(builtItem, builtItem, ({ document }, { payload }) => {
      const typeCbor = document.cbor;
      expect(outcome(() => ours.decodePayload({ typeCbor, payload }))).toBe(outcome(() => naive.decodePayload({ typeCbor, payload })));
    });
    fc.assert(property, BOUNDED);
  }, PATIENCE);
});

/** Whether every element reads the same in both byte orders; a `.npy` header says the order itself. */
function isPalindrome({ document: { elementSize, codec }, bits }: { document: { elementSize: number; codec: string }; bits: Uint8Array }): boolean {
  if (codec === "npy") return false;
  return bits.every((byte, at) => byte === bits[at - (at % elementSize) + elementSize - 1 - (at % elementSize)]);
}
