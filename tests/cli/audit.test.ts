/** `audit`: every fixture has as many Items as the reference counts and no fault; of damaged copies, each fault is told with its anchor and code. */
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { cli, fixture, inTerminal, json, output } from "./support/program.js";

interface Sidecar {
  readonly refs?: Readonly<Record<string, { readonly manifest: string; readonly timeline: string; readonly fields: Readonly<Record<string, FieldOf>> }>>;
}
interface FieldOf {
  readonly modality?: string;
  readonly audit_physical_items?: number;
  readonly items?: readonly { readonly anchor: number | { readonly int: string } }[];
}
interface Found {
  readonly items: number;
  readonly manifest: string;
  readonly fields: readonly { readonly field: string; readonly items: number; readonly faults: number }[];
  readonly faults: readonly { readonly field?: string; readonly anchor?: string; readonly code: string; readonly message: string }[];
}

const folder = fileURLToPath(new URL("../fixtures", import.meta.url));
const sidecar = (name: string): Sidecar => JSON.parse(readFileSync(`${folder}/${name}/expected.json`, "utf8")) as Sidecar;
const versions = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "tools")
  // Of those with many versions the first and the last one: a program takes its time to begin.
  .flatMap(({ name }) => Object.keys(sidecar(name).refs ?? {}).filter((_, at, refs) => at === 0 || at === refs.length - 1).map((ref) => ({ name, ref })));

/** What the reference says of a version. */
function told(name: string, ref: string) {
  const version = sidecar(name).refs?.[ref];
  if (version === undefined) throw new Error(`${name} has no ${ref}`);
  return version;
}

function anchorsOf({ items }: FieldOf | undefined = {}): string[] {
  return (items ?? []).map(({ anchor }) => (typeof anchor === "number" ? String(anchor) : anchor.int));
}

test.each(versions)("$name, $ref is without faults, and has the Items that the reference counts", async ({ name, ref }) => {
  const { manifest, fields } = told(name, ref);
  const local = (await json(["audit", fixture(name), "--ref", ref, "--json"])) as Found;
  expect(local).toMatchObject({ manifest, faults: [] });
  const counted = Object.entries(fields).flatMap(([field, { audit_physical_items: items }]) => (items === undefined ? [] : [{ field, items }]));
  for (const { field, items } of counted) expect(local.fields).toContainEqual(expect.objectContaining({ field, items, faults: 0 }));
  expect(local.items).toBe(local.fields.reduce((sum, { items }) => sum + items, 0));
});

test.each(["episode", "packs", "paged-small"])("%s over HTTP is as it is from a folder", async (name) => {
  const [ref = ""] = Object.keys(sidecar(name).refs ?? {});
  const [local, served] = (await Promise.all(
    [fixture(name), `${inject("fixturesUrl")}/${name}/data`].map((source) => json(["audit", source, "--ref", ref, "--json"])),
  )) as [Found, Found];
  expect(served).toMatchObject({ items: local.items, fields: local.fields, faults: [] });
});

