/** Fields without a manifest: every kind of entry, every family, and what is refused. */

import { type ArrayEntry, codec, init, memoryStore, openArrayField, type VerifyPolicy } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { address, multihash } from "../conformance/support/address.js";
import { array, bytes, concat, map, uint } from "../conformance/support/cbor-writer.js";
import { csrPayload, outboardOf, raggedPayload } from "../support/built-arrays.js";
import { f32 } from "../support/built-pages.js";
import { expectFailure } from "../support/failure.js";
import { recording } from "../support/recording.js";

await init();

const PATH = "some/place";
const ZERO = "0000000000000000";
const DENSE = { dtype: "f32", shape: [2] } as const;
const RAGGED = { family: "ragged-array", dtype: "f32", innerShape: [] } as const;
const CSR = { family: "sparse-csr", dtype: "f32", shape: [2, 5] } as const;
const hex = (anchor: number): string => anchor.toString(16).padStart(16, "0");

/** Items in every form at the anchors 1 to 4: the objects, and the entries of each form. */
function stored(bodies: readonly Uint8Array<ArrayBuffer>[]) {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const pack = concat(...bodies);
  objects.set(`${PATH}/${ZERO}/${address(pack)}`, pack);
  objects.set(`bao-outboard/${address(pack)}`, new Uint8Array(outboardOf(pack)));
  let packOffset = 0;
  const entries = bodies.map((body, at) => {
    const [anchor, own, size] = [at + 1, address(body), body.byteLength];
    objects.set(`${PATH}/${hex(anchor)}/${own}`, body);
    objects.set(`${PATH}/${hex(77)}/${own}`, body);
    objects.set(`${PATH}/${ZERO}/${own}`, body);
    const halves = [body.slice(0, size >> 1), body.slice(size >> 1)];
    for (const half of halves) objects.set(`${PATH}/${ZERO}/${address(half)}`, half);
    const chunks = halves.map((half) => map([["hash", bytes(multihash(half))], ["size", uint(half.byteLength)]]));
    const list = map([["chunks", array(chunks)], ["total_size", uint(size)]]);
    objects.set(`${PATH}/items/${address(list)}`, list);
    const packed = { start: anchor, size, address: address(pack), packOffset };
    packOffset += size;
    return {
      event: { anchor, address: own },
      continuous: { start: anchor, end: anchor + 5, address: own },
      bucket: { start: anchor, end: anchor + 5, bucket: 77, address: own },
      single: { start: anchor, size, address: own },
      chunked: { start: anchor, size, address: address(list), chunked: true },
      packed,
    };
  });
  return { objects, entries };
}

const FORMS = ["event", "continuous", "bucket", "single", "chunked", "packed"] as const;

describe.each(["always", "available", "never"] as const satisfies VerifyPolicy[])("verified %s", (verify) => {
  test.each(FORMS)("%s entries of every family", async (form) => {
    const dense = stored([f32(1, 2), f32(3, 4), f32(5, 6)]);
    const open = <T>(made: { entries: Record<(typeof FORMS)[number], ArrayEntry>[]; objects: Map<string, Uint8Array> }, more: T) => {
      const store = recording(memoryStore(made.objects));
      return { store, init: { ...more, entries: made.entries.map((entry) => entry[form]).toReversed(), path: PATH, verify } };
    };
    const d = open(dense, { itemType: DENSE });
    const field = await openArrayField(d.store, d.init);
    expect(d.store.reads).toEqual([]);
    expect([await field.count(), [...(await field.anchors())], field.name]).toEqual([3, [1n, 2n, 3n], "array"]);
    expect((await field.read(2))?.data).toEqual(Float32Array.of(3, 4));
    expect(await field.read(4)).toBeUndefined();
    expect([...(await field.column()).data]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...(await field.column({ start: 2, end: 3 })).data]).toEqual([3, 4]);
    for (const key of d.store.keys()) expect(key.startsWith(`${PATH}/`) || key.startsWith("bao-outboard/")).toBe(true);

    const rows = [[[1], [], [2, 3]], [[4, 5]], [[], []]];
    const r = open(stored(rows.map((own) => raggedPayload(own))), { itemType: RAGGED, name: "r" });
    const ragged = await openArrayField(r.store, r.init);
    expect(ragged.name).toBe("r");
    expect([...((await ragged.read(1))?.values ?? [])]).toEqual([1, 2, 3]);
    expect([...(await ragged.column()).itemOffsets]).toEqual([0n, 3n, 4n, 6n]);
    if (form === "chunked") await expectFailure(ragged.readRow(1, 2), "Unsupported");
    else {
      expect([...((await ragged.readRow(1, 2))?.data ?? [])]).toEqual([2, 3]);
      expect([...((await ragged.readRows(2, { start: 0, end: 1 }))?.values ?? [])]).toEqual([4, 5]);
    }

    const c = open(stored([csrPayload([[[1, 2]], [[0, 3], [4, 5]]], 5), csrPayload([[], []], 5)]), { itemType: codec.encodeItemType(CSR) });
    // Of a document's bytes the compiler knows nothing.
    const csr = await openArrayField(c.store, c.init);
    expect(await csr.read(1)).toMatchObject({ family: "sparse-csr", values: Float32Array.of(2, 3, 5) });
    expect(await csr.column()).toMatchObject({ anchors: BigUint64Array.of(1n, 2n), items: [{}, {}] });
  });
});

