/**
 * What reading a whole field costs, beside the reference implementation, the bare transport and plain `fetch`.
 *
 *     npm run -s bench:column                 a table
 *     npm run -s bench:column -- --json       all numbers
 *     npm run -s bench:column -- --check      exit status 1 if a budget does not hold
 *     npm run -s bench:column -- --regressions  the same above wider gates, for CI
 *
 * What the numbers mean, and those of one run, are in docs/benchmarks.md.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../scripts/build.mjs";
import { findReference } from "../scripts/lib/reference.mjs";
import { table } from "../scripts/lib/report.mjs";
import { fail } from "../scripts/lib/run.mjs";
import { setup } from "../scripts/setup.mjs";
import { HEAD, measureAll, plainOf, rowsOf, verdictLines } from "./lib/measurements.mjs";
import { processorMs, Turns } from "./lib/turns.mjs";

/** Rounds of each measurement; one whose budget does not hold gets as many again, twice. */
const ROUNDS = { tables: { least: 5, most: 15, budgetMs: 8000 }, check: { least: 3, most: 9, budgetMs: 3000 } };

/** @param {string[]} args */
function optionsOf(args) {
  const unknown = args.filter((arg) => !["--json", "--check", "--regressions"].includes(arg));
  if (unknown.length > 0) throw new Error(`usage: npm run -s bench:column -- [--json] [--check | --regressions], not ${unknown.join(" ")}`);
  const regressions = args.includes("--regressions");
  return { json: args.includes("--json"), check: args.includes("--check") || regressions, regressions };
}

/** @param {{ json: boolean, check: boolean, regressions: boolean }} options */
async function main({ json, check, regressions }) {
  await setup("bench");
  await build();
  const python = findReference() ?? "";
  // Only now is there a package to import.
  const { SIZES, inMemory, poseKeys, readColumn, readEach } = await import("./lib/columns.mjs");
  const { byNodeHttp } = await import("./lib/plain.mjs");
  const { fsStore } = await import("dreamdb-arrays/fs");
  const { filesOf } = await import("./lib/files.mjs");
  const { MemoryServer } = await import("./lib/memory-server.mjs");
  const { NginxServer } = await import("./lib/nginx-server.mjs");
  const { Reference, writeByReference } = await import("./lib/reference.mjs");
  const { BrowserSides, ITEMS: PAGE_ITEMS } = await import("./lib/chromium.mjs");
  const say = (/** @type {string} */ text) => process.stderr.write(`bench: ${Math.round(process.uptime())} s: ${text}\n`);

  const folder = mkdtempSync(join(tmpdir(), "dreamdb-bench-"));
  /** @type {(() => Promise<void>)[]} */
  const closing = [];
  try {
    say("the reference writes the data");
    await writeByReference(python, folder, SIZES);
    const [all, store] = [filesOf(folder), fsStore(folder)];
    const keys = poseKeys(all);
    // What is not needed yet is not there yet: a browser takes time by itself, and a store full of objects makes collections longer.
    const memory = once(() => inMemory(folder, all.filter((key) => !key.startsWith("bao-outboard/") && !key.includes("/image."))));
    const server = await MemoryServer.start(folder);
    closing.push(() => server.close());
    const reference = new Reference(python);
    closing.push(() => reference.close());
    const page = once(async () => {
      const started = await BrowserSides.start(server.url);
      closing.push(() => started.close());
      return started;
    });
    const nginx = await NginxServer.start(folder);
    closing.push(() => nginx.close());
    const { url } = nginx;

    const each = { count: SIZES.items, per: /** @type {const} */ ("Item") };
    /** @type {import("./lib/measurements.mjs").Measurement[]} */
    const measurements = [
      {
        name: "dense, from a folder",
        ...each,
        turns: new Turns({ ours: () => readColumn(store, "pose"), reference: () => reference.read(`file://${folder}`, "pose", SIZES.items) }),
        budgets: [{ side: "reference", limit: 1, gate: 1.4, what: "ratio" }],
      },
      {
        name: "dense, over HTTP",
        ...each,
        turns: new Turns({
          ours: () => readColumn(url, "pose"),
          reference: () => reference.read(url, "pose", SIZES.items),
          "node:http": () => byNodeHttp(url, keys.map((key) => ({ target: `/${key}`, bytes: 64 }))),
        }),
        budgets: [
          { side: "reference", limit: 1, gate: 1.5, what: "ratio" },
          { side: "node:http", limit: 0.8, gate: 1.2, what: "ratio" },
        ],
      },
      {
        name: "media in packs, over HTTP",
        ...each,
        turns: new Turns({ ours: () => readColumn(url, "frame"), reference: () => reference.read(url, "frame", SIZES.items) }),
        budgets: [{ side: "reference", limit: 1.5, gate: 2.5, what: "ratio" }],
      },
      {
        name: "dense, from memory, processor time",
        ...each,
        turns: new Turns({ ours: () => processorMs(() => readColumn(memory(), "pose")), "store.get": () => processorMs(() => readEach(memory(), keys)) }),
        budgets: [{ side: "store.get", limit: 5, gate: 10, what: "µs an Item more" }],
      },
      {
        name: "dense, over HTTP in Chromium",
        ...each,
        count: PAGE_ITEMS,
        turns: new Turns({ ours: async () => (await page()).readColumn(), fetch: async () => (await page()).readPlain(keys) }),
        budgets: [{ side: "fetch", limit: 1.15, gate: 1.5, what: "ratio" }],
      },
    ];
    const results = await measureAll(measurements, check ? ROUNDS.check : ROUNDS.tables, say);
    const verdicts = results.flatMap((result) => result.verdicts);
    if (json) process.stdout.write(`${JSON.stringify({ node: process.version, results: plainOf(results) }, undefined, 1)}\n`);
    else if (!check) process.stdout.write(`Node ${process.version.slice(1)}, ${SIZES.items.toLocaleString("en")} Items\n${table(HEAD, rowsOf(results))}\n`);
    if (!json) process.stdout.write(verdictLines(verdicts));
    if (check && verdicts.some(({ holds, passes }) => !(regressions ? passes : holds))) process.exitCode = 1;
  } finally {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What is made at the first call.
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
function once(make) {
  /** @type {{ readonly made: T } | undefined} */
  let first;
  return () => (first ??= { made: make() }).made;
}

try {
  await main(optionsOf(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
