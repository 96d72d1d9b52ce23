/**
 * Builds what the sources do not hold: pkg/ and ts/wasm-inline.ts from the crate, dist/ from ts/, and dist/viewer from viewer/ and all of these.
 *
 *     node scripts/build.mjs [--only wasm]
 *
 * Only what is older than its sources is made again. Tests and the type checker need no dist/, so they stop after the first half.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { digest, isCurrent, stamp } from "./lib/fingerprint.mjs";
import { withLock } from "./lib/lock.mjs";
import { keepNeededTypes } from "./lib/needed-types.mjs";
import { writeOlderTypes } from "./lib/older-types.mjs";
import { buildPage, pageIsCurrent } from "./lib/page.mjs";
import { isMain, root, scratch } from "./lib/paths.mjs";
import { stripComments } from "./lib/plain-code.mjs";
import { bundleProgram } from "./lib/program.mjs";
import { fail, must } from "./lib/run.mjs";
import { buildWasm, wasmIsCurrent } from "./lib/wasm.mjs";
import { setup } from "./setup.mjs";

const MAKERS = ["needed-types", "older-types", "plain-code", "program"].map((name) => `scripts/lib/${name}.mjs`);
const TS_INPUTS = ["ts", "tsconfig.json", "tsconfig.build.json", "pkg/dreamdb_arrays.d.ts", "package.json", "package-lock.json", ...MAKERS];
/** What lies in dist/, but for the page, which is made of it. */
function tsOutputs() {
  const dist = join(root, "dist");
  return existsSync(dist) ? readdirSync(dist).filter((name) => name !== "viewer").map((name) => `dist/${name}`) : [];
}

/**
 * Bring the build output up to date.
 * @param {{ only?: "wasm" | undefined }} [options]
 */
export async function build(options = {}) {
  const wholeIsCurrent = () => wasmIsCurrent() && (options.only === "wasm" || (distIsCurrent() && pageIsCurrent(TS_INPUTS)));
  if (wholeIsCurrent()) return;
  await withLock(join(scratch, "build.lock"), async () => {
    if (!wasmIsCurrent()) await timed("wasm", buildWasm);
    if (options.only !== "wasm" && !distIsCurrent()) await timed("dist", buildDist);
    if (options.only !== "wasm" && !pageIsCurrent(TS_INPUTS)) await timed("page", () => buildPage(TS_INPUTS));
  }, () => process.stdout.write("build: waiting for another build of this checkout\n"));
}

function distIsCurrent() {
  return isCurrent("dist", TS_INPUTS, tsOutputs());
}

/** Compile into a new folder and swap it in: no file of a deleted source stays behind, and a reader sees the old or the new, whole. */
async function buildDist() {
  const inputs = digest(TS_INPUTS);
  mkdirSync(scratch, { recursive: true });
  const fresh = join(scratch, `dist.${process.pid}`);
  const old = join(scratch, `dist-old.${process.pid}`);
  try {
    await must(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh]);
    keepNeededTypes(fresh);
    await writeOlderTypes(fresh);
    await stripComments(fresh);
    await bundleProgram(fresh);
    chmodSync(join(fresh, "cli/main.js"), 0o755);
    try {
      renameSync(join(root, "dist"), old);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
    }
    renameSync(fresh, join(root, "dist"));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  stamp("dist", inputs, tsOutputs());
}

/**
 * @param {string} what
 * @param {() => Promise<void>} work
 */
async function timed(what, work) {
  const start = performance.now();
  await work();
  process.stdout.write(`build: ${what} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

if (isMain(import.meta.url)) {
  const start = performance.now();
  try {
    const args = process.argv.slice(2);
    const only = args[0] === "--only" && args[1] === "wasm" ? "wasm" : undefined;
    if (args.length > 0 && only === undefined) throw new Error("usage: node scripts/build.mjs [--only wasm]");
    await setup("build");
    await build({ only });
    process.stdout.write(`build: up to date (${((performance.now() - start) / 1000).toFixed(2)} s)\n`);
  } catch (error) {
    fail(error);
  }
}
