/**
 * What the lock files bring: crates under licences that we can take, from the registry or from this repository, each in one version.
 *
 * cargo-deny does this and more, and takes many minutes to compile on a small machine; these three questions cargo answers itself.
 */
import { join, sep } from "node:path";
import { root } from "./paths.mjs";
import { must } from "./run.mjs";
import { rustEnv } from "./rust.mjs";

/** Licences that ask for nothing but their own text. */
const LICENCES = new Set(["MIT", "MIT-0", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "Zlib", "CC0-1.0", "Unlicense", "Unicode-3.0", "NCSA"]);

const REGISTRY = "registry+https://github.com/rust-lang/crates.io-index";

/** Crates that are there in two versions, and why. */
const TWICE = new Map([["syn", "macros of wasm-bindgen and of serde, which run in the compiler alone, are at different ones"]]);

/** The workspaces, each with its own lock file. */
const WORKSPACES = ["Cargo.toml", join("fuzz", "Cargo.toml")];

/** @typedef {{ name: string, version: string, license: string | null, source: string | null, manifest_path: string }} Crate */

/**
 * Whether a licence expression leaves us a choice that we can take.
 * @param {string} expression as SPDX writes it; old crates write `/` for `OR`
 */
export function canTake(expression) {
  const words = expression.replaceAll("/", " OR ").match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  /** @returns {boolean} */
  const either = () => {
    let good = both();
    while (words[at] === "OR") {
      at += 1;
      good = both() || good;
    }
    return good;
  };
  /** @returns {boolean} */
  const both = () => {
    let good = one();
    while (words[at] === "AND") {
      at += 1;
      good = one() && good;
    }
    return good;
  };
  const one = () => {
    const word = words[at++];
    if (word === "(") {
      const good = either();
      return words[at++] === ")" && good;
    }
    if (words[at] !== "WITH") return LICENCES.has(word ?? "");
    at += 2;
    return LICENCES.has(`${word} WITH ${words[at - 1]}`);
  };
  const good = either();
  return good && at === words.length;
}

/** @param {string} manifest */
async function faultsOf(manifest) {
  const output = await must("cargo", ["metadata", "--quiet", "--locked", "--format-version", "1", "--manifest-path", join(root, manifest)], { env: rustEnv() });
  /** @type {Crate[]} */
  const crates = JSON.parse(output.slice(output.indexOf("{"))).packages;
  const faults = [];
  /** @type {Map<string, string[]>} */
  const versions = new Map();
  for (const { name, version, license, source, manifest_path: path } of crates) {
    versions.set(name, [...(versions.get(name) ?? []), version]);
    if (license === null || !canTake(license)) faults.push(`${name} ${version} has the licence ${license ?? "of nobody"}`);
    if (source === null ? !path.startsWith(root + sep) : source !== REGISTRY) faults.push(`${name} ${version} comes from ${source ?? path}`);
  }
  for (const [name, all] of versions) if (all.length > 1 && !TWICE.has(name)) faults.push(`${name} is there as ${all.join(" and ")}`);
  return faults.map((fault) => `${manifest}: ${fault}`);
}

/**
 * Looks at all workspaces.
 * @returns {Promise<string[]>} what is wrong, a sentence each
 */
export async function crateFaults() {
  const faults = [];
  for (const manifest of WORKSPACES) faults.push(...(await faultsOf(manifest)));
  return faults;
}
