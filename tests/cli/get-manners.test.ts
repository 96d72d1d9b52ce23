/** What `get` refuses, what it fetches, and where it writes. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Dataset, Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { writeNpz } from "../../ts/cli/export/npy.js";
import { serveDirectory, type StaticServer } from "../../ts/cli/server/serve.js";
import { makeTempDir, testDir } from "../support/temp-dir.js";
import { cli, fixture, inTerminal, json, output } from "./support/program.js";
import { inPython } from "./support/readback.js";

const episode = fixture("episode");
const FIRST = "1700000000000000000";

let dir = "";
let server: StaticServer;
/** Rows of the large Items, and cells of each. */
const ROWS = 1000;
const CELLS = 500;
/** A text as nobody should write one, and such as ends with what NumPy drops. */
const EVIL = 'a\u001b[2J,"b"\nc';

beforeAll(async () => {
  dir = await makeTempDir();
  const schema = new Schema()
    .ragged("rag", { dtype: "f64", innerShape: [] })
    .csr("csr", { dtype: "f64", shape: [ROWS, 2n ** 40n] })
    .csr("wide", { dtype: "u8", shape: [1, 2n ** 64n - 1n], required: false })
    .array("none", { dtype: "f32", shape: [2, 0, 3], required: false })
    .array("half", { dtype: "i64", shape: [], required: false });
  const ds = await Dataset.create(fsStore(join(dir, "data")), "main", schema);
  const rowOffsets = BigUint64Array.from({ length: ROWS + 1 }, (_, row) => BigInt(CELLS * row));
  const values = Float64Array.from({ length: ROWS * CELLS }, (_, at) => at / 7);
  const columnIndices = BigUint64Array.from({ length: ROWS * CELLS }, (_, at) => 2n ** 30n * BigInt(at % CELLS));
  await ds.append([1n, 2n, 3n].map((anchor) => ({ anchor, values: { rag: { rowOffsets, values }, csr: { rowOffsets, columnIndices, values } } })));
  await ds.append([
    {
      anchor: 2n ** 64n - 2n,
      values: { rag: { rowOffsets, values }, csr: { rowOffsets, columnIndices, values }, wide: { rowOffsets: BigUint64Array.of(0n, 1n), columnIndices: BigUint64Array.of(2n ** 64n - 2n), values: Uint8Array.of(7) }, none: new Float32Array(0), half: BigInt64Array.of(-5n) },
    },
  ]);
  server = await serveDirectory(join(dir, "data"));
}, 60_000);

afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

/** The largest anchor that an Item can have. */
const LAST = String(2n ** 64n - 2n);

