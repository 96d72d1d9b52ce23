/**
 * Knowing that an output is current: a stamp holds the digest of everything it was made from, and of what was made.
 *
 * Digests and not dates, because a fresh clone, a checkout of another branch and a restored cache all have meaningless dates. Hashing
 * the outputs too catches one that was deleted, edited or half written.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, scratch } from "./paths.mjs";

/**
 * One digest over files and, recursively, folders; names count, dates do not. What does not exist counts as absent.
 * @param {string[]} paths relative to the repository
 */
export function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesBelow(join(root, path))) {
      const body = readFileSync(file);
      hash.update(`${relative(root, file)}\0${body.length}\0`).update(body);
    }
    hash.update(`end ${path}\0`);
  }
  return hash.digest("hex");
}

/**
 * True when the stamp was written for exactly these inputs and outputs.
 * @param {string} name
 * @param {string[]} inputs
 * @param {string[]} outputs
 */
export function isCurrent(name, inputs, outputs) {
  try {
    const stamp = JSON.parse(readFileSync(join(scratch, `${name}.json`), "utf8"));
    return stamp.inputs === digest(inputs) && stamp.outputs === digest(outputs);
  } catch {
    return false;
  }
}

/**
 * Note that the outputs were made from the inputs.
 * @param {string} name
 * @param {string} inputsDigest taken before the work began, so that an edit made meanwhile is seen next time
 * @param {string[]} outputs
 */
export function stamp(name, inputsDigest, outputs) {
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, `${name}.json`), JSON.stringify({ inputs: inputsDigest, outputs: digest(outputs) }));
}

/**
 * The files of a folder, sorted, at any depth; a file stands for itself.
 * @param {string} path
 * @returns {string[]}
 */
export function filesBelow(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return [];
  if (!info.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
