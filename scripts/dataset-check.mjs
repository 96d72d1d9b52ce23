/**
 * Holds the built package to datasets and what another implementation reads back from them.
 *
 *     npm run -s dataset-check -- DIR [REF]                    a folder with data/ and expected.json
 *     npm run -s dataset-check -- ROOT [REF] --sidecar FILE    a dataset's root, and its sidecar elsewhere
 *     … --http                                                 also through the package's static server
 *     npm run -s dataset-check -- --all                        every fixture, over folder and HTTP
 *
 * Every value of the sidecar (tests/fixtures/README.md) is compared with what the public API gives: of every version, or of REF alone, opened by its
 * name and by its manifest's address. A failure is one line; the last line is `N passed, N failed`, and the exit status is 0 only if
 * something passed and nothing failed.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { fail, must } from "./lib/run.mjs";
import { Tally } from "./lib/dataset-check/tally.mjs";

const FIXTURES = join(root, "tests", "fixtures");
const USAGE = "usage: npm run -s dataset-check -- DIR [REF] [--sidecar FILE] [--http], or --all";

/** @typedef {{ name: string, data: string, sidecar: string, ref?: string }} Target */

/** Where the command was typed; npm itself moves to the top folder. */
const here = process.env["INIT_CWD"] || process.cwd();

/** Every fixture. */
function fixtures() {
  const names = readdirSync(FIXTURES).filter((name) => existsSync(join(FIXTURES, name, "expected.json")));
  return names.sort().map((name) => ({ name, data: join(FIXTURES, name, "data"), sidecar: join(FIXTURES, name, "expected.json") }));
}

/**
 * @param {string} folder
 * @param {string | undefined} ref
 * @param {string | undefined} given
 * @returns {Target}
 */
function targetOf(folder, ref, given) {
  const path = resolve(here, folder);
  const name = relative(here, path) || ".";
  const version = ref === undefined ? {} : { ref };
  if (given !== undefined) return { name, data: path, sidecar: resolve(here, given), ...version };
  const target = { name, data: join(path, "data"), sidecar: join(path, "expected.json"), ...version };
  for (const needed of [target.data, target.sidecar]) if (!existsSync(needed)) throw new Error(`there is no ${needed}\n${USAGE}`);
  return target;
}

/**
 * @param {Target[]} targets
 * @param {boolean} overHttp
 */
async function check(targets, overHttp) {
  // Only now is there a package to import.
  const [api, { fsStore }, { serveDirectory }, { checkDataset }] = await Promise.all([
    import("dreamdb-arrays"),
    import("dreamdb-arrays/fs"),
    import("../dist/cli/server/serve.js"),
    import("./lib/dataset-check/dataset.mjs"),
  ]);
  const total = new Tally();
  const report = (/** @type {string} */ title, /** @type {Tally} */ tally) => {
    for (const failure of tally.failures) process.stdout.write(`${title}: ${failure}\n`);
    process.stdout.write(`${title}: ${tally.passed} compared, ${tally.failures.length} wrong\n`);
    total.add(tally);
  };
  for (const { name, data, sidecar, ref } of targets) {
    const facts = JSON.parse(readFileSync(sidecar, "utf8"));
    report(`${name} in a folder`, await checkDataset(api, fsStore(data), facts, ref));
    if (!overHttp) continue;
    const server = await serveDirectory(data);
    try {
      report(`${name} over HTTP`, await checkDataset(api, api.httpStore(server.url), facts, ref));
    } finally {
      await server.close();
    }
  }
  process.stdout.write(`${total.passed} passed, ${total.failures.length} failed\n`);
  return total.failures.length === 0 && total.passed > 0;
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: "boolean", default: false }, http: { type: "boolean", default: false }, sidecar: { type: "string" } },
  });
  const [folder, ref] = positionals;
  if (positionals.length > 2 || values.all === (folder !== undefined) || (values.all && values.sidecar !== undefined)) throw new Error(USAGE);
  const targets = folder === undefined ? fixtures() : [targetOf(folder, ref, values.sidecar)];
  // Quiet, unless it fails: what this command prints is about datasets.
  await must(process.execPath, [join(root, "scripts/build.mjs")]);
  if (!(await check(targets, values.http || values.all))) process.exitCode = 1;
} catch (error) {
  fail(error);
}
