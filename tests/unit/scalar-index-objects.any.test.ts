/** Indexes of scalar columns: forms that are read, and those that must be refused. */
import { init } from "dreamdb-arrays";
import { beforeAll, expect, test } from "vitest";
import { TIMELINE } from "../../ts/cli/vectors/documents.js";
import type { ScalarType } from "../../ts/dataset/scalar-values.js";
import { call } from "../../ts/wasm.js";
import { base32, multihash } from "../conformance/support/address.js";
import { array, bytes, concat, head, map, text, uint } from "../conformance/support/cbor-writer.js";
import { expectThrown } from "../support/failure.js";
import { checkIndex, codeOf, entriesOf, entry, leafOf, OBJECT, page, readPage, readTrack, tagOf, trackOf, TYPES } from "../support/scalar-objects.js";

beforeAll(() => init());

const OTHER = multihash(Uint8Array.of(1));
const MAX = 2n ** 64n - 1n;
const ORDERED: ScalarType[] = ["int", "float", "string", "timestamp"];
const ALL = Object.keys(TYPES) as ScalarType[];
const integers = "dreamdb.btree-int64";

const root = (type: ScalarType, index: Uint8Array) => readTrack(type, trackOf(type, index));

test("entries of a Track are columns", () => {
  const whole = array([bytes(Uint8Array.of(0xf5)), uint(1), uint(2), bytes(OTHER)]);
  const { entries } = root("bool", array([entry([0xf4]), whole, entry([0xf5])]));
  expect(entries).toEqual({
    words: BigUint64Array.of(0n, 1n, 1n),
    starts: BigUint64Array.of(3n, 1n, 3n),
    ends: BigUint64Array.of(9n, 2n, 9n),
    offsets: BigUint64Array.of(5n, 0n, 5n),
    lengths: BigUint64Array.of(31n, MAX, 31n),
    objects: Uint32Array.of(0, 1, 0),
    addresses: concat(OBJECT, OTHER),
  });
});

test("integers are read whatever their width, and as big ones; further elements are passed over", () => {
  const wide = array([
    bytes(Uint8Array.of(0xf5)),
    Uint8Array.of(0x1b, 0, 0, 0, 1, 0, 0, 0, 2),
    concat(Uint8Array.of(0xc2), bytes(Uint8Array.of(0, 0, 0, 0, 0, 2, 0, 0, 0, 3))),
    concat(Uint8Array.of(0x5b, 0, 0, 0, 0, 0, 0, 0, 33), OBJECT),
    Uint8Array.of(0x19, 0, 7),
    Uint8Array.of(0x1a, 0, 0, 0, 8),
    map([["a", array([uint(1), text("b")])]]),
  ]);
  const { entries } = root("bool", array([wide, entry([0xf4])]));
  expect(entries).toMatchObject({ starts: BigUint64Array.of(2n ** 32n + 2n, 3n), ends: BigUint64Array.of(2n ** 33n + 3n, 9n), offsets: BigUint64Array.of(7n, 5n), lengths: BigUint64Array.of(8n, 31n), words: BigUint64Array.of(1n, 0n) });
});

test("entries that are none are refused", () => {
  const front = [bytes(Uint8Array.of(0xf4)), uint(0), uint(1), bytes(OBJECT)];
  const [value, start, end, object] = front as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const bad = [
    uint(0),
    array([value, start, end]),
    array([Uint8Array.of(0xf4), start, end, object]),
    array([value, uint(1), uint(1), object]),
    array([value, uint(2n ** 40n), uint(2n ** 33n + 5n), object]),
    array([value, start, end, bytes(new Uint8Array(32).fill(0x1e))]),
    array([value, start, end, bytes(new Uint8Array(33).fill(0x1f))]),
    array([value, start, concat(Uint8Array.of(0xc2), bytes(new Uint8Array(9).fill(1))), object]),
    array([value, start, concat(Uint8Array.of(0xc3), bytes(Uint8Array.of(1))), object]),
    array([bytes(Uint8Array.of(0xf6)), start, end, object]),
    array([...front, text("x"), uint(1)]),
    array([...front, uint(1), uint(MAX)]),
    array([...front, uint(1)]),
  ];
  for (const one of bad) expect(codeOf(() => root("bool", array([one])))).toBe("ScalarIndex");
  expect(codeOf(() => root("bool", array([array(front)])))).toBeUndefined();
  expect(codeOf(() => root("bool", array([array([...front, uint(1), uint(MAX - 1n)])])))).toBeUndefined();
  expect(expectThrown(() => root("bool", array([entry([0xf4]), uint(0)])), "ScalarIndex").message).toBe("entry 1 of the index is malformed");
  expect(expectThrown(() => root("bool", array([entry([0xf6])])), "ScalarIndex").message).toBe("a value of the index is not the canonical encoding of a bool");
});

