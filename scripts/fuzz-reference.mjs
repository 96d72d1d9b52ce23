/**
 * Random documents, tags and payloads before the package and the reference implementation: whether both accept them, or refuse them for the
 * same reason.
 *
 *     npm run -s fuzz:reference -- [--seed N] [--count K]
 *
 * K of each kind, 10,000 unless said otherwise; a seed gives the same ones every time, and without one they are new. A difference is shown with
 * what was judged. The last line is `N passed, N failed`, in cases, and the exit status is 0 only if all passed.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { root, scratch } from "./lib/paths.mjs";
import { table } from "./lib/report.mjs";
import { fail, run } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

const KINDS = 3;

/**
 * @param {string | undefined} text
 * @param {number} usual
 */
function numberOf(text, usual) {
  if (text === undefined) return usual;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a number\nusage: npm run -s fuzz:reference -- [--seed N] [--count K]`);
  return Number(text);
}

try {
  const { values } = parseArgs({ options: { seed: { type: "string" }, count: { type: "string" } } });
  const seed = numberOf(values.seed, 1 + (Date.now() % 1e8));
  const count = numberOf(values.count, 10_000);
  await setup("interop");
  await build({ only: "wasm" });
  process.stdout.write(`fuzz:reference: seed ${seed}, ${count} of each kind\n`);
  mkdirSync(scratch, { recursive: true });
  const report = join(scratch, `fuzz-reference.${process.pid}.jsonl`);
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project=interop", "tests/interop/fuzz.test.ts", "--reporter=default"];
  const { code, output } = await run(process.execPath, vitest, { env: { FUZZ_SEED: String(seed), FUZZ_COUNT: String(count), FUZZ_REPORT: report } });
  /** @type {{ kind: string, count: number, failed: number, verdicts: [string, number][] }[]} */
  const kinds = existsSync(report) ? readFileSync(report, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
  rmSync(report, { force: true });
  // A kind that broke off has compared nothing.
  const failed = kinds.reduce((sum, kind) => sum + kind.failed, 0) || (code === 0 && kinds.length === KINDS ? 0 : 1);
  if (failed > 0) process.stdout.write(output);
  const rows = kinds.flatMap(({ kind, verdicts }) => verdicts.toSorted((first, second) => second[1] - first[1]).map(([verdict, times]) => [kind, verdict, times]));
  process.stdout.write(table(["kind", "verdict", "cases"], rows));
  if (failed > 0) process.stdout.write(`again: npm run -s fuzz:reference -- --seed ${seed} --count ${count}\n`);
  process.stdout.write(`${kinds.reduce((sum, kind) => sum + kind.count - kind.failed, 0)} passed, ${failed} failed\n`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  fail(error);
}
