/** `id`, `tag`, `verify`, `outboard`, `pack`, `unpack`, `vectors`: against the vectors, and against BLAKE3 of other origin. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openArrayField } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { address } from "../conformance/support/address.js";
import { cli, inTerminal, json, output } from "./support/program.js";

interface Vector {
  readonly id: string;
  readonly operation: string;
  readonly item_type?: Readonly<Record<string, unknown>>;
  readonly modality?: string;
  readonly data?: { readonly length: number };
  readonly [expected: `expected_${string}`]: unknown;
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dreamdb-tools-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function vectors(file: string, operation: string): Promise<Vector[]> {
  const all = JSON.parse(await readFile(new URL(`../../vectors/${file}`, import.meta.url), "utf8")) as Vector[];
  return all.filter((vector) => vector.operation === operation);
}

async function written(name: string, bytes: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** Bytes as the vectors make them. */
const pattern = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251);

describe("id", () => {
  test("gives the identity and the canonical CBOR of the vectors, whichever way the type is spelled", async () => {
    const found = [
      ...(await vectors("0025/typed-array/named.json", "encode-item-type")),
      ...(await vectors("0025/post-v1-array/documents.json", "encode-item-type")),
      ...(await vectors("0025/post-v1-array/free-text.json", "encode-item-type")),
    ].filter((vector) => typeof vector["expected_item_id"] === "string");
    const chosen = [...found.slice(0, 2), ...found.slice(-1)];
    expect(chosen).toHaveLength(3);
    for (const { item_type: type = {}, expected_item_id: itemId, expected_type_cbor_hex: cbor, expected_modality: modality } of chosen) {
      const camel = Object.fromEntries(Object.entries(type).map(([key, value]) => [key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), value]));
      const [snake, other] = await Promise.all([type, camel].map((spelled) => json(["id", "-", "--json"], { input: JSON.stringify(spelled) })));
      expect(snake).toMatchObject({ itemId, cbor });
      if (modality !== undefined) expect(Object.values((snake as { modalities: object }).modalities)).toContain(modality);
      expect(other).toEqual(snake);
    }
  });

  // The identity and the tags of Spec 0025's own example, and what the reference makes of a fourfold of f32.
  const POSE = "dyulsw4ssxbrtjwnjjdf3abnvzb5mt7mf26og25k66s2tlkcf2kmk";

  test("fills in what the package fills in, writes the CBOR, and reads it", async () => {
    const type = await written("pose.json", `\ufeff{"dtype": "f32", "shape": [4, "4"], "semantic_type": "pose", "units": "m", "frame": "camera"}`);
    const text = await output(["id", type, "--cbor", join(folder, "pose.cbor")]);
    expect(text).toMatch(new RegExp(`^id +${POSE}\n`));
    for (const words of ["event.storage=unbucketed", "continuous.storage=time_batch", "constant.storage=constant"]) {
      expect(text).toContain(`array.f32.kind=${words}.shape=4x4.item=${POSE}\n`);
    }
    expect(address(await readFile(join(folder, "pose.cbor")))).toBe(POSE);
    expect(await output(["id", join(folder, "pose.cbor")])).toBe(text);
    const binds = ["tag", `array.f32.kind=event.storage=unbucketed.shape=4x4.item=${POSE}`, "--type", type];
    expect(await output(binds)).toMatch(/^Track +event\n(?:.*\n)+binds +yes, on Tracks of kind event\n$/m);
    const other = await written("other.json", `{"dtype": "f32", "shape": [4, 4], "units": "cm"}`);
    const { status, stdout } = await cli([...binds.slice(0, 3), other]);
    expect([status, stdout.toString()]).toEqual([1, expect.stringMatching(/\nbinds +no: IdentityMismatch, /) as string]);
  });

  test.each([
    [`{"dtype": "f32", "shape": [4], "units": "m", "units": "cm"}`, "DuplicateField"],
    [`{"dtype": "f32", "shape": [4], "semantic_type": "a", "semanticType": "b"}`, "DuplicateField"],
    [`{"dtype": "f32", "shape": [4], "unit": "m"}`, "UnknownField"],
    [`{"dtype": "f16", "shape": [4]}`, "UnsupportedDtype"],
    [`{"dtype": "f32", "shape": [2.0]}`, "InvalidArgument"],
    [`{"dtype": "f32", "shape": [18446744073709551616]}`, "InvalidArgument"],
    [`{"dtype": "f32"`, "InvalidArgument"],
    ["\u00a0", "NotAMap"],
  ])("refuses %s with %s", async (input, code) => {
    const { status, stdout, stderr } = await cli(["id", "-"], { input });
    expect([status, stdout.length, stderr]).toEqual([3, 0, expect.stringContaining(`: ${code}: standard input: `) as string]);
  });
});

