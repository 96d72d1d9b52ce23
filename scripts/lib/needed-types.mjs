/**
 * The declarations that users can reach: those of the ways into the package, and what these lead to. All others describe modules that nobody outside can
 * import, and stay out of the package. Entries keep theirs, and so does the command line, which this checkout's scripts and tests import.
 */
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "./paths.mjs";

/** Specifiers of modules nearby, in whatever way they are named. */
const NEARBY = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g;

/**
 * Delete the others.
 * @param {string} dist
 */
export function keepNeededTypes(dist) {
  const all = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
  const needed = reached(dist, [...publicTypes(), ...all.filter((file) => /^(cli|entry)[\\/]/.test(file))]);
  for (const file of all) if (!needed.has(file)) rmSync(join(dist, file));
}

/** Where package.json sends compilers, from dist/. */
function publicTypes() {
  /** @type {{ exports: Record<string, string | { types?: string }> }} */
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.values(exports).flatMap((way) => (typeof way === "object" && way.types !== undefined ? [normalize(way.types.replace("./dist/", ""))] : []));
}

/**
 * @param {string} dist
 * @param {string[]} from
 */
function reached(dist, from) {
  /** @type {Set<string>} */
  const seen = new Set();
  for (const open = [...from]; ; ) {
    const file = open.pop();
    if (file === undefined) return seen;
    // What lies outside is the glue's, which is there whole.
    if (seen.has(file) || file.startsWith("..")) continue;
    seen.add(file);
    for (const [, specifier = ""] of readFileSync(join(dist, file), "utf8").matchAll(NEARBY)) {
      open.push(normalize(join(dirname(file), specifier.replace(/\.js$/, ".d.ts"))));
    }
  }
}