describe("a damaged copy", () => {
  let copies: string;

  beforeAll(async () => {
    copies = await mkdtemp(join(tmpdir(), "dreamdb-audit-"));
  });

  afterAll(() => rm(copies, { recursive: true, force: true }));

  async function copyOf(name: string, as = name): Promise<string> {
    const copy = join(copies, as);
    await cp(fixture(name), copy, { recursive: true });
    return copy;
  }

  /** The only object at an anchor of an event Track. */
  async function itemAt(root: string, timeline: string, modality: string, anchor: string): Promise<string> {
    const bucket = join(root, timeline, modality, BigInt(anchor).toString(16).padStart(16, "0"));
    const [address, ...more] = await readdir(bucket);
    if (address === undefined || more.length > 0) throw new Error(`${bucket} has not one object`);
    return join(bucket, address);
  }

  async function flip(path: string): Promise<void> {
    const bytes = await readFile(path);
    if (bytes.byteLength === 0) return writeFile(path, "x");
    bytes[bytes.byteLength >> 1] = (bytes[bytes.byteLength >> 1] ?? 0) ^ 1;
    await writeFile(path, bytes);
  }

  test("a flipped byte, an object cut short and one that is missing: each with its anchor and code, and nothing else", async () => {
    const { timeline, fields } = told("arrays-basic", "main");
    const copy = await copyOf("arrays-basic");
    const [flipped = "", cut = "", missing = ""] = [anchorsOf(fields["i64"])[0], anchorsOf(fields["csr"])[1], anchorsOf(fields["rag"])[2]];
    await flip(await itemAt(copy, timeline, fields["i64"]?.modality ?? "", flipped));
    const short = await itemAt(copy, timeline, fields["csr"]?.modality ?? "", cut);
    await truncate(short, (await readFile(short)).byteLength - 1);
    await rm(await itemAt(copy, timeline, fields["rag"]?.modality ?? "", missing));

    const { status, stdout, stderr } = await cli(["audit", copy, "--json"]);
    const found = JSON.parse(stdout.toString()) as Found;
    expect([status, stderr]).toEqual([1, ""]);
    const faults = found.faults.map(({ field, anchor, code }) => ({ field, anchor, code }));
    expect(faults).toHaveLength(3);
    expect(faults).toEqual(
      expect.arrayContaining([
        { field: "i64", anchor: flipped, code: "HashMismatch" },
        { field: "csr", anchor: cut, code: "HashMismatch" },
        { field: "rag", anchor: missing, code: "NotFound" },
      ]),
    );

    const table = await cli(["audit", copy]);
    expect(table.status).toBe(1);
    for (const { field, anchor, code } of faults) expect(table.stdout.toString()).toMatch(new RegExp(`^${field} +${anchor} +${code} `, "m"));
    expect(table.stdout.toString()).toMatch(/\n3 faults in 46 Items, /);

    // One field alone: the others' faults are not its own.
    expect(await output(["audit", copy, "pose", "i8"])).toMatch(/\nno faults in 7 Items, /);
    expect((await cli(["audit", copy, "pose", "rag"])).status).toBe(1);
  });

  test("packs: each of their Items is named", async () => {
    const { timeline, fields } = told("packs", "main");
    const copy = await copyOf("packs");
    const packs = join(copy, timeline, fields["im"]?.modality ?? "", "0000000000000000");
    for (const address of await readdir(packs)) await flip(join(packs, address));
    const { status, stdout } = await cli(["audit", copy, "--json"]);
    const { faults } = JSON.parse(stdout.toString()) as Found;
    expect(status).toBe(1);
    expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(["HashMismatch"]));
    for (const field of ["im", "im2"]) {
      const anchors = new Set(faults.filter((fault) => fault.field === field).map(({ anchor }) => anchor));
      // An empty Item lies in a pack as well: what is wrong with a pack is wrong with all of it.
      expect(anchors).toEqual(new Set(anchorsOf(fields[field])));
    }
  });

  test("a Track that is wrong is a fault without an anchor, of its field alone", async () => {
    const { timeline, fields } = told("tombstones", "main");
    const copy = await copyOf("tombstones");
    const tracks = join(copy, timeline, fields["im"]?.modality ?? "", "track");
    for (const address of await readdir(tracks)) await flip(join(tracks, address));
    const { status, stdout } = await cli(["audit", copy, "--json"]);
    const { faults } = JSON.parse(stdout.toString()) as Found;
    expect([status, faults]).toEqual([1, [expect.objectContaining({ field: "im", code: "HashMismatch" })]]);
    expect(faults[0]?.anchor).toBeUndefined();
  });

  test("a manifest that is wrong or missing is a fault; a Ref that is not there, or a field, is none", async () => {
    const { manifest } = told("episode", "main");
    const [wrong, gone] = [await copyOf("episode", "wrong"), await copyOf("episode", "gone")];
    await flip(join(wrong, "manifests", manifest));
    await rm(join(gone, "manifests", manifest));
    const runs = await Promise.all([wrong, gone].map((copy) => cli(["audit", copy])));
    expect(runs.map(({ status }) => status)).toEqual([1, 1]);
    expect(runs.map(({ stdout }) => /HashMismatch|NotFound/.exec(stdout.toString())?.[0])).toEqual(["HashMismatch", "NotFound"]);
    const failed = await Promise.all([cli(["audit", gone, "--ref", "nobody"]), cli(["audit", fixture("episode"), "nothing"]), cli(["audit", "http://127.0.0.1:9/"])]);
    expect(failed.map(({ status, stdout }) => [status, stdout.length])).toEqual([[3, 0], [3, 0], [3, 0]]);
    expect(failed[1]?.stderr).toMatch(/^dreamdb-arrays: NoSuchField: /);
  });
});

test("a terminal gets a bar with rate and time left, and then the table", async () => {
  const { status, text } = await inTerminal(["audit", fixture("paged-small"), "--ref", "hand"]);
  expect(status).toBe(0);
  expect(text).toMatch(/\d+ % {2}\d+ of \d+ {2}[\d.]+ (?:bytes|KB|MB)\/s {2}[^\n]* left/);
  expect(text).toMatch(/no faults\S* in \d+ Items/);
});
