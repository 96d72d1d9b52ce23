/**
 * What decoding Track indexes costs: a million entries, in one object and in pages, out of a memory store.
 *
 *     npm run -s bench:index                 a table
 *     npm run -s bench:index -- --json       all numbers
 *     npm run -s bench:index -- --check      exit status 1 if a budget does not hold
 *     npm run -s bench:index -- --regressions  the same above wider gates, for CI
 *
 * Each index is measured in a process of its own (lib/index-process.mjs). What the numbers mean, and those of one run, are in
 * docs/benchmarks.md.
 */
import { build } from "../scripts/build.mjs";
import { table } from "../scripts/lib/report.mjs";
import { fail } from "../scripts/lib/run.mjs";
import { setup } from "../scripts/setup.mjs";
import { wordFor } from "./lib/turns.mjs";

/** Nanoseconds of processor time to decode an entry, from its object's bytes to columns of JavaScript; and bytes held of it. */
const BUDGET = { ns: 150, bytes: 60 };
/** What fails a check: machines are noisy, and pages cost some microseconds each beside their entries. */
const GATE_NS = 500;
/** What is above its budget is measured again, at most so often; the least counts, since other guests of a machine only ever add. */
const SECOND_TRIES = 6;

/** @param {string[]} args */
function optionsOf(args) {
  const unknown = args.filter((arg) => !["--json", "--check", "--regressions"].includes(arg));
  if (unknown.length > 0) throw new Error(`usage: npm run -s bench:index -- [--json] [--check | --regressions], not ${unknown.join(" ")}`);
  const regressions = args.includes("--regressions");
  return { json: args.includes("--json"), check: args.includes("--check") || regressions, regressions };
}

/** @param {{ json: boolean, check: boolean, regressions: boolean }} options */
async function main({ json, check, regressions }) {
  await setup("build");
  await build();
  const { measureIndex } = await import("./lib/index-process.mjs");
  const results = [];
  /** @type {{ name: string, what: string, value: number, limit: number, holds: boolean, passes: boolean, said: string }[]} */
  const verdicts = [];
  for (const form of /** @type {const} */ (["inline", "paged"])) {
    for (const kind of /** @type {const} */ (["event", "continuous", "fragments"])) {
      process.stderr.write(`bench: ${Math.round(process.uptime())} s: ${kind}, ${form}\n`);
      let measured = await measureIndex(kind, form);
      for (let tries = 0; tries < SECOND_TRIES && measured.decodeNs > BUDGET.ns; tries++) {
        const again = await measureIndex(kind, form);
        if (again.decodeNs < measured.decodeNs) measured = again;
      }
      results.push({ kind, form, ...measured });
      const name = `${kind}, ${form}`;
      const verdict = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ limit, gate = limit) => {
        const holds = value <= limit;
        verdicts.push({ name, what, value, limit, holds, passes: value <= gate, said: `${name}: ${what} an entry: ${value.toFixed(1)} ${holds ? "≤" : ">"} ${limit}` });
      };
      verdict("ns to decode", measured.decodeNs, BUDGET.ns, GATE_NS);
      verdict("bytes held", measured.held, BUDGET.bytes);
    }
  }
  if (json) process.stdout.write(`${JSON.stringify({ node: process.version, results, verdicts }, undefined, 1)}\n`);
  else if (!check) {
    const one = (/** @type {number} */ value) => value.toFixed(1).padStart(6);
    const rows = results.map(({ kind, form, bytes, pages, decodeNs, ns, wallNs, hashNs, pointUs, held, core }) => [
      `${kind}, ${form}`,
      one(bytes / 1e6),
      pages,
      one(decodeNs),
      one(ns),
      one(wallNs),
      one(hashNs),
      one(pointUs),
      one(held),
      one(core / 1e6),
    ]);
    process.stdout.write(`Node ${process.version.slice(1)}, a million entries\n`);
    process.stdout.write(`${table(["index", "MB", "pages", "decode ns", "CPU ns", "wall ns", "hash ns", "point, µs", "bytes", "core, MB"], rows)}\n`);
  }
  if (!json) for (const verdict of verdicts) process.stdout.write(`${wordFor(verdict)}  ${verdict.said}\n`);
  if (check && verdicts.some(({ holds, passes }) => !(regressions ? passes : holds))) process.exitCode = 1;
}

try {
  await main(optionsOf(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
