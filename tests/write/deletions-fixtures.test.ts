/** Heads of deletions in the fixtures, which the reference wrote: all can be written to. */
import { readdir, readFile } from "node:fs/promises";
import { init } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { isDreamDbError } from "../../ts/errors.js";
import { call } from "../../ts/wasm.js";
import { deleteIn, entriesBelow, sortedAnchors, stored } from "../support/deletions.js";

await init();

test("heads of the fixtures can be written to", async () => {
  let heads = 0;
  for (const fixture of ["tombstones", "scalar-tree"]) {
    const folder = new URL(`../fixtures/${fixture}/data/tombstones/`, import.meta.url);
    const objects = stored(...(await Promise.all((await readdir(folder)).map(async (name) => new Uint8Array(await readFile(new URL(name, folder)))))));
    for (const [address, object] of objects) {
      const decoded = headOf(object);
      if (decoded?.timeline === undefined) continue;
      const { timeline, parents } = decoded;
      const expected = sortedAnchors([...entriesBelow(objects, address).keys(), 3n, 2n ** 64n - 1n]);
      const after = new Map(objects);
      const { head } = await deleteIn(after, address, { timeline, anchors: BigUint64Array.of(2n ** 64n - 1n, 3n), reason: undefined, nowMs: 5n });
      expect(headOf(after.get(head) ?? object)).toMatchObject({ timeline, parents });
      expect(sortedAnchors(entriesBelow(after, head).keys())).toEqual(expected);
      heads++;
    }
  }
  expect(heads).toBeGreaterThanOrEqual(5);
});

/** A head; `undefined` for a page. */
function headOf(object: Uint8Array) {
  try {
    return call((core) => core.decodeTombstones(object));
  } catch (error) {
    if (isDreamDbError(error, "Tombstones")) return undefined;
    throw error;
  }
}
