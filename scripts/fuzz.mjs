/**
 * Runs the fuzz targets of `fuzz/`, each for so many seconds, from the seeds that the vectors and fixtures make.
 *
 *     npm run fuzz -- SECONDS [TARGET…]
 *
 * A target fails when one of its assertions does, at a panic, at an input that takes 10 s or 2 GiB, and when it ran nothing. The input is
 * kept in `fuzz/artifacts/TARGET`, and the command that repeats it is shown. What is found on the way is kept in `fuzz/corpus`, so that a later
 * run goes on from there. The last line is `N passed, N failed`.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { writeSeeds } from "../fuzz/seeds.mjs";
import { root } from "./lib/paths.mjs";
import { table } from "./lib/report.mjs";
import { fail, must, run } from "./lib/run.mjs";
import { findTool, fuzzTool, nightlyToolchain } from "./lib/rust.mjs";
import { setup } from "./setup.mjs";

const USAGE = "usage: npm run fuzz -- SECONDS [TARGET…]";

/** The targets that `fuzz/Cargo.toml` has. */
function allTargets() {
  const text = readFileSync(join(root, "fuzz/Cargo.toml"), "utf8");
  return [...text.matchAll(/^\[\[bin\]\]\nname = "(\w+)"/gm)].map((match) => match[1] ?? "");
}

/**
 * @param {string} target
 * @returns {Set<string>} inputs that made it fail, of this run and earlier ones
 */
function artifacts(target) {
  const folder = join(root, "fuzz/artifacts", target);
  return new Set(existsSync(folder) ? readdirSync(folder) : []);
}

/**
 * @param {string} target
 * @param {number} seconds
 * @param {Record<string, string | undefined>} env
 */
async function fuzz(target, seconds, env) {
  const before = artifacts(target);
  const limits = [`-max_total_time=${seconds}`, "-timeout=10", "-rss_limit_mb=2048", "-max_len=32768", "-print_final_stats=1"];
  // CI judges a change, not its luck: there every run begins with the same numbers.
  if (process.env["CI"]) limits.push("-seed=1");
  // A target that does not stop by itself has failed as well.
  const timeout = (seconds + 300) * 1000;
  const { code, output } = await run("cargo", ["fuzz", "run", "--sanitizer", "none", target, "--", ...limits], { env, timeout });
  const runs = Number(/^stat::number_of_executed_units:\s*(\d+)/m.exec(output)?.[1] ?? 0);
  const edges = Number([...output.matchAll(/ cov: (\d+) /g)].at(-1)?.[1] ?? 0);
  const found = [...artifacts(target)].filter((name) => !before.has(name));
  const good = code === 0 && runs > 0;
  if (!good) {
    process.stdout.write(`\n── ${target} ──\n${output.split("\n").slice(-60).join("\n")}\n`);
    for (const name of found) process.stdout.write(`cargo +${nightlyToolchain} fuzz run --sanitizer none ${target} fuzz/artifacts/${target}/${basename(name)}\n`);
  }
  return { good, runs, edges };
}

try {
  const [given = "", ...names] = process.argv.slice(2);
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new Error(`${JSON.stringify(given)} is no number of seconds\n${USAGE}`);
  const known = allTargets();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no target ${unknown.join(", ")}; there are ${known.join(", ")}\n${USAGE}`);
  await setup("fuzz");
  const folder = findTool(fuzzTool);
  const path = [...(folder ? [folder] : []), process.env["PATH"]].join(delimiter);
  const env = { PATH: path, RUSTUP_TOOLCHAIN: nightlyToolchain };
  const seeds = writeSeeds();
  process.stdout.write("fuzz: building the targets …\n");
  await must("cargo", ["fuzz", "build", "--sanitizer", "none"], { env });

  const rows = [];
  let failed = 0;
  const targets = names.length > 0 ? names : known;
  for (const target of targets) {
    const { good, runs, edges } = await fuzz(target, Number(given), env);
    if (!good) failed += 1;
    rows.push([target, seeds.get(target) ?? 0, runs, edges, good ? "" : "failed"]);
    process.stdout.write(`${target}: ${good ? "passed" : "FAILED"} after ${runs} inputs\n`);
  }
  process.stdout.write(`\n${table(["target", "seeds", "inputs", "edges", ""], rows)}\n${targets.length - failed} passed, ${failed} failed\n`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  fail(error);
}