test("an index has the form of its type", () => {
  const tree = (form: string, pages: number, height: number, entries: number) =>
    map([["form", text(form)], ["root", bytes(OBJECT)], ["page_count", uint(pages)], ["tree_height", uint(height)], ["total_entries", uint(entries)]]);
  const good = tree("scalar-btree-v1", 3, 2, 9);
  for (const type of ORDERED) {
    expect(root(type, good)).toEqual({ root: base32(OBJECT), pages: 3n, height: 2n, total: 9n });
    expect(root(type, array([])).entries?.starts).toEqual(new BigUint64Array(0));
    const bad = [tree("paged", 3, 2, 9), tree("scalar-btree-v1", 1, 2, 9), tree("scalar-btree-v1", 1, 0, 9), tree("scalar-btree-v1", 3, 2, 0), map([]), array([entry([0])]), uint(0), text("x"), Uint8Array.of(0xc2, 0x41, 1)];
    for (const index of bad) expect(codeOf(() => root(type, index))).toBe("ScalarIndex");
  }
  for (const type of ["categorical", "bool"] as const) {
    expect(codeOf(() => root(type, good))).toBe("ScalarIndex");
    expect(root(type, array([])).entries?.starts.length).toBe(0);
  }
  const { message, subject } = expectThrown(() => root("int", map([["form", uint(1)], ["root", uint(1)], ["page_count", uint(1)], ["tree_height", uint(1)], ["total_entries", uint(1)]])), "ScalarIndex");
  expect([message, subject]).toEqual(["the `object_index` of the Track has a `form` that is not text", "form"]);
});

test("a Track is the one that is advertised, and well-formed", () => {
  const object = trackOf("bool", array([entry([0xf4])]));
  expect(codeOf(() => readTrack("bool", object, "scalar.bool.field=y"))).toBe("TrackMismatch");
  for (let end = 0; end < object.byteLength; end++) expect(codeOf(() => readTrack("bool", object.subarray(0, end)))).toBeDefined();
  expect(codeOf(() => root("bool", Uint8Array.of(0x9f, 0xff)))).toBe("Cbor");
  expect(codeOf(() => root("bool", array([concat(head(5, 1), uint(1), uint(1))])))).toBe("Cbor");
  const image = map([["coverage", array([uint(0), uint(1)])], ["modality", text("image.i64")], ["timeline", bytes(call((core) => core.addressBytes(TIMELINE)))], ["object_index", array([])]]);
  expect(expectThrown(() => readTrack("int", image, "image.i64"), "ScalarIndex").message).toBe("the Track is not one of a scalar column");
  expect(call((core) => core.decodeTrack(object, tagOf("bool"), TIMELINE, 0n, 1n))).toEqual({ form: "unread" });
});

test("pages are what their place says", () => {
  const child = array([bytes(Uint8Array.of(97)), bytes(Uint8Array.of(98)), bytes(OBJECT)]);
  const longer = array([bytes(Uint8Array.of(97)), bytes(Uint8Array.of(98)), bytes(OBJECT), array([uint(1)]), text("more")]);
  const above = page("internal", 1, integers, [child, longer, child]);
  expect(readPage("int", above, 1)).toEqual({ children: concat(OBJECT, OBJECT, OBJECT) });
  const good = page("leaf", 0, integers, [entry([0])]);
  expect(readPage("int", good).entries?.words).toEqual(BigUint64Array.of(0n));
  const [type, level, entries, algorithm] = [["type", text("leaf")], ["level", uint(0)], ["entries", array([entry([0])])], ["algorithm", text(integers)]] as const;
  const bad: [object: Uint8Array, level: number][] = [
    [above, 2],
    [page("leaf", 1, integers, [child]), 1],
    [page("internal", 0, integers, [entry([0])]), 0],
    [page("leaf", 0, "dreamdb.btree-string", [entry([0])]), 0],
    [page("leaf", 0, integers, []), 0],
    [page("internal", 1, integers, []), 1],
    [page("internal", 1, integers, [array([bytes(OBJECT), bytes(OBJECT)])]), 1],
    [page("internal", 1, integers, [array([bytes(OBJECT), uint(1), bytes(OBJECT)])]), 1],
    [page("internal", 1, integers, [array([bytes(OBJECT), bytes(OBJECT), bytes(OBJECT.subarray(1))])]), 1],
    [concat(good, Uint8Array.of(0)), 0],
    [map([[...type], [...level], [...entries]]), 0],
    [map([[...type], [...level], [...algorithm], ["more", uint(0)]]), 0],
    [map([[...type], [...level], [...algorithm], ["level", uint(0)]]), 0],
    [map([[...type], [...level], [...entries], [...algorithm], ["more", uint(0)]]), 0],
    [map([[...type], ["level", text("0")], [...entries], [...algorithm]]), 0],
    [map([[...type], [...level], ["entries", map([])], [...algorithm]]), 0],
    [array([]), 0],
  ];
  for (const [object, at] of bad) expect(codeOf(() => readPage("int", object, at))).toBe("ScalarIndex");
  expect(readPage("int", map([[...algorithm], [...entries], [...level], [...type]])).entries?.starts).toEqual(BigUint64Array.of(3n));
  for (let end = 0; end < good.byteLength; end++) expect(codeOf(() => readPage("int", good.subarray(0, end)))).toBeDefined();
});

