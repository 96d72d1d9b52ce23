/** What a dataset must be, given its sidecar: the same checks for every store, policy and host. */

import { expect } from "vitest";
import { type ArrayFieldInfo, codec, type Dataset, type FieldInfo, isArrayField, isMediaField, type VerifyPolicy } from "dreamdb-arrays";
import type { RecordingStore } from "./recording.js";
import type { ArrayFact, BytesFact, FieldFact, ItemFact, PartsFact, RefFact } from "./sidecar.js";
import { addressOfDigest, blake3Hex, expectArray, expectBytes, integer, typeOfDocument } from "./sidecar.js";

/** A dataset, what it was read through, and what it must be. */
export interface Opened {
  readonly ds: Dataset;
  readonly store: RecordingStore;
  readonly fact: RefFact;
  readonly verify: VerifyPolicy;
}

/** What the manifest says of itself. */
export function expectManifest({ ds, fact }: Opened): void {
  const { manifest, timeline } = ds;
  expect(timeline).toBe(fact.timeline);
  expect(manifest.address).toBe(fact.manifest);
  expect(manifest.timelines).toEqual([fact.timeline]);
  expect(manifest.parents).toEqual(fact.parents);
  expect(manifest.timestamp).toBe(integer(fact.ts));
  expect(manifest.writer).toBe(fact.writer);
  // A plain list of Tracks has no name on the wire; sidecar and package each have their own.
  expect(manifest.tracksForm).toBe(fact.tracks_form === "legacy-list" ? "legacy" : fact.tracks_form);
  expect(manifest.deletions).toBe(fact.tombstones.length > 0);
  expect(Object.fromEntries(manifest.notes)).toEqual(fact.meta);
  expect(ds.fields.map(({ name }) => name)).toEqual(Object.keys(fact.fields));
}

/** Kind of a field's Track: declared of arrays, else what the kind of the field means. */
function trackKindOf({ kind, track_kind }: FieldFact): string {
  return track_kind ?? (kind === "constant" ? "constant" : "continuous");
}

/** What the manifest declares of one field. */
export function expectDeclared(info: FieldInfo | undefined, fact: FieldFact): void {
  if (info === undefined) throw new Error("the dataset lacks a field");
  expect(info.kind).toBe(fact.kind);
  expect(info.required).toBe(fact.required);
  expect(info.modality).toBe(fact.modality);
  expect(info.trackKind).toBe(trackKindOf(fact));
  expect(info.coverage).toEqual({ start: integer(fact.coverage[0]), end: integer(fact.coverage[1]) });

  expect(isArrayField(info)).toBe(fact.item_type !== undefined);
  if (isArrayField(info)) {
    const type = typeOfDocument(fact.item_type ?? {});
    expect(info.type).toEqual(type);
    const { family, dtype, shape, innerShape, itemId, objectKind, typeCbor } = info;
    expect({ family, dtype }).toEqual({ family: type["family"], dtype: type["dtype"] });
    expect(shape).toEqual(type["shape"]);
    expect(innerShape).toEqual(type["innerShape"]);
    expect(objectKind).toBe(fact.object_kind);
    expect(`item=${itemId}`).toBe(fact.modality.split(".").at(-1));
    expect(itemId).toBe(addressOfDigest(blake3Hex(typeCbor)));
  }
  expect(isMediaField(info)).toBe(fact.mime !== undefined);
  if (isMediaField(info)) {
    expect(info.mime).toBe(fact.mime);
    expect(info.packItems).toBe(fact.pack_items === undefined ? undefined : BigInt(fact.pack_items));
    expect(info.chunkSize).toBe(fact.chunk_size === undefined ? undefined : BigInt(fact.chunk_size));
  }
}

/** Every Item or the Constant of one field, and the objects that were read for it. */
export async function expectField(opened: Opened, name: string, fact: FieldFact): Promise<void> {
  const info = opened.ds.fields.find((field) => field.name === name);
  if (info === undefined) throw new Error(`the dataset lacks the field ${name}`);
  // No field passes because the sidecar lists nothing.
  expect(fact.items?.length ?? Number("constant" in fact)).toBeGreaterThan(0);
  opened.store.forget();
  if (info.trackKind === "constant") await expectConstant(opened, info, fact);
  else if (isArrayField(info)) await expectArrayItems(opened, info, fact);
  else await expectMediaItems(opened, name, fact);
  await expectAbsentRows(opened, info, fact);
}

async function expectArrayItems({ ds, store, fact: { timeline }, verify }: Opened, info: ArrayFieldInfo, fact: FieldFact): Promise<void> {
  const items = fact.items ?? [];
  const field = arrayField(ds, info);
  expect(await field.count()).toBe(fact.audit_physical_items);
  expect(store.keys()).toEqual([`${timeline}/${fact.modality}/track/${fact.track}`]);
  for (const item of items) {
    const anchor = integer(item.anchor);
    store.forget();
    const value = await field.read(anchor);
    if (value === undefined) throw new Error(`nothing was read at ${anchor}`);
    expectArray(value, item.value as ArrayFact | PartsFact);
    expect(value.anchor).toBe(anchor);
    expect(value.verified).toBe(verify === "never" ? "none" : "object");
    expect(value.type).toEqual(typeOfDocument(fact.item_type ?? {}));
    // The stored object is the sidecar's payload, and nothing else was read but, with the first Item, what is deleted.
    const reads = store.reads.filter(({ key }) => !key.startsWith("tombstones/"));
    const payload = payloadOf(item);
    const bucket = anchor.toString(16).padStart(16, "0");
    expect(reads).toEqual([
      expect.objectContaining({ kind: "get", key: `${timeline}/${fact.modality}/${bucket}/${addressOfDigest(payload.blake3)}` }),
    ]);
    expectBytes(reads[0]?.bytes ?? new Uint8Array(0), payload);
    // The same by the other name, with all that accompanies it.
    expect(await ds.readArrayItem(info.name, anchor)).toEqual(value);
  }
}

