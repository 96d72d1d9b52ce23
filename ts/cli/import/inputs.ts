/**
 * What is to be imported: files, and folders of them, told by their first bytes. All of them are looked at before anything is stored, so that the one that
 * does not fit is refused by name; what they hold is read later.
 */
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pump } from "../../io/pump.js";
import { UsageError } from "../manners/failures.js";
import type { Progress } from "../manners/progress.js";
import { unreadable } from "../tools/files.js";
import { isNpy, type Npy, npyFrontBytes, npyOf } from "./npy.js";

/** A file with one Item, or a stack of them. */
export interface Input {
  readonly path: string;
  readonly bytes: number;
  /** What it holds, of `.npy`. */
  readonly npy?: Npy;
  /** Its media subtype, of an image. */
  readonly mime?: string;
}

/** Files in the order in which they are imported. */
export interface Inputs {
  readonly inputs: readonly Input[];
  /** The only folder that was named, if nothing else was. */
  readonly folder?: string | undefined;
  /** Files of folders that are left out. */
  readonly left: readonly string[];
}

/** Formats of images by the bytes that stand at certain places of their fronts. */
const IMAGES: readonly (readonly [mime: string, ...parts: readonly (readonly [at: number, bytes: string])[]])[] = [
  ["png", [0, "\u0089PNG\r\n\u001a\n"]],
  ["jpeg", [0, "\u00ff\u00d8\u00ff"]],
  ["webp", [0, "RIFF"], [8, "WEBP"]],
  ["gif", [0, "GIF87a"]],
  ["gif", [0, "GIF89a"]],
];

/** Files that are looked at at once. */
const WIDTH = 16;

/** Numbers within names count as numbers: `frame_2` stands before `frame_10`. */
const order = new Intl.Collator("en", { numeric: true });

/**
 * Looks at everything that was named. Costs the front of each file.
 *
 * @throws {UsageError} for a file that is neither, and where nothing is; {DreamDbError} those of `.npy` headers and of files
 */
export async function inputsOf(named: readonly string[], progress: Progress, signal: AbortSignal): Promise<Inputs> {
  const paths: { readonly path: string; readonly within: boolean }[] = [];
  let folders = 0;
  for (const path of named) {
    const found = await stat(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
    if (found.isDirectory()) {
      folders += 1;
      for (const name of await filesIn(path)) paths.push({ path: join(path, name), within: true });
    } else paths.push({ path, within: false });
  }
  const looked = new Array<Input | undefined>(paths.length);
  let done = 0;
  await pump(paths.length, WIDTH, async (at) => {
    signal.throwIfAborted();
    const { path } = paths[at] ?? { path: "" };
    looked[at] = await inputOf(path);
    progress.at({ done: ++done, total: paths.length, what: "looking" });
  });
  const stranger = paths.find(({ within }, at) => !within && looked[at] === undefined);
  if (stranger !== undefined) throw new UsageError(`${stranger.path} is neither a .npy file nor a png, jpeg, webp or gif image`);
  const inputs = looked.filter((input) => input !== undefined);
  if (inputs.length === 0) throw new UsageError(`there is no .npy file and no image in ${named.join(", ")}`);
  const left = paths.flatMap(({ path }, at) => (looked[at] === undefined ? [path] : []));
  return { inputs, left, folder: folders === 1 && named.length === 1 ? named[0] : undefined };
}

async function inputOf(path: string): Promise<Input | undefined> {
  const file = await open(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(new Uint8Array(Math.min(size, 16)), 0, Math.min(size, 16), 0);
    const front = buffer.subarray(0, bytesRead);
    if (isNpy(front)) {
      const wanted = Math.min(size, npyFrontBytes());
      const { bytesRead: got, buffer: whole } = await file.read(new Uint8Array(wanted), 0, wanted, 0);
      return { path, bytes: size, npy: npyOf(path, whole.subarray(0, got), size) };
    }
    const text = Buffer.from(front).toString("latin1");
    const mime = IMAGES.find(([, ...parts]) => parts.every(([at, bytes]) => text.startsWith(bytes, at)))?.[0];
    return mime === undefined ? undefined : { path, bytes: size, mime };
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file.close();
  }
}

/** Names of the files right within a folder, in order; those that begin with a dot are none. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort((a, b) => order.compare(a, b) || (a < b ? -1 : 1));
}
