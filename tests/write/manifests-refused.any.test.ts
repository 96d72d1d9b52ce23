/** What a writer of manifests is refused, and what it may do where the reference has nothing to compare with. */
import { codec, Dataset, init, memoryStore, openDataset, Schema } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import { array, bytes, concat, map, text, uint } from "../../ts/cli/vectors/cbor.js";
import { addressBytesOf } from "../../ts/codec/hash.js";
import { manifestKey, refKey } from "../../ts/dataset/keys.js";
import { changed, list } from "../../ts/write/cbor.js";
import { arrayField, mediaField, type NewField } from "../../ts/write/manifests/fields.js";
import { expectThrown } from "../support/failure.js";
import { first, grown, moved, named, next, placed, read, timeline } from "../support/manifests.js";

beforeAll(() => init());

const MOST_TRACKS_BYTES = 1_048_576;
const NONE = array([]);

const numbers = (): Uint8Array => codec.encodeItemType({ dtype: "f32", shape: [3] });
const image = (name: string): NewField => mediaField(name, false, "image", "png");
const constant = (name: string): NewField => arrayField(name, false, "constant", numbers());
const noted = (parent: Uint8Array, key: string) => next(parent, { notes: { [key]: "text" } });
const addressItem = (name: string): Uint8Array => bytes(addressBytesOf(named(name)));
const schema = (...fields: readonly NewField[]): Uint8Array => map([["v", uint(1)], ["fields", array(fields.map((field) => field.schema))]]);

/** A manifest in canonical form, if what it is given is in order. */
function manifest(tracks: Uint8Array, registry: readonly (readonly [string, Uint8Array])[], timelines = array([addressItem("a timeline")])): Uint8Array {
  return map([["ts", uint(1)], ["tracks", tracks], ["writer", text("a test")], ["parents", NONE], ["registry", map(registry)], ["timelines", timelines]]);
}

/** A `tracks` container. */
function container(form: string, bindings: readonly Uint8Array[] = [], more: readonly string[] = []): Uint8Array {
  const keys = [["form", text(form)], ["edges", NONE], ["active", array(bindings)], ["lineage", NONE]] as const;
  return map([...keys, ...more.map((key) => [key, NONE] as const)]);
}

/** A binding of field `x`, images. */
function binding(): Uint8Array {
  return map([
    ["kind", text("continuous")], ["role", text("base")], ["field", text("x")], ["address", addressItem("a Track")], ["coverage", array([uint(0), uint(1)])],
    ["modality", text("image.png")], ["timeline", addressItem("a timeline")],
  ]);
}

/** The order of a map's keys in `manifest`, turned. */
function turned(object: Uint8Array): Uint8Array {
  const [first, rest] = [concat(text("ts"), uint(1)), object.subarray(1)];
  return concat(object.subarray(0, 1), rest.subarray(first.byteLength), first);
}

test("fields of any name have their place, by the bytes of their names", () => {
  const names = ["", "a\0b", "é", "Z", "\ufb01", "aa", "\u{1f600}", "b", "a/b"];
  const object = first(...names.map(image));
  const sorted = ["", "Z", "a\0b", "a/b", "aa", "b", "é", "\ufb01", "\u{1f600}"];
  expect(object.manifest.fields.map(({ name }) => name)).toEqual(sorted);
  expect(object.manifest.bindings.map(({ field }) => field)).toEqual(sorted);
  expect(first().tracksBytes).toBe(container("lineage-v1").byteLength);
});

test("fields that are there already", () => {
  expect(expectThrown(() => first(image("a"), image("a")), "InvalidArgument").message).toBe("field `a` is there already");
  expectThrown(() => first(constant("k"), constant("l")), "InvalidArgument");
  const parent = first(image("a"), constant("k")).bytes;
  expect(expectThrown(() => grown(parent, image("a")), "InvalidArgument").subject).toBe("a");
  const second = expectThrown(() => grown(parent, constant("l")), "InvalidArgument");
  expect(second.message).toBe("field `l` is a Constant of a modality that has one already, and is found by that alone");
  expect(grown(parent, image("b")).manifest.fields.map(({ name }) => name)).toEqual(["a", "b", "k"]);
});

