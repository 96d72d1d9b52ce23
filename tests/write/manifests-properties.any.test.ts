/**
 * Versions that follow any parent, whatever it holds besides what is understood, and damaged ones: a refusal with a code, or a canonical manifest that the
 * core reads, that has what was asked for, and in which everything else is byte for byte as it was.
 */
import { codec, init, isDreamDbError } from "dreamdb-arrays";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { CoreManifest } from "../../pkg/dreamdb_arrays.js";
import { type Edit, nextManifest, type WrittenManifest } from "../../ts/write/manifests/edit.js";
import { arrayField, mediaField, type NewField, scalarField } from "../../ts/write/manifests/fields.js";
import { type Cbor, CborMap, CborTag, compareBytes, decode, decodeFirst, encode } from "../conformance/naive/cbor.js";
import { BOUNDED, PATIENCE } from "../conformance/support/arbitraries.js";
import { sameBytes } from "../support/bytes.js";
import { first, fixtureManifests, named, read } from "../support/manifests.js";

let fixtures: readonly Uint8Array[] = [];

beforeAll(async () => {
  await init();
  fixtures = [...(await fixtureManifests()).values()];
});

const U64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(0n, 23n, 24n, 256n, 2n ** 53n + 1n, 2n ** 64n - 1n));
/** Of few letters, so that keys repeat; some of them are ordered differently by bytes and by UTF-16 units. */
const KEY = fc.string({ unit: fc.constantFrom("a", "b", "\ufeff", "\uffff", "\u{10000}"), maxLength: 3 });
/** Big numbers that take more than 64 bits, and tags of other kinds. */
const TAG = fc.constantFrom(new CborTag(2n, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0)), new CborTag(3n, Uint8Array.of(1)), new CborTag(65_536n, "x"));
const { tree: ANYTHING } = fc.letrec<{ tree: Cbor }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    U64,
    U64.map((value) => -1n - value),
    fc.uint8Array({ maxLength: 40 }),
    KEY,
    fc.boolean(),
    fc.constant(null),
    TAG,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.array(fc.tuple(KEY, tie("tree")), { maxLength: 4 }).map((pairs) => new CborMap(pairs)),
  ),
}));

/** A tree with the pairs of all its maps in order. */
function inOrder(value: Cbor): Cbor {
  if (value instanceof CborTag) return new CborTag(value.number, inOrder(value.value));
  if (value instanceof CborMap) {
    const pairs = value.pairs.map(([key, inner]) => [key, inOrder(inner)] as const);
    return new CborMap(pairs.sort(([one], [other]) => compareBytes(encode(one), encode(other))));
  }
  return Array.isArray(value) ? value.map((inner: Cbor) => inOrder(inner)) : value;
}

const TYPE = { dtype: "f32", shape: [3] } as const;
const field = (name: string, form: number): NewField =>
  form === 0 ? mediaField(name, false, "image", "png") : form === 1 ? scalarField("s", true, "int") : arrayField(name, form === 2, form === 4 ? "constant" : "event", codec.encodeItemType(TYPE));
const FIELD = fc.tuple(fc.constantFrom("a", "b", "", "\uffff", "\u{10000}", "new", "ab", "bb", "\ufeff"), fc.nat(4));
const TRACK = fc.record({ track: fc.nat(60), start: fc.bigInt({ min: 0n, max: 3n }), end: fc.constantFrom(4n, 5n, 2n ** 64n - 1n, 4n, 1n) });
const placed = ({ track, start, end }: { readonly track: number; readonly start: bigint; readonly end: bigint }) => ({ address: named(`track ${track}`), start, end });
const NOTE = fc.oneof({ arbitrary: fc.constantFrom("dreamdb.a", "dreamdb.é", "dreamdb.description"), weight: 9 }, fc.constantFrom("dreamdb.schema", "other"));

