/** `import`: what NumPy wrote, as the reference reads it out of the dataset; runs that are killed; refusals before anything is stored. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Dataset, openDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { cli, inTerminal, json, MAIN, output } from "./support/program.js";
import { python } from "./support/reference.js";

let folder: string;
const at = (...names: string[]) => join(folder, ...names);

/** Writes what is imported: NumPy's own files, and images of which only the first bytes matter. */
const MAKE = `
import numpy as np, os
rng = np.random.default_rng(7)
os.chdir(given)
for name in ("pose", "numbers", "fortran", "image", "mixed", "many"): os.makedirs(name)
for i in range(12): np.save(f"pose/f_{i}.npy", rng.standard_normal((4, 4)).astype("f4"))
np.save("pose/f_2.npy", np.array([[np.nan, -0.0, np.inf, 1]] * 4, "f4"))
open("pose/README.txt", "w").write("no array")
for i in (900, 5, 10): np.save(f"numbers/{i}.npy", rng.integers(0, 2**63, (3,), "u8") * 2 + 1)
for i in (1, 2): np.save(f"fortran/{i}.npy", np.asfortranarray(rng.integers(-9, 9, (2, 3)).astype(">i2")))
np.save("stack.npy", rng.standard_normal((1000, 3)))
np.save("scalar.npy", np.array(2.5))
np.save("endless.npy", np.zeros((2**40, 0)))
for i in range(40): open(f"image/{1000 + i}.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + rng.bytes(200 + i))
for i in range(400): np.save(f"many/{i}.npy", rng.standard_normal(5))
for i in range(60): open(f"mixed/{i}.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + rng.bytes(5000))
for name, kind in dict(half="f2", complex="c8", bool="?", text="U3", object="O", times="M8[ns]").items(): np.save(f"bad_{name}.npy", np.zeros(3, kind))
np.save("bad_records.npy", np.zeros(3, [("a", "f4")]))
open("bad_cut.npy", "wb").write(open("stack.npy", "rb").read()[:-1])
open("bad_magic.npy", "wb").write(b"\\x93NUMPY\\x01\\x00\\xff\\xffx")
json.dump(None, sys.stdout)
`;