test("a type that is registered once serves several fields, and one that is registered otherwise none", () => {
  const event = (name: string): NewField => arrayField(name, true, "event", numbers());
  expect(first(event("a"), event("b")).manifest.fields).toHaveLength(2);
  const entry = map([["item_type", map([["codec", text("raw")]])]]);
  const parent = manifest(container("lineage-v1"), [["dreamdb.schema", schema()], [event("a").modality, entry]]);
  expectThrown(() => grown(parent, event("a")), "MissingField");
});

test("a parent in bytes of a runtime's own kind is followed as any other", () => {
  class Own extends Uint8Array<ArrayBuffer> {
    override toString(): string {
      return new TextDecoder().decode(this);
    }
  }
  const parent = first(image("a")).bytes;
  expect(moved(Own.from(parent), { a: "t" })).toEqual(moved(parent, { a: "t" }));
});

test("moves that are refused", () => {
  const parent = first(image("a"), image("b")).bytes;
  expect(expectThrown(() => moved(parent, { zz: "t" }), "BindingMissing")).toMatchObject({
    message: "the manifest has no field `zz` that could have a new Track",
    subject: "zz",
  });
  const twice = ["t", "u"].map((track) => ({ field: "a", track: placed(track) }));
  expect(expectThrown(() => next(parent, { moved: twice }), "InvalidArgument").message).toBe("field `a` is given two Tracks at once");
  const same = expectThrown(() => moved(parent, { a: "empty" }), "InvalidArgument");
  expect(same).toMatchObject({ message: "field `a` has the Track already that it is to be given", subject: "a" });
  // Back to a Track that the field had before: it would be its own ancestor.
  const second = moved(parent, { a: "t" }).bytes;
  expectThrown(() => moved(second, { a: "empty" }), "BindingSetCollision");
  expectThrown(() => next(parent, { moved: [{ field: "a", track: placed("u", 6n, 6n) }] }), "WireOrType");
  // Two fields may have one Track.
  expect(moved(second, { b: "t" }).manifest.parents).toEqual([codec.addressOf(second)]);
});

test("notes that are refused", () => {
  const parent = first().bytes;
  for (const key of ["title", "", "Dreamdb.x", "dreamdb.schema", "dreamdb.tombstones", "dreamdb.entity_keys"]) {
    expect(expectThrown(() => noted(parent, key), "InvalidArgument").subject).toBe(key);
  }
  const once = noted(parent, "dreamdb.é");
  expect(once.manifest.notes).toEqual([["dreamdb.é", "text"]]);
  expect(next(once.bytes, { notes: { "dreamdb.é": "other" } }).manifest.notes).toEqual([["dreamdb.é", "other"]]);
  // What is there and is no text is not a note, whatever it is called.
  const held = manifest(container("lineage-v1"), [["dreamdb.x", NONE], ["dreamdb.schema", schema()]]);
  expectThrown(() => noted(held, "dreamdb.x"), "InvalidArgument");
});

test("parents that are refused", () => {
  const registry = [["dreamdb.schema", schema(image("x"))]] as const;
  const canonical = manifest(container("lineage-v1", [binding()]), registry);
  const refusal = expectThrown(() => moved(turned(canonical), { x: "t" }), "Cbor");
  expect(refusal.message).toBe("the manifest is not in canonical form, so no version can follow it");
  expectThrown(() => moved(concat(canonical, Uint8Array.of(0)), { x: "t" }), "Cbor");
  for (const [form, more] of [["lineage-v1", []], ["lineage-v2", ["backfill_claims"]]] as const) {
    const written = moved(manifest(container(form, [binding()], more), registry), { x: "t" });
    expect(written.manifest).toMatchObject({ tracksForm: form, bindings: [{ field: "x", track: named("t"), start: 5n, end: 6n }] });
  }
  const legacy = manifest(array([binding()]), registry);
  const v5 = manifest(container("lineage-v5", [binding()], ["origins", "backfill_claims"]), registry);
  for (const [parent, form] of [[legacy, "legacy"], [v5, "lineage-v5"]] as const) {
    const message = `the manifest's Tracks have the form \`${form}\`: this version does not write rows to it`;
    expect(expectThrown(() => moved(parent, { x: "t" }), "NotWritable")).toMatchObject({ message, subject: form });
    expectThrown(() => noted(parent, "dreamdb.x"), "NotWritable");
  }
  expectThrown(() => noted(manifest(container("lineage-v1"), [["dreamdb.schema", schema()]], NONE), "dreamdb.x"), "NotWritable");
});