/** An edit; fields that move are chosen by number. */
const EDIT = fc
  .record({
    moved: fc.uniqueArray(fc.tuple(fc.nat(30), TRACK), { maxLength: 3, selector: ([number]) => number % 4 }),
    added: fc.array(fc.tuple(FIELD, TRACK), { maxLength: 2 }),
    head: fc.option(fc.nat(3), { nil: undefined }),
    notes: fc.dictionary(NOTE, KEY, { maxKeys: 2 }),
    timestamp: U64,
    writer: KEY,
    forgetLineage: fc.boolean(),
  })
  .map(({ moved, added, head, ...more }) => ({ fields }: CoreManifest): Edit => ({
    ...more,
    moved: moved.flatMap(([number, track]) => {
      const name = number === 30 ? "none" : fields[number % 4]?.name;
      return name === undefined ? [] : [{ field: name, track: placed(track) }];
    }),
    added: added.map(([[name, form], track]) => ({ field: field(name, form), track: placed(track) })),
    tombstones: head === undefined ? undefined : named(`head ${head}`),
  }));

/** What is under keys of maps. */
const at = (value: Cbor | undefined, ...keys: readonly string[]): Cbor | undefined => keys.reduce((inner, key) => (inner instanceof CborMap ? inner.get(key) : undefined), value);
const listAt = (value: Cbor, ...keys: readonly string[]): readonly Cbor[] => (at(value, ...keys) ?? []) as readonly Cbor[];
const spelled = (value: Cbor | undefined): string => (value === undefined ? "absent" : encode(value).join());
const nameOf = (item: Cbor): Cbor | undefined => at(item, item instanceof CborMap && item.has("name") ? "name" : "field");

/** The pairs of a map but those of some keys, as they are spelled. */
function others(map: Cbor | undefined, keys: readonly string[]): string[] {
  return map instanceof CborMap ? map.pairs.filter(([key]) => !keys.includes(key as string)).map((pair) => pair.map(spelled).join("=")) : [];
}

