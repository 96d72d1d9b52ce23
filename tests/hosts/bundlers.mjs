/** Chromium with what bundlers make of the packed package: one .wasm file each, and the scenario out of what was built or is served by them. */
import assert from "node:assert/strict";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pageScript, visit } from "./browser.mjs";

/** @typedef {import("./runtimes.mjs").Context} Context */
/** @typedef {import("./runtimes.mjs").Host} Host */

/** The first bytes of every WebAssembly file, and how the alphabet begins in which the inline copy is written. */
const MAGIC = Buffer.from([0, 0x61, 0x73, 0x6d]);
const MAGIC_TEXT = " !#%&()*+,-./0123456789:;=>?@ABC";

/**
 * @typedef {object} Build
 * @property {string} source folder of main.mjs
 * @property {string} out folder for the result
 */

/**
 * @typedef {object} Bundler
 * @property {string} name of its folders
 * @property {(build: Build) => Promise<unknown>} build
 * @property {string} [script] the element of the page that loads the result; absent where the bundler writes the page
 * @property {(context: Context) => string} [main] what it is given
 */

/**
 * A source folder with the program, a page, and a worker for those who start it.
 * @param {Context} context
 * @param {string} name
 * @param {string} main
 * @returns {Promise<Build>}
 */
async function sourceFolder(context, name, main) {
  const source = join(context.project, name);
  await mkdir(source, { recursive: true });
  await writeFile(join(source, "main.mjs"), main.replaceAll("./scenario.mjs", "../scenario.mjs"));
  await writeFile(join(source, "worker.mjs"), workerScript(context).replaceAll("./scenario.mjs", "../scenario.mjs"));
  await writeFile(join(source, "index.html"), page('<script type="module" src="./main.mjs"></script>'));
  return { source, out: join(context.project, `${name}-out`) };
}

const moduleScript = '<script type="module" src="./main.js"></script>';

/** @param {string} script */
const page = (script) => `<!doctype html><meta charset="utf-8"><title>bundled</title>\n${script}\n`;

/**
 * The WebAssembly in a folder, by content and whatever the files are called.
 * @param {string} out
 */
async function emitted(out) {
  const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const wasm = [];
  const inline = [];
  for (const { parentPath, name } of files) {
    const bytes = await readFile(join(parentPath, name));
    if (bytes.subarray(0, 4).equals(MAGIC)) wasm.push({ name, bytes });
    else if (bytes.includes(MAGIC_TEXT)) inline.push(name);
  }
  return { wasm, inline };
}

/**
 * Build, look at what came out, and run it.
 * @param {Context} context
 * @param {Bundler} bundler
 */
async function built(context, { name, build, script, main = pageScript }) {
  const folders = await sourceFolder(context, name, main(context));
  await build(folders);
  const { wasm, inline } = await emitted(folders.out);
  const original = await readFile(join(context.project, "node_modules/dreamdb-arrays/pkg/dreamdb_arrays_bg.wasm"));
  assert.deepEqual(wasm.map(({ bytes }) => bytes.equals(original)), [true], `${name} put out as WebAssembly: ${wasm.map((file) => file.name).join(" ") || "nothing"}`);
  if (script !== undefined) await writeFile(join(folders.out, "index.html"), page(script));
  const from = context.requests.length;
  const done = await visit(`${context.origin}/plain/${name}-out/index.html`);
  checkRequests(context.requests.slice(from), wasm[0]?.name ?? "", inline);
  return `${done}; ${wasm[0]?.name}`;
}

const baseName = (/** @type {string} */ path) => path.split("/").at(-1) ?? "";

/**
 * The file was asked for, at least once, and the copy was not.
 * @param {string[]} asked
 * @param {string} wasm
 * @param {string[]} inline
 */
function checkRequests(asked, wasm, inline) {
  const names = asked.map(baseName);
  assert.ok(names.includes(wasm), `${wasm} was not asked for: ${names.join(" ")}`);
  assert.deepEqual(names.filter((name) => inline.includes(name)), [], "the inline copy was loaded though the .wasm file was there");
}