test("where rows are keyed by entities, other things than rows can be written", () => {
  const registry = [["dreamdb.schema", schema(image("x"))], ["dreamdb.entity_keys", addressItem("keys")]] as const;
  const keyed = manifest(container("lineage-v4", [binding()], ["backfill_claims"]), registry);
  expectThrown(() => moved(keyed, { x: "t" }), "NotWritable");
  expectThrown(() => next(keyed, { tombstones: named("head") }), "NotWritable");
  expect(noted(keyed, "dreamdb.x").manifest.notes).toEqual([["dreamdb.x", "text"]]);
  expect(grown(keyed, image("y")).manifest.fields).toHaveLength(2);
});

test("the container is bounded", () => {
  // One field whose name fills it, the head of so long a text having four bytes more; a byte more would make it too large.
  const name = "n".repeat(MOST_TRACKS_BYTES - first(image("")).tracksBytes - 4);
  const full = first(image(name));
  expect(full.tracksBytes).toBe(MOST_TRACKS_BYTES);
  const refusal = expectThrown(() => first(image(`${name}n`)), "ManifestFull");
  expect(refusal).toMatchObject({ expected: "1048576", actual: "1048577" });
  expect(refusal.message).toBe(
    "the manifest's `tracks` would have 1048577 bytes, and nobody opens more than 1048576: " +
      "every version adds the Tracks that it replaces; write this one without lineage",
  );
  expect(noted(full.bytes, "dreamdb.x").tracksBytes).toBe(MOST_TRACKS_BYTES);
  expectThrown(() => moved(full.bytes, { [name]: "t" }), "ManifestFull");
});

test("lineage can be forgotten", () => {
  const empty = first(image("a"), image("b"));
  let object = empty.bytes;
  for (const track of ["t", "u", "v"]) object = moved(object, { a: track, b: track }).bytes;
  const forgotten = next(object, { moved: [{ field: "b", track: placed("w", 0n, 9n) }], forgetLineage: true });
  expect(forgotten.manifest.parents).toEqual([codec.addressOf(object)]);
  expect(forgotten.manifest.bindings.map(({ field, track, start, end }) => [field, track, start, end])).toEqual([
    ["a", named("v"), 5n, 6n],
    ["b", named("w"), 0n, 9n],
  ]);
  expect(forgotten.tracksBytes).toBe(empty.tracksBytes);
  expect(moved(forgotten.bytes, { a: "x" }).tracksBytes).toBeGreaterThan(empty.tracksBytes);
});

test("the timelines that a manifest names get that of its fields, in front of the first that is greater", () => {
  const registry = [["dreamdb.schema", schema(image("x"))]] as const;
  const own = addressBytesOf(timeline());
  const [less, more] = [0, 255].map((byte) => bytes(Uint8Array.of(0x1e, ...new Uint8Array(32).fill(byte))));
  const written = (...timelines: readonly (Uint8Array | undefined)[]) =>
    moved(manifest(container("lineage-v1", [binding()]), registry, array(timelines.map((one) => one ?? NONE))), { x: "t" }).manifest.timelines.map(addressBytesOf).map(bytes);
  expect(written()).toEqual([bytes(own)]);
  expect(written(less, more)).toEqual([less, bytes(own), more]);
  expect(written(more, less)).toEqual([bytes(own), more, less]);
  expect(written(less)).toEqual([less, bytes(own)]);
  expect(written(more, bytes(own))).toEqual([more, bytes(own)]);
});

test("a field that is added to a dataset with more timelines lies on that of its fields", async () => {
  const store = memoryStore();
  const made = await Dataset.create(store, "main", new Schema().array("a", { dtype: "u8", shape: [] }));
  const object = await store.get(manifestKey(made.current.manifest.address));
  const own = read(object).timelines.map((one) => bytes(addressBytesOf(one)));
  const parent = changed(object, { timelines: list([bytes(Uint8Array.of(0x1e, ...new Uint8Array(32))), ...own]) });
  const address = codec.addressOf(parent);
  await store.create(manifestKey(address), parent);
  await store.create(refKey("other"), addressBytesOf(address));
  const ds = await Dataset.open(store, "other");
  await ds.addField("b", { kind: "array", dtype: "u16", shape: [] });
  await ds.append([{ anchor: 1, values: { a: 1, b: 2 } }]);
  const opened = await openDataset(store, "other");
  expect((await opened.array("b").column()).data).toEqual(Uint16Array.of(2));
  expect((await opened.audit()).faults).toEqual([]);
});