describe("refusals", () => {
  test.each<[string[], string]>([
    [["image"], 'field "image": many Items are many files; give an anchor, or a folder: -o FOLDER/'],
    [["pose", "-o", "x.foo"], 'the name "x.foo" does not say which format is meant; end it with .npy, .npz, .csv, .json, .jsonl or .bin, or give --format'],
    [["hits", "--format", "npy"], 'field "hits": a ragged array is no single array; it is got as .npz, and one row of it, with --row, as .npy'],
    [["contacts", FIRST, "--format", "npy"], 'field "contacts": a sparse matrix is no single array; it is got as .npz, which scipy.sparse.load_npz reads'],
    [["image", FIRST, "--format", "npy"], 'field "image": image bytes are no array; they are got as they are with --format raw, or as .json and .jsonl'],
    [["title", "--format", "csv"], 'field "title": a text is no array; it is got with --format raw or json'],
    [["pose", "--format", "raw"], 'field "pose": many payloads are many files; give an anchor, or a folder: -o FOLDER/'],
    [["hits", FIRST, "--row", "1", "--format", "raw"], 'field "hits": a payload is a whole Item; leave out --row and --rows, or choose another format'],
    [["pose", FIRST, "--row", "1"], 'field "pose": only ragged and sparse Items have rows to get; leave out --row and --rows'],
    [["hits", "--row", "1"], "rows are those of one Item; give its anchor"],
    [["hits", FIRST, "--rows", "3"], '--rows takes a range such as 3:7, not "3"'],
    [["hits", FIRST, "--rows", "3:1"], "the rows 3:1 end before they start"],
    [["hits", FIRST, "--row", "-1"], '--row must be a whole number below 2^64, not "-1"'],
    [["pose", FIRST, "--end", "5"], "an anchor is one Item, --start and --end are many; give the one or the others"],
    [["pose", "--start", "5", "--end", "4"], "--start 5 lies behind --end 4"],
    [["pose", "--start", "x"], '--start must be a whole number below 2^64, not "x"'],
    [["pose", FIRST, "-o", `${episode}/`], 'field "pose": a folder takes an Item a file, and this is one thing; name a file'],
    [["pose", "-o", "/nowhere/x.npy"], 'there is no folder "/nowhere" to write into; make it first'],
  ])("%j", async (args, line) => {
    const { status, stdout, stderr } = await cli(["get", episode, ...args]);
    expect([status, stdout.toString(), stderr]).toEqual([2, "", `dreamdb-arrays: usage: ${line}\n`]);
  });

  test.each<[string[], RegExp]>([
    [["pose", "7"], /^dreamdb-arrays: NotFound: field "pose" has no Item at anchor 7, or its row was deleted; /],
    [["image", "7"], /^dreamdb-arrays: NotFound: field "image" has no Item at anchor 7, /],
    [["hits", "7", "--row", "0"], /^dreamdb-arrays: NotFound: field "hits" has no Item at anchor 7, /],
    [["nothing"], /^dreamdb-arrays: NoSuchField: /],
    [["gravity", "7"], /^dreamdb-arrays: WrongKind: field "gravity" is a Constant/],
    [["hits", FIRST, "--row", "99"], /^dreamdb-arrays: InvalidArgument: .*rows 99 to 100, the latter excluded, are none of an Item that has 4/],
  ])("%j could not be done", async (args, line) => {
    const { status, stdout, stderr } = await cli(["get", episode, ...args]);
    expect([status, stdout.toString(), stderr]).toEqual([3, "", expect.stringMatching(line) as string]);
  });

  test("columns that SciPy has no index for, in .npz alone", async () => {
    const { status, stderr } = await cli(["get", join(dir, "data"), "wide", "-o", join(dir, "wide.npz")]);
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^dreamdb-arrays: Unsupported: field "wide" has 18446744073709551615 columns; /) as string]);
    expect(await readdir(dir)).not.toContain("wide.npz");
    expect(await output(["get", join(dir, "data"), "wide", "--format", "csv"])).toBe(`anchor,row,column,wide\n${LAST},0,18446744073709551614,7\n`);
  });

  test("bytes on a terminal", async () => {
    const { status, text } = await inTerminal(["get", episode, "image", FIRST]);
    expect([status, text]).toEqual([2, "dreamdb-arrays: usage: bytes would be written to the terminal; name a file with -o, or send it through a pipe\r\n"]);
    expect((await inTerminal(["get", episode, "pose", "--format", "npz"])).text).toContain("usage: .npz would be written to the terminal");
    expect((await inTerminal(["get", episode, "pose", FIRST, "--format", "csv"])).text).toMatch(/^anchor,"pose\[0,0\]",/);
  });
});

