/**
 * Runs the tests, all suites or some, whatever the state of the checkout.
 *
 *     node scripts/test.mjs [rust] [node] [browser] [hosts] [servers] [interop] [cli] [viewer] [-- arguments for the suite's own runner]
 *
 * A failing suite does not stop the others. The last line is `N passed, N failed`; the exit code is 0 only if nothing failed and every
 * suite that was asked for ran at least one test, since a suite that silently runs nothing looks just like a good one.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { isMain, root, scratch } from "./lib/paths.mjs";
import { countCargo, countLastLine, countVitest, table } from "./lib/report.mjs";
import { fail, run } from "./lib/run.mjs";
import { rustEnv } from "./lib/rust.mjs";
import { setup } from "./setup.mjs";

/** @typedef {import("./lib/report.mjs").Counts} Counts */
/** @typedef {{ code: number, counts: Counts }} Outcome */

/** @type {Record<"rust" | "node" | "browser" | "hosts" | "servers" | "interop" | "cli" | "viewer", (args: string[]) => Promise<Outcome>>} */
const SUITES = {
  async rust(args) {
    const { code, output } = await run("cargo", ["test", ...args], { env: rustEnv(), show: true });
    return { code, counts: countCargo(output) };
  },
  node: (args) => vitest(["node", "node-fetch"], args),
  browser: (args) => vitest(["browser"], args),
  async hosts(args) {
    const { code, output } = await run(process.execPath, ["tests/hosts/run.mjs", ...args], { show: true });
    return { code, counts: countLastLine(output) };
  },
  servers: (args) => vitest(["servers", "servers-browser"], args),
  interop: (args) => vitest(["interop"], args),
  async cli(args) {
    // What is run there is what is published.
    await build();
    return vitest(["cli"], args);
  },
  async viewer(args) {
    await build();
    return vitest(["viewer"], args);
  },
};

/** @typedef {keyof typeof SUITES} Suite */

/**
 * @param {("node" | "node-fetch" | "browser" | "servers" | "servers-browser" | "interop" | "cli" | "viewer")[]} projects
 * @param {string[]} args
 * @returns {Promise<Outcome>}
 */
async function vitest(projects, args) {
  await build({ only: "wasm" });
  mkdirSync(scratch, { recursive: true });
  const report = join(scratch, `vitest.${projects[0]}.${process.pid}.json`);
  try {
    const own = ["run", ...projects.map((name) => `--project=${name}`), "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { code } = await run(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...own, ...args], { show: true });
    const counts = existsSync(report) ? countVitest(readFileSync(report, "utf8")) : { passed: 0, failed: 0, skipped: 0 };
    return { code, counts };
  } finally {
    rmSync(report, { force: true });
  }
}

/**
 * Run suites and print the summary.
 * @param {Suite[]} suites
 * @param {string[]} args
 * @returns {Promise<boolean>} whether all is well
 */
export async function test(suites, args) {
  for (const suite of suites) await setup(suite);
  const rows = [];
  const total = { passed: 0, failed: 0 };
  let good = true;
  for (const suite of suites) {
    process.stdout.write(`\n── ${suite} ──\n`);
    const start = performance.now();
    const { counts, note } = await outcomeOf(suite, args);
    if (note !== "") good = false;
    total.passed += counts.passed;
    total.failed += counts.failed;
    rows.push([suite, counts.passed, counts.failed, counts.skipped, `${((performance.now() - start) / 1000).toFixed(1)} s`, note]);
  }
  process.stdout.write(`\n${table(["suite", "passed", "failed", "skipped", "time", ""], rows)}\n${total.passed} passed, ${total.failed} failed\n`);
  return good;
}

/**
 * One suite's counts, and what is wrong with it, "" for nothing.
 * @param {Suite} suite
 * @param {string[]} args
 */
async function outcomeOf(suite, args) {
  /** @type {Outcome} */
  let outcome;
  try {
    outcome = await SUITES[suite](args);
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    outcome = { code: 1, counts: { passed: 0, failed: 0, skipped: 0 } };
  }
  const { code, counts } = outcome;
  if (counts.failed > 0) return { counts, note: "failed" };
  // A runner that ends badly although no test failed (it did not compile, an error outside the tests) is one failure.
  if (code !== 0) return { counts: { ...counts, failed: 1 }, note: `ended with ${code}` };
  if (counts.passed === 0) return { counts: { ...counts, failed: 1 }, note: "ran no test" };
  return { counts, note: "" };
}

if (isMain(import.meta.url)) {
  try {
    const args = process.argv.slice(2);
    const dashes = args.indexOf("--");
    // npm drops the dashes, so whatever names no suite is for the runner as well.
    const names = dashes === -1 ? args : args.slice(0, dashes);
    const isSuite = (/** @type {string} */ name) => Object.hasOwn(SUITES, name);
    const leading = names.findIndex((name) => !isSuite(name));
    const asked = /** @type {Suite[]} */ (leading === -1 ? names : names.slice(0, leading));
    const rest = args.slice(asked.length).filter((arg, at) => !(arg === "--" && at + asked.length === dashes));
    if (rest.length > 0 && asked.length !== 1) throw new Error("arguments for a runner need exactly one suite: rust, node, browser, hosts, servers, interop, cli or viewer");
    const suites = asked.length > 0 ? asked : /** @type {Suite[]} */ (Object.keys(SUITES));
    if (!(await test(suites, rest))) process.exitCode = 1;
  } catch (error) {
    fail(error);
  }
}
