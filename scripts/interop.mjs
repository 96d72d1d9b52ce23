/**
 * Random datasets between the package and the reference implementation, both ways.
 *
 *     npm run -s interop -- [--seed N] [--rounds K] [--first R]
 *
 * Each round is a dataset of its own, made of the seed and the round's number: the rounds of a seed are the same ones every time. Without a seed
 * they are new ones; 20 rounds, from the first, unless said otherwise. A failure is shown with the command that repeats it; the last line is
 * `N passed, N failed`, and the exit status is 0 only if something passed and nothing failed.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { root, scratch } from "./lib/paths.mjs";
import { fail, run } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

const USAGE = "usage: npm run -s interop -- [--seed N] [--rounds K] [--first R]";
/** Names of the tests that are rounds; see tests/interop. */
const ROUND = /seed (\d+), round (\d+)$/;

/** @typedef {{ fullName: string, status: string }} Test */
/** @typedef {{ name: string, status: string, message: string, assertionResults: Test[] }} File */

/**
 * @param {Record<string, number>} asked
 * @returns {Promise<{ files: File[], output: string }>}
 */
async function rounds({ seed, rounds, first }) {
  const report = join(scratch, `interop.${process.pid}.json`);
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project=interop", "--testNamePattern=seed \\d+, round \\d+$"];
  const env = { INTEROP_SEED: String(seed), INTEROP_ROUNDS: String(rounds), INTEROP_ROUND: String(first) };
  try {
    const { output } = await run(process.execPath, [...vitest, "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`], { env });
    try {
      return { files: JSON.parse(readFileSync(report, "utf8")).testResults, output };
    } catch {
      throw new Error(`the tests did not run\n${output}`);
    }
  } finally {
    rmSync(report, { force: true });
  }
}

/**
 * @param {string | undefined} text
 * @param {number} usual
 */
function numberOf(text, usual) {
  if (text === undefined) return usual;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a number\n${USAGE}`);
  return Number(text);
}

try {
  const { values } = parseArgs({ options: { seed: { type: "string" }, rounds: { type: "string" }, first: { type: "string" } } });
  const asked = { seed: numberOf(values.seed, Date.now() % 1e9), rounds: numberOf(values.rounds, 20), first: numberOf(values.first, 1) };
  await setup("interop");
  await build({ only: "wasm" });
  process.stdout.write(`interop: seed ${asked.seed}, rounds ${asked.first} to ${asked.first + asked.rounds - 1}\n`);
  const { files, output } = await rounds(asked);
  const tests = files.flatMap(({ assertionResults }) => assertionResults.filter(({ fullName }) => ROUND.test(fullName)));
  const failed = tests.filter(({ status }) => status !== "passed");
  // A file that cannot even be loaded has no tests to fail.
  const unloaded = files.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
  if (failed.length + unloaded.length > 0) process.stdout.write(output);
  for (const { fullName } of failed) {
    const [, seed, round] = ROUND.exec(fullName) ?? [];
    process.stdout.write(`${fullName}: npm run -s interop -- --seed ${seed} --first ${round} --rounds 1\n`);
  }
  const passed = tests.length - failed.length;
  process.stdout.write(`${passed} passed, ${failed.length + unloaded.length} failed\n`);
  if (passed === 0 || failed.length + unloaded.length > 0) process.exitCode = 1;
} catch (error) {
  fail(error);
}
