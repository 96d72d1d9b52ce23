/** The npm package as a file, and what is in it. */
import { join } from "node:path";
import { must } from "./run.mjs";

/**
 * Pack the package as it stands; the caller has built it.
 * @param {string} folder where the tarball goes
 * @returns {Promise<{ path: string, files: string[] }>} file names are relative to the package
 */
export async function packTarball(folder) {
  // Without scripts: what "prepack" prints would stand in front of the JSON.
  const printed = await must("npm", ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", folder]);
  /** @type {unknown} */
  const answer = JSON.parse(printed);
  // npm 11 answers with a list; others with an object keyed by name.
  const [first] = /** @type {{ filename: string, files: { path: string }[] }[]} */ (Array.isArray(answer) ? answer : Object.values(/** @type {object} */ (answer)));
  if (first === undefined) throw new Error("npm pack packed nothing");
  return { path: join(folder, first.filename), files: first.files.map((file) => file.path) };
}