test("what is wrong with a page is said, and of which key", () => {
  const said = (object: Uint8Array, level = 0) => {
    const { message, subject } = expectThrown(() => readPage("int", object, level), "ScalarIndex");
    return [message, subject];
  };
  const place = "a page of the scalar index";
  expect(said(array([]))).toEqual([`${place} is not a map`, undefined]);
  expect(said(map([["type", uint(0)], ["type", uint(0)]]))).toEqual([`${place} repeats the key \`type\``, "type"]);
  expect(said(map([["é", uint(0)]]))).toEqual([`${place} has the unknown key \`é\``, "é"]);
  expect(said(map([["type", uint(0)]]))).toEqual([`${place} lacks the key \`level\``, "level"]);
  expect(said(page("leaf", 0, integers, [entry([0])]), 1)).toEqual([`${place} is not of type \`internal\` at level 1, as it must be`, "level"]);
  expect(said(page("leaf", 0, "x", [entry([0])]))).toEqual([`${place} has a \`algorithm\` that is not ${integers}`, "algorithm"]);
  expect(said(page("leaf", 0, integers, []))).toEqual([`${place} has no entries, or further bytes behind its own`, "entries"]);
});

test("a descriptor is that of its field", () => {
  const build = (metric: string, version: number, algorithm: string, field: string) =>
    map([["metric", text(metric)], ["params", map([["version", uint(version)], ["leaf_fanout", uint(4096)]])], ["algorithm", text(algorithm)], ["field_name", text(field)]]);
  for (const type of ALL) {
    const [metric, algorithm] = [ORDERED.includes(type) ? "ordinal" : "categorical", TYPES[type][1]];
    expect(codeOf(() => checkIndex(type, build(metric, 1, algorithm, "x")))).toBeUndefined();
    const bad = [build("other", 1, algorithm, "x"), build(metric, 2, algorithm, "x"), build(metric, 1, "dreamdb.other", "x"), build(metric, 1, algorithm, "y"), map([])];
    for (const object of bad) expect(codeOf(() => checkIndex(type, object))).toBe("ScalarIndex");
  }
  const error = expectThrown(() => checkIndex("int", build("ordinal", 1, integers, "y")), "ScalarIndex");
  expect(error).toMatchObject({ message: "the descriptor of a scalar index says `field_name` y", subject: "field_name", expected: "x", actual: "y" });
  expect(codeOf(() => checkIndex("int", Uint8Array.of(0xa1)))).toBe("Cbor");
});

test("a declared type is that of the tag", () => {
  for (const type of ALL) {
    const other = type === "int" ? "bool" : "int";
    expect(codeOf(() => readTrack(type, trackOf(type, array([]))))).toBeUndefined();
    expect(expectThrown(() => readTrack(type, trackOf(type, array([])), tagOf(other)), "ScalarIndex").subject).toBe(type);
  }
  const unknown = expectThrown(() => readTrack("int", new Uint8Array(0), "scalar.dec.field=x"), "UnsupportedIndex");
  expect([unknown.subject, unknown.message]).toEqual(["scalar.dec.field=x", "modality `scalar.dec.field=x` is of a scalar type that this version does not know"]);
  expect(codeOf(() => readTrack("int", new Uint8Array(0), "scalar"))).toBe("MissingEncoding");
});

test("counts that lie cost nothing", () => {
  const liar = map([["type", text("leaf")], ["level", uint(0)], ["algorithm", text(integers)], ["entries", Uint8Array.of(0x9b, 0, 0, 0, 1, 0, 0, 0, 0)]]);
  expect(codeOf(() => readPage("int", liar))).toBe("Cbor");
  // As many items as the count says, and none is an entry: no column is made for them.
  const zeros = page("leaf", 0, integers, []).slice();
  const many = concat(zeros.subarray(0, -1 - text("algorithm").byteLength - text(integers).byteLength), Uint8Array.of(0x9a, 0, 16, 0, 0), new Uint8Array(2 ** 20), text("algorithm"), text(integers));
  expect(expectThrown(() => readPage("int", many), "ScalarIndex").message).toBe("entry 0 of the index is malformed");
  expect(entriesOf(leafOf("int", [0]), "int").words?.length).toBe(1);
});
