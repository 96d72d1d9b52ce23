/**
 * Puts conformance vectors to the built package.
 *
 *     npm run -s vectors -- [FILE or FOLDER …]     all vectors of vectors/ unless some are named
 *     npm run -s vectors -- --document             writes what the package passes into docs/conformance.md
 *
 * A file holds vectors as vectors/README.md defines them, or recorded cases of the reference implementation (objects with `expect`, its
 * words); one object, an array, or one a line. Every disagreement is printed; the last line is `N passed, N failed`, and the exit status
 * is 0 only if something passed and nothing failed. A vector that the package does not carry out has not passed, so it counts as failed.
 */
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { root, scratch } from "./lib/paths.mjs";
import { fail, must } from "./lib/run.mjs";

const DOCUMENT = join(root, "docs", "conformance.md");
const MARKERS = /(<!-- level: written by `npm run -s vectors -- --document` -->\n)[^]*?(<!-- end of level -->)/;

/** @typedef {typeof import("../tests/conformance/cases/command.js")} Command */

/**
 * The runner's other half, tests/conformance/cases/command.ts, with the package's own modules out of dist/.
 *
 * tests/ is TypeScript, so it is bundled; what it imports from ts/ becomes the module of the same name in dist/.
 * @returns {Promise<Command>}
 */
async function loadCommand() {
  const { build } = await import("esbuild");
  const outfile = join(scratch, `vectors.${process.pid}.mjs`);
  const dist = (/** @type {string} */ path) => ({ path: pathToFileURL(join(root, "dist", path)).href, external: true });
  try {
    await build({
      entryPoints: [join(root, "tests/conformance/cases/command.ts")],
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      outfile,
      logLevel: "error",
      plugins: [
        {
          name: "the built package",
          setup(bundle) {
            bundle.onResolve({ filter: /^dreamdb-arrays$/ }, () => dist("entry/node.js"));
            bundle.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
              const inPackage = relative(join(root, "ts"), resolve(resolveDir, path));
              return inPackage.startsWith("..") ? undefined : dist(inPackage);
            });
          },
        },
      ],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** Where the command was typed; npm itself moves to the top folder. */
const here = process.env["INIT_CWD"] || process.cwd();

/**
 * A named file, or those below a named folder.
 * @param {string} path
 * @returns {string[]}
 */
function filesAt(path) {
  if (path === join(root, "vectors")) return ownFiles();
  if (!statSync(path).isDirectory()) return [path];
  const below = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  return below.filter((name) => /\.jsonl?$/.test(name)).map((name) => join(path, name));
}

/** Every vector file: those below the folders of vectors/, which itself holds documents about them. */
function ownFiles() {
  const vectors = join(root, "vectors");
  const folders = readdirSync(vectors, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== "tools");
  return folders.map((entry) => join(vectors, entry.name)).sort().flatMap(filesAt);
}

/**
 * @param {Command} command
 * @param {string[]} files
 */
async function runFiles(command, files) {
  const divergences = command.readDivergences(readFileSync(join(root, "vectors", "divergences.json"), "utf8"));
  let [passed, failed] = [0, 0];
  const counts = [];
  for (const file of files) {
    const report = await command.run(command.readText(readFileSync(file, "utf8"), divergences));
    const name = relative(here, file);
    for (const { id, operation, expected, actual } of report.disagreements) {
      process.stdout.write(`${name}: ${id} (${operation})\n  expected ${expected}\n  actual   ${actual}\n`);
    }
    for (const { category, operation, notRun } of report.counts) {
      if (notRun > 0) process.stdout.write(`${name}: ${notRun} of ${category} not run: the package has no ${operation}\n`);
    }
    passed += report.passed;
    failed += report.failed + report.notRun;
    counts.push(...report.counts);
  }
  return { passed, failed, counts };
}

/**
 * Write the table into the document, from one run over all vectors.
 * @param {Command} command
 */
async function writeDocument(command) {
  const { counts } = await runFiles(command, ownFiles());
  const text = readFileSync(DOCUMENT, "utf8");
  if (!MARKERS.test(text)) throw new Error("docs/conformance.md has no place for the table");
  writeFileSync(DOCUMENT, text.replace(MARKERS, `$1\n${command.levelTable(counts)}\n\n$2`));
}

try {
  const args = process.argv.slice(2);
  // Quiet, unless it fails: what this command prints is about vectors.
  await must(process.execPath, [join(root, "scripts/build.mjs")]);
  const command = await loadCommand();
  if (args.includes("--document")) {
    if (args.length > 1) throw new Error("--document takes all vectors and no files");
    await writeDocument(command);
  } else {
    const files = args.length === 0 ? ownFiles() : args.flatMap((path) => filesAt(resolve(here, path)));
    const { passed, failed } = await runFiles(command, files);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    if (failed > 0 || passed === 0) process.exitCode = 1;
  }
} catch (error) {
  fail(error);
}
