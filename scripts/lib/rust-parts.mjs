/** Parts of Rust that rustup brings: the pinned release with its targets, and the nightly one with what is only there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { rustVersion, toolsHome } from "./paths.mjs";
import { ask, must } from "./run.mjs";
import { bigEndian as BIG_ENDIAN, forgetRustEnv, hasNightly, nightlyToolchain, rustEnv, sysroot } from "./rust.mjs";

const WASM_TARGET = "wasm32-unknown-unknown";

/** @typedef {(what: string, work: () => Promise<unknown>) => Promise<void>} Step */

/** @param {Step} step */
export async function rust(step) {
  const missing = missingRust();
  if (missing.length === 0) return;
  if (ask("rustup", ["--version"]) === undefined) {
    const have = ask("cargo", ["--version"]) === undefined ? "No Rust was found" : `This Rust lacks ${missing.join(", ")}`;
    throw new Error(
      `${have}. Install rustup from https://rustup.rs, open a new terminal and run the command again; ` +
        `the right release (${rustVersion()}) is then fetched by itself.`,
    );
  }
  await withLock(join(toolsHome(), "rustup.lock"), async () => {
    const version = rustVersion();
    if (missingRust().includes("the toolchain")) {
      await step(`Rust ${version}`, () => must("rustup", ["toolchain", "install", version, "--profile", "minimal"]));
      forgetRustEnv();
    }
    const rest = missingRust();
    const env = rustEnv();
    if (rest.includes(WASM_TARGET)) await step(`Rust target ${WASM_TARGET}`, () => must("rustup", ["target", "add", WASM_TARGET], { env }));
    const parts = rest.filter((part) => part === "clippy" || part === "rustfmt");
    if (parts.length > 0) await step(`Rust ${parts.join(", ")}`, () => must("rustup", ["component", "add", ...parts], { env }));
    if (missingRust().length > 0) throw new Error(`Rust is still without ${missingRust().join(", ")}`);
  });
}

/** The parts of the pinned toolchain that are not there. */
function missingRust() {
  const home = sysroot();
  if (home === undefined) return ["the toolchain", WASM_TARGET, "clippy", "rustfmt"];
  const missing = [];
  if (!existsSync(join(home, "lib", "rustlib", WASM_TARGET, "lib"))) missing.push(WASM_TARGET);
  const exe = process.platform === "win32" ? ".exe" : "";
  if (!existsSync(join(home, "bin", `cargo-clippy${exe}`))) missing.push("clippy");
  if (!existsSync(join(home, "bin", `rustfmt${exe}`))) missing.push("rustfmt");
  return missing;
}

/** @param {Step} step */
export async function nightly(step) {
  if (hasNightly()) return;
  await withLock(join(toolsHome(), "rustup.lock"), async () => {
    if (hasNightly()) return;
    await step(`Rust ${nightlyToolchain}`, () => must("rustup", ["toolchain", "install", nightlyToolchain, "--profile", "minimal"]));
    if (!hasNightly()) throw new Error(`rustup finished, but Rust ${nightlyToolchain} is not there`);
  });
}

/** Whether miri runs, and has what it makes its own standard library of. */
function hasMiri() {
  const env = { RUSTUP_TOOLCHAIN: nightlyToolchain };
  const home = ask("rustc", ["--print", "sysroot"], env);
  return ask("cargo", ["miri", "--version"], env) !== undefined && existsSync(join(home ?? "", "lib", "rustlib", "src", "rust"));
}

/** @param {Step} step */
export async function miri(step) {
  await nightly(step);
  if (hasMiri()) return;
  await withLock(join(toolsHome(), "rustup.lock"), async () => {
    if (hasMiri()) return;
    await step("miri", () => must("rustup", ["component", "add", "miri", "rust-src", "--toolchain", nightlyToolchain]));
    if (!hasMiri()) throw new Error("rustup finished, but miri is not there");
  });
}

/** @param {Step} step */
export async function bigEndianTarget(step) {
  const has = () => existsSync(join(sysroot() ?? "", "lib", "rustlib", BIG_ENDIAN, "lib"));
  if (has()) return;
  await withLock(join(toolsHome(), "rustup.lock"), async () => {
    if (has()) return;
    await step(`Rust target ${BIG_ENDIAN}`, () => must("rustup", ["target", "add", BIG_ENDIAN], { env: rustEnv() }));
    if (!has()) throw new Error(`rustup finished, but the target ${BIG_ENDIAN} is not there`);
  });
}
