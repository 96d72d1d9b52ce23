/**
 * What range reading costs, on the built package, over loopback, against a real static server of another process.
 *
 *     npm run -s bench:io                 tables
 *     npm run -s bench:io -- --json       all numbers
 *     npm run -s bench:io -- --check      only what has a budget; exit status 1 if one does not hold
 *
 * What the numbers mean, and those of one run, are in docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../scripts/build.mjs";
import { fail } from "../scripts/lib/run.mjs";
import { setup } from "../scripts/setup.mjs";

/** Rounds of both sides: fast cases want many, slow ones have fewer; a check, which CI waits for, has the fewest. */
const ROUNDS = { tables: { least: 5, most: 31, budgetMs: 1000 }, check: { least: 3, most: 15, budgetMs: 1000 } };

/** @param {string[]} args */
function optionsOf(args) {
  const unknown = args.filter((arg) => !["--json", "--check"].includes(arg));
  if (unknown.length > 0) throw new Error(`usage: npm run -s bench:io -- [--json] [--check], not ${unknown.join(" ")}`);
  return { json: args.includes("--json"), check: args.includes("--check") };
}

/** @param {{ json: boolean, check: boolean }} options */
async function main({ json, check }) {
  await setup("build");
  await build();
  // Only now is there a package to import.
  const { writeDataset, outboardBytes, packBytes } = await import("./lib/data.mjs");
  const { Server } = await import("./lib/server.mjs");
  const { CASES, LARGE, PACKS } = await import("./lib/cases.mjs");
  const { costOf, itemByItem, timesOf } = await import("./lib/measure.mjs");
  const { memoryOf } = await import("./lib/memory.mjs");
  const { countVerdicts, isTimed, largeVerdicts, timeVerdict } = await import("./lib/budgets.mjs");
  const { tables, verdictLines } = await import("./lib/report.mjs");
  const rounds = check ? ROUNDS.check : ROUNDS.tables;
  const say = (/** @type {string} */ text) => process.stderr.write(`bench: ${Math.round(process.uptime())} s: ${text}\n`);

  const folder = mkdtempSync(join(tmpdir(), "dreamdb-bench-"));
  try {
    say("writing the data");
    await writeDataset(folder);
    const server = await Server.start(folder);
    try {
      say("what one Item costs, by the size of its pack");
      const packs = [];
      for (const asked of PACKS) {
        const { requests: _, ...cost } = await costOf(server, asked);
        packs.push({ bytes: asked.bytes, outboardBytes: outboardBytes(asked.field), cost });
      }
      const verdicts = [];
      const cases = [];
      for (const asked of CASES) {
        say(`${asked.name}, verify: ${asked.verify}`);
        const { requests, ...cost } = await costOf(server, asked);
        verdicts.push(...countVerdicts(asked, cost, { packBytes: packBytes(asked.field), outboardBytes: outboardBytes(asked.field) }));
        const joined = asked.lie === "neighbours" && asked.packs === 1;
        const times = check ? undefined : await timesOf(server, asked, requests, rounds);
        let itemTimes = joined && (!check || isTimed(asked)) ? await timesOf(server, asked, itemByItem(asked, requests), rounds) : undefined;
        if (isTimed(asked)) {
          const plain = joined ? itemByItem(asked, requests) : requests;
          let checked = itemTimes ?? times ?? (await timesOf(server, asked, plain, rounds));
          // Machines are noisy: what is above its budget is measured once more.
          if (!timeVerdict(asked, checked).holds) checked = await timesOf(server, asked, plain, rounds);
          verdicts.push(timeVerdict(asked, checked));
          if (joined) itemTimes = checked;
        }
        const { anchors, ...named } = asked;
        cases.push({ ...named, items: anchors.length, cost, times, itemTimes });
      }
      const large = [];
      // Verified calls hold more than others.
      for (const job of LARGE.filter(({ verify }) => !check || verify === "always")) {
        say(`${job.name}, verify: ${job.verify}`);
        await server.takeLog();
        const memory = await memoryOf(server.url, job);
        const { mostInFlight } = await server.takeLog();
        verdicts.push(...largeVerdicts(job, memory, mostInFlight));
        large.push({ name: job.name, verify: job.verify, memory, mostInFlight });
      }
      const results = { node: process.version, packs, cases, large, verdicts };
      if (json) process.stdout.write(`${JSON.stringify(results, undefined, 1)}\n`);
      else process.stdout.write(`${check ? "" : tables(results)}${verdictLines(verdicts, check)}`);
      if (check && verdicts.some(({ holds }) => !holds)) process.exitCode = 1;
    } finally {
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  await main(optionsOf(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