/** Whether the reference reads at each anchor exactly the array of a file, and how many Items its audit counts. */
const COMPARE = `
import dreamdb, numpy as np
ds = dreamdb.Dataset.open(given.get("ref", "main"), backend="file://" + given["backend"])
def same(anchor, path, index):
    expected = np.load(path)
    if index is not None: expected = expected[index]
    read = ds.get_array_item(given["field"], anchor)
    expected = np.ascontiguousarray(expected).astype(expected.dtype.newbyteorder("<"))
    read = np.ascontiguousarray(read).astype(read.dtype.newbyteorder("<"))
    return read.shape == expected.shape and read.dtype == expected.dtype and read.tobytes() == expected.tobytes()
wrong = [anchor for anchor, path, index in given["items"] if not same(int(anchor), path, index)]
json.dump({"wrong": wrong, "audit": ds.audit_array_field(given["field"])}, sys.stdout)
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dreamdb-import-"));
  await python(MAKE, folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** All of a field with its anchors, as text. */
async function contents(root: string, field: string): Promise<[string, string][]> {
  const ds = await openDataset(fsStore(root), "main");
  const info = ds.fields.find(({ name }) => name === field);
  const items = info?.kind === "image" ? ds.media(field) : ds.array(field);
  const anchors = [...(await items.anchors())];
  const read = await items.readMany(anchors);
  return read.map((outcome, number) => {
    if (outcome.status !== "value") throw new Error(`${field} at ${anchors[number]} is ${outcome.status}`);
    const { value } = outcome;
    const bytes = "data" in value ? new Uint8Array(value.data.buffer, value.data.byteOffset, value.data.byteLength) : value.bytes;
    return [String(anchors[number]), Buffer.from(bytes).toString("base64")];
  });
}

describe("what was imported is what the reference reads", () => {
  test("a folder, in the order of its numbers, with all that is declared; once more, and nothing happens", async () => {
    const command = ["import", at("a"), at("pose"), "--semantic", "pose", "--units", "m", "--frame", "camera", "--axes", "row,column", "--start", "100", "--step", "10", "--batch", "5"];
    const first = await cli(command);
    expect([first.status, first.stdout.toString()]).toEqual([0, expect.stringMatching(/^12 stored; field pose of main at d[a-z2-7]{52}, in /) as string]);
    expect(first.stderr).toContain("left out: 1 file that is neither .npy nor image");
    expect(first.stderr).toContain("12 Items of 768 bytes; anchors are from --start 100 --step 10, 100 … 210\n");
    const items = Array.from({ length: 12 }, (_, i) => [String(100 + 10 * i), at("pose", `f_${i}.npy`), null]);
    expect(await python(COMPARE, { backend: at("a"), field: "pose", items })).toEqual({ wrong: [], audit: 12 });
    const { fields } = (await json(["ls", at("a"), "--json"])) as { fields: object[] };
    expect(fields).toEqual([
      expect.objectContaining({ name: "pose", required: false, dtype: "f32", shape: ["4", "4"], codec: "raw", endianness: "little", layout: "c", semanticType: "pose", units: "m", frame: "camera", axisOrder: "row,column" }),
    ]);
    const before = await readdir(at("a", "manifests"));
    expect(await json([...command, "--json", "--quiet"])).toMatchObject({ stored: 0, present: 12, commits: 0, start: "100", end: "210" });
    expect(await readdir(at("a", "manifests"))).toEqual(before);
  });

  test("more fields: names that are anchors, 64-bit integers, big-endian Fortran order, NumPy files, single numbers, images", async () => {
    const into = (...args: string[]) => output(["import", at("b"), ...args, "--quiet"]);
    expect(await into(at("numbers"))).toMatch(/^3 stored/);
    expect(await into(at("fortran"))).toMatch(/^2 stored/);
    expect(await into(at("fortran"), "--field", "turned", "--layout", "c", "--endianness", "little", "--codec", "npy")).toMatch(/^2 stored/);
    expect(await into(at("scalar.npy"), "--start", "18446744073709551614")).toMatch(/^1 stored/);
    expect(await into(at("image"), "--pack-items", "16")).toMatch(/^40 stored/);
    const reference = (field: string, items: [string, string][]) => python(COMPARE, { backend: at("b"), field, items: items.map(([anchor, file]) => [anchor, at(file), null]) });
    expect(await reference("numbers", [["5", "numbers/5.npy"], ["10", "numbers/10.npy"], ["900", "numbers/900.npy"]])).toEqual({ wrong: [], audit: 3 });
    for (const field of ["fortran", "turned"]) expect(await reference(field, [["1", "fortran/1.npy"], ["2", "fortran/2.npy"]])).toEqual({ wrong: [], audit: 2 });
    expect(await reference("scalar", [["18446744073709551614", "scalar.npy"]])).toEqual({ wrong: [], audit: 1 });
    const { fields } = (await json(["ls", at("b"), "--json"])) as { fields: { name: string }[] };
    expect(fields.find(({ name }) => name === "fortran")).toMatchObject({ endianness: "big", layout: "f", codec: "raw" });
    expect(fields.find(({ name }) => name === "turned")).toMatchObject({ endianness: "little", layout: "c", codec: "npy" });
    expect(fields.find(({ name }) => name === "image")).toMatchObject({ mime: "png", packItems: "16", count: 40, start: "1000", end: "1040" });
    const images = await Promise.all(Array.from({ length: 40 }, async (_, i) => [String(1000 + i), (await readFile(at("image", `${1000 + i}.png`))).toString("base64")]));
    expect(await contents(at("b"), "image")).toEqual(images);
    // 16, 16 and 8 of them share an object.
    const { timeline } = await openDataset(fsStore(at("b")), "main");
    expect(await readdir(at("b", timeline, "image.png", "0000000000000000"))).toHaveLength(3);
    expect(await output(["audit", at("b")])).toMatch(/\nno faults in 48 Items, /);
  });

  test("a stack, element by element of its first axis", async () => {
    const run = ["import", at("c"), at("stack.npy"), "--stacked", "--start", "7", "--step", "3", "--quiet", "--batch", "300"];
    expect(await output(run)).toMatch(/^1,000 stored; field stack /);
    const items = [0, 1, 299, 300, 999].map((i) => [String(7 + 3 * i), at("stack.npy"), i]);
    expect(await python(COMPARE, { backend: at("c"), field: "stack", items })).toEqual({ wrong: [], audit: 1000 });
  });

  test("a dataset that the reference made is added to", async () => {
    const made = `
