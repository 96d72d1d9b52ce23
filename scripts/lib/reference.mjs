/** Finding the reference implementation, which benchmarks compare with. Installs nothing. */
import { join } from "node:path";
import { toolsHome } from "./paths.mjs";
import { ask } from "./run.mjs";

/** The release of the reference; what the benchmarks' documentation states was seen with it. */
export const referenceVersion = "0.0.16";

/** Where the shared cache keeps its Python environment. */
export function referenceHome() {
  return join(toolsHome(), `dreamdb-${referenceVersion}`);
}

/** Folder of programs in a Python environment, and what their names end with. */
export const pythonPlaces = process.platform === "win32" ? { folder: "Scripts", exe: ".exe" } : { folder: "bin", exe: "" };

/**
 * The Python that has the reference, if it is there.
 * @returns {string | undefined}
 */
export function findReference() {
  const python = join(referenceHome(), pythonPlaces.folder, `python${pythonPlaces.exe}`);
  const version = ask(python, ["-c", "import dreamdb, importlib.metadata, numpy; print(importlib.metadata.version('dreamdb'))"]);
  return version === referenceVersion ? python : undefined;
}
