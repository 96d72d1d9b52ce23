/**
 * The crate → pkg/ (glue, types, the .wasm) and ts/wasm-inline.ts (the same .wasm as text, for hosts that cannot fetch a file).
 *
 * Everything is made in a scratch folder and moved into place file by file, so a test that reads pkg/ meanwhile never sees half a file.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { digest, isCurrent, stamp } from "./fingerprint.mjs";
import { APPENDED_TYPES, appendedCode } from "./glue.mjs";
import { root, scratch } from "./paths.mjs";
import { ask, must } from "./run.mjs";
import { buildEnv, rustEnv, sysroot } from "./rust.mjs";

const INPUTS = ["Cargo.toml", "bindings/Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo/config.toml", "src", "blake3/Cargo.toml", "blake3/src", "scripts/lib/wasm.mjs", "scripts/lib/glue.mjs", "scripts/lib/sentences.mjs"];
const FILES = ["dreamdb_arrays.js", "dreamdb_arrays.d.ts", "dreamdb_arrays_bg.wasm", "dreamdb_arrays_bg.wasm.d.ts"];
/** What the files are called as they are made: the module has that name once for each function that it imports. */
const SHORT = "a";
const INLINE = "ts/wasm-inline.ts";
const OUTPUTS = ["pkg", INLINE];

/** True when pkg/ and the inline module belong to the sources as they are. */
export function wasmIsCurrent() {
  return isCurrent("wasm", INPUTS, OUTPUTS);
}

