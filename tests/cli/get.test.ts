/** `get` of every field of every fixture in every format that it has, read back by NumPy, SciPy, csv and json of Python and held against the reference's values. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { bytesDifference, byVersions, itemsOf } from "../../scripts/lib/dataset-check/sidecar.mjs";
import type { BytesFact } from "../support/sidecar.js";
import { makeTempDir } from "../support/temp-dir.js";
import { fixture } from "./support/program.js";
import { type Exported, many, type Ran, readBack } from "./support/readback.js";

type Facts = Record<string, never>;
interface Version {
  readonly manifest?: string;
  readonly fields: Readonly<Record<string, Facts>>;
}
interface Item {
  readonly anchor: bigint;
  readonly value: unknown;
  readonly payload?: BytesFact;
}

const folder = fileURLToPath(new URL("../fixtures", import.meta.url));
const fixtures = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "tools")
  .map(({ name }) => name);
/** Those that are read over HTTP as well. */
const SERVED = new Set(["episode", "packs", "scalars", "tombstones", "paged-small"]);
/** What sidecars without declarations leave to those who wrote them (tests/fixtures/tools). */
const UNSAID: Readonly<Record<string, { readonly columns?: number; readonly type?: string }>> = {
  "episode/contacts": { columns: 6 },
  "scalar-tree/state": { type: "categorical" },
  "scalar-tree/step": { type: "int" },
  "scalar-tree/force": { type: "float" },
};
/** Items at which a field is also read one by one: the first and the last. */
const ENDS = 1;

/** A file of bytes, and what they are. */
interface BytesFile {
  readonly path: string;
  readonly fact: BytesFact;
}

/** Runs to be done, and what comes of them. */
class Plan {
  readonly runs: string[][] = [];
  readonly files: Exported[] = [];
  readonly bytes: BytesFile[] = [];
  /** Documents of media, with the facts of their Items. */
  readonly media: { readonly path: string; readonly lines: boolean; readonly items: readonly Item[] }[] = [];
  readonly sidecar: string;
  readonly #source: string;
  readonly #out: string;
  #number = 0;

  constructor(name: string, source: string, out: string) {
    this.sidecar = `${folder}/${name}/expected.json`;
    this.#source = source;
    this.#out = out;
  }

