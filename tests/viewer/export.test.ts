/** What is exported is what was written: read back by NumPy and by Python's own readers of CSV and JSON. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type RowInit, Schema } from "dreamdb-arrays";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findReference } from "../../scripts/lib/reference.mjs";
import { testDir } from "../support/temp-dir.js";
import { type Served, served } from "./support/dataset.js";
import { type Stage, stage } from "./support/viewer.js";

/** A name that is a path, a formula, text that turns around, and longer than file systems take. */
const HOSTILE = `=../../cmd|' /C calc'!A0\u202egpj${"é".repeat(200)}`;
const pressure = Float64Array.from({ length: 48 }, (_, at) => at / 7 - 3);
const SPECIAL = [0.1, -0, NaN, Infinity, -Infinity, 1e-45, 3.4028234663852886e38, 16_777_216];
const COUNTERS = [0n, 9_007_199_254_740_993n, (1n << 64n) - 1n];

const schema = new Schema()
  .array("plain", { dtype: "f64", shape: [6, 8], units: "Pa", frame: "sole", axisOrder: "row,column" })
  .array("big", { dtype: "f64", shape: [6, 8], endianness: "big" })
  .array("fortran", { dtype: "f64", shape: [6, 8], layout: "f", units: "Pa", axisOrder: "row,column" })
  .array("counters", { dtype: "u64", shape: [3], units: "tick" })
  .array("signed", { dtype: "i64", shape: [] })
  .array("special", { dtype: "f32", shape: [8], units: "m/s, each", axisOrder: 'the "axis"' })
  .array("volume", { dtype: "i16", shape: [2, 3, 4], axisOrder: "time,row,column" })
  .ragged("hits", { dtype: "f32", innerShape: [2], units: "m", axisOrder: "xy" })
  .csr("contacts", { dtype: "f64", shape: [3, 1n << 60n], units: "N" })
  .array(HOSTILE, { dtype: "u8", shape: [2] });
const volume = Int16Array.from({ length: 24 }, (_, at) => at - 12);
const rowOf = (anchor: bigint): RowInit => ({
  anchor,
  values: {
    plain: pressure,
    big: { data: pressure, shape: [6, 8], order: "c" },
    fortran: { data: pressure, shape: [6, 8], order: "c" },
    counters: BigUint64Array.from(COUNTERS),
    signed: BigInt64Array.of(-(1n << 63n)),
    special: Float32Array.from(SPECIAL),
    volume,
    hits: { rowOffsets: [0, 1, 1, 3], values: Float32Array.of(0.1, -0, 2.5, NaN, 3, 4) },
    contacts: { rowOffsets: [0, 1, 1, 3], columnIndices: BigUint64Array.of(7n, 0n, (1n << 60n) - 1n), values: Float64Array.of(0.1, 0, -2) },
    [HOSTILE]: Uint8Array.of(1, 2),
  },
});

let one: Stage;
let data: Served;
const python = findReference();
beforeAll(async () => {
  [one, data] = await Promise.all([stage(), served(schema, [rowOf(1_700_000_000_000_000_001n), rowOf(1_700_000_000_000_000_002n)])]);
});
afterAll(async () => {
  await one?.close();
  await data?.close();
});

/** What a program in Python says of a file, as JSON. */
function ask(program: string, file: string): unknown {
  if (python === undefined) throw new Error("there is no Python with NumPy: node scripts/setup.mjs");
  return JSON.parse(execFileSync(python, ["-c", program, file], { encoding: "utf8" }));
}

/** Presses a button of the export panel and keeps what is downloaded. */
async function download(page: Page, label: string): Promise<{ readonly file: string; readonly name: string }> {
  const [begun] = await Promise.all([page.waitForEvent("download"), page.getByRole("region", { name: "Export" }).getByRole("button", { name: label, exact: true }).click()]);
  const file = join(await testDir(), "file");
  await begun.saveAs(file);
  return { file, name: begun.suggestedFilename() };
}

const NPY = `
import json, sys, numpy
a = numpy.load(sys.argv[1], allow_pickle=False)
print(json.dumps({"dtype": a.dtype.str, "shape": a.shape, "fortran": bool(a.flags.f_contiguous and not a.flags.c_contiguous),
  "values": [str(v) if a.dtype.kind in "iu" else float(v).hex() if v == v else "nan" for v in a.ravel(order="C").tolist()]}))`;