/** Compile the crate and write both outputs. */
export async function buildWasm() {
  const inputs = digest(INPUTS);
  const out = join(scratch, `pkg.${process.pid}`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  try {
    await must(
      "wasm-pack",
      // no-install: a tool that set-up did not bring is an error here, not a silent download.
      ["build", "--mode", "no-install", "--target", "web", "--release", "--no-pack", "--no-gitignore", "--out-dir", out, "--out-name", SHORT, join(root, "bindings")],
      { env: { ...buildEnv(), CARGO_ENCODED_RUSTFLAGS: rustflags().join("\x1f") } },
    );
    patchGlue(out);
    moveIntoPlace(out);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  writeInline();
  stamp("wasm", inputs, OUTPUTS);
}

/**
 * Flags that make the module the same whoever builds it: no path of this machine stays in it. They replace those of
 * .cargo/config.toml (cargo takes one source or the other), which is why the SIMD flag is read from there and passed again.
 */
function rustflags() {
  const config = readFileSync(join(root, ".cargo", "config.toml"), "utf8");
  const listed = /^rustflags\s*=\s*\[([^\]]*)\]/m.exec(config)?.[1] ?? "";
  const flags = [...listed.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
  if (!flags.some((flag) => flag.includes("+simd128"))) throw new Error(".cargo/config.toml turns no simd128 on");
  const cargoHome = process.env["CARGO_HOME"] || join(homedir(), ".cargo");
  const commit = /^commit-hash: (\w+)/m.exec(ask("rustc", ["-vV"], rustEnv()) ?? "")?.[1] ?? "unknown";
  return [
    ...flags,
    `--remap-path-prefix=${cargoHome}=/cargo`,
    `--remap-path-prefix=${root}=/src`,
    `--remap-path-prefix=${join(sysroot() ?? "/", "lib", "rustlib", "src", "rust")}=/rustc/${commit}`,
  ];
}

/**
 * Give the glue what it lacks: a way to let go of an instance that trapped, and the words that the module has by number (glue.mjs).
 *
 * The glue holds its instance in a variable of its own, and its `initSync` returns early once that is set. wasm-bindgen's own answer,
 * --experimental-reset-state-function, cannot be asked for through wasm-pack. One appended function that clears the variable is
 * enough, because `initSync` then builds a fresh instance and drops every cached view; the assertions are those facts.
 * @param {string} folder
 */
function patchGlue(folder) {
  const glue = join(folder, `${SHORT}.js`);
  const text = readFileSync(glue, "utf8");
  const facts = [
    "let wasmModule, wasmInstance, wasm;",
    "function initSync(module) {\n    if (wasm !== undefined) return wasm;",
    "const instance = new WebAssembly.Instance(module, imports);\n    return __wbg_finalize_init(instance, module);",
    "    wasm = instance.exports;\n",
  ];
  const views = [...text.matchAll(/^let (cached\w+Memory\d+) = null;/gm)].map((match) => `    ${match[1]} = null;\n`);
  for (const fact of [...facts, ...views]) {
    if (!text.includes(fact)) throw new Error(`the glue of this wasm-bindgen differs: no ${JSON.stringify(fact)}; see scripts/lib/wasm.mjs`);
  }
  // Objects that JavaScript passed in would live in this array and outlast the instance; with reference types they live in its table.
  if (/^(let|const) heap\b/m.test(text)) throw new Error("the glue keeps a heap of JavaScript objects; it must be cleared as well");

  const comment = "/**\n * Let go of the current instance; `initSync` then makes a fresh one. For one that trapped.\n */\n";
  writeFileSync(glue, `${text}\n${comment}export function forgetInstance() {\n    wasm = undefined;\n    __wbg_init_promise = undefined;\n}\n${appendedCode(join(root, "src"))}`);
  const types = join(folder, `${SHORT}.d.ts`);
  writeFileSync(types, `${readFileSync(types, "utf8")}\n${comment}export function forgetInstance(): void;\n${APPENDED_TYPES}`);
}

/** @param {string} folder */
function moveIntoPlace(folder) {
  const pkg = join(root, "pkg");
  mkdirSync(pkg, { recursive: true });
  for (const file of FILES) {
    const made = join(folder, file.replace("dreamdb_arrays", SHORT));
    if (!existsSync(made)) throw new Error(`wasm-pack wrote no ${made}`);
    renameSync(made, join(pkg, file));
  }
  for (const other of readdirSync(pkg)) {
    if (!FILES.includes(other)) rmSync(join(pkg, other), { recursive: true, force: true });
  }
}

/** Characters that stand in any quotes, in a page and in JSON as they are, and that no minifier writes otherwise. */
const ALPHABET = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter((char) => !"\"'`\\$<".includes(char)).join("");
/** The last of them begin a pair. */
const LEADS = 2;

/**
 * The module as text of which compression makes as little as of the module itself: a byte is a character, or one of the rare ones two. Base64, whose
 * characters straddle bytes, would be a third more before compression and after.
 */
function writeInline() {
  const module = readFileSync(join(root, "pkg", "dreamdb_arrays_bg.wasm"));
  const counts = new Uint32Array(256);
  for (const byte of module) counts[byte] = (counts[byte] ?? 0) + 1;
  const order = Array.from(counts, (_, byte) => byte).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  const singles = ALPHABET.length - LEADS;
  /** @type {string[]} */
  const codes = [];
  for (const [rank, byte] of order.entries()) {
    const beyond = rank - singles;
    codes[byte] = beyond < 0 ? ALPHABET.charAt(rank) : ALPHABET.charAt(singles + Math.floor(beyond / ALPHABET.length)) + ALPHABET.charAt(beyond % ALPHABET.length);
  }
  const text = Array.from(module, (byte) => codes[byte]).join("");
  const code =
    "/** Written by scripts/build.mjs: pkg/dreamdb_arrays_bg.wasm as text, for hosts that cannot fetch a file. Not committed. */\n" +
    'import type { WasmText } from "./wasm-load.js";\n\n' +
    `/** The module. */\nexport const wasmText: WasmText = {\n  alphabet: "${ALPHABET}",\n  leads: ${LEADS},\n  order: [${order.join(",")}],\n  text: "${text}",\n};\n`;
  const temporary = join(scratch, `inline.${process.pid}`);
  writeFileSync(temporary, code);
  renameSync(temporary, join(root, INLINE));
}
