/**
 * Where things are: the repository, the caches, and the versions that are pinned in files elsewhere.
 *
 * A version is never written twice. wasm-bindgen's command line must match the crate to the last digit, so it is read out of
 * Cargo.lock, and the Rust release out of rust-toolchain.toml.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The repository's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Scratch space of this checkout: stamps, locks, half-made output. Ignored by git and safe to delete. */
export const scratch = join(root, ".tools");

/** wasm-pack has no trace in Cargo.lock, so this is its one home. */
export const wasmPackVersion = "0.15.1";

/** Nor has cargo-fuzz. */
export const cargoFuzzVersion = "0.13.2";

/** Nor cargo-deny. */
export const cargoDenyVersion = "0.20.2";

/** The folder that clones of this repository share for the tools they build, apart from the user's own cargo bin. */
export function toolsHome() {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "dreamdb-arrays", "tools");
}

/** The wasm-bindgen release that Cargo.lock holds. */
export function wasmBindgenVersion() {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const found = /name = "wasm-bindgen"\r?\nversion = "([^"]+)"/.exec(lock)?.[1];
  if (!found) throw new Error("Cargo.lock names no wasm-bindgen");
  return found;
}

/** The Rust release that rust-toolchain.toml pins. */
export function rustVersion() {
  const text = readFileSync(join(root, "rust-toolchain.toml"), "utf8");
  const found = /^channel\s*=\s*"([^"]+)"/m.exec(text)?.[1];
  if (!found) throw new Error("rust-toolchain.toml names no channel");
  return found;
}

/**
 * True for the module that Node was started with, so that a file can be a command and a library.
 * @param {string} url the caller's import.meta.url
 */
export function isMain(url) {
  return process.argv[1] !== undefined && url === pathToFileURL(process.argv[1]).href;
}