const CSV = `
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file: print(json.dumps(list(csv.reader(file))))`;
const FLOATS = `
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as file: rows = list(csv.reader(file))[1:]
print(json.dumps([[float(cell).hex() if float(cell) == float(cell) else "nan" for cell in row[1:]] for row in rows]))`;

/** Hexadecimal text of a double, as Python writes it. */
function hex(values: readonly number[]): unknown {
  if (python === undefined) throw new Error("there is no Python");
  const texts = values.map((value) => (Object.is(value, -0) ? "-0.0" : String(value).replace("Infinity", "inf")));
  return JSON.parse(execFileSync(python, ["-c", `import json, sys; print(json.dumps([float(t).hex() if float(t) == float(t) else "nan" for t in json.loads(sys.argv[1])]))`, JSON.stringify(texts)], { encoding: "utf8" }));
}

async function open(field: string, query: Record<string, string> = {}) {
  const viewer = await one.open({ source: data.source, query: { field, view: "table", ...query } });
  await viewer.page.getByRole("button", { name: "Type document (.json)" }).waitFor();
  return viewer;
}

describe(".npy", () => {
  test.each([
    ["plain", "<f8", [6, 8], false, () => hex([...pressure])],
    ["big", "<f8", [6, 8], false, () => hex([...pressure])],
    ["fortran", "<f8", [6, 8], true, () => hex([...pressure])],
    ["counters", "<u8", [3], false, () => COUNTERS.map(String)],
    ["signed", "<i8", [], false, () => [String(-(1n << 63n))]],
    ["special", "<f4", [8], false, () => hex(SPECIAL.map(Math.fround))],
  ] as const)("%s keeps dtype, shape, order and values", async (field, dtype, shape, fortran, values) => {
    const { page, close } = await open(field);
    const { file, name } = await download(page, ".npy");
    expect(ask(NPY, file)).toEqual({ dtype, shape, fortran, values: values() });
    expect(name).toBe(`${field}_1700000000000000001.npy`);
    await close();
  });

  test("a slice is what is on screen", async () => {
    const { page, close } = await open("volume", { "x.rows": "2", "x.columns": "0", "x.at": "0,1,0" });
    const { file } = await download(page, ".npy");
    const expected = [0, 1, 2, 3].flatMap((column) => [0, 1].map((time) => String(volume[(time * 3 + 1) * 4 + column])));
    expect(ask(NPY, file)).toEqual({ dtype: "<i2", shape: [4, 2], fortran: false, values: expected });
    const sidecar = await download(page, "Type document (.json)");
    expect(ask("import json, sys; print(json.dumps(json.load(open(sys.argv[1], encoding='utf-8'))))", sidecar.file)).toMatchObject({
      what: "slice row 1",
      npy: { shape: [4, 2], axes: ["column", "time"], dtype: "i16" },
    });
    await close();
  });
});

describe(".csv", () => {
  test("values are exact, names have units and axes", async () => {
    const { page, close } = await open("plain");
    const { file, name } = await download(page, ".csv");
    expect(name).toBe("plain_1700000000000000001.csv");
    const rows = ask(CSV, file) as string[][];
    expect(rows[0]).toEqual(["row", ...Array.from({ length: 8 }, (_, column) => `column ${column} [Pa]`)]);
    expect((ask(FLOATS, file) as string[][]).flat()).toEqual(hex([...pressure]));
    await close();
  });

  test("f32 gives the same f32 back, and names are quoted", async () => {
    const { page, close } = await open("special");
    const { file } = await download(page, ".csv");
    const rows = ask(CSV, file) as string[][];
    expect(rows[0]).toEqual(['the "axis"', "value [m/s, each]"]);
    expect(rows.slice(1).map(([, text]) => text)).toEqual(["0.1", "-0", "NaN", "Inf", "-Inf", "1e-45", "3.4028235e+38", "16777216"]);
    await close();
  });

  test("u64 beyond 2^53, ragged cells and stored elements", async () => {
    const counters = await open("counters");
    expect((ask(CSV, (await download(counters.page, ".csv")).file) as string[][]).slice(1).map(([, text]) => text)).toEqual(COUNTERS.map(String));
    await counters.close();
    const hits = await open("hits");
    expect(ask(CSV, (await download(hits.page, ".csv")).file)).toEqual([
      ["row", "cell", "xy 0 [m]", "xy 1 [m]"],
      ["0", "0", "0.1", "-0"],
      ["2", "0", "2.5", "NaN"],
      ["2", "1", "3", "4"],
    ]);
    await hits.close();
    const contacts = await open("contacts");
    expect(ask(CSV, (await download(contacts.page, ".csv")).file)).toEqual([["row", "column", "value [N]"], ["0", "7", "0.1"], ["2", "0", "0"], ["2", String((1n << 60n) - 1n), "-2"]]);
    await contacts.close();
  });

  test("a row per Item has the anchors exactly", async () => {
    const { page, close } = await open("counters", { "x.of": "window" });
    const { file, name } = await download(page, ".csv");
    expect(name).toBe("counters_1700000000000000001-1700000000000000002.csv");
    expect(ask(CSV, file)).toEqual([
      ["anchor", "axis 0 0 [tick]", "axis 0 1 [tick]", "axis 0 2 [tick]"],
      ["1700000000000000001", ...COUNTERS.map(String)],
      ["1700000000000000002", ...COUNTERS.map(String)],
    ]);
    await close();
  });
});