  run(ref: string, field: string, extension: string, ...more: string[]): string {
    const path = join(this.#out, `${this.#number++}.${extension}`);
    this.runs.push(["get", this.#source, field, ...more, "--ref", ref, "-o", path, "--quiet"]);
    return path;
  }
}

const isArray = (value: unknown): value is { readonly dtype: string } => typeof value === "object" && value !== null && "dtype" in value;
const isRows = (value: unknown): value is { readonly row_offsets: { readonly values: readonly number[] } } => typeof value === "object" && value !== null && "row_offsets" in value;
const isBytes = (value: unknown): value is BytesFact => typeof value === "object" && value !== null && "blake3" in value;

function planField(plan: Plan, name: string, ref: string, { manifest = ref }: Version, field: string, fact: Facts): void {
  const unsaid = UNSAID[`${name}/${field}`] ?? {};
  const about = { sidecar: plan.sidecar, ref, field, ...unsaid };
  const { constant, modality = "" } = fact as { readonly constant?: unknown; readonly modality?: string };
  if (constant !== undefined) {
    const payload = fact["payload"] as BytesFact | undefined;
    const text = !isArray(constant) && !isRows(constant);
    for (const format of text ? ["json", "jsonl"] : formatsOf(constant)) {
      plan.files.push({ ...about, ...(text ? { family: "text" } : {}), format, path: plan.run(manifest, field, format, "--format", format) });
    }
    if (payload !== undefined) plan.bytes.push({ path: plan.run(manifest, field, text ? modality.split(".").at(-1) ?? "" : "bin"), fact: payload });
    return;
  }
  const items: readonly Item[] | undefined = itemsOf(fact);
  if (items === undefined || items.length === 0) throw new Error(`the sidecar says nothing of ${field}`);
  const ends = [...new Set([...items.slice(0, ENDS), ...items.slice(-ENDS)])];
  if (isBytes(items[0]?.value)) {
    for (const lines of [false, true]) plan.media.push({ path: plan.run(manifest, field, lines ? "jsonl" : "json"), lines, items });
    for (const { anchor, value } of ends) plan.bytes.push({ path: plan.run(manifest, field, "bytes", String(anchor)), fact: value as BytesFact });
    const some = items.slice(0, 40);
    const into = plan.run(manifest, field, "all/", "--start", String(some[0]?.anchor), "--end", String((some.at(-1)?.anchor ?? 0n) + 1n));
    for (const { anchor, value } of some) plan.bytes.push({ path: `${into}${anchor}.`, fact: value as BytesFact });
    return;
  }
  const value = items[0]?.value;
  const formats = isArray(value) || isRows(value) ? formatsOf(value) : ["npy", "npz", "csv", "json", "jsonl"];
  for (const format of formats) plan.files.push({ ...about, format, path: plan.run(manifest, field, format) });
  const middle = items[Math.floor(items.length / 2)]?.anchor ?? 0n;
  const window = { start: String(items[0]?.anchor), end: String(middle) };
  if (items.length > 1) plan.files.push({ ...about, ...window, format: "json", path: plan.run(manifest, field, "json", "--start", window.start, "--end", window.end) });
  for (const { anchor, value: own, payload } of ends) {
    for (const format of formats) plan.files.push({ ...about, anchor: String(anchor), format, path: plan.run(manifest, field, format, String(anchor)) });
    if (payload !== undefined) plan.bytes.push({ path: plan.run(manifest, field, "bin", String(anchor)), fact: payload });
    if (isRows(own)) planRows(plan, manifest, { ...about, anchor: String(anchor) }, own.row_offsets.values.length - 1, "column_indices" in own);
  }
  // A folder has a file for each.
  if (isArray(value) || isRows(value)) {
    const format = isArray(value) ? "npy" : "npz";
    const into = plan.run(manifest, field, "all/");
    for (const { anchor } of items) plan.files.push({ ...about, anchor: String(anchor), format, path: `${into}${anchor}.${format}` });
    const payloads = plan.run(manifest, field, "raw/", "--format", "raw");
    for (const { anchor, payload } of items) if (payload !== undefined) plan.bytes.push({ path: `${payloads}${anchor}.`, fact: payload });
  }
}

function planRows(plan: Plan, manifest: string, about: Omit<Exported, "path" | "format"> & { anchor: string }, rows: number, sparse: boolean): void {
  if (rows === 0) return;
  const row = Math.floor(rows / 2);
  for (const format of sparse ? ["npz", "csv", "json"] : ["npy", "npz", "csv", "json"]) {
    plan.files.push({ ...about, row, format, path: plan.run(manifest, about.field, format, about.anchor, "--row", String(row)) });
  }
  for (const format of ["npz", "csv", "jsonl"]) {
    plan.files.push({ ...about, rows: [row, rows], format, path: plan.run(manifest, about.field, format, about.anchor, "--rows", `${row}:${rows}`) });
  }
}

function formatsOf(value: unknown): string[] {
  return [...(isArray(value) ? ["npy"] : []), "npz", "csv", "json", "jsonl"];
}

function sidecarOf(name: string): Record<string, Version> {
  const { refs } = byVersions(JSON.parse(readFileSync(`${folder}/${name}/expected.json`, "utf8")) as Facts) as unknown as { refs: Record<string, Version> };
  return refs;
}

async function fileOf(path: string): Promise<Buffer> {
  if (!path.endsWith(".")) return await readFile(path);
  // What the file's name ends with is not told by the sidecar.
  const inside = dirname(path);
  const found = readdirSync(inside).find((entry) => `${inside}/${entry}`.startsWith(path));
  return await readFile(join(inside, found ?? "nothing"));
}

/** Every fixture over a folder, and some over HTTP, by their names and where from. */
const plans = new Map<string, Plan>();
let dir = "";
let ended: readonly Ran[] = [];
let judged: ReadonlyMap<string, number | string> = new Map();

beforeAll(async () => {
  dir = await makeTempDir();
  for (const name of fixtures) {
    for (const from of SERVED.has(name) ? ["folder", "HTTP"] : ["folder"]) {
      const out = join(dir, name, from);
      await mkdir(out, { recursive: true });
      const plan = new Plan(name, from === "HTTP" ? `${inject("fixturesUrl")}/${name}/data` : fixture(name), out);
      for (const [ref, version] of Object.entries(sidecarOf(name))) {
        for (const [field, fact] of Object.entries(version.fields)) planField(plan, name, ref, version, field, fact);
      }
      plans.set(`${name} ${from}`, plan);
    }
  }
  const all = [...plans.values()];
  // Two processes in all: starting one takes longer than most of what they do.
  ended = await many(all.flatMap(({ runs }) => runs));
  const files = all.flatMap((plan) => plan.files);
  const judgements = await readBack(files);
  judged = new Map(files.map(({ path }, at) => [path, judgements[at] ?? "nobody looked at it"]));
}, 240_000);

afterAll(() => rm(dir, { recursive: true, force: true }));

describe.each(fixtures)("%s", (name) => {
  test.each(SERVED.has(name) ? ["folder", "HTTP"] : ["folder"])("over %s", async (from) => {
    const plan = plans.get(`${name} ${from}`);
    if (plan === undefined || plan.runs.length === 0) throw new Error("nothing was planned");
    const own = new Set(plan.runs.map((args) => args.join(" ")));
    const ran = ended.filter(({ args }) => own.has(args.join(" ")));
    expect(ran.length).toBe(plan.runs.length);
    expect(ran.filter(({ status, stderr }) => status !== 0 || stderr !== "")).toEqual([]);
    expect(plan.files.map(({ path }) => judged.get(path)).filter((found) => typeof found !== "number")).toEqual([]);
    for (const { path, fact } of plan.bytes) expect([path, bytesDifference(new Uint8Array(await fileOf(path)), fact)]).toEqual([path, undefined]);
    for (const medium of plan.media) await checkMedia(medium);
  });
});

async function checkMedia({ path, lines, items }: Plan["media"][number]): Promise<void> {
  const text = await readFile(path, "utf8");
  const found = (lines ? text.trimEnd().split("\n").map((line) => JSON.parse(line) as unknown) : JSON.parse(text)) as { anchor: string; bytes: number; base64: string }[];
  expect(found.map(({ anchor }) => BigInt(anchor))).toEqual(items.map(({ anchor }) => anchor));
  const wrong = found.map(({ bytes, base64 }, at) => {
    const own = new Uint8Array(Buffer.from(base64, "base64"));
    return own.byteLength === bytes ? bytesDifference(own, items[at]?.value as BytesFact) : `${bytes} bytes are told`;
  });
  expect(wrong.filter((each) => each !== undefined)).toEqual([]);
}
