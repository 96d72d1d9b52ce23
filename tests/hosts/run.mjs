/**
 * Packs the package as users get it, installs it into a temporary project, and runs the same scenario on every host.
 *
 *     node tests/hosts/run.mjs [words]
 *
 * With words, only hosts whose name holds one of them. One line per host, then `N passed, N failed`. Nothing is ever skipped: a host
 * whose program is missing has failed, because a green run must mean that all of them were seen to work.
 */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.mjs";
import { packTarball } from "../../scripts/lib/pack.mjs";
import { root } from "../../scripts/lib/paths.mjs";
import { must } from "../../scripts/lib/run.mjs";
import { browserHosts } from "./browser.mjs";
import { bundlerHosts } from "./bundlers.mjs";
import { contentsHost } from "./contents.mjs";
import { exampleHosts } from "./examples.mjs";
import { runtimes } from "./runtimes.mjs";
import { serve } from "./server.mjs";
import { typeHosts } from "./types.mjs";

/** @typedef {import("./runtimes.mjs").Host} Host */

await build();
const folder = await mkdtemp(join(tmpdir(), "dreamdb-hosts-"));
let passed = 0;
let failed = 0;
try {
  const { path, files } = await packTarball(folder);
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "host-test", private: true, type: "module" }));
  await must("npm", ["install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error", path], { cwd: project });
  await copyFile(join(root, "tests/hosts/scenario.mjs"), join(project, "scenario.mjs"));
  const server = await serve(join(root, "tests/fixtures"), project);
  /** @type {Host[]} */
  const all = [contentsHost(path, files), ...typeHosts, ...runtimes, ...browserHosts, ...bundlerHosts, ...exampleHosts];
  const words = process.argv.slice(2).map((word) => word.toLowerCase());
  const hosts = all.filter((host) => words.length === 0 || words.some((word) => host.name.toLowerCase().includes(word)));
  for (const host of hosts) {
    const start = performance.now();
    const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    try {
      const done = await host.run({ project, origin: server.origin, requests: server.requests });
      passed += 1;
      process.stdout.write(`ok    ${host.name}: ${done} (${seconds()})\n`);
    } catch (error) {
      failed += 1;
      const text = error instanceof Error ? error.message : String(error);
      process.stdout.write(`FAIL  ${host.name} (${seconds()})\n      ${text.trimEnd().replaceAll("\n", "\n      ")}\n`);
    }
  }
  await server.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
// A runtime that does not let go of its process must not hold up the run.
process.exit(failed > 0 || passed === 0 ? 1 : 0);
