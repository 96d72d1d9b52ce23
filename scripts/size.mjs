/**
 * What users download, against what we aim at: `node scripts/size.mjs [--check]`. With `--check`, exits with 1 when a limit is exceeded;
 * a second .wasm in the package is a failure always. What stands between aim and limit: docs/size.md.
 *
 * The browser entry is measured as a bundler ships it: minified, cut where it imports on demand, without the inline copy of the wasm, which is a
 * chunk of its own that is not loaded as a rule.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { root } from "./lib/paths.mjs";
import { packTarball } from "./lib/pack.mjs";
import { table } from "./lib/report.mjs";
import { fail } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

const KB = 1000;

/** @typedef {{ what: string, bytes: number, aim?: number, limit?: number }} Row */

/** @param {Uint8Array} bytes */
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** @param {Uint8Array} bytes */
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

/**
 * Bytes of what a page loads, gzipped file by file: at the import, and by the time that each of these modules has been imported on demand.
 * @param {string[]} behind
 * @param {string} start what starts the core, before anything behind the doors is used
 */
async function browserChunks(behind, start) {
  const esbuild = await import("esbuild");
  const entry = "dist/entry/browser.js";
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    external: ["*/wasm-inline.js"],
    outdir: "chunks",
    metafile: true,
    write: false,
  });
  const contents = new Map(outputFiles.map((file) => [relative(root, file.path).replaceAll("\\", "/"), file.contents]));
  const chunks = Object.entries(metafile.outputs);
  /** @param {string} module */
  const chunkOf = (module) => {
    const found = chunks.find(([, { entryPoint }]) => entryPoint === module);
    if (found === undefined) throw new Error(`esbuild made no chunk of ${module}`);
    return found[0];
  };
  /** @param {string} name @param {Set<string>} loaded */
  const load = (name, loaded) => {
    const chunk = metafile.outputs[name];
    if (chunk === undefined || loaded.has(name)) return loaded;
    loaded.add(name);
    for (const { path, kind } of chunk.imports) if (kind === "import-statement") load(path, loaded);
    return loaded;
  };
  /** @param {string[]} modules */
  const bytesOf = (modules) => {
    /** @type {Set<string>} */
    const loaded = new Set();
    for (const module of modules) load(chunkOf(module), loaded);
    return [...loaded].reduce((sum, name) => sum + gzip(contents.get(name) ?? new Uint8Array(0)), 0);
  };
  return { atImport: bytesOf([entry]), later: behind.map((module) => bytesOf([entry, start, module])) };
}

try {
  await setup("build");
  await build();
  const folder = mkdtempSync(join(tmpdir(), "dreamdb-size-"));
  try {
    const wasm = readFileSync(join(root, "pkg/dreamdb_arrays_bg.wasm"));
    const { atImport, later } = await browserChunks(["dist/dataset/doors.js", "dist/write/door.js"], "dist/wasm-start.js");
    const { path, files } = await packTarball(folder);
    const wasmFiles = files.filter((file) => file.endsWith(".wasm"));
    /** @type {Row[]} */
    const rows = [
      { what: "wasm", bytes: wasm.length, aim: 120 * KB, limit: 118 * KB },
      { what: "wasm, gzip -9", bytes: gzip(wasm) },
      { what: "wasm, brotli -11", bytes: brotli(wasm), aim: 45 * KB, limit: 47.6 * KB },
      { what: "browser entry, minified, gzip -9", bytes: atImport, aim: 20 * KB, limit: 20 * KB },
      { what: "… and what opening a dataset loads", bytes: later[0] ?? 0, limit: 59.5 * KB },
      { what: "… and what writing loads", bytes: later[1] ?? 0, limit: 76 * KB },
      { what: `npm package, ${files.length} files`, bytes: statSync(path).size, aim: 1000 * KB, limit: 1000 * KB },
    ];
    const over = rows.filter((row) => row.limit !== undefined && row.bytes > row.limit).map((row) => row.what);
    const kb = (/** @type {number | undefined} */ bytes) => (bytes === undefined ? "" : `${(bytes / KB).toFixed(1)} KB`.padStart(9));
    const cells = rows.map((row) => [row.what, kb(row.bytes), kb(row.aim), kb(row.limit), over.includes(row.what) ? "over" : ""]);
    process.stdout.write(table(["what", "size", "aim", "limit", ""], cells));
    if (wasmFiles.length !== 1) throw new Error(`the package holds ${wasmFiles.length} .wasm files; one is right`);
    if (over.length > 0 && process.argv.includes("--check")) throw new Error(`over the limit: ${over.join(", ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} catch (error) {
  fail(error);
}