/** The version that follows, held against its parent; `undefined` if it is refused. */
function followed(parent: Uint8Array, before: CoreManifest, edit: Edit): WrittenManifest | undefined {
  const tree = decodeFirst(parent).value;
  const isCanonical = sameBytes(encode(inOrder(tree)), parent);
  let written: WrittenManifest;
  try {
    written = nextManifest(parent, before, edit);
  } catch (error) {
    if (!isDreamDbError(error) || (!isCanonical && error.code !== "Cbor")) throw error;
    return undefined;
  }
  expect(isCanonical).toBe(true);
  const { bytes, manifest } = written;
  const made = decode(bytes);
  expect(sameBytes(encode(inOrder(made)), bytes)).toBe(true);
  expect(written.address).toBe(codec.addressOf(bytes));
  expect(manifest).toEqual(read(bytes));

  const { timestamp, writer, moved, added, tombstones = before.tombstones, notes = {} } = edit;
  expect(manifest).toMatchObject({ timestamp, writer, parents: [codec.addressOf(parent)], tracksForm: before.tracksForm });
  expect(manifest.tombstones).toBe(tombstones);
  for (const note of Object.entries(notes)) expect(manifest.notes).toContainEqual(note);
  for (const { field: name, track } of moved) expect(manifest.bindings).toContainEqual(expect.objectContaining({ field: name, track: track.address, start: track.start, end: track.end }));
  for (const { field: { name, kind, modality, schema }, track } of added) {
    expect(manifest.bindings).toContainEqual(expect.objectContaining({ field: name, kind, modality, track: track.address }));
    expect(listAt(made, "registry", "dreamdb.schema", "fields").map(spelled)).toContain(spelled(decode(schema)));
  }

  // Everything else is as it was.
  const own = ["ts", "tracks", "writer", "parents", "registry", "timelines"];
  expect(others(made, own)).toEqual(others(tree, own));
  const declares = new Set(others(at(tree, "registry"), []).map((pair) => pair.slice(0, pair.indexOf("="))));
  const fresh = added.map((one) => one.field.modality).filter((key) => !declares.has(spelled(key)));
  const changed = ["dreamdb.schema", ...(edit.tombstones === undefined ? [] : ["dreamdb.tombstones"]), ...Object.keys(notes), ...fresh];
  expect(others(at(made, "registry"), changed)).toEqual(others(at(tree, "registry"), changed));
  expect(others(at(made, "registry", "dreamdb.schema"), ["fields"])).toEqual(others(at(tree, "registry", "dreamdb.schema"), ["fields"]));
  expect(others(at(made, "registry", "dreamdb.tombstones"), ["head"])).toEqual(others(at(tree, "registry", "dreamdb.tombstones"), ["head"]));
  const news = added.map((one) => one.field.name);
  const fields = (of: Cbor) => listAt(of, "registry", "dreamdb.schema", "fields").filter((entry) => !news.includes(nameOf(entry) as string)).map(spelled);
  expect(added.length === 0 ? fields(made) : fields(made).sort()).toEqual(added.length === 0 ? fields(tree) : fields(tree).sort());
  const gone = moved.map((one) => one.field);
  const bindings = (of: Cbor) => listAt(of, "tracks", "active").filter((binding) => ![...news, ...gone].includes(nameOf(binding) as string)).map(spelled);
  expect(bindings(made)).toEqual(bindings(tree));
  expect(others(at(made, "tracks"), ["edges", "active", "lineage"])).toEqual(others(at(tree, "tracks"), ["edges", "active", "lineage"]));
  const past = edit.forgetLineage ? [] : [...listAt(tree, "tracks", "lineage"), ...listAt(tree, "tracks", "active").filter((binding) => gone.includes(nameOf(binding) as string))];
  expect(listAt(made, "tracks", "lineage").map(spelled).sort()).toEqual(past.map(spelled).sort());
  expect(listAt(made, "tracks", "edges")).toHaveLength(edit.forgetLineage ? 0 : listAt(tree, "tracks", "edges").length + moved.length);
  expect(listAt(made, "timelines").map(spelled)).toEqual(expect.arrayContaining(listAt(tree, "timelines").map(spelled)));
  return written;
}

/** Two versions, one after the other; of a field that moved there is a past, which can be forgotten. */
function follow(parent: Uint8Array, edits: readonly ((manifest: CoreManifest) => Edit)[]): number {
  let [object, versions] = [parent, 0];
  for (const edit of edits) {
    const manifest = read(object);
    const written = followed(object, manifest, edit(manifest));
    if (written !== undefined) [object, versions] = [written.bytes, versions + 1];
  }
  return versions;
}

/** What is put into a parent that is made by hand: anything, under keys that nobody knows. */
const EXTRAS = fc.record({
  root: fc.array(fc.tuple(KEY.map((key) => `x${key}`), ANYTHING), { maxLength: 3 }).map((pairs) => [...new Map(pairs)]),
  registry: fc.array(fc.tuple(fc.oneof(KEY, fc.constantFrom("dreamdb.a", "dreamdb.é")), ANYTHING), { maxLength: 4 }),
  repeated: fc.nat(9),
  entry: fc.array(fc.tuple(KEY.map((key) => `x${key}`), ANYTHING), { maxLength: 2 }).map((pairs) => [...new Map(pairs)]),
  claims: fc.option(ANYTHING, { nil: undefined }),
});

