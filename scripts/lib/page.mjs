/**
 * The viewer's page in the package: viewer/dist, which scripts/viewer-build.mjs makes, each file compressed into dist/viewer. `dreamdb-arrays view` serves it.
 *
 * The page is made of the package, so it comes after pkg/ and dist/. Its copies of the module stay out: that in a file is the package's own, which the
 * command sends in its place, and so never fails to be there, which the one inside JavaScript is for.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { digest, filesBelow, isCurrent, stamp } from "./fingerprint.mjs";
import { root, scratch } from "./paths.mjs";
import { must } from "./run.mjs";

const BUILDER = "scripts/viewer-build.mjs";
const MADE = join(root, "viewer", "dist");
const WASM = "pkg/dreamdb_arrays_bg.wasm";
const OUTPUTS = ["dist/viewer"];
/** The chunk that bundlers make of ts/wasm-inline.ts. */
const INLINE = /^wasm-inline-[\w-]+\.js$/;
/** What viewer/ holds beside the page's sources. */
const OTHERS = ["dist", "episode", ".episode", "node_modules"];

/** @param {string[]} packageInputs what dist/ is made of */
function inputsOf(packageInputs) {
  const sources = readdirSync(join(root, "viewer")).filter((name) => !OTHERS.includes(name));
  // Which errors mean what is told by the page in the words of the documentation.
  return [...packageInputs, WASM, BUILDER, "docs/troubleshooting.md", "scripts/lib/page.mjs", ...sources.map((name) => `viewer/${name}`)];
}

/** @param {string[]} packageInputs */
export function pageIsCurrent(packageInputs) {
  return isCurrent("page", inputsOf(packageInputs), OUTPUTS);
}

/**
 * Make the page and pack it.
 * @param {string[]} packageInputs
 */
export async function buildPage(packageInputs) {
  const inputs = digest(inputsOf(packageInputs));
  await must(process.execPath, [join(root, BUILDER)]);
  const fresh = join(scratch, `page.${process.pid}`);
  const target = join(root, "dist", "viewer");
  try {
    await packPage(fresh);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  stamp("page", inputs, OUTPUTS);
}

/** @param {string} folder */
async function packPage(folder) {
  const { PACKED, TYPES } = await import("../../dist/cli/server/page.js");
  const files = filesBelow(MADE);
  const [module, ...more] = files.filter((file) => file.endsWith(".wasm"));
  if (module === undefined || more.length > 0) throw new Error(`viewer/dist holds ${more.length + (module === undefined ? 0 : 1)} .wasm files; one is right`);
  if (!readFileSync(module).equals(readFileSync(join(root, WASM)))) throw new Error(`${relative(root, module)} is not ${WASM}, which is sent in its place`);
  for (const file of files) {
    if (file === module || INLINE.test(basename(file))) continue;
    if (!Object.hasOwn(TYPES, extname(file))) throw new Error(`${relative(root, file)} is of a kind that ts/cli/server/page.ts has no media type for`);
    const packed = join(folder, `${relative(MADE, file)}${PACKED}`);
    mkdirSync(dirname(packed), { recursive: true });
    writeFileSync(packed, brotliCompressSync(readFileSync(file)));
  }
}