/** A page that runs the scenario by itself, then in a worker of its own. */
const withWorker = (/** @type {Context} */ context) =>
  pageScript(context).replace("globalThis.outcome = outcome", "return inWorker(outcome)") +
  `function inWorker(here) {\n  if (here.error) { globalThis.outcome = here; return; }\n${startWorker}` +
  "  worker.onmessage = ({ data }) => { globalThis.outcome = data.error ? data : { done: `page: ${here.done}; worker: ${data.done}` }; };\n}\n";

/** Starts the worker and tells what it fails with. */
const startWorker =
  '  const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });\n' +
  "  worker.onerror = (event) => { globalThis.outcome = { error: `the worker failed: ${event.message}` }; };\n";

/** @param {Context} context */
const workerScript = (context) => pageScript(context).replace("globalThis.outcome = outcome", "globalThis.postMessage(outcome)");

/**
 * A worker without a bundler, hence without an import map, which workers do not have.
 * @param {Context} context
 */
async function plainWorker(context) {
  const { project, origin, requests } = context;
  await writeFile(join(project, "worker.mjs"), workerScript(context).replaceAll('"dreamdb-arrays"', '"./node_modules/dreamdb-arrays/dist/entry/browser.js"'));
  const main = `${startWorker}  worker.onmessage = ({ data }) => { globalThis.outcome = data; };\n`;
  await writeFile(join(project, "start-worker.mjs"), main);
  await writeFile(join(project, "start-worker.html"), page('<script type="module" src="./start-worker.mjs"></script>'));
  const from = requests.length;
  const done = await visit(`${origin}/plain/start-worker.html`);
  checkRequests(requests.slice(from), "dreamdb_arrays_bg.wasm", ["wasm-inline.js"]);
  return done;
}

/** @type {(build: Build) => Promise<unknown>} */
async function vite({ source, out }) {
  const { build } = await import("vite");
  // A worker that imports something on demand cannot be a classic script, which Vite makes unless told so.
  return build({ root: source, base: "./", configFile: false, logLevel: "error", worker: { format: "es" }, build: { outDir: out, emptyOutDir: true } });
}

/** A plugin of Vite's servers that notes what they are asked for. */
function listening() {
  /** @type {string[]} */
  const asked = [];
  /** @param {Pick<import("vite").ViteDevServer, "middlewares">} server */
  const listen = ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      asked.push(new URL(request.url ?? "", "http://x").pathname);
      next();
    });
  };
  return { asked, plugin: { name: "listening", configureServer: listen, configurePreviewServer: listen } };
}

/**
 * Vite's own server over what it built.
 * @param {Context} context
 */
async function vitePreview(context) {
  const folders = await sourceFolder(context, "vite-preview", pageScript(context));
  await vite(folders);
  const { wasm, inline } = await emitted(folders.out);
  const { asked, plugin } = listening();
  const { preview } = await import("vite");
  const server = await preview({ root: folders.source, plugins: [plugin], configFile: false, logLevel: "error", build: { outDir: folders.out }, preview: { port: 0, host: "127.0.0.1" } });
  try {
    const done = await visit(server.resolvedUrls?.local[0] ?? "");
    checkRequests(asked, wasm[0]?.name ?? "", inline);
    return done;
  } finally {
    await server.close();
  }
}

/**
 * Vite's development server, page and Worker: without configuration, or told to leave the package as it is.
 * @param {Context} context
 * @param {string} name
 * @param {import("vite").InlineConfig} config
 */
async function viteServer(context, name, config) {
  const { source } = await sourceFolder(context, name, withWorker(context));
  const { asked, plugin } = listening();
  const { createServer } = await import("vite");
  const server = await createServer({
    root: source,
    configFile: false,
    logLevel: "error",
    cacheDir: join(source, ".vite"),
    plugins: [plugin],
    server: { port: 0, host: "127.0.0.1", fs: { allow: [context.project] } },
    ...config,
  });
  await server.listen();
  try {
    const done = await visit(server.resolvedUrls?.local[0] ?? "");
    checkRequests(asked, "dreamdb_arrays_bg.wasm", asked.map(baseName).filter((name) => name.includes("wasm-inline")));
    return done;
  } finally {
    await server.close();
  }
}