test("any edits of manifests with anything in them", () => {
  let versions = 0;
  const fields = fc.uniqueArray(FIELD, { maxLength: 4, selector: ([name, form]) => (form === 1 ? "s" : form === 4 ? "k" : name) });
  fc.assert(
    fc.property(fields, EXTRAS, fc.array(EDIT, { minLength: 1, maxLength: 4 }), (declared, extras, edits) => {
      const unique = new Map(declared.map(([name, form]) => field(name, form)).map((one) => [one.name, one]));
      const map = (value: Cbor | undefined) => (value as CborMap).pairs;
      const put = (value: Cbor | undefined, key: string, inner: Cbor) => new CborMap(map(value).map(([name, old]) => [name, name === key ? inner : old]));
      const root = decode(first(...unique.values()).bytes);
      const schema = at(root, "registry", "dreamdb.schema");
      const entries = listAt(schema ?? null, "fields").map((entry) => new CborMap([...map(entry), ...extras.entry]));
      const registry = put(at(root, "registry"), "dreamdb.schema", put(schema, "fields", entries));
      const again = registry.pairs[extras.repeated];
      const all = new CborMap([...registry.pairs, ...(again === undefined ? [] : [again]), ...extras.registry]);
      const tracks = extras.claims === undefined ? at(root, "tracks") : new CborMap([...map(put(at(root, "tracks"), "form", "lineage-v2")), ["backfill_claims", extras.claims]]);
      const parent = encode(inOrder(new CborMap([...map(put(put(root, "registry", all), "tracks", tracks ?? null)), ...extras.root])));
      try {
        read(parent);
      } catch (error) {
        // What an entry repeats is looked at by the core, whatever its key is.
        if (isDreamDbError(error, "RegistryAgreement", "RegistryItemTypeDuplicate", "Cbor")) return;
        throw error;
      }
      versions += follow(parent, edits);
    }),
    BOUNDED,
  );
  expect(versions).toBeGreaterThan(0);
}, PATIENCE);

test("edits of the reference's manifests, damaged or with anything in place of any part", () => {
  let versions = 0;
  const damage = fc.oneof(
    fc.record({ bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }) }),
    fc.record({ number: fc.nat(300), other: ANYTHING }),
    fc.record({ cut: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.nat(), damage, EDIT, (which, done, edit) => {
      let parent = fixtures[which % fixtures.length]?.slice() ?? new Uint8Array(0);
      if ("bytes" in done) for (const [place, byte] of done.bytes) parent[place % parent.byteLength] = byte;
      else if ("cut" in done) parent = parent.subarray(0, done.cut % parent.byteLength);
      else parent = encode(inOrder(exchanged(decode(parent), done.number, done.other)));
      try {
        read(parent);
      } catch (error) {
        expect(isDreamDbError(error)).toBe(true);
        return;
      }
      versions += follow(parent, [edit, edit]);
    }),
    { ...BOUNDED, numRuns: 1500 },
  );
  expect(versions).toBeGreaterThan(0);
}, PATIENCE);

/** A tree with another value in place of the one with that number, counted from the root; the same if there are not so many. */
function exchanged(tree: Cbor, number: number, other: Cbor): Cbor {
  let left = number;
  const walk = (value: Cbor): Cbor => {
    if (left-- === 0) return other;
    if (value instanceof CborMap) return new CborMap(value.pairs.map(([key, inner]) => [key, walk(inner)]));
    return Array.isArray(value) ? value.map((inner: Cbor) => walk(inner)) : value;
  };
  return walk(tree);
}

test("all of the reference's manifests are followed, or are of a form that is not written", () => {
  const forms = new Set<string>();
  for (const parent of fixtures) {
    const { fields, bindings, tracksForm } = read(parent);
    const note = { timestamp: 7n, writer: "w", moved: [], added: [], notes: { "dreamdb.x": "note" } };
    const moved = fields.map(({ name, binding }) => {
      const { start = 0n, end = 1n } = bindings[binding] ?? {};
      return { field: name, track: { address: codec.addressOf(parent), start, end } };
    });
    const versions = follow(parent, [() => ({ ...note, moved }), () => ({ ...note, forgetLineage: true })]);
    if (versions < 2) forms.add(`${tracksForm} ${versions}`);
  }
  expect([...forms].sort()).toEqual(["legacy 0", "lineage-v4 1"]);
}, PATIENCE);