describe("--row", () => {
  test.each(["rag", "csr"])("fetches of a %s Item of megabytes only what the row takes", async (field) => {
    const before = server.requests.length;
    const row = 700;
    const value = (await json(["get", server.url, field, LAST, "--row", String(row)])) as { anchor: string; row: string; value: number[] | { values: number[]; column_indices: string[] } };
    const expected = Array.from({ length: CELLS }, (_, at) => (row * CELLS + at) / 7);
    expect([value.anchor, value.row]).toEqual([LAST, String(row)]);
    expect(Array.isArray(value.value) ? value.value : value.value.values).toEqual(expected);
    if (!Array.isArray(value.value)) expect(value.value.column_indices).toEqual(Array.from({ length: CELLS }, (_, at) => String(2n ** 30n * BigInt(at))));
    const fetched = server.requests.slice(before).filter(({ target }) => target.includes("array."));
    const sum = fetched.reduce((bytes, request) => bytes + request.bytes, 0);
    const whole = (await stat(await objectOf(join(dir, "data"), field))).size;
    expect(whole).toBeGreaterThan(ROWS * CELLS * 8);
    expect(fetched.length).toBeGreaterThan(0);
    expect(sum).toBeGreaterThanOrEqual(CELLS * 8);
    expect(sum).toBeLessThan(whole / 20);
  });

  test("of a matrix that is wider than 32 bits is read by SciPy", async () => {
    const path = join(await testDir(), "rows.npz");
    await output(["get", server.url, "csr", LAST, "--rows", "700:702", "-o", path, "--quiet"]);
    const program = 'import json, sys, scipy.sparse\nm = scipy.sparse.load_npz(sys.argv[1])\nprint(json.dumps([m.format, list(map(int, m.shape)), m.indptr.tolist(), str(m.indices.dtype), int(m.indices[-1]), float(m.data[0])]))';
    expect(await inPython(program, path)).toEqual(["csr", [2, 2 ** 40], [0, CELLS, 2 * CELLS], "int64", 2 ** 30 * (CELLS - 1), (700 * CELLS) / 7]);
  });
});

/** The largest object of a field. */
async function objectOf(root: string, field: string): Promise<string> {
  const names = (await readdir(root, { recursive: true })).filter((name) => name.includes("array.f64") && name.includes(field === "csr" ? `shape=${ROWS}x` : "shape=r"));
  const sizes = await Promise.all(names.map(async (name) => [(await stat(join(root, name))).size, join(root, name)] as const));
  return sizes.reduce((largest, each) => (each[0] > largest[0] ? each : largest))[1];
}

describe("floats of any bits", () => {
  test.each(["f32", "f64"] as const)("%s: the same in .npy, and read back from text, but for which NaN it is", async (dtype) => {
    const out = await testDir();
    const count = 20_000;
    const bits = new Uint32Array(count * (dtype === "f32" ? 1 : 2));
    // Linear congruences: any bits, the same in each run.
    for (let at = 0, state = 25; at < bits.length; at++) bits[at] = state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // And every way to be small.
    for (let at = 0; at < 2000; at += 2) bits[at + (dtype === "f32" ? 0 : 1)] = (bits[at] ?? 0) % (dtype === "f32" ? 0x0100_0000 : 0x0020_0000);
    const ds = await Dataset.create(fsStore(join(out, "data")), "main", new Schema().array("x", { dtype, shape: [count] }));
    await ds.append([{ anchor: 1n, values: { x: dtype === "f32" ? new Float32Array(bits.buffer) : new Float64Array(bits.buffer) } }]);
    await writeFile(join(out, "bits"), bits);
    for (const format of ["npy", "csv", "json"]) await output(["get", join(out, "data"), "x", "1", "-o", join(out, `x.${format}`), "--quiet"]);
    const program = `
import csv, json, sys, numpy as np
out, dtype = sys.argv[1], np.dtype(sys.argv[2])
bits = np.fromfile(out + "/bits", dtype="<u4")
kept = np.load(out + "/x.npy")
nan = np.isnan(kept)
line = list(csv.reader(open(out + "/x.csv", newline="")))[1][1:]
values = json.load(open(out + "/x.json"))["value"]
# Straight to their own precision, as whoever reads them does; by way of doubles for f32 it is the same.
texts = [np.array([dtype.type(text) for text in line]), np.array([dtype.type(value) for value in values])]
same = [bool(np.array_equal(np.isnan(text), nan)) and text[~nan].tobytes() == kept[~nan].tobytes() for text in texts]
subnormal = int(np.count_nonzero((np.abs(kept) < np.finfo(dtype).tiny) & (kept != 0)))
print(json.dumps([kept.dtype == dtype, kept.tobytes() == bits.tobytes(), same, bool(nan.any()), subnormal > 100]))
`;
    expect(await inPython(program, out, dtype === "f32" ? "<f4" : "<f8")).toEqual([true, true, [true, true], true, true]);
  });
});

