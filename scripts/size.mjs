/**
 * What users download, against what we aim at: `node scripts/size.mjs [--check]`. With `--check`, exits with 1 when a budget is exceeded;
 * a second .wasm in the package is a failure always.
 *
 * The browser entry is measured as a bundler ships it: minified, without the inline copy of the wasm, which is a chunk of its own that
 * is not loaded as a rule.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { root } from "./lib/paths.mjs";
import { packTarball } from "./lib/pack.mjs";
import { table } from "./lib/report.mjs";
import { fail } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

const KB = 1000;

/** @typedef {{ what: string, bytes: number, budget?: number }} Row */

/** @param {Uint8Array} bytes */
const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** @param {Uint8Array} bytes */
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

/** @returns {Promise<Uint8Array>} */
async function browserBundle() {
  const esbuild = await import("esbuild");
  const result = await esbuild.build({
    entryPoints: [join(root, "dist/entry/browser.js")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    external: ["*/wasm-inline.js"],
    write: false,
  });
  const file = result.outputFiles[0];
  if (file === undefined) throw new Error("esbuild wrote nothing");
  return file.contents;
}

try {
  await setup("build");
  await build();
  const folder = mkdtempSync(join(tmpdir(), "dreamdb-size-"));
  try {
    const wasm = readFileSync(join(root, "pkg/dreamdb_arrays_bg.wasm"));
    const bundle = await browserBundle();
    const { path, files } = await packTarball(folder);
    const wasmFiles = files.filter((file) => file.endsWith(".wasm"));
    /** @type {Row[]} */
    const rows = [
      { what: "wasm", bytes: wasm.length, budget: 120 * KB },
      { what: "wasm, gzip -9", bytes: gzip(wasm) },
      { what: "wasm, brotli -11", bytes: brotli(wasm), budget: 45 * KB },
      { what: "browser entry, minified", bytes: bundle.length },
      { what: "browser entry, minified, gzip -9", bytes: gzip(bundle), budget: 20 * KB },
      { what: `npm package, ${files.length} files`, bytes: statSync(path).size, budget: 1000 * KB },
    ];
    const over = rows.filter((row) => row.budget !== undefined && row.bytes > row.budget).map((row) => row.what);
    const kb = (/** @type {number | undefined} */ bytes) => (bytes === undefined ? "" : `${(bytes / KB).toFixed(1)} KB`.padStart(9));
    process.stdout.write(table(["what", "size", "budget", ""], rows.map((row) => [row.what, kb(row.bytes), kb(row.budget), over.includes(row.what) ? "over" : ""])));
    if (wasmFiles.length !== 1) throw new Error(`the package holds ${wasmFiles.length} .wasm files; one is right`);
    if (over.length > 0 && process.argv.includes("--check")) throw new Error(`over budget: ${over.join(", ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} catch (error) {
  fail(error);
}