import dreamdb, numpy as np
schema = dreamdb.Schema()
schema.add_array("numbers", dtype="u64", shape=[3], units="ticks", required=False)
ds = dreamdb.Dataset.create("main", schema, "file://" + given["backend"])
ds.append_many([{"_anchor": 10, "numbers": np.load(given["file"])}])
json.dump(None, sys.stdout)
`;
    await python(made, { backend: at("d"), file: at("numbers", "10.npy") });
    expect(await output(["import", at("d"), at("numbers"), "--quiet"])).toMatch(/^2 stored, 1 were there already; /);
    const items = [5, 10, 900].map((anchor) => [String(anchor), at("numbers", `${anchor}.npy`), null]);
    expect(await python(COMPARE, { backend: at("d"), field: "numbers", items })).toEqual({ wrong: [], audit: 3 });
  });
});

describe("what does not fit is refused by name, and nothing is stored", () => {
  test.each<[string[], number, RegExp]>([
    [["bad_half.npy", "--start", "0"], 3, /UnsupportedDtype: .*bad_half\.npy holds float16 \(<f2\); a dtype is one of f32, /],
    [["bad_complex.npy", "--start", "0"], 3, /UnsupportedDtype: .*holds complex numbers/],
    [["bad_bool.npy", "--start", "0"], 3, /UnsupportedDtype: .*holds bool/],
    [["bad_times.npy", "--start", "0"], 3, /UnsupportedDtype: .*holds times/],
    [["bad_records.npy", "--start", "0"], 3, /UnsupportedDtype: .*holds records/],
    [["bad_cut.npy", "--start", "0"], 3, /PayloadLength: .*bad_cut\.npy/],
    [["bad_magic.npy", "--start", "0"], 3, /InvalidNpyHeader: .*bad_magic\.npy/],
    [["pose/f_0.npy", "numbers/5.npy", "--field", "x", "--start", "0"], 3, /WrongDtype: .*5\.npy has elements of dtype u64, and .*f_0\.npy f32/],
    [["stack.npy", "scalar.npy", "--field", "x", "--start", "0"], 3, /ShapeMismatch: .*scalar\.npy has Items of shape \[\], and .*stack\.npy \[1000, 3\]/],
    [["pose/f_0.npy", "image/1000.png", "--field", "x", "--start", "0"], 2, /f_0\.npy is an array, and .*1000\.png a png image/],
    [["pose/README.txt", "--start", "0"], 2, /README\.txt is neither a \.npy file nor a png, jpeg, webp or gif image/],
    [["pose"], 2, /which anchors\? "f_0\.npy" is no number; give --start/],
    [["stack.npy", "--stacked"], 2, /which anchors\?/],
    [["numbers/5.npy"], 2, /which field\?/],
    [["numbers/5.npy", "numbers/5.npy", "--field", "x"], 2, /have the same anchor, 5/],
    [["pose", "--start", "18446744073709551610"], 2, /anchor 18446744073709551621, and 2\^64 − 2 is the last one/],
    [["pose", "--start", "0", "--step", "0"], 2, /--step must be at least 1/],
    [["image", "--units", "m"], 2, /--units says nothing of images/],
    [["pose", "--start", "0", "--pack-items", "3"], 2, /--pack-items says nothing of arrays/],
    [["image", "--pack-items", "3", "--chunk-size", "100"], 2, /do not go together/],
    [["endless.npy", "--stacked", "--start", "0"], 2, /there are 1099511627776 Items, and 268435456 are the most at once/],
    [["nothing.npy"], 3, /NotFound: .*nothing\.npy: no such file/],
  ])("%j", async ([file = "", ...rest], status, words) => {
    const named = [file, ...rest].map((word) => (/\.(npy|png|txt)$|^(pose|image)$/.test(word) ? at(word) : word));
    const ended = await cli(["import", at("refused"), ...named]);
    expect(ended.stderr).toMatch(words);
    expect([ended.status, ended.stdout.length]).toEqual([status, 0]);
    await expect(readdir(at("refused"))).rejects.toThrow("ENOENT");
  });

  test("other content at an anchor, another declaration, a required field beside it", async () => {
    expect(await output(["import", at("e"), at("pose"), "--start", "0", "--units", "m", "--quiet"])).toMatch(/^12 stored/);
    const head = await readFile(at("e", "refs", "main"));
    const runs = await Promise.all([
      cli(["import", at("e"), at("pose"), "--start", "1"]),
      cli(["import", at("e"), at("pose"), "--start", "100", "--units", "cm"]),
      cli(["import", at("e"), at("numbers"), "--field", "pose"]),
      cli(["import", at("e"), at("image"), "--field", "pose"]),
    ]);
    expect(runs.map(({ status }) => status)).toEqual([3, 2, 3, 3]);
    for (const [number, words] of ["RepeatedAnchor: ", '--units cm: field "pose" is there and declares "m"', "WrongDtype: ", "WrongFamily: "].entries()) expect(runs[number]?.stderr).toContain(words);
    expect(await readFile(at("e", "refs", "main"))).toEqual(head);
    const required = `
