/**
 * `npm run viewer`: from a fresh clone to the viewer, showing the example episode. Sets up, builds, writes the episode if it is not there as its sources
 * have it, and hands over to `dreamdb-arrays view` with the same terminal.
 *
 *     npm run viewer -- [SOURCE [REF]] [--open] [--port N]     what `view` takes; the episode, unless a source is named
 */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "./build.mjs";
import { digest } from "./lib/fingerprint.mjs";
import { withLock } from "./lib/lock.mjs";
import { root, scratch } from "./lib/paths.mjs";
import { fail, must } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

/** Where episodes lie, each named by what it was made of. */
const CACHE = join(root, "viewer", ".episode");

/** The folder of the episode, written if it has to be. */
async function episode() {
  const name = digest(["viewer/episode"]).slice(0, 16);
  const folder = join(CACHE, name);
  await withLock(join(scratch, "episode.lock"), async () => {
    if (isFolder(folder)) return;
    mkdirSync(CACHE, { recursive: true });
    process.stdout.write("viewer: writing the example episode …\n");
    const part = join(CACHE, `.${name}.part`);
    rmSync(part, { recursive: true, force: true });
    await must(process.execPath, [join(root, "viewer", "episode", "write.mjs"), part]);
    // Whole or not there, whenever this is interrupted.
    renameSync(part, folder);
    for (const other of readdirSync(CACHE)) if (other !== name) rmSync(join(CACHE, other), { recursive: true, force: true });
  }, () => process.stdout.write("viewer: waiting for another one that writes the episode\n"));
  return folder;
}

/** @param {string} path */
function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

try {
  const args = process.argv.slice(2);
  await setup("demo");
  await build();
  const [first] = args;
  const own = first === undefined || first.startsWith("-");
  const what = own ? [await episode(), ...args] : args;
  const child = spawn(process.execPath, [join(root, "dist", "cli", "main.js"), "view", ...what], { stdio: "inherit", cwd: own ? root : resolve(process.env["INIT_CWD"] || ".") });
  // An interrupt goes to both; the command decides how to end, and this process ends after it.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 1;
    process.exit();
  });
} catch (error) {
  fail(error);
}