/** @param {Build} build */
async function webpack({ source, out }) {
  const { default: webpack } = await import("webpack");
  /** @type {import("webpack").Stats | undefined} */
  const stats = await new Promise((resolve, reject) => {
    const compiler = webpack({ mode: "production", context: source, entry: "./main.mjs", output: { path: out, filename: "main.js" }, performance: false });
    compiler.run((error, stats) => compiler.close(() => (error ? reject(error) : resolve(stats))));
  });
  if (stats === undefined || stats.hasErrors() || stats.hasWarnings()) throw new Error(stats?.toString({ all: false, errors: true, warnings: true }));
}

/** @param {Build} build */
async function rollup({ source, out }) {
  const { rollup } = await import("rollup");
  const { nodeResolve } = await import("@rollup/plugin-node-resolve");
  // @ts-expect-error its package.json hides the types that it has
  const { importMetaAssets } = await import("@web/rollup-plugin-import-meta-assets");
  const bundle = await rollup({
    input: join(source, "main.mjs"),
    plugins: [nodeResolve({ browser: true }), importMetaAssets()],
    onwarn: (warning) => {
      throw new Error(warning.message);
    },
  });
  try {
    await bundle.write({ dir: out, format: "es" });
  } finally {
    await bundle.close();
  }
}

/**
 * esbuild leaves `new URL()` alone, so it is told of the file by an import.
 * @type {(build: Build) => Promise<unknown>}
 */
async function esbuild({ source, out }) {
  const { build } = await import("esbuild");
  return build({ absWorkingDir: source, entryPoints: ["main.mjs"], outdir: out, bundle: true, minify: true, splitting: true, format: "esm", loader: { ".wasm": "file" }, logLevel: "error" });
}

/** @param {Context} context */
const slimMain = (context) =>
  `import wasm from "dreamdb-arrays/dreamdb_arrays_bg.wasm";\n${pageScript(context)
    .replace('"dreamdb-arrays"', '"dreamdb-arrays/slim"')
    .replace('ready: "init"', 'ready: "init", source: new URL(wasm, import.meta.url)')}`;

/**
 * esbuild without any configuration: no file comes out, and the page takes the inline copy.
 * @param {Context} context
 */
async function esbuildAlone(context) {
  const folders = await sourceFolder(context, "esbuild-alone", pageScript(context));
  await esbuild(folders);
  const { wasm, inline } = await emitted(folders.out);
  assert.deepEqual([wasm.length, inline.length], [0, 1]);
  await writeFile(join(folders.out, "index.html"), page(moduleScript));
  const from = context.requests.length;
  const done = await visit(`${context.origin}/plain/esbuild-alone-out/index.html`);
  assert.ok(context.requests.slice(from).some((path) => path.endsWith(`/${inline[0]}`)), "the inline copy was expected to be asked for");
  return `${done}; inline`;
}

/** @type {Host[]} */
export const bundlerHosts = [
  { name: "Vite, built, page and Worker", run: (context) => built(context, { name: "vite", build: vite, main: withWorker }) },
  { name: "Vite, built, its preview", run: vitePreview },
  { name: "Vite, development server, page and Worker", run: (context) => viteServer(context, "vite-dev", {}) },
  { name: "Vite, development server, the package left as it is", run: (context) => viteServer(context, "vite-dev-excluded", { optimizeDeps: { exclude: ["dreamdb-arrays"] } }) },
  { name: "webpack, page and Worker", run: (context) => built(context, { name: "webpack", build: webpack, script: '<script defer src="./main.js"></script>', main: withWorker }) },
  { name: "Rollup", run: (context) => built(context, { name: "rollup", build: rollup, script: moduleScript }) },
  { name: "esbuild, /slim with the file loader", run: (context) => built(context, { name: "esbuild", build: esbuild, script: moduleScript, main: slimMain }) },
  { name: "esbuild, as it is", run: esbuildAlone },
  { name: "Chromium, a Worker without a bundler", run: plainWorker },
];
