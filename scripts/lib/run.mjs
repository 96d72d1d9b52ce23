/** Starting programs: with their output shown, or kept and shown only when they fail. */
import { spawn, spawnSync } from "node:child_process";
import { root } from "./paths.mjs";

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] defaults to the repository
 * @property {Record<string, string | undefined>} [env] added to the environment
 * @property {boolean} [show] pass the output through as it comes; it is kept in either case
 * @property {number} [timeout] milliseconds after which the program is ended
 */

/**
 * Run a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} code 127 means that it could not be started
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let late = false;
    const timer = options.timeout
      ? setTimeout(() => {
          late = true;
          child.kill("SIGKILL");
        }, options.timeout)
      : undefined;
    for (const [stream, sink] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        output += text;
        if (options.show) sink.write(text);
      });
    }
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ code: 127, output: `${output}${command}: ${error.message}\n` });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (late) output += `${command}: ended after ${(options.timeout ?? 0) / 1000} s\n`;
      resolve({ code: code ?? 1, output });
    });
  });
}

/**
 * Run a program that must succeed; a failure carries the last lines it printed.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<string>} what it printed
 */
export async function must(command, args, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code === 0) return output;
  const tail = options.show ? "" : `\n${output.trimEnd().split("\n").slice(-40).join("\n")}`;
  throw new Error(`\`${[command, ...args].join(" ")}\` failed (${code})${tail}`);
}

/**
 * The trimmed standard output of a short command, or undefined when it fails or is absent.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string | undefined>} [env]
 */
export function ask(command, args, env = {}) {
  const done = spawnSync(command, args, { cwd: root, env: { ...process.env, ...env }, encoding: "utf8" });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

/**
 * End a command with its error in one plain line; the stack is for DEBUG.
 * @param {unknown} error
 */
export function fail(error) {
  const text = error instanceof Error ? (process.env["DEBUG"] ? error.stack : error.message) : String(error);
  process.stderr.write(`\n${text}\n`);
  process.exitCode = 1;
}
