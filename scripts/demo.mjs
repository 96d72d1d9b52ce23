/**
 * `npm run demo`: from a fresh clone to something to look at. Sets up, builds, and hands over to examples/demo.mjs with the same
 * arguments and the same terminal.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.mjs";
import { root } from "./lib/paths.mjs";
import { fail } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

try {
  await setup("demo");
  await build();
  const child = spawn(process.execPath, [join(root, "examples", "demo.mjs"), ...process.argv.slice(2)], { stdio: "inherit" });
  // An interrupt goes to both; the demo decides how to end, and this process ends after it.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 1;
    process.exit();
  });
} catch (error) {
  fail(error);
}
