/** What is in the package: the files that users get, no more and no less, and nothing that comes along. */
import assert from "node:assert/strict";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What lies at the top. */
const TOP = ["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json", "pkg", "vectors"];

/** All of pkg/. */
const PKG = ["dreamdb_arrays.d.ts", "dreamdb_arrays.js", "dreamdb_arrays_bg.wasm", "dreamdb_arrays_bg.wasm.d.ts"];

/** The tarball, in bytes. */
const LIMIT = 1_000_000;

/**
 * @param {string} path of the tarball
 * @param {string[]} files in it
 * @returns {import("./runtimes.mjs").Host}
 */
export function contentsHost(path, files) {
  return {
    name: "package contents",
    run: async ({ project }) => {
      assert.deepEqual([...new Set(files.map((file) => file.split("/")[0] ?? ""))].sort(), TOP);
      assert.deepEqual(files.filter((file) => file.endsWith(".wasm")), ["pkg/dreamdb_arrays_bg.wasm"]);
      assert.deepEqual(files.filter((file) => file.startsWith("pkg/")).sort(), PKG.map((name) => `pkg/${name}`));
      const strange = files.filter((file) => /^dist\/|^vectors\//.test(file) && !/^dist\/.*\.(js|d\.ts)$|^dist\/cli\/licences\.txt$|^dist\/viewer\/.*\.br$|^vectors\/(README\.md|.*\.json)$/.test(file));
      assert.deepEqual(strange, [], "code and declarations in dist/, the terms of what the command line bundles, the viewer's page, data in vectors/");
      checkPage(files);
      checkPairs(files);
      const installed = (await readdir(join(project, "node_modules"))).filter((name) => !name.startsWith("."));
      assert.deepEqual(installed, ["dreamdb-arrays"], "what npm installed beside the package");
      const description = JSON.parse(await readFile(join(project, "node_modules/dreamdb-arrays/package.json"), "utf8"));
      checkWays(description, files);
      const { size } = await stat(path);
      assert.ok(size <= LIMIT, `${size} bytes packed`);
      return `${files.length} files, one .wasm, ${Math.round(size / 1000)} KB packed`;
    },
  };
}

/**
 * Declarations stand beside their code, and once more for older compilers. Modules that nobody can reach have none; that none is missing, the compilers
 * of types.mjs see.
 * @param {string[]} files
 */
function checkPairs(files) {
  const stems = (/** @type {string} */ folder, /** @type {string} */ end) =>
    files.filter((file) => !file.startsWith("dist/cli/") && file.startsWith(folder) && file.endsWith(end) && (folder !== "dist/" || !file.startsWith("dist/ts5.6/"))).map((file) => file.slice(folder.length, -end.length)).sort();
  const code = new Set(stems("dist/", ".js"));
  assert.deepEqual(stems("dist/", ".d.ts").filter((stem) => !code.has(stem)), []);
  assert.deepEqual(stems("dist/ts5.6/", ".d.ts"), stems("dist/", ".d.ts"));
  assert.deepEqual(stems("dist/ts5.6/", ".js"), []);
  assert.deepEqual(files.filter((file) => /^dist\/(ts5\.6\/)?cli\//.test(file)).sort(), ["dist/cli/licences.txt", "dist/cli/main.js"]);
}

/**
 * The viewer's page is there, with the terms of what it bundles and without a copy of the module, which the package has.
 * @param {string[]} files
 */
function checkPage(files) {
  const page = files.filter((file) => file.startsWith("dist/viewer/"));
  for (const name of ["index.html", "licences.md"]) assert.ok(page.includes(`dist/viewer/${name}.br`), name);
  assert.ok(page.some((file) => /\/assets\/index-[\w-]+\.js\.br$/.test(file)), "the page's code");
  assert.deepEqual(page.filter((file) => /\.wasm|wasm-inline/.test(file)), []);
}

/**
 * Every way in leads to a file that is there, and nothing is needed or run at an install.
 * @param {{ exports: Record<string, string | Record<string, string>>, scripts?: Record<string, string> }} description
 * @param {string[]} files
 */
function checkWays(description, files) {
  const targets = Object.values(description.exports).flatMap((way) => (typeof way === "string" ? [way] : Object.values(way)));
  assert.deepEqual(targets.filter((target) => !target.includes("*") && !files.includes(target.slice(2))), []);
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies", "bundledDependencies"]) assert.ok(!(kind in description), kind);
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) assert.ok(!Object.hasOwn(description.scripts ?? {}, script), script);
}
