/** Deleted rows, in every form that says so, and Tracks whose entries are not what the reference happens to write. Built by hand. */

import { codec, init, memoryStore, openDataset } from "dreamdb-arrays";
import { describe, expect, test } from "vitest";
import { arrayField, manifest, mediaField, schema, TIMELINE, track } from "../../ts/cli/vectors/documents.js";
import { address, addressBytes, base32, multihash } from "../conformance/support/address.js";
import { array, bytes, map, text, uint } from "../conformance/support/cbor-writer.js";
import { expectFailure } from "../support/failure.js";
import { recording } from "../support/recording.js";

await init();

const TYPE = { dtype: "u8", shape: [1] } as const;
const DOCUMENT = codec.encodeItemType(TYPE);
const OTHER_TIMELINE = multihash(Uint8Array.of(1));

type Objects = Map<string, Uint8Array>;

/** Puts a head, list or page of deletions; its multihash. */
function put(objects: Objects, object: Uint8Array): Uint8Array {
  objects.set(`tombstones/${address(object)}`, object);
  return multihash(object);
}

interface Summary {
  readonly min: number;
  readonly max: number;
  readonly count: number;
  readonly level: number;
  readonly hash: Uint8Array;
}

const summaryOf = ({ min, max, count, level, hash }: Summary) =>
  map([["max", uint(max)], ["min", uint(min)], ["hash", bytes(hash)], ["count", uint(count)], ["level", uint(level)]]);

function putLeaf(objects: Objects, anchors: readonly number[]): Summary {
  const entries = anchors.map((anchor) => map([["anchor", uint(anchor)], ["deleted_at", uint(5)]]));
  const hash = put(objects, map([["kind", text("dreamdb.tombstone-page.v1")], ["level", uint(0)], ["entries", array(entries)]]));
  return { min: anchors[0] ?? 0, max: anchors.at(-1) ?? 0, count: anchors.length, level: 0, hash };
}

function putPage(objects: Objects, children: readonly Summary[]): Summary {
  const level = (children[0]?.level ?? 0) + 1;
  const page = map([["kind", text("dreamdb.tombstone-page.v1")], ["level", uint(level)], ["children", array(children.map(summaryOf))]]);
  const count = children.reduce((sum, child) => sum + child.count, 0);
  return { min: children[0]?.min ?? 0, max: children.at(-1)?.max ?? 0, count, level, hash: put(objects, page) };
}

function putHead(objects: Objects, root: Summary | undefined, parents: readonly Uint8Array[] = [], timeline = addressBytes(TIMELINE)): Uint8Array {
  return put(
    objects,
    map([
      ["kind", text("dreamdb.tombstone-index.v1")],
      ["root", root === undefined ? Uint8Array.of(0xf6) : summaryOf(root)],
      ["parents", array(parents.map(bytes))],
      ["timeline", bytes(timeline)],
      ["issued_at", uint(5)],
    ]),
  );
}

function putList(objects: Objects, anchors: readonly number[], parents: readonly Uint8Array[] = []): Uint8Array {
  const entries = anchors.map((anchor) => map([["anchor", uint(anchor)]]));
  return put(objects, map([["kind", text("dreamdb.tombstone-list.v1")], ["anchors", array(entries)], ["parents", array(parents.map(bytes))]]));
}

