/** Rows by byte range of Items inside a pack: whatever an Item says, nothing is asked for beyond it but what its chunks hold. */

import { codec, init, memoryStore } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import type { RaggedType } from "../../ts/codec/item-type.js";
import { type Located, readRows as readRowsOf } from "../../ts/dataset/rows-by-range.js";
import { DreamDbError } from "../../ts/errors.js";
import { newCall } from "../../ts/io/call.js";
import { LIMITS, ObjectReader } from "../../ts/io/objects.js";
import type { VerifyPolicy } from "../../ts/io/verifier.js";
import { address } from "../conformance/support/address.js";
import { concat } from "../conformance/support/cbor-writer.js";
import { be, csrPayload, outboardOf, raggedPayload } from "../support/built-arrays.js";
import { noise } from "../support/built-packs.js";
import { expectFailure } from "../support/failure.js";
import { recording } from "../support/recording.js";

await init();

const KIB = 1024;
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

const RAGGED = codec.encodeItemType({ family: "ragged-array", dtype: "f32", innerShape: [] });
const ROWS = times(1500, (row) => times(row % 9, (at) => row - at));
const PAYLOAD = raggedPayload(ROWS);

/** What an index says of a pack's length. */
function ofLength(length: number): Pick<Located, "length" | "check"> {
  const check = (other: bigint) => {
    if (other !== BigInt(length)) throw new DreamDbError("PackLength", `it has ${other} bytes, not ${length}`);
  };
  return { length, check };
}

interface PackInit {
  readonly verify?: VerifyPolicy;
  readonly outboard?: boolean;
  readonly before?: number;
  readonly after?: number;
  readonly served?: (pack: Uint8Array) => Uint8Array;
}

/** A pack of three Items, of which the middle one has rows, and a reader of them. */
function packed(item: Uint8Array, { verify = "always", outboard = true, before = 30_011, after = 50_021, served = (pack) => pack }: PackInit = {}) {
  const pack = concat(noise(before, 1), item, noise(after, 2));
  const object = { key: "pack", address: address(pack) };
  const store = recording(memoryStore([["pack", served(pack)], ...(outboard ? [[`bao-outboard/${object.address}`, outboardOf(pack)] as const] : [])]));
  const reader = new ObjectReader(store, { ...LIMITS, verify, concurrency: 8, maxGap: 0, retry: { attempts: 1 } });
  const located: Located = { object, offset: before, size: BigInt(item.byteLength), ...ofLength(pack.byteLength) };
  const read = (start: number | bigint, end: number | bigint, { cbor = RAGGED, where = located } = {}) =>
    readRowsOf({ objects: reader, declared: { type: codec.decodeItemType(cbor) as RaggedType<"f32">, cbor }, item: where, range: { start: BigInt(start), end: BigInt(end) } }, newCall());
  const data = () => store.reads.filter(({ key }) => key === "pack");
  /** Whether all that was read of the pack is the Item's, rounded to chunks if that is what proves it. */
  const isWithin = () => {
    const grain = verify === "always" ? KIB : 1;
    const [low, high] = [Math.floor(before / grain) * grain, Math.ceil((before + item.byteLength) / grain) * grain];
    return data().every(({ kind, offset = 0, length = 0 }) => kind === "range" && low <= offset && offset + length <= high);
  };
  return { pack, located, store, reader, read, data, isWithin };
}

describe("an Item in a pack", () => {
  test.each([["always", "range"], ["available", "range"], ["never", "none"]] as const)("gives its rows, verify %s, and asks for nothing of its neighbours", async (verify, verified) => {
    const { read, isWithin, data } = packed(PAYLOAD, { verify });
    for (const [start, end] of [[0, 1], [8, 9], [9, 10], [1498, 1500], [1499, 1500], [700, 720], [0, 1500], [1500, 1500]] as const) {
      const rows = await read(start, end);
      expect(rows.values).toEqual(Float32Array.from(ROWS.slice(start, end).flat()));
      expect(rows.rowOffsets.length).toBe(end - start + 1);
      const offsets = start === end ? "none" : "rows";
      expect(rows).toMatchObject({ rowCount: 1500n, verified, checked: { header: true, size: "index", offsets } });
    }
    expect(data().length).toBeGreaterThan(2);
    if (verify !== "available") expect(isWithin()).toBe(true);
  });

  test("at its very end of a pack, in its last row, leaves what follows alone, however rows are read one after another", async () => {
    const { read, data, isWithin } = packed(PAYLOAD);
    for (let row = 1400; row < 1500; row++) expect((await read(row, row + 1)).values).toEqual(Float32Array.from(ROWS[row] ?? []));
    expect(isWithin()).toBe(true);
    expect(data().length).toBeLessThan(12);
  });

  test("without an outboard is cut from the verified whole, or as it comes", async () => {
    for (const [verify, verified, reads] of [["always", "object", ["get"]], ["available", "none", ["range", "range", "range"]], ["never", "none", ["range", "range", "range"]]] as const) {
      const { read, data } = packed(PAYLOAD, { verify, outboard: false });
      const rows = await read(1000, 1001);
      expect(rows.values).toEqual(Float32Array.from(ROWS[1000] ?? []));
      expect([rows.verified, rows.checked.size]).toEqual([verified, "index"]);
      expect(data().map(({ kind }) => kind)).toEqual(reads);
    }
  });

  test("of which the index tells only the least length has no more to it without an outboard", async () => {
    for (const [verify, verified] of [["always", "object"], ["available", "none"], ["never", "none"]] as const) {
      const { read, located, reader, pack } = packed(PAYLOAD, { verify, outboard: false, after: 3 << 20 });
      // Asked for before, so that its absence is known.
      expect(await reader.lengthOf(located.object, 40, newCall())).toBeUndefined();
      const least = located.offset + PAYLOAD.byteLength;
      const check = (length: bigint) => {
        if (length < BigInt(least)) throw new DreamDbError("PackSliceOutOfBounds", "it ends before");
      };
      for (const row of [1000, 3]) {
        const rows = await read(row, row + 1, { where: { ...located, length: least, check } });
        expect(rows).toMatchObject({ values: Float32Array.from(ROWS[row] ?? []), verified, checked: { size: "index" } });
      }
      if (verify !== "always") continue;
      const refuse = (length: bigint) => {
        throw new DreamDbError("PackSliceOutOfBounds", `it has ${length} bytes`, { expected: String(pack.byteLength) });
      };
      await expectFailure(read(3, 4, { where: { ...located, length: least, check: refuse } }), "PackSliceOutOfBounds");
    }
  });

  test("that is CSR gives its rows as well", async () => {
    const entries = times(400, (row) => times(row % 4, (at) => [at * 7 + (row % 3), row] as const));
    const cbor = codec.encodeItemType({ family: "sparse-csr", dtype: "f32", shape: [400, 30], endianness: "big" });
    const { read, isWithin } = packed(csrPayload(entries, 30, false), { before: 4 * KIB + 5 });
    for (const [start, end] of [[0, 1], [3, 4], [399, 400], [100, 200], [0, 400]] as const) {
      const rows = await read(start, end, { cbor });
      expect(rows.columnIndices).toEqual(BigUint64Array.from(entries.slice(start, end).flat(), ([column]) => BigInt(column)));
      expect(rows.values).toEqual(Float32Array.from(entries.slice(start, end).flat(), ([, value]) => value));
    }
    expect(isWithin()).toBe(true);
  });
});