test("keys are those of the form", async () => {
  const { objects, entries } = stored([f32(1, 2)]);
  const own = address(f32(1, 2));
  for (const [form, key] of [["event", `${PATH}/${hex(1)}/${own}`], ["continuous", `${PATH}/${hex(1)}/${own}`], ["bucket", `${PATH}/${hex(77)}/${own}`], ["single", `${PATH}/${ZERO}/${own}`]] as const) {
    const store = recording(memoryStore(objects));
    const field = await openArrayField(store, { itemType: DENSE, path: PATH, entries: entries.map((entry) => entry[form]) });
    await field.read(1);
    expect(store.keys()).toEqual([key]);
  }
});

test("the size of what is packed is known before it is fetched", async () => {
  const { objects, entries } = stored([raggedPayload([[1, 2]]), raggedPayload([[3]])]);
  const store = recording(memoryStore(objects));
  const field = await openArrayField(store, { itemType: RAGGED, path: PATH, entries: entries.map(({ packed }) => packed) });
  await expectFailure(field.column({ maxBytes: 50 }), "TooLarge");
  expect(store.reads).toEqual([]);
});

describe("refused", () => {
  const { objects, entries } = stored([f32(1, 2), f32(3, 4)]);
  const open = (init: object) => openArrayField(memoryStore(objects), { itemType: DENSE, path: PATH, entries: entries.map(({ event }) => event), ...init });
  const events = entries.map(({ event }) => event);

  test.each([
    ["a modality of another kind", { modality: codec.modalityOf(DENSE, "continuous") }, "InvalidArgument"],
    ["entries of another kind", { modality: codec.modalityOf(DENSE, "event"), entries: entries.map(({ packed }) => packed) }, "InvalidArgument"],
    ["a Constant", { modality: codec.modalityOf(DENSE, "constant") }, "InvalidKindStorage"],
    ["mixed entries", { entries: [events[0], entries[1]?.packed] }, "InvalidArgument"],
    ["an anchor twice", { entries: [...events, ...events] }, "RepeatedAnchor"],
    ["an empty extent", { entries: [{ start: 5, end: 5, address: events[0]?.address }] }, "EntryExtent"],
    ["an extent after the last anchor", { entries: [{ start: (1n << 64n) - 1n, address: events[0]?.address }] }, "EntryExtent"],
    ["no address", { entries: [{ anchor: 1, address: "x" }] }, "Multihash"],
    ["an offset beyond 32 bits", { entries: [{ start: 1, size: 8, packOffset: 2 ** 32, address: events[0]?.address }] }, "IntegerRange"],
    ["a chunked span", { entries: [{ start: 1, size: 8, packOffset: 0, chunked: true, address: events[0]?.address }] }, "InvalidArgument"],
    ["a negative anchor", { entries: [{ anchor: -1, address: events[0]?.address }] }, "InvalidArgument"],
    ["no entry", { entries: [null] }, "InvalidArgument"],
    ["no path", { path: undefined }, "InvalidArgument"],
  ] as const)("%s", async (_, init, code) => {
    await expectFailure(open(init), code);
  });

  test("a modality of another type", async () => {
    const other = codec.modalityOf({ ...DENSE, shape: [3] }, "event");
    await expect(open({ modality: other })).rejects.toMatchObject({ name: "DreamDbError" });
    expect(await (await open({ modality: codec.modalityOf(DENSE, "event") })).count()).toBe(2);
    expect(await (await open({ entries: [] })).count()).toBe(0);
  });
});

test.each(["always", "never"] as const)("Items of other lengths than theirs, between right ones, verified %s", async (verify) => {
  const { objects, entries } = stored([f32(1, 2), f32(3), f32(5, 6), f32(7, 8, 9), f32(1, 3)]);
  const field = await openArrayField(memoryStore(objects), { itemType: DENSE, entries: entries.map(({ event }) => event), path: PATH, verify });
  const read: unknown[] = [];
  for (const anchor of [1, 2, 3, 4, 5]) read.push(await field.read(anchor).then((item) => [...(item?.data ?? [])], (error: { code: string }) => error.code));
  expect(read).toEqual([[1, 2], "PayloadLength", [5, 6], "PayloadLength", [1, 3]]);
});

test("files with other headers, between equal ones", async () => {
  const type = { dtype: "f32", shape: [2, 2], codec: "npy" } as const;
  const file = codec.encodeNpy(type, Float32Array.of(1, 2, 3, 4));
  const changed = (from: string, to: string): Uint8Array<ArrayBuffer> => {
    const text = String.fromCharCode(...file);
    expect(text).toContain(from);
    return Uint8Array.from(text.replace(from, to), (character) => character.charCodeAt(0));
  };
  const bodies = [file, changed("(2, 2)", "(4, 1)"), file, changed("False", "True "), changed("'<f4'", "'>f4'"), changed("\u0093NUMPY", "\u0093NUMPI"), file.slice(0, -4), file];
  const { objects, entries } = stored(bodies);
  const field = await openArrayField(memoryStore(objects), { itemType: type, entries: entries.map(({ event }) => event), path: PATH });
  const read: unknown[] = [];
  for (const at of bodies.keys()) read.push(await field.read(at + 1).then((item) => [...(item?.data ?? [])], (error: { code: string }) => error.code));
  const mismatch = "CodecHeaderMismatch";
  expect(read).toEqual([[1, 2, 3, 4], mismatch, [1, 2, 3, 4], mismatch, mismatch, "InvalidNpyHeader", "PayloadLength", [1, 2, 3, 4]]);
});