import dreamdb
schema = dreamdb.Schema()
schema.add_array("must", dtype="f32", shape=[1])
dreamdb.Dataset.create("main", schema, "file://" + given)
json.dump(None, sys.stdout)
`;
    await python(required, at("f"));
    expect((await cli(["import", at("f"), at("pose"), "--start", "0"])).stderr).toMatch(/MissingValue: each row must have a value for field "must"/);
  });
});

/** Manifests that a folder has. */
async function versions(root: string): Promise<number> {
  return (await readdir(join(root, "manifests")).catch(() => [])).length;
}

describe("killed at any moment, and run again", () => {
  test.each([
    ["many", ["--batch", "40"]],
    ["mixed", ["--batch", "12", "--pack-items", "4"]],
  ])("%s: ends as one run does", async (name, options) => {
    const [clean, killed] = [at(`${name}-clean`), at(`${name}-killed`)];
    const command = (root: string) => ["import", root, at(name), ...options, "--quiet"];
    await output(command(clean));
    let cut = 0;
    for (let run = 1; run <= 4; run++) {
      const manifests = await versions(killed);
      const child = spawn(process.execPath, [MAIN, ...command(killed)], { stdio: "ignore" });
      const ended = once(child, "exit");
      // By what is there, not by the clock: machines differ. Somewhere within the commit that follows.
      while (child.exitCode === null && (await versions(killed)) < manifests + 1 + (run % 2)) await sleep(2);
      await sleep(Math.random() * 15);
      child.kill("SIGKILL");
      const [status] = (await ended) as [number | null];
      if (status === null) cut += 1;
    }
    expect(cut).toBeGreaterThan(0);
    await mkdir(join(killed, "refs"), { recursive: true });
    await writeFile(join(killed, "refs", "main.tmp-1-a-1"), "half");
    await output(command(killed));
    expect(await contents(killed, name)).toEqual(await contents(clean, name));
    const audits = (await Promise.all([clean, killed].map((root) => json(["audit", root, "--json"])))) as { fields: object; faults: object[] }[];
    expect(audits[1]?.fields).toEqual(audits[0]?.fields);
    expect(audits[1]?.faults).toEqual([]);
    // What a killed writer leaves beside the Ref is none.
    expect(await json(["ls", killed, "--json"])).toMatchObject({ refs: ["main"] });
    const anchors = `