describe("whatever its header claims, nothing but the header is read", () => {
  const cells = ROWS.flat().length;
  test.each([
    ["more rows", [1501, cells]],
    ["more cells", [1500, cells + 1]],
    ["cells up to the end of the pack and beyond", [1500, 1 << 30]],
    ["all the rows that there can be", [(1n << 64n) - 1n, cells]],
    ["2^61 rows, which make no bytes in 64 bits", [(1n << 61n) - 1n, cells]],
    ["2^62 cells, which make none either", [1500, (1n << 62n) + BigInt(cells)]],
    ["no rows", [0, cells]],
  ] as const)("%s", async (_, [rows, count]) => {
    for (const verify of ["always", "never"] as const) {
      const item = PAYLOAD.slice();
      item.set(be(rows, count), 8);
      for (const [start, end] of [[0, 0], [0, 1], [1499, 1500], [1n << 60n, (1n << 60n) + 1n]] as const) {
        const { read, data, isWithin } = packed(item, { verify });
        const error = await expectFailure(read(start, end), "PayloadLength");
        expect(error.key).toBe("pack");
        expect(data().map(({ offset, length }) => [offset, length])).toEqual([verify === "always" ? [29 * KIB, KIB] : [30_011, 32]]);
        expect(isWithin()).toBe(true);
      }
    }
  });

  test("or its offsets: they are read, and what they claim is not", async () => {
    for (const value of [cells + 1, cells + 5000, 1n << 62n, (1n << 64n) - 1n]) {
      const item = PAYLOAD.slice();
      item.set(be(value), 24 + 8 * 701);
      const { read, data, isWithin } = packed(item, { verify: "never" });
      await expectFailure(read(700, 701), "OffsetOrder");
      await expectFailure(read(701, 702), "OffsetOrder");
      await expectFailure(read(600, 800), "OffsetOrder");
      expect(data().length).toBe(6);
      expect(isWithin()).toBe(true);
    }
  });

  test("nor if the index gives it its neighbour's bytes, or too few", async () => {
    for (const change of [-1, 1, 1000, -PAYLOAD.byteLength, 40 - PAYLOAD.byteLength, 31 - PAYLOAD.byteLength]) {
      const { read, located, data } = packed(PAYLOAD);
      const where = { ...located, size: BigInt(PAYLOAD.byteLength + change) };
      await expectFailure(read(0, 1, { where }), "PayloadLength", "PayloadHeader");
      expect(data().length).toBe(Number(change !== -PAYLOAD.byteLength));
    }
  });

  test("nor does it matter what the pack is, if it is another one than its Items make", async () => {
    const { read, located } = packed(PAYLOAD);
    await expectFailure(read(0, 1, { where: { ...located, ...ofLength((located.length ?? 0) + 700) } }), "PackLength");
  });
});

describe("a wrong byte", () => {
  test("in each chunk of the pack: the right rows or a refusal, and rows that have no part in it are read", async () => {
    for (let chunk = 29; chunk * KIB < 30_011 + PAYLOAD.byteLength; chunk++) {
      const at = chunk * KIB + 1020;
      const { read } = packed(PAYLOAD, { served: (pack) => pack.map((byte, index) => (index === at ? byte ^ 1 : byte)) });
      let refused = 0;
      for (const row of [0, 1, 500, 1000, 1499]) {
        try {
          expect((await read(row, row + 1)).values).toEqual(Float32Array.from(ROWS[row] ?? []));
        } catch (error) {
          expect((error as DreamDbError).code).toBe("HashMismatch");
          refused++;
        }
      }
      // Five rows lie in a dozen of some forty chunks; the header is of all.
      expect(refused).toBeLessThanOrEqual(chunk === 29 ? 5 : 2);
    }
  });
});
