/** The files of a dataset. */
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * All files of a folder, by key.
 * @param {string} folder
 */
export function filesOf(folder) {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files.map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).split(sep).join("/"));
}
