/** The core's functions for Tracks as writers use them. What the bytes are is tested in Rust, against the reference. */
import { codec, init } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import type { CoreAppended } from "../../pkg/dreamdb_arrays.js";
import { call } from "../../ts/wasm.js";
import { expectThrown } from "../support/failure.js";

const MODALITY = "array.f32.kind=event.storage=unbucketed.shape=3.item=x";
const NONE = { sizes: new BigUint64Array(0), forms: new Uint8Array(0), offsets: new Uint32Array(0) };

beforeAll(() => init());

const timeline = (): string => codec.addressOf(new TextEncoder().encode("a timeline"));

/** Adds array Items, reading pages as they are asked for. */
function grow(track: Uint8Array, anchors: readonly bigint[], stored: Map<string, Uint8Array>): CoreAppended & { read: number } {
  const item = call((core) => core.addressBytes(timeline()));
  const objects = new Uint8Array(33 * anchors.length);
  for (const at of anchors.keys()) objects.set(item, 33 * at);
  const read: Uint8Array[] = [];
  for (;;) {
    let at = 0;
    const ends = Uint32Array.from(read, ({ length }) => (at += length));
    const pages = new Uint8Array(at);
    for (const [number, page] of read.entries()) pages.set(page, (ends[number] ?? 0) - page.length);
    const step = call((core) => core.appendToTrack(track, pages, ends, BigUint64Array.from(anchors), objects, NONE.sizes, NONE.forms, NONE.offsets));
    if (step.need === undefined) {
      for (const { address, object } of step.pages) stored.set(address, object);
      return { ...step, read: read.length };
    }
    for (const address of step.need) read.push(stored.get(address) ?? new Uint8Array(0));
  }
}

test("an empty Track gets entries, then pages, and then a page is all that changes", () => {
  const stored = new Map<string, Uint8Array>();
  const empty = call((core) => core.newTrack(MODALITY, timeline()));
  expect(call((core) => core.decodeTrack(empty, MODALITY, timeline(), 0n, 1n))).toMatchObject({ form: "event", anchors: new BigUint64Array(0) });
  const few = grow(empty, [7n, 5n], stored);
  expect(few).toMatchObject({ start: 5n, end: 8n, pages: [], read: 0 });
  expect(call((core) => core.decodeTrack(few.track, MODALITY, timeline(), 5n, 8n))).toMatchObject({ anchors: BigUint64Array.of(5n, 7n) });
  const many = grow(few.track, Array.from({ length: 30_000 }, (_, at) => BigInt(at + 10)), stored);
  expect(many).toMatchObject({ start: 5n, end: 30_010n, read: 0 });
  const index = call((core) => core.decodeTrack(many.track, MODALITY, timeline(), many.start, many.end));
  expect(index).toMatchObject({ form: "paged", items: 30_002n, height: 2n, pages: BigInt(many.pages.length) });
  const more = grow(many.track, [40_000n], stored);
  expect([more.read, more.pages.length, more.end]).toEqual([2, 2, 40_001n]);
  for (const [address, page] of stored) expect(codec.addressOf(page)).toBe(address);
});

test("a Constant has its Item", () => {
  const track = call((core) => core.constantTrack("title.text", timeline(), timeline()));
  expect(call((core) => core.decodeTrack(track, "title.text", timeline(), 0n, 2n ** 64n - 1n))).toEqual({ form: "constant", address: timeline() });
});

test("an anchor that is taken is named", () => {
  const track = call((core) => core.newTrack(MODALITY, timeline()));
  expect(expectThrown(() => grow(track, [3n, 4n, 3n], new Map()), "RepeatedAnchor").subject).toBe("3");
  expectThrown(() => grow(track, [2n ** 64n - 1n], new Map()), "InvalidArgument");
});

test("pages that are not where they are said to be are refused", () => {
  const track = call((core) => core.newTrack(MODALITY, timeline()));
  const none = new Uint8Array(0);
  const append = (ends: Uint32Array): unknown =>
    call((core) => core.appendToTrack(track, none, ends, new BigUint64Array(0), none, NONE.sizes, NONE.forms, NONE.offsets));
  expectThrown(() => append(Uint32Array.of(1)), "InvalidArgument");
  expectThrown(() => append(Uint32Array.of(0, 4)), "InvalidArgument");
});

test("packs of so many bytes, and ItemManifests", () => {
  const sizes = BigUint64Array.of(4n, 4n, 4n, 9n);
  expect(call((core) => core.packGroups(sizes, 0n, 8n))).toEqual(Uint32Array.of(2, 1, 1));
  expect(call((core) => core.packGroups(sizes, 3n, undefined))).toEqual(Uint32Array.of(3, 1));
  const addresses = call((core) => core.addressBytes(timeline()));
  const manifest = call((core) => core.encodeItemManifest(addresses, BigUint64Array.of(9n)));
  expect(call((core) => core.decodeItemManifest(manifest, 9n))).toMatchObject({ addresses, sizes: BigUint64Array.of(9n) });
});
