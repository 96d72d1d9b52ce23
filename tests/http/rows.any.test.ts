/** Rows by byte range from servers of many kinds: what the answers tell, and what servers without ranges cost. */

import { init, openDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { type Mode, openBroken, rangesOf } from "../support/broken.js";
import { base64Of } from "../support/built.js";
import { type BuiltArrays, buildArrays, csrPayload, raggedPayload } from "../support/built-arrays.js";
import { expectFailure } from "../support/failure.js";

beforeAll(() => init());

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const ROWS = times(900, (row) => times(row % 6, (at) => row / 2 - at));
const ENTRIES = times(900, (row) => times(row % 4, (at) => [at * 5, row] as const));
const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] as number[] } as const;
const CSR = { family: "sparse-csr", dtype: "f32", shape: [900, 20] } as const;
/** One that is shorter than what is asked for first. */
const SHORT = raggedPayload([]).slice(0, 20);

const LAWFUL: readonly Mode[] = [
  "exact206", "416-past-end", "exact206-noContentRange", "odd-content-range", "no-expose-headers", "200-full", "206-identity", "redirect-cross-origin", "delayed",
];

async function served(built: BuiltArrays) {
  const broken = await openBroken({ objects: Object.fromEntries(Array.from(built.objects, ([key, object]) => [key, base64Of(object)])) });
  const item = async () => (await broken.requests()).filter(({ key }) => key === built.items[0]?.key);
  return { broken, item, version: { manifest: built.manifest } };
}

describe.each([true, false])("with an outboard: %s", (outboards) => {
  // The strict one takes what it has not for empty.
  it.each(LAWFUL.filter((mode) => outboards || mode !== "416-past-end"))("rows are what they are from a server of the kind %s", async (mode) => {
    for (const verify of ["always", "available", "never"] as const) {
      const ragged = await served(buildArrays(RAGGED, [raggedPayload(ROWS), SHORT], { outboards }));
      const field = (await openDataset(ragged.broken.base(mode), ragged.version, { verify })).ragged("a");
      for (const row of [5, 500, 899]) expect((await field.readRow(0, row))?.data).toEqual(Float32Array.from(ROWS[row] ?? []));
      expect((await field.readRows(0, { start: 300, end: 400 }))?.values).toEqual(Float32Array.from(ROWS.slice(300, 400).flat()));
      await expectFailure(field.readRow(1, 0), "PayloadLength", "BodyLength", "RangeNotSatisfiable");

      const csr = await served(buildArrays(CSR, [csrPayload(ENTRIES, 20)], { outboards }));
      const matrix = (await openDataset(csr.broken.base(mode), csr.version, { verify })).csr("a");
      const row = await matrix.readRow(0, 703);
      expect([row?.columnIndices, row?.values]).toEqual([BigUint64Array.of(0n, 5n, 10n), Float32Array.of(703, 703, 703)]);
    }
  });
});

describe("what an answer tells", () => {
  it("is what the header is held against, where there is no outboard", async () => {
    for (const [mode, size] of [["exact206", "answer"], ["exact206-noContentRange", "none"], ["200-full", "object"]] as const) {
      for (const verify of ["available", "never"] as const) {
        const { broken, version } = await served(buildArrays(RAGGED, [raggedPayload(ROWS)], { outboards: false }));
        const read = await (await openDataset(broken.base(mode), version, { verify })).ragged("a").readRow(0, 7);
        expect(read?.checked.size).toBe(size);
        expect(read?.verified).toBe(size === "object" && verify === "available" ? "object" : "none");
      }
    }
  });

  it("refuses a header that claims more, before anything else is asked for", async () => {
    const lie = raggedPayload(ROWS);
    lie[23] = (lie[23] ?? 0) ^ 8;
    const { broken, version, item } = await served(buildArrays(RAGGED, [lie], { outboards: false }));
    const field = (await openDataset(broken.base("exact206"), version, { verify: "available" })).ragged("a");
    await expectFailure(field.readRow(0, 7), "PayloadLength");
    expect(rangesOf(await item())).toEqual(["bytes=0-31"]);
  });
});

it("of a server without ranges, one object serves all rows, and is asked for once where it is kept", async () => {
  const { broken, version, item } = await served(buildArrays(RAGGED, [raggedPayload(ROWS)]));
  const field = (await openDataset(broken.base("200-full"), version)).ragged("a");
  for (const row of [5, 500, 899]) expect(await field.readRow(0, row)).toMatchObject({ data: Float32Array.from(ROWS[row] ?? []), verified: "object" });
  expect((await item()).length).toBe(1);
});