describe("archives", () => {
  test("of more than stays in memory are as exact as small ones, and nothing else is left", async () => {
    const out = await testDir();
    for (const field of ["rag", "csr"]) await output(["get", join(dir, "data"), field, "-o", join(out, `${field}.npz`), "--quiet"]);
    expect((await readdir(out)).sort()).toEqual(["csr.npz", "rag.npz"]);
    const program = `
import json, sys, numpy as np, scipy.sparse
out, rows, cells = sys.argv[1], ${ROWS}, ${CELLS}
values = np.tile(np.arange(rows * cells) / 7, 4)
anchors = np.array([1, 2, 3, ${LAST}], dtype="<u8")
ragged, matrix = np.load(out + "/rag.npz"), scipy.sparse.load_npz(out + "/csr.npz")
print(json.dumps([
    ragged.files,
    [bool(np.array_equal(ragged[name], wanted)) for name, wanted in [
        ("values", values), ("row_offsets", np.arange(4 * rows + 1, dtype="<u8") * cells), ("item_offsets", np.arange(5, dtype="<u8") * rows), ("anchors", anchors)]],
    [list(map(int, matrix.shape)), bool(np.array_equal(matrix.data, values)), bool(np.array_equal(matrix.indptr, np.arange(4 * rows + 1) * cells))],
    [bool(np.array_equal(matrix.indices, np.tile(np.arange(cells, dtype="<i8") << 30, 4 * rows))), bool(np.array_equal(np.load(out + "/csr.npz")["anchors"], anchors))],
]))
`;
    expect(await inPython(program, out)).toEqual([
      ["row_offsets", "values", "item_offsets", "anchors"],
      [true, true, true, true],
      [[4 * ROWS, 2 ** 40], true, true],
      [true, true],
    ]);
  });

  test("have the arrays that SciPy's own have, in their order", async () => {
    const out = await testDir();
    await output(["get", episode, "contacts", FIRST, "-o", join(out, "ours.npz"), "--quiet"]);
    const program = `
import json, sys, numpy as np, scipy.sparse
out = sys.argv[1]
scipy.sparse.save_npz(out + "/theirs.npz", scipy.sparse.load_npz(out + "/ours.npz"), compressed=False)
ours, theirs = np.load(out + "/ours.npz"), np.load(out + "/theirs.npz")
print(json.dumps([ours.files == theirs.files, [name for name in ours.files if not np.array_equal(ours[name], theirs[name])], [ours[name].dtype == theirs[name].dtype for name in ("format", "shape", "data")]]))
`;
    expect(await inPython(program, out)).toEqual([true, [], [true, true, true]]);
  });

  test("are the same bytes each time", async () => {
    const [one, other] = [await cli(["get", episode, "hits", "--format", "npz"]), await cli(["get", episode, "hits", "--format", "npz"])];
    expect(one.stdout.length).toBeGreaterThan(1000);
    expect(one.stdout.equals(other.stdout)).toBe(true);
  });

  test("beyond 4 GiB are refused before a byte of them is written or asked for", async () => {
    const written: unknown[] = [];
    const member = {
      name: "data",
      descr: "<f4",
      shape: [2 ** 30],
      bytes: 2 ** 32,
      pieces: () => {
        throw new Error("it was asked for");
      },
    };
    await expect(writeNpz([member], { write: (data: unknown) => Promise.resolve(void written.push(data)) })).rejects.toMatchObject({ code: "TooLarge" });
    expect(written).toEqual([]);
  });
});

