/** A folder for one test file, gone afterwards. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder. Whoever makes it removes it: {@link rm} with `recursive`. */
export async function makeTempDir(): Promise<string> {
  return await mkdtemp(join(await realpath(tmpdir()), "dreamdb-arrays-"));
}

/** A new folder that is removed when the running test is over. */
export async function testDir(): Promise<string> {
  const dir = await makeTempDir();
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes a file below `dir` and the folders that lead to it. */
export async function put(dir: string, key: string, bytes: Uint8Array | string): Promise<void> {
  const path = join(dir, key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