test("the type document tells units, axes and frame, and the stored type", async () => {
  const { page, close } = await open("plain");
  const { file, name } = await download(page, "Type document (.json)");
  expect(name).toBe("plain_1700000000000000001.json");
  expect(ask("import json, sys; print(json.dumps(json.load(open(sys.argv[1], encoding='utf-8'))))", file)).toMatchObject({
    field: "plain",
    anchor: "1700000000000000001",
    units: "Pa",
    frame: "sole",
    npy: { dtype: "f64", shape: [6, 8], axes: ["row", "column"], fortranOrder: false },
    csv: { columns: ["row", ...Array.from({ length: 8 }, (_, column) => `column ${column} [Pa]`)] },
    itemType: { family: "dense-array", shape: [6, 8], endianness: "little" },
  });
  await close();
});

test("a hostile name makes no path", async () => {
  const { page, close } = await open(HOSTILE);
  const { name } = await download(page, ".npy");
  expect(name).toMatch(/^_\.\._\.\._cmd/);
  expect(name).not.toMatch(/[/\\\u202e|'!]/u);
  expect(new TextEncoder().encode(name).length).toBeLessThan(255);
  expect(name.endsWith("_1700000000000000001.npy")).toBe(true);
  await close();
});

test("the clipboard has the table with tabs", async () => {
  const { page, close } = await open("special");
  await page.getByRole("button", { name: "Copy table" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(['the "axis"\tvalue [m/s, each]', ...["0.1", "-0", "NaN", "Inf", "-Inf", "1e-45", "3.4028235e+38", "16777216"].map((text, at) => `${at}\t${text}`)].join("\n"));
  await close();
});

test("a clipboard that is forbidden is told of at the button", async () => {
  const strict = await stage({ headers: { "permissions-policy": "clipboard-write=()" } });
  const { page, close } = await strict.open({ source: data.source, query: { field: "special", view: "table" }, mayComplain: /clipboard/i });
  await page.getByRole("button", { name: "Copy table" }).click();
  await page.getByRole("region", { name: "Export" }).getByText("does not let this page write to the clipboard").waitFor();
  await page.getByRole("button", { name: "Copy the cell" }).click();
  await page.getByRole("button", { name: "Copy the cell" }).getByText("Not allowed").waitFor();
  await close();
  await strict.close();
});

test("the picture of a spy plot is a PNG of its pixels", async () => {
  const { page, close } = await one.open({ source: data.source, query: { field: "contacts", view: "spy" } });
  await page.getByRole("img", { name: /^Spy plot/ }).waitFor();
  const { file, name } = await download(page, "PNG");
  expect(name).toBe("contacts_1700000000000000001.png");
  const size = await page.locator(".spy-canvas canvas").evaluate((canvas) => [(canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height]);
  expect(ask(`import json, sys, struct; b = open(sys.argv[1], "rb").read(); print(json.dumps([b[:8].hex(), *struct.unpack(">II", b[16:24])]))`, file)).toEqual(["89504e470d0a1a0a", ...size]);
  await close();
});
