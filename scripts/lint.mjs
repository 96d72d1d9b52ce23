/**
 * Lints everything: TypeScript and scripts with types in view, Rust for the host and for wasm, Rust's format.
 *
 *     node scripts/lint.mjs
 *
 * All of it runs, then the failures are named.
 */
import { join } from "node:path";
import { existsSync } from "node:fs";
import { build } from "./build.mjs";
import { root } from "./lib/paths.mjs";
import { fail, run } from "./lib/run.mjs";
import { rustEnv } from "./lib/rust.mjs";
import { setup } from "./setup.mjs";

const FOLDERS = ["ts", "tests", "scripts", "examples", "bench", "fuzz", "viewer", "vitest.config.ts"];

try {
  await setup("lint");
  // The rules that look at types need those of pkg/ and dist/.
  await build();
  const strict = ["--", "-D", "warnings"];
  // oxlint's pictures are coloured whatever NO_COLOR says; a log gets plain lines.
  const format = process.stdout.isTTY ? [] : ["--format=stylish"];
  /** @type {[string, string, string[]][]} */
  const steps = [
    ["oxlint", process.execPath, [join(root, "node_modules/oxlint/bin/oxlint"), "--type-aware", ...format, ...FOLDERS.filter((name) => existsSync(join(root, name)))]],
    ["rustfmt", "cargo", ["fmt", "--check"]],
    ["rustfmt of fuzz/", "cargo", ["fmt", "--check", "--manifest-path", join("fuzz", "Cargo.toml")]],
    ["rustfmt of bench/native", "cargo", ["fmt", "--check", "--manifest-path", join("bench", "native", "Cargo.toml")]],
    ["clippy", "cargo", ["clippy", "--all-targets", ...strict]],
    ["clippy of bench/native", "cargo", ["clippy", "--all-targets", "--manifest-path", join("bench", "native", "Cargo.toml"), "--target-dir", join(".tools", "native"), ...strict]],
    ["clippy for wasm", "cargo", ["clippy", "--lib", "--target", "wasm32-unknown-unknown", ...strict]],
  ];
  const failed = [];
  for (const [name, command, args] of steps) {
    process.stdout.write(`── ${name} ──\n`);
    const { code } = await run(command, args, { env: rustEnv(), show: true });
    if (code !== 0) failed.push(name);
  }
  if (failed.length > 0) throw new Error(`lint: ${failed.join(", ")} found something`);
  process.stdout.write("lint: clean\n");
} catch (error) {
  fail(error);
}
