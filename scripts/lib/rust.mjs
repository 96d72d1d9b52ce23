/** Finding the pinned Rust toolchain and the two command line tools that turn the crate into `pkg/`. Installs nothing. */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { cargoDenyVersion, cargoFuzzVersion, root, rustVersion, toolsHome, wasmBindgenVersion, wasmPackVersion } from "./paths.mjs";
import { ask } from "./run.mjs";

/** A tool that cargo builds: its crate, its binary, its exact version, and how cargo is to be asked for it. */
export const cargoTools = [
  {
    crate: "wasm-bindgen-cli",
    bin: "wasm-bindgen",
    version: wasmBindgenVersion(),
    // Without --locked: the lock file inside that crate names releases that not every registry mirror still serves.
    args: ["--no-default-features", "--bin", "wasm-bindgen"],
  },
  { crate: "wasm-pack", bin: "wasm-pack", version: wasmPackVersion, args: ["--locked"] },
];

/** @typedef {(typeof cargoTools)[number]} CargoTool */

/** What builds and runs the fuzz targets.
 * @type {CargoTool} */
export const fuzzTool = { crate: "cargo-fuzz", bin: "cargo-fuzz", version: cargoFuzzVersion, args: ["--locked"] };

/** What looks at licences, versions and origins of crates.
 * @type {CargoTool} */
export const denyTool = { crate: "cargo-deny", bin: "cargo-deny", version: cargoDenyVersion, args: ["--locked"] };

/** The toolchain of the fuzz targets, whose instrumentation is not in stable ones, and of miri. Nothing that is published is built by it. */
export const nightlyToolchain = "nightly";

/** Whether that toolchain is there. */
export function hasNightly() {
  return ask("rustc", ["--version"], { RUSTUP_TOOLCHAIN: nightlyToolchain })?.includes("-nightly") ?? false;
}

/** The machine whose byte order is not that of all others that are tested on. */
export const bigEndian = "s390x-unknown-linux-gnu";

/** Its compiler and its emulator: programs, and the packages that Debian has them in. */
export const bigEndianPackages = { "s390x-linux-gnu-gcc": "gcc-s390x-linux-gnu", "qemu-s390x": "qemu-user" };

/**
 * Where the shared cache keeps a tool.
 * @param {CargoTool} tool
 */
export function toolHome(tool) {
  return join(toolsHome(), `${tool.bin}-${tool.version}`);
}

/**
 * The folder that holds a working binary of exactly the right version, or undefined. Asking the binary itself is what tells a finished
 * install from an interrupted one.
 * @param {CargoTool} tool
 * @returns {string | undefined} "" when it is found on PATH already
 */
export function findTool(tool) {
  const right = `${tool.bin} ${tool.version}`;
  if (ask(tool.bin, ["--version"])?.startsWith(right)) return "";
  const folder = join(toolHome(tool), "bin");
  return ask(join(folder, tool.bin), ["--version"])?.startsWith(right) ? folder : undefined;
}

/**
 * The environment in which cargo, wasm-pack and wasm-opt find each other.
 * @returns {Record<string, string>}
 */
export function buildEnv() {
  const folders = cargoTools.map(findTool).filter((folder) => folder);
  // npm's binaryen is the wasm-opt: pinned by the lock file, where whatever a system has on PATH is not.
  const path = [join(root, "node_modules", ".bin"), ...folders, process.env["PATH"]];
  return { ...rustEnv(), PATH: path.join(delimiter) };
}

/** @type {Record<string, string> | undefined} */
let chosen;

/**
 * What rustup must be told so that the pinned release is used. Nothing, as a rule. A machine that may not fetch toolchains can hold the
 * pinned release under another name ("stable"), and then that one is as good.
 * @returns {Record<string, string>}
 */
export function rustEnv() {
  chosen ??= chooseToolchain();
  return chosen;
}

/** Forget the choice of {@link rustEnv}, after a toolchain was installed. */
export function forgetRustEnv() {
  chosen = undefined;
}

/** @returns {Record<string, string>} */
function chooseToolchain() {
  if (process.env["RUSTUP_TOOLCHAIN"]) return {};
  const folder = join(process.env["RUSTUP_HOME"] || join(homedir(), ".rustup"), "toolchains");
  if (!existsSync(folder)) return {};
  const pinned = rustVersion();
  const names = readdirSync(folder);
  if (names.some((name) => name === pinned || name.startsWith(`${pinned}-`))) return {};
  const same = names.find((name) => ask(join(folder, name, "bin", "rustc"), ["--version"])?.startsWith(`rustc ${pinned} `));
  return same ? { RUSTUP_TOOLCHAIN: same } : {};
}

/** The sysroot of the toolchain in use, or undefined when there is none that works. */
export function sysroot() {
  return ask("rustc", ["--print", "sysroot"], rustEnv());
}