import dreamdb
ds = [dreamdb.Dataset.open("main", backend="file://" + root) for root in given]
json.dump([[str(anchor) for anchor in d.list_anchors()] for d in ds], sys.stdout)
`;
    const [one, other] = (await python(anchors, [clean, killed])) as string[][];
    expect(other).toEqual(one);
    expect(new Set(one).size).toBe((await readdir(at(name))).length);
  });
});

test("a terminal gets a bar, and Ctrl-C leaves what the same command goes on with", async () => {
  const { status, text } = await inTerminal(["import", at("g"), at("many"), "--batch", "10"], { interruptAt: /many {2}\S+ \d+ %/ });
  expect(text).toMatch(/ of 400 {2}/);
  expect([status, text]).toEqual([130, expect.stringContaining("stopped; the same command goes on from here") as string]);
  const { stored, present } = (await json(["import", at("g"), at("many"), "--json", "--quiet"])) as { stored: number; present: number };
  expect([stored + present, stored > 0]).toEqual([400, true]);
  expect(await output(["audit", at("g")])).toMatch(/\nno faults in 400 Items, /);
});

test("an object store over HTTP that takes conditional PUTs, and one that takes none", async () => {
  await mkdir(at("served"));
  const [writable, other] = await Promise.all([serveDirectory(at("served"), { writable: true }), serveDirectory(at("served"))]);
  try {
    const refused = await cli(["import", other.url, at("pose"), "--start", "0"]);
    expect([refused.status, refused.stdout.length]).toEqual([3, 0]);
    expect(refused.stderr).toMatch(/^dreamdb-arrays: \w+: .*; next: /m);
    expect(await readdir(at("served"))).toEqual([]);
    expect(await output(["import", writable.url, at("pose"), "--start", "0", "--batch", "5", "--quiet"])).toMatch(/^12 stored/);
    expect(await output(["import", writable.url, at("image"), "--quiet"])).toMatch(/^40 stored/);
  } finally {
    await Promise.all([writable.close(), other.close()]);
  }
  const items = [0, 2, 11].map((i) => [String(i), at("pose", `f_${i}.npy`), null]);
  expect(await python(COMPARE, { backend: at("served"), field: "pose", items })).toEqual({ wrong: [], audit: 12 });
});

test("a row that was deleted stays deleted: nothing is stored at its anchor", async () => {
  await output(["import", at("i"), at("numbers"), "--quiet"]);
  await (await Dataset.open(fsStore(at("i")))).delete([10n], "wrong");
  const { status, stderr } = await cli(["import", at("i"), at("numbers")]);
  expect([status, stderr]).toEqual([3, expect.stringMatching(/DeletedAnchor: .*anchor 10/) as string]);
  expect(await contents(at("i"), "numbers").catch((error: Error) => error.message)).toBe("numbers at 10 is deleted");
});

test("an image that became another one is refused: what is there is compared by its bytes", async () => {
  await output(["import", at("h"), at("image", "1000.png"), "--field", "image", "--quiet"]);
  await writeFile(at("image", "1000.png"), "\u0089PNG\r\n\u001a\nother", "latin1");
  const { status, stderr } = await cli(["import", at("h"), at("image", "1000.png"), "--field", "image"]);
  expect([status, stderr]).toEqual([3, expect.stringContaining("RepeatedAnchor: ") as string]);
});
