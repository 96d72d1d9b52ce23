/** The reference implementation in a process of its own, started once: see reference.py, which does the work. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { must } from "../../scripts/lib/run.mjs";

const SCRIPT = fileURLToPath(new URL("reference.py", import.meta.url));

/**
 * Has the reference write the dataset.
 * @param {string} python
 * @param {string} folder
 * @param {{ items: number, mediaBytes: number, packItems: number }} sizes
 */
export async function writeByReference(python, folder, { items, mediaBytes, packItems }) {
  await must(python, [SCRIPT, "write", folder, ...[items, mediaBytes, packItems].map(String)]);
}

/** A reader that is told what to read. */
export class Reference {
  /** @type {import("node:child_process").ChildProcessByStdio<import("node:stream").Writable, import("node:stream").Readable, null>} */
  #child;
  /** @type {AsyncIterator<string>} */
  #lines;

  /** @param {string} python */
  constructor(python) {
    this.#child = spawn(python, [SCRIPT, "read"], { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /**
   * Reads all Items of a field; milliseconds.
   * @param {string} backend
   * @param {string} field
   * @param {number} items that there must be
   */
  read(backend, field, items) {
    return this.#ask(["all", backend, field], items);
  }

  /**
   * Reads the Items at some anchors, one after another; milliseconds.
   * @param {string} backend
   * @param {string} field
   * @param {readonly number[]} anchors
   */
  readSome(backend, field, anchors) {
    return this.#ask(["some", backend, field, anchors], anchors.length);
  }

  /**
   * Reads rows of a sparse matrix, the Item anew for each; milliseconds.
   * @param {string} backend
   * @param {string} field
   * @param {number} anchor
   * @param {readonly number[]} rows
   */
  readRows(backend, field, anchor, rows) {
    return this.#ask(["rows", backend, field, anchor, rows], rows.length);
  }

  /**
   * @param {readonly unknown[]} what
   * @param {number} items
   */
  async #ask(what, items) {
    this.#child.stdin.write(`${JSON.stringify(what)}\n`);
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error("the reference ended");
    const read = JSON.parse(value);
    if (read.items !== items) throw new Error(`the reference read ${read.items} Items, not ${items}: ${what.slice(0, 3).join(" ")}`);
    return Number(read.ms);
  }

  async close() {
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await ended;
  }
}