function payloadOf({ payload }: Pick<ItemFact, "payload">): BytesFact {
  if (payload === undefined) throw new Error("the sidecar has no payload");
  return payload;
}

async function expectMediaItems({ ds, store, fact: { timeline }, verify }: Opened, name: string, fact: FieldFact): Promise<void> {
  const items = fact.items ?? [];
  const field = ds.media(name);
  await field.count();
  expect(store.keys()).toEqual([`${timeline}/${fact.modality}/track/${fact.track}`]);
  for (const item of items) {
    const anchor = integer(item.anchor);
    const read = await field.read(anchor);
    if (read === undefined) throw new Error(`nothing was read at ${anchor}`);
    expectBytes(read.bytes, item.value as BytesFact);
    const { kind, mime, form, verified } = read;
    expect({ kind, mime, anchor: read.anchor }).toEqual({ kind: fact.kind, mime: fact.mime, anchor });
    if (fact.pack_items === undefined) expect(form).toBe("single");
    // A span of a pack without an outboard is unchecked under "available", unless there is no byte in it to check.
    const bare = verify === "available" && store.reads.some(({ key, bytes }) => key.startsWith("bao-outboard/") && bytes === undefined);
    const whole = form !== "packed" || read.bytes.byteLength === 0;
    const allowed = verify === "never" ? ["none"] : whole ? ["object"] : bare ? ["object", "none"] : ["object", "range"];
    expect(allowed).toContain(verified);
  }
}

async function expectConstant({ ds, store, fact: { timeline }, verify }: Opened, info: FieldInfo, fact: FieldFact): Promise<void> {
  const value = await ds.constant(info.name).read();
  if (value === undefined) throw new Error("the Constant was not read");
  expect(value.verified).toBe(verify === "never" ? "none" : "object");
  const payload = payloadOf(fact);
  expect(store.keys()).toEqual([
    `${timeline}/${fact.modality}/track/${fact.track}`,
    `${timeline}/${fact.modality}/${addressOfDigest(payload.blake3)}`,
  ]);
  expectBytes(store.reads[1]?.bytes ?? new Uint8Array(0), payload);
  if (value.family === "text") {
    expectBytes(value.bytes, payload);
    expect(fact.modality.endsWith(".json") ? JSON.parse(value.text) : value.text).toEqual(fact.constant);
    return;
  }
  expectArray(value, fact.constant as ArrayFact | PartsFact);
  expect(value).not.toHaveProperty("anchor");
  expect(await ds.getArrayConstant(info.name)).toEqual(value);
}

/** Rows of the dataset that this field has no value for, deleted rows, and anchors of no row give `undefined`. */
async function expectAbsentRows({ ds, fact: ref }: Opened, info: FieldInfo, fact: FieldFact): Promise<void> {
  if (fact.items === undefined) return;
  const present = new Set(fact.items.map(({ anchor }) => integer(anchor)));
  const rows = [...ref.anchors, ...ref.tombstones].map(integer);
  const asked = [...rows, ...rows.map((row) => row + 1n), 0n, (1n << 64n) - 1n].filter((anchor) => !present.has(anchor));
  const field = fieldWithAnchors(ds, info);
  for (const anchor of asked) expect(await field.read(anchor)).toBeUndefined();

  // Stored are the Items that are read and those of deleted rows; a replaced medium is there more than once.
  const deleted = new Set(ref.tombstones.map(integer));
  const anchors = [...(await field.anchors())];
  expect(anchors).toEqual([...anchors].sort((a, b) => (a < b ? -1 : Number(a > b))));
  expect(new Set(anchors.filter((anchor) => !deleted.has(anchor)))).toEqual(present);
  expect(anchors.length).toBe(await field.count());
}

/** A field of typed arrays, opened by its own family. */
function arrayField(ds: Dataset, { name, family }: ArrayFieldInfo) {
  if (family === "dense-array") return ds.array(name);
  return family === "ragged-array" ? ds.ragged(name) : ds.csr(name);
}

/** A field of any kind that has Items at anchors. */
function fieldWithAnchors(ds: Dataset, info: FieldInfo) {
  return isArrayField(info) ? arrayField(ds, info) : ds.media(info.name);
}

/** Rows of the whole dataset: what its fields hold together, without what was deleted. */
export async function expectRows({ ds, fact }: Opened): Promise<void> {
  const rows = new Set<bigint>();
  for (const info of ds.fields) {
    if (info.trackKind === "constant") continue;
    for (const anchor of await fieldWithAnchors(ds, info).anchors()) rows.add(anchor);
  }
  const deleted = fact.tombstones.map(integer);
  for (const anchor of deleted) expect(rows.delete(anchor)).toBe(true);
  expect(rows).toEqual(new Set(fact.anchors.map(integer)));
  expect(rows.size).toBe(fact.count);
}

/** Every object is what its name says, by our hash and by another. */
export function expectObjects(objects: ReadonlyMap<string, Uint8Array>, sizes: Readonly<Record<string, number>>): void {
  for (const [key, bytes] of objects) {
    expect(bytes.byteLength).toBe(sizes[key]);
    if (/^(refs|bao-outboard)\//.test(key)) continue;
    const address = key.split("/").at(-1);
    expect(addressOfDigest(blake3Hex(bytes))).toBe(address);
    expect(codec.addressOf(bytes)).toBe(address);
  }
}
