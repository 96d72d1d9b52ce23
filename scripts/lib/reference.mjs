/** Finding the reference implementation, which `tests/interop` and the benchmarks ask. Installs nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, toolsHome } from "./paths.mjs";
import { ask } from "./run.mjs";

/** What pip installs. */
export const referenceRequirements = join(root, "tests", "interop", "requirements.txt");

/** The one home of the versions is the list that pip reads. */
function pinned(/** @type {string} */ name) {
  const found = new RegExp(`^${name}==(\\S+)$`, "m").exec(readFileSync(referenceRequirements, "utf8"))?.[1];
  if (found === undefined) throw new Error(`${referenceRequirements} pins no ${name}`);
  return found;
}

/** The release of the reference; what the documentation states of it was seen with this one. */
export const referenceVersion = pinned("dreamdb");

/** Where the shared cache keeps its Python environment. */
export function referenceHome() {
  return join(toolsHome(), `dreamdb-${referenceVersion}-numpy-${pinned("numpy")}-scipy-${pinned("scipy")}`);
}

/** Folder of programs in a Python environment, and what their names end with. */
export const pythonPlaces = process.platform === "win32" ? { folder: "Scripts", exe: ".exe" } : { folder: "bin", exe: "" };

/**
 * The Python that has the reference, if it is there.
 * @returns {string | undefined}
 */
export function findReference() {
  const python = join(referenceHome(), pythonPlaces.folder, `python${pythonPlaces.exe}`);
  const names = ["dreamdb", "numpy", "scipy"];
  const print = `import ${names.join(", ")}; from importlib.metadata import version; print(${names.map((name) => `version('${name}')`).join(", ")})`;
  return ask(python, ["-c", print]) === names.map(pinned).join(" ") ? python : undefined;
}