test("tag says what the vectors expect of a tag's grammar", async () => {
  const found = await vectors("0025/typed-array/grammar.json", "parse-modality");
  // An array's tag must have a kind and a storage that are known, which the grammar alone does not ask.
  const accepted = found.filter(({ expected_class: name }) => name !== undefined && name !== "array").slice(0, 4);
  const refused = found.filter(({ expected_error: code }) => code !== undefined).filter((_, at) => at % 40 === 0);
  expect([accepted.length, refused.length > 1]).toEqual([4, true]);
  await Promise.all(
    [...accepted, ...refused].map(async ({ modality = "", expected_class: name, expected_error: code }) => {
      const { status, stdout } = await cli(["tag", "--json", "--", modality]);
      const said = JSON.parse(stdout.toString()) as { valid: boolean; class?: string; refusal?: { code: string } };
      expect([status, said.valid, said.class, said.refusal?.code]).toEqual(code === undefined ? [0, true, name, undefined] : [1, false, undefined, code]);
    }),
  );
});

describe("verify", () => {
  test.each([0, 1 << 20, (1 << 20) + 1, (3 << 20) + 1025])("%i bytes", async (length) => {
    const bytes = pattern(length);
    const right = address(bytes);
    const path = await written(right, bytes);
    expect(await output(["verify", path])).toMatch(new RegExp(`^right {2}.*, is what ${right} says\n$`));
    const wrong = address(Uint8Array.of(1, 2, 3));
    const { status, stdout } = await cli(["verify", "-", wrong, "--json"], { input: bytes });
    expect([status, JSON.parse(stdout.toString())]).toEqual([1, { file: "-", bytes: length, address: right, expected: wrong, same: false }]);
  });

  test("what is no address, or no file", async () => {
    const path = await written("some.bin", "x");
    const runs = await Promise.all([cli(["verify", path]), cli(["verify", path, "d2x"]), cli(["verify", join(folder, "none"), address(new Uint8Array(0))]), cli(["verify", folder, address(new Uint8Array(0))])]);
    expect(runs.map(({ status }) => status)).toEqual([2, 2, 3, 3]);
    expect(runs.map(({ stderr }) => stderr.split("\n").length)).toEqual([2, 2, 2, 2]);
  });
});

test("outboard writes what the vectors have, and tells the address", async () => {
  const found = (await vectors("bao/outboards.json", "make-outboard")).filter(({ data }) => data !== undefined && data.length < 1 << 20);
  const chosen = found.filter((_, at) => at % 8 === 0);
  expect(chosen.length).toBeGreaterThan(1);
  for (const { data, expected_address: expected, expected_outboard_address: proof, expected_outboard_length: length } of chosen) {
    const path = await written("body.bin", pattern(data?.length ?? 0));
    expect(await output(["outboard", path, "--quiet"])).toBe(`${expected as string}\n`);
    const made = await readFile(`${path}.obao`);
    expect([made.byteLength, address(made)]).toEqual([length, proof]);
    await output(["outboard", path, "--quiet", "--store", folder]);
    expect(await readFile(join(folder, "bao-outboard", expected as string))).toEqual(made);
  }
});

