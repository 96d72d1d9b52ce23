/** Rows of what the reference wrote: every range of rows of every ragged and CSR Item, against the values that it reads back. */

import { init, isArrayField, openDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, test } from "vitest";
import { type Fixture, fixtureUrl, loadSidecar } from "../support/fixtures.js";
import { expectArray, integer, type PartsFact, rowsOf } from "../support/sidecar.js";

beforeAll(() => init());

describe.each(["arrays-basic", "arrays-continuous", "episode"] as const satisfies readonly Fixture[])("the dataset %s", (fixture) => {
  test.each(["always", "available", "never"] as const)("verify %s", async (verify) => {
    const fields = (await loadSidecar(fixture)).refs["main"]?.fields ?? {};
    const ds = await openDataset(fixtureUrl(fixture), "main", { verify });
    let rows = 0;
    for (const info of ds.fields) {
      if (!isArrayField(info) || info.trackKind === "constant" || info.family === "dense-array") continue;
      const field = info.family === "ragged-array" ? ds.ragged(info.name) : ds.csr(info.name);
      for (const { anchor, value } of (fields[info.name]?.items ?? []).slice(0, 6)) {
        const fact = value as PartsFact;
        const count = fact.row_offsets.values.length - 1;
        for (let start = 0; start <= count; start++) {
          for (let end = start; end <= Math.min(count, start + 5); end++) {
            const read = await field.readRows(integer(anchor), { start, end });
            if (read === undefined) throw new Error(`${info.name} has no Item at ${integer(anchor)}`);
            expect(read.rowCount).toBe(BigInt(count));
            expectArray(read, rowsOf(fact, start, end));
            rows++;
          }
        }
      }
    }
    expect(rows).toBeGreaterThan(20);
  });
});
