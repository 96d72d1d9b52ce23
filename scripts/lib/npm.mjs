/** Telling whether node_modules holds what package-lock.json asks for, without starting npm. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { ask } from "./run.mjs";

/** @typedef {Record<string, { version?: string, optional?: boolean, link?: boolean }>} Packages */

/** bun's package ships a stub that its postinstall replaces with the 100 MB program; a smaller file is the stub. */
const BUN = join(root, "node_modules", "bun", "bin", "bun.exe");
const BUN_LEAST = 1_000_000;

/** Programs among the packages. What they run comes as optional packages per system, and npm is silent when it could not fetch one. */
const RUNTIMES = ["deno", "bun", "workerd"];

/**
 * True when every package of the lock file is installed at its version. npm writes the list that is read here as its last act, so an
 * interrupted install does not pass.
 */
export function npmIsCurrent() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const found = packagesOf(join(root, "node_modules", ".package-lock.json"));
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // An optional package may belong to another system; "" is the project itself.
    if (path === "" || entry.optional) return true;
    return found[path]?.version === entry.version && existsSync(join(root, path, "package.json"));
  });
}

/** True when bun's postinstall ran. */
export function bunIsWhole() {
  return existsSync(BUN) && statSync(BUN).size >= BUN_LEAST;
}

/** The runtimes that do not start. */
export function brokenRuntimes() {
  return RUNTIMES.filter((name) => ask(join(root, "node_modules", ".bin", name), ["--version"]) === undefined);
}

/**
 * @param {string} file
 * @returns {Packages | undefined}
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}
