/** A row of a large Item: kilobytes, however large it is. */

import { init, openDataset, type Store } from "dreamdb-arrays";
import { expect, test } from "vitest";
import { call } from "../../ts/wasm.js";
import { unbase32 } from "../conformance/support/address.js";
import { aroundItems, be } from "../support/built-arrays.js";

await init();

const [KIB, MIB] = [1024, 1 << 20];

/** Rows of 16 cells of 2 bytes, each cell the number of its row. */
function rowsOf(bytes: number): Uint8Array<ArrayBuffer> {
  const rows = Math.floor((bytes - 32) / 40);
  const payload = new Uint8Array(32 + 40 * rows);
  payload.set(new TextEncoder().encode("RAG1"));
  payload[7] = 1;
  payload.set(be(rows, 16 * rows), 8);
  const view = new DataView(payload.buffer);
  for (let row = 0; row <= rows; row++) view.setBigUint64(24 + 8 * row, BigInt(16 * row));
  const values = new Uint16Array(payload.buffer, 32 + 8 * rows);
  for (let row = 0; row < rows; row++) values.fill(row, 16 * row, 16 * row + 16);
  return payload;
}

test("one row of an Item of 64 MiB, verified", async () => {
  const payload = rowsOf(64 * MIB);
  const outboard = call((core) => core.makeOutboard(payload));
  const hash = unbase32(outboard.address) ?? new Uint8Array(0);
  const built = aroundItems({ family: "ragged-array", dtype: "u16", innerShape: [] }, [{ hash, text: outboard.address }]);
  const item = built.items[0];
  const find = (key: string) => {
    const object = key === item?.key ? payload : key === item?.outboardKey ? outboard.bytes : built.objects.get(key);
    if (object === undefined) throw new Error(key);
    return object;
  };
  let [waiting, most, rounds] = [0, 0, 0];
  const store: Store = {
    describe: (key) => key,
    get: (key) => Promise.resolve(find(key).slice()),
    async getRange(key, offset, length) {
      if (waiting++ === 0) rounds++;
      most = Math.max(most, waiting);
      await new Promise((resolve) => setTimeout(resolve, 20));
      waiting--;
      return find(key).slice(offset, offset + length);
    },
  };
  const ds = await openDataset(store, { manifest: built.manifest });
  const field = ds.ragged("a", { dtype: "u16" });
  await field.count();
  const before = ds.stats();
  const row = 1_234_567;
  const read = await field.readRow(0, row);
  expect(read?.data).toEqual(new Uint16Array(16).fill(row));
  expect(read).toMatchObject({ verified: "range", checked: { size: "outboard" } });
  const after = ds.stats();
  const [bytes, proofs, requests] = (["bytesFetched", "bytesOfProofs", "requests"] as const).map((name) => after[name] - before[name]);
  // Header, offsets and cells: a chunk each, or two where they lie across a border. Pages of 4 KiB of an outboard of 4 MiB for each of them.
  expect((bytes ?? 0) - (proofs ?? 0)).toBeLessThanOrEqual(32 + 5 * KIB);
  expect(proofs).toBeLessThan(80 * KIB);
  expect(requests).toBeLessThan(20);
  expect(most).toBeGreaterThan(2);
  // One after another: the front; the offsets; the cells; and the pages of the outboard beside them.
  expect(rounds).toBe(3);
});
