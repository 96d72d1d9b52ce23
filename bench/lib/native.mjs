/** The same work as native code on one thread, in a process of its own: see native/src/main.rs, which does it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root, scratch } from "../../scripts/lib/paths.mjs";
import { must } from "../../scripts/lib/run.mjs";
import { rustEnv } from "../../scripts/lib/rust.mjs";

/** A program that is told what to do. */
export class Native {
  /** @type {import("node:child_process").ChildProcessByStdio<import("node:stream").Writable, import("node:stream").Readable, null>} */
  #child;
  /** @type {AsyncIterator<string>} */
  #lines;

  /** @param {string} program */
  constructor(program) {
    this.#child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Compiles the program, if that is needed, and starts it. */
  static async start() {
    const target = join(scratch, "native");
    await must("cargo", ["build", "--release", "--locked", "--quiet", "--manifest-path", join(root, "bench", "native", "Cargo.toml"), "--target-dir", target], { env: rustEnv() });
    return new Native(join(target, "release", `dreamdb-arrays-native${process.platform === "win32" ? ".exe" : ""}`));
  }

  /**
   * Does something; milliseconds.
   * @param {(string | number)[]} words
   */
  async run(...words) {
    this.#child.stdin.write(`${words.join(" ")}\n`);
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error(`the native program ended at ${words.join(" ")}`);
    return Number(value);
  }

  async close() {
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await ended;
  }
}
