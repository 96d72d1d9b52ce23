/**
 * Keeps one server on a leash: the server ends when whoever started this process closes its standard input, or is gone, however it went.
 *
 *     node keeper.mjs FOLDER COMMAND [ARGUMENT…]
 *
 * The server runs in FOLDER and writes to FOLDER/log. Prints `started PID`, then `ended CODE` if the server ends by itself. When the
 * leash is let go: a request to end, a grace, the end by force, and the folder is removed.
 */
import { spawn } from "node:child_process";
import { openSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Nothing of value is lost by force, and SeaweedFS takes a quarter of a minute to end by itself. */
const GRACE_MS = 1000;

const [folder = "", command = "", ...args] = process.argv.slice(2);
const log = openSync(join(folder, "log"), "a");
const child = spawn(command, args, { cwd: folder, stdio: ["ignore", log, log] });

let ended = false;
/** @param {string | number} code */
function end(code) {
  if (ended) return;
  ended = true;
  process.stdout.write(`ended ${code}\n`);
  if (letGo) leave();
}
child.on("spawn", () => process.stdout.write(`started ${child.pid}\n`));
child.on("error", (error) => end(error.message));
child.on("exit", (code, signal) => end(signal ?? code ?? 1));

let letGo = false;
function stop() {
  if (letGo) return;
  letGo = true;
  if (ended) return leave();
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
}

function leave() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}

process.stdin.on("end", stop).on("close", stop).on("error", stop).resume();
// The pipe to a parent that is gone; the leash tells of that.
process.stdout.on("error", () => undefined);
// An interrupt of the terminal goes to the parent as well, which then lets go of the leash when it is done with the server.
for (const signal of /** @type {const} */ (["SIGINT", "SIGHUP"])) process.on(signal, () => undefined);
process.on("SIGTERM", stop);