/** A dataset of an array field and a media field with Items at 0 to 99, and that head of deletions. */
async function dataset(objects: Objects, head: Uint8Array) {
  const modality = codec.modalityOf(TYPE, "event");
  const anchors = Array.from({ length: 100 }, (_, at) => at);
  const body = (at: number) => Uint8Array.of(at);
  const store = memoryStore(objects);
  for (const at of anchors) {
    store.set(`${TIMELINE}/${modality}/${at.toString(16).padStart(16, "0")}/${address(body(at))}`, body(at));
    store.set(`${TIMELINE}/image.png/0000000000000000/${address(body(at))}`, body(at));
  }
  const tracks = {
    a: track(modality, array(anchors.map((at) => array([bytes(multihash(body(at))), uint(at)])))),
    m: track("image.png", array(anchors.map((at) => array([uint(at), uint(at + 1), uint(1), bytes(multihash(body(at)))])))),
  };
  store.set(`${TIMELINE}/${modality}/track/${address(tracks.a)}`, tracks.a);
  store.set(`${TIMELINE}/image.png/track/${address(tracks.m)}`, tracks.m);
  const object = manifest(
    [
      { field: "a", kind: "event", modality, track: address(tracks.a) },
      { field: "m", kind: "continuous", modality: "image.png", track: address(tracks.m) },
    ],
    map([
      ["dreamdb.schema", schema([arrayField("a", DOCUMENT, "event", "unbucketed"), mediaField("m", "image", "png")])],
      ["dreamdb.tombstones", map([["head", bytes(head)]])],
      [modality, map([["item_type", DOCUMENT]])],
    ]),
  );
  store.set(`manifests/${address(object)}`, object);
  const above = recording(store);
  const ds = await openDataset(above, { manifest: address(object) });
  /** Anchors at which nothing is read, by both fields, though both have Items there. */
  const deleted = async () => {
    const found: number[] = [];
    for (const at of anchors) {
      const [item, image] = [await ds.array("a").read(at), await ds.media("m").read(at)];
      expect([at, item === undefined]).toEqual([at, image === undefined]);
      if (item === undefined) found.push(at);
    }
    return found;
  };
  return { ds, store, deleted, tombstones: () => above.keys().filter((key) => key.startsWith("tombstones/")) };
}

const keyOf = (hash: Uint8Array) => `tombstones/${base32(hash)}`;

describe("rows are deleted", () => {
  test("by a tree of pages, of which each is read once, and only where it may say something", async () => {
    const objects: Objects = new Map();
    const leaves = [[1, 2, 3], [10, 20], [40], [41, 99]].map((anchors) => putLeaf(objects, anchors));
    const middle = [putPage(objects, leaves.slice(0, 2)), putPage(objects, leaves.slice(2))];
    const head = putHead(objects, putPage(objects, middle));
    const { ds, deleted, tombstones } = await dataset(objects, head);
    const a = ds.array("a");
    await a.read(0n);
    expect(tombstones()).toEqual([keyOf(head)]);
    await a.read(30n);
    expect(tombstones().length).toBe(2);
    await a.read(20n);
    expect(tombstones().length).toBe(4);
    await Promise.all([a.read(20n), a.read(10n), a.read(11n), ds.media("m").read(20n)]);
    expect(tombstones().length).toBe(4);
    expect(await deleted()).toEqual([1, 2, 3, 10, 20, 40, 41, 99]);
    expect(tombstones().length).toBe(1 + 1 + 2 + 4);
    expect(await a.count()).toBe(100);
    expect((await a.anchors()).length).toBe(100);
  });

  test("and are told with their anchors, of a window by the pages that it meets", async () => {
    const objects: Objects = new Map();
    const leaves = [[1, 2, 3], [10, 20], [40], [41, 99]].map((anchors) => putLeaf(objects, anchors));
    const { ds, tombstones } = await dataset(objects, putHead(objects, putPage(objects, leaves)));
    expect(await ds.deletedAnchors({ start: 2, end: 20 })).toEqual(BigUint64Array.of(2n, 3n, 10n));
    expect(tombstones().length).toBe(2 + 2);
    const all = await ds.deletedAnchors();
    expect(all).toEqual(BigUint64Array.of(1n, 2n, 3n, 10n, 20n, 40n, 41n, 99n));
    all.fill(0n);
    expect(await ds.deletedAnchors({ start: 41n })).toEqual(BigUint64Array.of(41n, 99n));
    expect(await ds.array("a").anchors({ start: 39, end: 42 })).toEqual(BigUint64Array.of(39n, 40n, 41n));
    await expectFailure(ds.deletedAnchors({ start: -1 }), "InvalidArgument");
    await expectFailure(ds.array("a").anchors({ end: -1 }), "InvalidArgument");
  });

  test("by a list, and by the parents of a list or a tree, and theirs", async () => {
    const objects: Objects = new Map();
    const oldest = putList(objects, [7]);
    const older = putHead(objects, putLeaf(objects, [8, 9]), [oldest]);
    const other = putList(objects, [50], [oldest]);
    const { deleted, tombstones } = await dataset(objects, putHead(objects, putLeaf(objects, [60]), [older, other]));
    expect(await deleted()).toEqual([7, 8, 9, 50, 60]);
    expect(new Set(tombstones()).size).toBe(tombstones().length);
  });

  test("by parents alone, where the head has no tree", async () => {
    const objects: Objects = new Map();
    const { deleted } = await dataset(objects, putHead(objects, undefined, [putList(objects, [3]), putList(objects, [4])]));
    expect(await deleted()).toEqual([3, 4]);
  });

  test("not by a head of another timeline", async () => {
    const objects: Objects = new Map();
    const head = putHead(objects, putLeaf(objects, [1, 2]), [], OTHER_TIMELINE);
    const { deleted, tombstones } = await dataset(objects, head);
    expect(await deleted()).toEqual([]);
    expect(tombstones().length).toBe(1);
  });
});

