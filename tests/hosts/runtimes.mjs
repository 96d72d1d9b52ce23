/** The hosts that are a program: Node in its several ways, Deno, Bun, workerd. Each runs the scenario in the temporary project. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.mjs";
import { must } from "../../scripts/lib/run.mjs";
import { edgeWorker } from "./edge-worker.mjs";
import { subrequests } from "./subrequests.mjs";
import { bundleWorker } from "./worker.mjs";

/**
 * @typedef {object} Context
 * @property {string} project a folder in whose node_modules the packed package is installed, and nothing else
 * @property {string} origin of the test server
 * @property {string[]} requests the paths it was asked for, so far
 * @typedef {{ name: string, run: (context: Context) => Promise<string> }} Host
 */

const bin = (/** @type {string} */ name) => join(root, "node_modules", ".bin", name);
const TIMEOUT = 60_000;

/**
 * Write a program that runs the scenario on `imported` and run it with `command`; a scenario that throws makes it exit with 1.
 * @param {Context} context
 * @param {{ file: string, head: string, env: string }} program
 * @param {string} command
 * @param {string[]} args those before the file
 */
async function runProgram(context, program, command, args) {
  const { file, head, env } = program;
  await writeFile(
    join(context.project, file),
    `${head}\nscenario(api, ${env}).then((done) => console.log("scenario:", done), (error) => { console.error(error); globalThis.process?.exit(1); globalThis.Deno?.exit(1); });\n`,
  );
  const output = await must(command, [...args, file], { cwd: context.project, timeout: TIMEOUT, env: { DENO_NO_UPDATE_CHECK: "1" } });
  const done = /^scenario: (.*)$/m.exec(output)?.[1];
  if (done === undefined) throw new Error(`the program ended without a result: ${output}`);
  return done;
}

const imports = (/** @type {string} */ entry) => `import * as api from "${entry}";\nimport { scenario } from "./scenario.mjs";`;
const fixturesOf = (/** @type {Context} */ context) => JSON.stringify(`${context.origin}/fixtures`);
const overHttp = (/** @type {Context} */ context) => `{ ready: "import", fixtures: ${fixturesOf(context)} }`;
const withFolder = `${imports("dreamdb-arrays")}\nimport { fsStore } from "dreamdb-arrays/fs";`;
const overBoth = (/** @type {Context} */ context, /** @type {string} */ folder) => `{ ready: "import", fixtures: ${fixturesOf(context)}, folder: fsStore("${folder}") }`;