describe("where it writes", () => {
  test("arrays without elements keep their shape in .npy, an integer of no axes its sign", async () => {
    const out = await testDir();
    await output(["get", join(dir, "data"), "none", "-o", join(out, "none.npy"), "--quiet"]);
    await output(["get", join(dir, "data"), "half", LAST, "-o", join(out, "half.npy"), "--quiet"]);
    const program = 'import json, sys, numpy as np\na, b = np.load(sys.argv[1] + "/none.npy"), np.load(sys.argv[1] + "/half.npy")\nprint(json.dumps([list(a.shape), str(b.dtype), list(b.shape), int(b)]))';
    expect(await inPython(program, out)).toEqual([[1, 2, 0, 3], "int64", [], -5]);
    expect(await json(["get", join(dir, "data"), "none"])).toEqual([{ anchor: LAST, value: [[], []] }]);
  });

  test("a file is replaced, through links as well; what is no file is written into", async () => {
    const out = await testDir();
    await writeFile(join(out, "real.json"), "old");
    await symlink(join(out, "real.json"), join(out, "link.json"));
    await output(["get", episode, "gravity", "-o", join(out, "link.json"), "--quiet"]);
    expect(await readFile(join(out, "real.json"), "utf8")).toBe('{"value":[0,0,-9.81]}\n');
    await output(["get", episode, "gravity", "--format", "json", "-o", "/dev/null", "--quiet"]);
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
    expect((await readdir(out)).sort()).toEqual(["link.json", "real.json"]);
  });

  test.skipIf(!existsSync("/dev/full"))("a place without room is told, however little is written", async () => {
    const { status, stderr } = await cli(["get", episode, "gravity", "--format", "json", "-o", "/dev/full"]);
    expect([status, stderr]).toEqual([3, expect.stringContaining("ENOSPC") as string]);
  });

  test("a file may have a name as long as names may be", async () => {
    const out = join(await testDir(), `${"n".repeat(250)}.json`);
    await output(["get", episode, "gravity", "-o", out, "--quiet"]);
    expect(await readFile(out, "utf8")).toBe('{"value":[0,0,-9.81]}\n');
  });

  test("says on standard error what it wrote, and on standard output nothing but data", async () => {
    const out = await testDir();
    const { stdout, stderr } = await cli(["get", episode, "pose", "-o", join(out, "pose.npy")]);
    expect([stdout.length, stderr]).toEqual([0, `12 Items, 768 bytes → ${join(out, "pose.npy")}\n`]);
    const empty = await cli(["get", episode, "pose", "--start", "5", "--end", "6"]);
    expect([empty.status, empty.stdout.toString(), empty.stderr]).toEqual([0, "[]\n", "no Items in this window\n"]);
    expect(await output(["get", episode, "pose", "-o", "-", "--format", "npy"])).toContain("'shape': (12, 4, 4)");
  });

  test("a folder gets a file for each Item, and is made if need be", async () => {
    const out = await testDir();
    await output(["get", episode, "image", "-o", join(out, "new", "frames/"), "--quiet"]);
    await mkdir(join(out, "there"));
    await output(["get", episode, "image", "-o", join(out, "there"), "--quiet"]);
    const names = (await readdir(join(out, "new", "frames"))).sort();
    expect(names.length).toBe(12);
    expect(names[0]).toBe(`${FIRST}.png`);
    expect((await readdir(join(out, "there"))).sort()).toEqual(names);
    const [one, other] = await Promise.all([readFile(join(out, "there", names[0] ?? "")), cli(["get", episode, "image", FIRST])]);
    expect(other.stdout.equals(one)).toBe(true);
  });

  test("texts with escapes, quotes and lines: exact in files, harmless on a terminal", async () => {
    const source = await testDir();
    const program = `
import json, sys, dreamdb
schema = dreamdb.Schema().add_scalar_string("text")
dataset = dreamdb.Dataset.create("main", schema, f"file://{sys.argv[1]}")
dataset.append_many([{"_anchor": 1, "text": json.loads(sys.argv[2])}, {"_anchor": 2, "text": "ends with \\0"}])
print("null")
`;
    await inPython(program, source, JSON.stringify(EVIL));
    const exact = `anchor,text\n1,"${EVIL.replaceAll('"', '""')}"\n`;
    expect(await output(["get", source, "text", "1", "--format", "csv"])).toBe(exact);
    const { text } = await inTerminal(["get", source, "text", "1", "--format", "csv"]);
    expect(text).not.toContain("\u001b");
    expect(text).toContain("a\\u{1b}[2J");
    expect(await json(["get", source, "text"])).toEqual([
      { anchor: "1", value: EVIL },
      { anchor: "2", value: "ends with \0" },
    ]);
    expect((await cli(["get", source, "text", "--format", "npy"])).stderr).toMatch(/^dreamdb-arrays: Unsupported: field "text" has a text that ends with U\+0000/);
  });
});
