/** Rows by byte range where bytes are wrong, or nobody wants them any more. */

import { memoryStore, openDataset } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { be, buildArrays, csrPayload, outboardOf, raggedPayload } from "../support/built-arrays.js";
import { expectFailure } from "../support/failure.js";
import { gate, recording, steered } from "../support/recording.js";
import { RAGGED, ROWS, PAYLOAD, COLUMNS, CSR, ENTRIES, BUILT, POLICIES, openRows } from "../support/row-items.js";

describe("wrong bytes", () => {
  test("anywhere, one bit at a time: the right rows or a refusal", async () => {
    for (const [type, right, rows] of [[RAGGED, raggedPayload(ROWS.slice(0, 300)), 300], [{ ...CSR, shape: [300, COLUMNS] }, csrPayload(ENTRIES.slice(0, 300), COLUMNS), 300]] as const) {
      const built = buildArrays(type, [right]);
      const item = built.items[0];
      const clean = await openRows(built);
      const field = type.family === "ragged-array" ? clean.ragged() : clean.csr();
      const asRead = await field.readRows(0, { start: 0, end: rows });
      for (const key of [item?.key ?? "", item?.outboardKey ?? ""]) {
        const body = built.objects.get(key) ?? new Uint8Array(0);
        for (let bit = 0; bit < body.byteLength * 8; bit += bit < 320 ? 3 : 4013) {
          const wrong = body.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
          const { ragged, csr, memory } = await openRows({ ...built, objects: new Map(built.objects).set(key, wrong) });
          const broken = type.family === "ragged-array" ? ragged() : csr();
          let outcome: unknown;
          try {
            outcome = (await broken.readRows(0, { start: 0, end: rows }))?.values;
          } catch (error) {
            outcome = (error as { code: string }).code;
          }
          if (typeof outcome === "string") expect(outcome).toMatch(/^(HashMismatch|PayloadHeader|PayloadLength|ShapeMismatch)$/);
          else expect(outcome).toEqual(asRead?.values);
          // Nothing wrong is kept.
          memory.set(key, body);
          expect((await broken.readRows(0, { start: 0, end: rows }))?.values).toEqual(asRead?.values);
        }
      }
    }
  });

  test("that come only once, for the header, are found by its proof", async () => {
    // Rows and cells change together so that the size stays: 2 more offsets of 8 bytes, 4 fewer cells of 4.
    const lie = PAYLOAD.slice();
    lie.set(be(2002, ROWS.flat().length - 4), 8);
    const memory = memoryStore(new Map(BUILT.objects).set(BUILT.items[0]?.key ?? "", lie));
    let reads = 0;
    const store = steered(memory, (key) => void (key === BUILT.items[0]?.key && ++reads === 2 && memory.set(key, PAYLOAD)));
    const ds = await openDataset(store, { manifest: BUILT.manifest }, { retry: { attempts: 1 } });
    const error = await expectFailure(ds.ragged("a").readRow(0, 1000), "HashMismatch");
    expect(error.key).toBe(BUILT.items[0]?.key);
    expect((await ds.ragged("a").readRow(0, 1000))?.data).toEqual(Float32Array.from(ROWS[1000] ?? []));
  });

  test("in an outboard's length refuse; the right one is asked for anew", async () => {
    const item = BUILT.items[0];
    const right = BUILT.objects.get(item?.outboardKey ?? "") ?? new Uint8Array(0);
    const { ragged, memory } = await openRows({ ...BUILT, objects: new Map(BUILT.objects).set(item?.outboardKey ?? "", outboardOf(PAYLOAD.subarray(4))) });
    await expectFailure(ragged().readRow(0, 5), "PayloadLength");
    memory.set(item?.outboardKey ?? "", right);
    expect((await ragged().readRow(0, 5))?.data).toEqual(Float32Array.from(ROWS[5] ?? []));
  });

  test("an outboard that cannot be had is an error, and no reason to do without", async () => {
    const memory = memoryStore(BUILT.objects);
    const store = steered(memory, (key) => {
      if (key.startsWith("bao-outboard/")) throw Object.assign(new Error("no"), { name: "DreamDbError", code: "Forbidden" });
    });
    for (const verify of POLICIES) {
      const read = (await openDataset(store, { manifest: BUILT.manifest }, { verify })).ragged("a").readRow(0, 5);
      if (verify !== "never") await expectFailure(read, "Forbidden");
      // Unless nothing is to be proved.
      else expect(await read).toMatchObject({ data: Float32Array.from(ROWS[5] ?? []), verified: "none", checked: { size: "none" } });
    }
  });
});

describe("cancelling", () => {
  test("at any stage rejects with the reason, and what was sent is told", async () => {
    for (let stage = 1; stage <= 6; stage++) {
      const memory = memoryStore(BUILT.objects);
      const item = BUILT.items[0];
      const controller = new AbortController();
      const reason = new RangeError("enough");
      const never = gate();
      let reads = 0;
      const store = recording(
        steered(memory, (key) => {
          if (key !== item?.key && key !== item?.outboardKey) return undefined;
          if (++reads < stage) return undefined;
          setTimeout(() => controller.abort(reason), 0);
          return never.opened;
        }),
      );
      const ds = await openDataset(store, { manifest: BUILT.manifest }, { maxGap: 0 });
      await expect(ds.ragged("a").readRow(0, 1000, { signal: controller.signal })).rejects.toBe(reason);
      never.open();
      expect((await ds.ragged("a").readRow(0, 1000))?.data).toEqual(Float32Array.from(ROWS[1000] ?? []));
    }
  });

  test("before it begins sends nothing", async () => {
    const { ragged, store } = await openRows(BUILT);
    const reason = new RangeError("enough");
    await expect(ragged().readRow(0, 0, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(store.reads).toEqual([]);
  });
});
