/**
 * The package beside its peers, native code and the bare transport, in turns.
 *
 *     npm run -s bench                       tables
 *     npm run -s bench -- hashing cold       these topics alone
 *     npm run -s bench -- --markdown         tables for docs/benchmarks.md
 *     npm run -s bench -- --json             all numbers
 *     npm run -s bench -- --check            exit status 1 if a budget does not hold
 *     npm run -s bench -- --quick            a minute at most, against wider gates, for CI
 *
 * What the numbers mean, and those of one run, are in docs/benchmarks.md. `npm run bench:check` holds all budgets of all benchmarks.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../scripts/build.mjs";
import { findReference } from "../scripts/lib/reference.mjs";
import { markdownTable, table } from "../scripts/lib/report.mjs";
import { fail } from "../scripts/lib/run.mjs";
import { setup } from "../scripts/setup.mjs";
import { HEAD, measureAll, plainOf, rowsOf, verdictLines } from "./lib/measurements.mjs";
import { Native } from "./lib/native.mjs";

/** Rounds of each measurement; one whose budget does not hold gets as many again, twice. */
const ROUNDS = { full: { least: 5, most: 15, budgetMs: 3000 }, quick: { least: 3, most: 9, budgetMs: 300, warmUps: 2 } };

/** In the order in which they run. What they import needs the built package. */
const TOPICS = {
  hashing: async () => (await import("./lib/hashing.mjs")).hashing,
  tables: async () => (await import("./lib/swaps.mjs")).tables,
  dense: async () => (await import("./lib/dense.mjs")).dense,
  remote: async () => (await import("./lib/remote.mjs")).remote,
  cold: async () => (await import("./lib/cold.mjs")).cold,
  scan: async () => (await import("./lib/scan.mjs")).scan,
};

const FLAGS = ["json", "markdown", "check", "quick"];

/** @param {string[]} args */
function optionsOf(args) {
  const flags = new Set(args.filter((arg) => FLAGS.some((flag) => arg === `--${flag}`)));
  const topics = args.filter((arg) => !flags.has(arg));
  const known = /** @type {(keyof typeof TOPICS)[]} */ (Object.keys(TOPICS));
  if (topics.some((topic) => !known.some((name) => name === topic))) {
    throw new Error(`usage: npm run -s bench -- [${FLAGS.map((flag) => `--${flag}`).join("] [")}] [${known.join("|")}]…, not ${args.join(" ")}`);
  }
  const [json, markdown, check, quick] = FLAGS.map((flag) => flags.has(`--${flag}`));
  return { json, markdown, check, quick: quick === true, topics: known.filter((name) => topics.length === 0 || topics.includes(name)) };
}

/** @param {ReturnType<typeof optionsOf>} options */
async function main({ json, markdown, check, quick, topics }) {
  await setup("bench");
  await build();
  const folder = mkdtempSync(join(tmpdir(), "dreamdb-bench-"));
  /** @type {(() => unknown)[]} */
  const closing = [];
  const say = (/** @type {string} */ text) => process.stderr.write(`bench: ${Math.round(process.uptime())} s: ${text}\n`);
  /** @type {Promise<Native> | undefined} */
  let native;
  /** @type {import("./lib/topic.mjs").Context} */
  const context = {
    quick,
    folder,
    say,
    python: findReference() ?? "",
    native: () => (native ??= startNative(closing)),
    atEnd: (close) => closing.push(close),
  };
  try {
    const results = [];
    for (const name of topics) {
      const topic = await (await TOPICS[name]())(context);
      const measured = await measureAll(topic.measurements, quick ? ROUNDS.quick : ROUNDS.full, say, quick ? "passes" : "holds");
      results.push({ ...topic, measured, verdicts: [...measured.flatMap((result) => result.verdicts), ...(topic.facts ?? [])] });
    }
    const verdicts = results.flatMap((result) => result.verdicts);
    if (json) {
      process.stdout.write(`${JSON.stringify({ node: process.version, results: results.map(({ title, measured, facts }) => ({ title, measured: plainOf(measured), facts })) }, undefined, 1)}\n`);
    } else {
      const machine = `Node ${process.version.slice(1)}, ${cpus()[0]?.model.trim() ?? "?"}, ${availableParallelism()} of its cores\n\n`;
      process.stdout.write(machine);
      for (const { title, measured, table: own = { head: HEAD, rows: rowsOf(measured) } } of results) {
        process.stdout.write(markdown ? `## ${title}\n\n${markdownTable(own.head, own.rows)}\n` : `${title}\n${table(own.head, own.rows)}\n`);
      }
      if (!markdown) process.stdout.write(verdictLines(verdicts));
    }
    if ((check || quick) && verdicts.some(({ holds, passes }) => !(quick ? passes : holds))) process.exitCode = 1;
  } finally {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {(() => unknown)[]} closing */
async function startNative(closing) {
  const program = await Native.start();
  closing.push(() => program.close());
  return program;
}

try {
  await main(optionsOf(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
