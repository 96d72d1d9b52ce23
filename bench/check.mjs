/**
 * Holds all speed budgets: every benchmark with `--check`, one after another, on a machine with nothing else to do.
 *
 *     npm run bench:check
 *
 * All of them run, also after one that fails. Budgets of size are held by `npm run size`.
 */
import { join } from "node:path";
import { root } from "../scripts/lib/paths.mjs";
import { fail, run } from "../scripts/lib/run.mjs";

/** What Node is started with for each. */
const BENCHES = [["--expose-gc", "io.mjs"], ["--expose-gc", "index.mjs"], ["column.mjs"], ["viewer.mjs"], ["--expose-gc", "peers.mjs"]];

try {
  const broken = [];
  for (const args of BENCHES) {
    const name = args.at(-1) ?? "";
    process.stdout.write(`── ${name} ──\n`);
    const { code } = await run(process.execPath, [...args.slice(0, -1), join(root, "bench", name), "--check"], { show: true });
    if (code !== 0) broken.push(name);
  }
  if (broken.length > 0) throw new Error(`budgets do not hold: ${broken.join(", ")}`);
  process.stdout.write("bench: all budgets hold\n");
} catch (error) {
  fail(error);
}