describe("deletions that cannot be read are no reason to show a row", () => {
  test("if the head or a page is absent, and the next read asks again", async () => {
    const objects: Objects = new Map();
    const leaf = putLeaf(objects, [10, 20]);
    const head = putHead(objects, leaf);
    const { ds, store } = await dataset(objects, head);
    for (const [hash, anchor] of [[leaf.hash, 10n], [head, 0n]] as const) {
      const key = keyOf(hash);
      const fresh = await openDataset(store, { manifest: ds.manifest.address });
      store.delete(key);
      const error = await expectFailure(fresh.array("a").read(anchor), "NotFound");
      expect([error.key, error.field, error.anchor]).toEqual([key, "a", anchor]);
      await expectFailure(fresh.media("m").read(anchor), "NotFound");
      store.set(key, objects.get(key) ?? DOCUMENT);
      expect((await fresh.array("a").read(anchor)) === undefined).toBe(anchor === 10n);
    }
  });

  test("if a page is not what its parent says of it", async () => {
    const objects: Objects = new Map();
    const leaf = putLeaf(objects, [10, 20]);
    const { ds } = await dataset(objects, putHead(objects, { ...leaf, max: 30 }));
    expect(await ds.array("a").read(9n)).toBeDefined();
    await expectFailure(ds.array("a").read(15n), "Tombstones");
  });

  test("if the head is of an unknown kind", async () => {
    const objects: Objects = new Map();
    const head = put(objects, map([["kind", text("dreamdb.tombstone-index.v9")], ["parents", array([])]]));
    await expectFailure((await dataset(objects, head)).ds.array("a").read(0n), "Tombstones");
  });

  test("if a bit of any of them is wrong", async () => {
    const objects: Objects = new Map();
    const leaf = putLeaf(objects, [10, 20]);
    const head = putHead(objects, leaf);
    for (const hash of [leaf.hash, head]) {
      const key = keyOf(hash);
      const { ds, store } = await dataset(objects, head);
      store.set(key, Uint8Array.from(objects.get(key) ?? [], (byte, at) => (at === 9 ? byte ^ 4 : byte)));
      expect((await expectFailure(ds.array("a").read(10n), "HashMismatch")).key).toBe(key);
    }
  });
});

describe("continuous Items", () => {
  test("lie in the bucket that their entry names, and are found by their first anchor", async () => {
    const modality = codec.modalityOf(TYPE, "continuous");
    const body = Uint8Array.of(42);
    const object = track(modality, array([array([uint(10), uint(20), uint(0xabc), bytes(multihash(body))])]));
    const registry = map([
      ["dreamdb.schema", schema([arrayField("c", DOCUMENT, "continuous", "time-batch")])],
      [modality, map([["item_type", DOCUMENT]])],
    ]);
    const root = manifest([{ field: "c", kind: "continuous", modality, track: address(object) }], registry);
    const store = recording(
      memoryStore([
        [`manifests/${address(root)}`, root],
        [`${TIMELINE}/${modality}/track/${address(object)}`, object],
        [`${TIMELINE}/${modality}/0000000000000abc/${address(body)}`, body],
      ]),
    );
    const field = (await openDataset(store, { manifest: address(root) })).array("c");
    expect(await field.read(10n)).toMatchObject({ data: body, anchor: 10n });
    expect(store.keys().at(-1)).toBe(`${TIMELINE}/${modality}/0000000000000abc/${address(body)}`);
    for (const anchor of [9n, 11n, 19n, 20n]) expect(await field.read(anchor)).toBeUndefined();
  });
});
