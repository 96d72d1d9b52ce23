/**
 * Frames of the viewer: the built page in Chromium, drawn by software, over `dreamdb-arrays view`.
 *
 *     npm run -s bench:viewer                 a table
 *     npm run -s bench:viewer -- --markdown   the same for docs/benchmarks.md
 *     npm run -s bench:viewer -- --json       all numbers
 *     npm run -s bench:viewer -- --check      exit status 1 if a budget does not hold
 *     npm run -s bench:viewer -- --regressions  the same above wider gates, for CI
 *
 * What has no budget is not measured for a check. What the numbers mean, and those of one run, are in docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../scripts/build.mjs";
import { markdownTable, table } from "../scripts/lib/report.mjs";
import { fail } from "../scripts/lib/run.mjs";
import { setup } from "../scripts/setup.mjs";
import { wordFor } from "./lib/turns.mjs";

const FLAGS = ["json", "markdown", "check", "regressions"];

/** @param {string[]} args */
function optionsOf(args) {
  if (args.some((arg) => !FLAGS.some((flag) => arg === `--${flag}`))) throw new Error(`usage: npm run -s bench:viewer -- [${FLAGS.map((flag) => `--${flag}`).join("] [")}], not ${args.join(" ")}`);
  const [json, markdown, check, regressions] = FLAGS.map((flag) => args.includes(`--${flag}`));
  return { json, markdown, check: check || regressions, regressions };
}

/** @param {ReturnType<typeof optionsOf>} options */
async function main({ json, markdown, check, regressions }) {
  await setup("browser");
  await build();
  // Only now is there a package to import.
  const { measureViewer } = await import("./lib/viewer.mjs");
  const folder = mkdtempSync(join(tmpdir(), "dreamdb-bench-"));
  /** @type {(() => unknown)[]} */
  const closing = [];
  try {
    const say = (/** @type {string} */ text) => process.stderr.write(`bench: ${Math.round(process.uptime())} s: ${text}\n`);
    const { results, verdicts, chromium } = await measureViewer({ folder, say, isCheck: check === true, atEnd: (close) => closing.push(close) });
    if (json) process.stdout.write(`${JSON.stringify({ chromium, results, verdicts }, undefined, 1)}\n`);
    else {
      const one = (/** @type {number} */ value) => value.toFixed(1).padStart(markdown ? 0 : 6);
      const rows = results.map(({ name, budget, frames, median, p95, longest, script }) => [
        name,
        frames,
        ...[median, p95, longest, script].map(one),
        budget === undefined ? "" : `${budget.median}${budget.script === undefined ? "" : `; ${budget.script}`}`,
      ]);
      const head = ["what is done", "frames", "median, ms", "95th, ms", "longest, ms", "JavaScript, ms", "budget"];
      const machine = `Chromium ${chromium}, drawn by software, ${cpus()[0]?.model.trim() ?? "?"}, ${availableParallelism()} of its cores\n`;
      if (!check) process.stdout.write(`${machine}\n${markdown ? markdownTable(head, rows) : table(head, rows)}\n`);
    }
    if (!json && !markdown) for (const verdict of verdicts) process.stdout.write(`${wordFor(verdict)}  ${verdict.said}\n`);
    if (check && verdicts.some(({ holds, passes }) => !(regressions ? passes : holds))) process.exitCode = 1;
  } finally {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await main(optionsOf(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
