/**
 * The examples as hosts: each is copied into the project of the packed package and run as its reader would run it. What it prints or shows is
 * compared with what the reference reads of the same dataset. That of the edge worker is in edge-worker.mjs.
 */
import assert from "node:assert/strict";
import { copyFile, cp, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.mjs";
import { must } from "../../scripts/lib/run.mjs";
import { withPage } from "./page.mjs";

/** @typedef {import("./runtimes.mjs").Context} Context */
/** @typedef {{ anchor: bigint, values: number[], shape: number[], len: number }} Fact an Item, as the reference reads it */

const TIMEOUT = 60_000;
const urlOf = (/** @type {Context} */ context) => `${context.origin}/fixtures/episode/data`;

/**
 * What the reference reads of a dense or media field of the episode.
 * @param {string} field
 * @returns {Promise<Fact[]>}
 */
async function facts(field) {
  const { refs } = JSON.parse(await readFile(join(root, "tests/fixtures/episode/expected.json"), "utf8"));
  return refs.main.fields[field].items.map((/** @type {any} */ { anchor, value }) => ({
    anchor: BigInt(anchor.int ?? anchor),
    shape: value.shape,
    values: value.values?.map?.((/** @type {any} */ element) => Number(element.float ?? element.int ?? element)),
    len: value.len,
  }));
}

/**
 * The first Item of a field, and the last.
 * @param {string} field
 */
async function ends(field) {
  const all = await facts(field);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`the fixture has no Item of ${field}`);
  return { all, first, last };
}

/** @param {number[]} matrix of four rows and columns */
const translation = (matrix) => [matrix[3], matrix[7], matrix[11]];

/**
 * Run a program of examples/ in the project.
 * @param {Context} context
 * @param {string} file
 * @param {string[]} args
 * @param {string} [command]
 * @param {string[]} [before] arguments before the file
 */
async function runExample({ project }, file, args, command = process.execPath, before = []) {
  await copyFile(join(root, "examples", file), join(project, file));
  const output = await must(command, [...before, file, ...args], { cwd: project, timeout: TIMEOUT, env: { DENO_NO_UPDATE_CHECK: "1" } });
  return output.trimEnd().split("\n");
}

/** @param {Context} context */
async function nodeRead(context) {
  const { refs } = JSON.parse(await readFile(join(root, "tests/fixtures/episode/expected.json"), "utf8"));
  const [pose, force, image] = [await ends("pose"), await ends("force"), await ends("image")];
  const { row_offsets: offsets, column_indices: columns, values } = refs.main.fields.contacts.items[0].value;
  const [from, to] = offsets.values.slice(2, 4);
  const lines = await runExample(context, "node-read.mjs", [urlOf(context)]);
  const names = lines.filter((line) => line.startsWith("field ")).map((line) => line.slice(6).split(":")[0]);
  assert.deepEqual(new Set(names), new Set(Object.keys(refs.main.fields)));
  assert.match(lines[0] ?? "", /^version d[a-z2-7]{52}$/);
  assert.deepEqual(lines.slice(1 + names.length, -1), [
    `pose at ${pose.first.anchor}: 4 x 4, translation ${translation(pose.first.values).join(", ")}`,
    `force: ${force.all.length} x 3, ends with ${force.last.values.join(", ")}`,
    `image: ${image.first.len} bytes of png`,
    `contacts, row 2: columns ${columns.values.slice(from, to).join(", ")}, values ${values.values.slice(from, to).join(", ")}`,
  ]);
  assert.match(lines.at(-1) ?? "", /^[1-9]\d* requests, [1-9]\d* bytes$/);
  return `${lines.length} lines`;
}

/** @param {Context} context */
async function nodeReadNothing(context) {
  // It ends with 1, which the runner makes an error of, with all that was said.
  const failure = await runExample(context, "node-read.mjs", [`${context.origin}/fixtures/nothing`]).then(() => "no error", String);
  assert.match(failure, /NotFound: /);
  return "a code and its message";
}

