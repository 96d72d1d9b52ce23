/** Tracks as writers make them, and the core's functions for packs. What the bytes are is tested in tests/write, against the reference. */
import { codec, init } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import { call } from "../../ts/wasm.js";
import { constantTrack, edited } from "../../ts/write/tracks.js";
import { columnsOf, decodeOf, empty, EVENT, grow, type PageMap } from "../support/track-writes.js";
import { expectFailure } from "../support/failure.js";

beforeAll(() => init());

const timeline = (): string => codec.addressOf(new TextEncoder().encode("a timeline"));
const arrays = (anchors: readonly bigint[]) => columnsOf(anchors.map((anchor) => ({ anchor, object: timeline() })), true);

test("an empty Track gets entries, then pages, and then a page is all that changes", async () => {
  const stored: PageMap = new Map();
  const none = empty(EVENT, timeline());
  expect(decodeOf(none)).toMatchObject({ form: "event", anchors: new BigUint64Array(0) });
  const few = await grow(stored, none, arrays([7n, 5n]));
  expect(few).toMatchObject({ start: 5n, end: 8n, pages: [], read: [] });
  expect(call((core) => core.decodeTrack(few.track, EVENT, timeline(), 5n, 8n))).toMatchObject({ anchors: BigUint64Array.of(5n, 7n) });
  const many = await grow(stored, few.track, arrays(Array.from({ length: 30_000 }, (_, at) => BigInt(at + 10))));
  expect(many).toMatchObject({ start: 5n, end: 30_010n, read: [] });
  const index = call((core) => core.decodeTrack(many.track, EVENT, timeline(), many.start, many.end));
  expect(index).toMatchObject({ form: "paged", items: 30_002n, height: 2n, pages: BigInt(many.pages.length) });
  const more = await grow(stored, many.track, arrays([40_000n]));
  expect([more.read.length, more.pages.length, more.end]).toEqual([2, 2, 40_001n]);
  for (const [address, page] of stored) expect(codec.addressOf(page)).toBe(address);
});

test("a Constant has its Item", () => {
  const { address, start, end, objects } = constantTrack({ modality: "title.text" }, timeline(), timeline());
  const track = objects[0]?.bytes ?? new Uint8Array(0);
  expect(call((core) => core.decodeTrack(track, "title.text", timeline(), start, end))).toEqual({ form: "constant", address: timeline() });
  expect([start, end, objects.length, codec.addressOf(track)]).toEqual([0n, 2n ** 64n - 1n, 1, address]);
  expect(edited(`${timeline()}/title.text`, track, start, end)).toEqual({ address, start, end, objects });
});

test("an anchor that is taken is named", async () => {
  const track = empty(EVENT, timeline());
  expect((await expectFailure(grow(new Map(), track, arrays([3n, 4n, 3n])), "RepeatedAnchor")).subject).toBe("3");
  await expectFailure(grow(new Map(), track, arrays([2n ** 64n - 1n])), "InvalidArgument");
});

test("columns that do not fit are refused", async () => {
  const track = empty(EVENT, timeline());
  const entries = arrays([1n]);
  await expectFailure(grow(new Map(), track, { ...entries, addresses: new Uint8Array(0) }), "InvalidArgument");
  await expectFailure(grow(new Map(), track, { ...entries, addresses: new Uint8Array(34) }), "InvalidArgument");
  await expectFailure(grow(new Map(), track, { ...entries, offsets: new Uint32Array(1) }), "InvalidArgument");
});

test("packs of so many bytes", () => {
  const sizes = BigUint64Array.of(4n, 4n, 4n, 9n);
  expect(call((core) => core.packGroups(sizes, 0n, 8n))).toEqual(Uint32Array.of(2, 1, 1));
  expect(call((core) => core.packGroups(sizes, 3n, undefined))).toEqual(Uint32Array.of(3, 1));
});