/** @type {Host[]} */
export const runtimes = [
  {
    name: "Node, import",
    run: (context) => runProgram(context, { file: "node.mjs", head: withFolder, env: overBoth(context, "written-node") }, process.execPath, []),
  },
  {
    name: "Node, require()",
    run: (context) => {
      const head = 'const api = require("dreamdb-arrays");\nconst { scenario } = require("./scenario.mjs");';
      return runProgram(context, { file: "node.cjs", head, env: overHttp(context) }, process.execPath, ["--no-warnings"]);
    },
  },
  {
    name: "Node, /inline",
    run: (context) => runProgram(context, { file: "inline.mjs", head: imports("dreamdb-arrays/inline"), env: overHttp(context) }, process.execPath, []),
  },
  {
    name: "Node, /slim",
    run: (context) => {
      const head = `${imports("dreamdb-arrays/slim")}\nimport { readFileSync } from "node:fs";\nimport { fileURLToPath } from "node:url";`;
      const source = 'readFileSync(fileURLToPath(import.meta.resolve("dreamdb-arrays/dreamdb_arrays_bg.wasm")))';
      const env = `{ ready: "init", source: ${source}, fixtures: ${fixturesOf(context)} }`;
      return runProgram(context, { file: "slim.mjs", head, env }, process.execPath, []);
    },
  },
  {
    name: "Node, bundled into one file far from the .wasm",
    run: async (context) => {
      await writeFile(join(context.project, "one-file-source.mjs"), `${imports("dreamdb-arrays")}\nexport { api, scenario };\n`);
      const { build } = await import("esbuild");
      await build({
        absWorkingDir: context.project,
        entryPoints: ["one-file-source.mjs"],
        outfile: join(context.project, "bundled", "deep", "down", "one-file.mjs"),
        bundle: true,
        platform: "node",
        format: "esm",
        logLevel: "error",
      });
      const env = `{ ready: "init", fixtures: ${fixturesOf(context)} }`;
      return runProgram(context, { file: "one-file.mjs", head: 'import { api, scenario } from "./bundled/deep/down/one-file.mjs";', env }, process.execPath, []);
    },
  },
  {
    name: "Deno, without any permission",
    run: (context) =>
      runProgram(context, { file: "deno-pure.mjs", head: imports("dreamdb-arrays"), env: '{ ready: "import" }' }, bin("deno"), [
        "run",
        "--no-prompt",
        "--no-lock",
        "--node-modules-dir=manual",
      ]),
  },
  {
    name: "Deno, with --allow-net to one host",
    run: (context) =>
      runProgram(context, { file: "deno.mjs", head: imports("dreamdb-arrays"), env: overHttp(context) }, bin("deno"), [
        "run",
        "--no-prompt",
        "--no-lock",
        "--node-modules-dir=manual",
        `--allow-net=${new URL(context.origin).host}`,
      ]),
  },
  {
    name: "Deno, with a folder of its own",
    run: (context) =>
      runProgram(context, { file: "deno-folder.mjs", head: withFolder, env: overBoth(context, "written-deno") }, bin("deno"), [
        "run",
        "--no-prompt",
        "--no-lock",
        "--node-modules-dir=manual",
        `--allow-net=${new URL(context.origin).host}`,
        "--allow-read=.",
        "--allow-write=written-deno",
      ]),
  },
  {
    name: "Bun",
    run: (context) => runProgram(context, { file: "bun.mjs", head: withFolder, env: overBoth(context, "written-bun") }, bin("bun"), ["--no-install"]),
  },
  { name: "the command line, as npm installs it", run: commandLine },
  { name: "workerd (bundled as its own tools do)", run: workerd },
  { name: "workerd, a column and rows within 50 requests", run: subrequests },
  { name: "workerd, the example of an edge worker over R2", run: edgeWorker },
];

/**
 * The program behind the package's `bin`, found as a shell would find it.
 * @param {Context} context
 */
async function commandLine({ project, origin }) {
  const program = join(project, "node_modules/.bin", "dreamdb-arrays");
  const listed = await must(program, ["ls", `${origin}/fixtures/episode/data`, "--json"], { cwd: project, timeout: TIMEOUT });
  const { manifest, fields } = JSON.parse(listed);
  if (fields.length !== 9 || typeof manifest.address !== "string") throw new Error(listed);
  return `${fields.length} fields`;
}

/** @param {Context} context */
async function workerd(context) {
  const { project } = context;
  const env = `{ ready: "import", fixtures: ${fixturesOf(context)} }`;
  await writeFile(
    join(project, "worker.mjs"),
    `${imports("dreamdb-arrays")}\nexport default { async fetch() {\n` +
      `  try { return new Response(await scenario(api, ${env})); }\n` +
      "  catch (error) { return new Response(error.stack, { status: 500 }); }\n} };\n",
  );
  const modules = await bundleWorker(project, "worker.mjs");
  const { Miniflare } = await import("miniflare");
  const miniflare = new Miniflare({ modules, modulesRoot: "/", compatibilityDate: "2026-01-01" });
  try {
    const response = await miniflare.dispatchFetch("http://worker/");
    const body = await response.text();
    if (response.status !== 200) throw new Error(body);
    return body;
  } finally {
    await miniflare.dispose();
  }
}
