/** Which datasets a folder has: itself, or folders below it, known by their `refs`. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { refNames } from "./serve-refs.js";

/** A dataset in a folder. */
export interface ServedDataset {
  /** Its path from the folder, with slashes; empty for the folder itself. */
  readonly path: string;
  /** Names of its Refs, ascending. */
  readonly refs: readonly string[];
}

/** How far below datasets are looked for. */
const DEEPEST = 3;
/** Folders that are looked into: a hint must not become a walk through a disk. */
const MOST_FOLDERS = 2000;

/** Datasets at and below a folder, nearest first, `most` of them. Folders whose name begins with a dot, links and what lies in a dataset are not looked into. */
export async function datasetsBelow(dir: string, most: number): Promise<ServedDataset[]> {
  const found: ServedDataset[] = [];
  let level = [""];
  let looked = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      if (found.length >= most || looked++ >= MOST_FOLDERS) return found;
      const entries = await readdir(join(dir, path), { withFileTypes: true }).catch(() => []);
      const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
      if (folders.includes("refs")) found.push({ path, refs: await refNames(join(dir, path, "refs")) });
      else next.push(...folders.sort().map((name) => (path === "" ? name : `${path}/${name}`)));
    }
    level = next;
  }
  return found;
}