describe("pack and unpack", () => {
  const bodies = [pattern(5000), new Uint8Array(0), pattern(1025).map((value) => value ^ 0x55)];
  let files: string[];

  beforeAll(async () => {
    await mkdir(join(folder, "items"));
    files = await Promise.all(bodies.map((body, at) => written(`items/${1000 * (at + 1)}.bin`, body)));
  });

  test("there and back", async () => {
    const pack = join(folder, "p.pack");
    const { status, stdout, stderr } = await cli(["pack", pack, ...files]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("anchors are from the names of the files\n") as string]);
    const whole = Buffer.concat(bodies);
    expect(await readFile(pack)).toEqual(whole);
    const offsets = ["0", "5000", "5000"];
    expect(JSON.parse(stdout.toString())).toEqual(
      bodies.map(({ byteLength }, at) => {
        const start = 1000 * (at + 1);
        return { start: `${start}`, end: `${start + 1}`, size: `${byteLength}`, address: address(whole), packOffset: offsets[at], file: `${start}.bin` };
      }),
    );
    const [entries, made] = [await written("entries.json", stdout), join(folder, "unpacked")];
    expect(await output(["unpack", pack, entries, "-o", made, "--quiet"])).toBe("");
    expect(await Promise.all((await readdir(made)).sort().map((name) => readFile(join(made, name))))).toEqual(bodies.map((body) => Buffer.from(body)));
  });

  test("a pack that cannot be had leaves no outboard", async () => {
    const place = join(folder, "taken");
    await mkdir(join(place, "p.pack"), { recursive: true });
    const { status, stdout } = await cli(["pack", join(place, "p.pack"), ...files]);
    expect([status, stdout.length]).toEqual([3, 0]);
    expect(await readdir(place)).toEqual(["p.pack"]);
  });

  test("a pack in a store is read by the door without a manifest", async () => {
    const store = join(folder, "store");
    const items = await Promise.all([3, 1, 2].map((value, at) => written(`f${at}.raw`, new Uint8Array(Float32Array.of(value, -value).buffer))));
    const entries = JSON.parse(await output(["pack", store, ...items, "--path", "poses/a", "--start", "10", "--step", "5", "--quiet"])) as { start: string; end: string; size: string; packOffset: string; address: string }[];
    const given = entries.map(({ start, end, size, packOffset, address: own }) => ({ start: BigInt(start), end: BigInt(end), size: BigInt(size), packOffset: BigInt(packOffset), address: own }));
    const field = await openArrayField(fsStore(store), { itemType: { dtype: "f32", shape: [2] }, entries: given, path: "poses/a" });
    const read = await field.readMany([20n, 10n]);
    expect(read.map((outcome) => outcome.status === "value" && [...outcome.value.data])).toEqual([[2, -2], [3, -3]]);
    // The outboard proves them.
    expect(read.map((outcome) => outcome.status === "value" && outcome.value.verified)).not.toContain("none");
    expect(await readdir(join(store, "bao-outboard"))).toEqual([given[0]?.address]);
  });

  test("nothing is written of a wrong pack, of entries beyond it, or to places elsewhere", async () => {
    const pack = join(folder, "q.pack");
    const list = JSON.parse(await output(["pack", pack, ...files, "--quiet"])) as Record<string, string>[];
    const target = join(folder, "refused");
    const attempts: readonly [string, Record<string, string>[]][] = [
      ["InvalidArgument", list.map((entry) => ({ ...entry, file: "../evil.bin" }))],
      ["PackSliceOutOfBounds", list.map((entry) => ({ ...entry, packOffset: "1026" }))],
      ["HashMismatch", list.map((entry) => ({ ...entry, address: address(new Uint8Array(1)) }))],
    ];
    for (const [code, entries] of attempts) {
      const { status, stderr } = await cli(["unpack", pack, "-", "-o", target], { input: JSON.stringify(entries) });
      expect([status, stderr]).toEqual([3, expect.stringMatching(new RegExp(`^dreamdb-arrays: ${code}: `)) as string]);
    }
    await expect(readdir(target)).rejects.toThrow("ENOENT");
    const unnamed = await cli(["pack", pack, join(folder, "some.bin")]);
    expect([unnamed.status, unnamed.stderr]).toEqual([2, 'dreamdb-arrays: usage: which anchors? "some.bin" is no number; give --start, and --step, or name the files by their anchors\n']);
  });
});

describe("vectors", () => {
  const own = (file: string) => fileURLToPath(new URL(`../../vectors/${file}`, import.meta.url));

  test("counts what passed and what failed, file by file; a wrong expectation is told, and ends with 1", async () => {
    const [first, ...rest] = JSON.parse(await readFile(own("0025/typed-array/tag-length.json"), "utf8")) as Vector[];
    expect(rest).toHaveLength(2);
    const wrong = await written("wrong.json", JSON.stringify([{ ...first, expected_class: undefined, expected_error: "ReservedClass" }, ...rest]));
    const lines = await written("lines.jsonl", rest.map((vector) => JSON.stringify(vector)).join("\n"));
    const { status, stdout } = await cli(["vectors", wrong, lines]);
    const text = stdout.toString();
    expect(status).toBe(1);
    expect(text).toMatch(/wrong\.json +2 +1\n.*lines\.jsonl +2 +none\n/);
    expect(text).toContain(`${first?.id} (`);
    expect(text).toMatch(/expected .*ReservedClass.*\n {2}actual/);
    expect(text).toMatch(/\n4 passed, 1 failed\n$/);
    expect(await json(["vectors", lines, "--json"])).toMatchObject({ passed: 2, failed: 0, files: [{ file: lines, passed: 2, failed: 0, notRun: 0, disagreements: [] }] });
  });

  test("without a file, the package's own", async () => {
    const { status, text } = await inTerminal(["vectors"], { interruptAt: /vectors\/0022\S* {2}.* of \d\d+ / });
    expect([status, text]).toEqual([130, expect.stringContaining("vectors/0022/fragment-pack/") as string]);
  });

  test("a folder; what is no vector is refused, and nothing run is no success", async () => {
    expect(await output(["vectors", own("0022")])).toMatch(/\n\d+ passed, 0 failed\n$/);
    const none = await written("none.json", '{"a": 1}');
    const [refused, empty] = await Promise.all([cli(["vectors", none]), cli(["vectors", "-"], { input: "[]" })]);
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringMatching(/^dreamdb-arrays: InvalidArgument: .*none\.json: a vector is a JSON object/) as string]);
    expect([empty.status, empty.stdout.toString()]).toEqual([1, expect.stringMatching(/0 passed, 0 failed\n$/) as string]);
  });
});