/** @param {Context} context */
async function nodeWrite(context) {
  const lines = await runExample(context, "node-write.mjs", ["written-example"]);
  assert.match(lines[0] ?? "", /^written: version d[a-z2-7]{52}$/);
  assert.deepEqual(lines.slice(1), [
    "pose at 1000: value",
    "pose at 2000: deleted",
    "pose at 3000: value",
    "pose at 5000: absent",
    "hits at 1000, row 1: 2 x 3",
    // Four poses, four of hits, one frame: deleted rows stay stored.
    "9 Items, 0 faults",
  ]);
  assert.equal((await readFile(join(context.project, "written-example/refs/main"))).length, 33);
  return `${lines.length} lines`;
}

/** @param {Context} context */
async function denoRead(context) {
  const [joints, force] = [await facts("joints"), await facts("force")];
  const permissions = ["run", "--no-prompt", "--no-lock", "--node-modules-dir=manual", `--allow-net=${new URL(context.origin).host}`];
  const lines = await runExample(context, "deno-read.mjs", [urlOf(context)], join(root, "node_modules/.bin/deno"), permissions);
  const expected = [];
  for (let at = 0; at < joints.length; at += 5) {
    const values = joints.slice(at, at + 5).flatMap((item) => item.values);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expected.push(`${values.length / 63} Items, ${values.length / 63} x 21 x 3, mean ${mean.toFixed(4)}`);
  }
  assert.deepEqual(lines, [...expected, `${joints.length} rows, ${force.length} with a force`]);
  return `${lines.length} lines`;
}

/** @param {Context} context */
async function page(context) {
  await cp(join(root, "examples/browser"), context.project, { recursive: true });
  const { all } = await ends("pose");
  const shown = await withPage(`${context.origin}/plain/index.html?data=${encodeURIComponent(urlOf(context))}`, async (page) => {
    await page.waitForFunction("document.getElementById('status').textContent !== 'reading …'", undefined, { timeout: TIMEOUT });
    await page.waitForFunction("document.getElementById('image').naturalWidth > 0", undefined, { timeout: 10_000 }).catch(() => undefined);
    return {
      status: await page.locator("#status").textContent(),
      rows: await page.locator("#poses tr").evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent))),
      width: await page.locator("#image").evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth),
    };
  });
  assert.match(shown.status ?? "", new RegExp(`^${all.length} poses, [1-9]\\d* requests, [1-9]\\d* bytes$`));
  assert.deepEqual(shown.rows, all.map(({ anchor, values }) => [anchor, ...translation(values)].map(String)));
  assert.ok(shown.width > 0, "the image is shown");
  return `${shown.rows.length} poses and a picture`;
}

/** @param {Context} context */
async function viteApp(context) {
  const source = join(context.project, "vite-example");
  await cp(join(root, "examples/vite"), source, { recursive: true });
  const { build } = await import("vite");
  const outDir = join(context.project, "vite-example-out");
  await build({ root: source, base: "./", configFile: false, logLevel: "error", build: { outDir, emptyOutDir: true } });
  const wasm = (await readdir(outDir, { recursive: true })).filter((file) => file.endsWith(".wasm"));
  assert.equal(wasm.length, 1);
  const all = await facts("force");
  const shown = await withPage(`${context.origin}/plain/vite-example-out/index.html?data=${encodeURIComponent(urlOf(context))}`, async (page) => {
    await page.waitForFunction("!/reading|so far/.test(document.getElementById('status').textContent)", undefined, { timeout: TIMEOUT });
    return {
      status: await page.locator("#status").textContent(),
      lines: await page.locator("#chart polyline").evaluateAll((lines) => lines.map((line) => line.getAttribute("points")?.trim().split(" ") ?? [])),
    };
  });
  assert.match(shown.status ?? "", new RegExp(`^${all.length} forces in `));
  const heights = [0, 1, 2].map((axis) => all.map(({ values }) => (190 - 10 * (values[axis] ?? NaN)).toFixed(1)));
  assert.deepEqual(shown.lines.map((points) => points.map((point) => point.split(",")[1])), heights);
  return `a chart of ${shown.lines.length} lines, ${all.length} points each`;
}

/** @type {import("./runtimes.mjs").Host[]} */
export const exampleHosts = [
  { name: "example: Node, reading", run: nodeRead },
  { name: "example: Node, reading what is not there", run: nodeReadNothing },
  { name: "example: Node, writing", run: nodeWrite },
  { name: "example: Deno, reading", run: denoRead },
  { name: "example: a page without a bundler", run: page },
  { name: "example: a Vite app", run: viteApp },
];
