/**
 * Files written so that no reader sees half of one, and no crash leaves one: under another name first, brought to the disk, then moved into place.
 *
 * A file that is to be new is linked there, which the system refuses if something is; one that is to be replaced is renamed over, under the lock
 * that the reference's writers take as well. What a crash can leave is a file with `.tmp-` in its name, which nothing reads.
 */

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { addressOf } from "../codec/hash.js";
import { DreamDbError, type ErrorCode, isDreamDbError } from "../errors.js";
import { ready } from "../wasm.js";
import { throwIfAborted } from "./abort.js";
import { lockFailure, withLock } from "./fs-lock.js";
import type { Pace } from "./fs-pace.js";

/** Where the reference keeps its locks, below the root. */
const LOCKS = ".dreamdb-cas-locks";

/** The largest object that can be replaced: what stands there is compared as a whole. */
export const MAX_TAGGED_BYTES = 4096;

/** Numbers the temporary files of this program. */
let count = 0;

/** A file as these functions name it. */
export interface FilePlace {
  readonly root: string;
  readonly key: string;
  readonly path: string;
  /** Whether to wait until the disk has it. */
  readonly durable: boolean;
  readonly pace: Pace;
}

/** A file up to this size is written by synchronous calls, if the disk does not make anybody wait. */
const SMALL = 64 * 1024;

/** The name of a file's state: its content, as hexadecimal digits. */
export function tagOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Puts a file where none is; whether it did. */
export async function createFile(place: FilePlace, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<boolean> {
  const { path, key, pace, durable } = place;
  try {
    if (pace.mustYield) await pace.yields(signal);
    if (bytes.byteLength <= SMALL && pace.isFast) {
      const done = durable ? await createDurably(place, bytes) : pace.timed(() => createAtOnce(path, bytes));
      if (done !== undefined) return done;
    }
    // Most of what is written twice is there for long.
    if (await exists(path)) return false;
    return await viaTemporary(place, bytes, signal, async (temporary) => {
      try {
        await fs.promises.link(temporary, path);
        return true;
      } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (code === "EEXIST") return false;
        if (!NO_LINKS.has(code)) throw error;
      }
      return await renameIfAbsent(place, temporary, signal);
    });
  } catch (error) {
    throw writeFailure(error, path, key);
  }
}

/** What file systems without links answer. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Whether an object is there. A folder is none, and leaves no room for one: `refs/a` beside `refs/a/b`. */
function isThere(stats: fs.Stats | undefined): boolean {
  if (stats?.isDirectory() !== true) return stats !== undefined;
  throw Object.assign(new Error("a folder has this name"), { code: "EISDIR" });
}

/** As {@link createFile}, without waiting for anybody; `undefined` where there are no links. */
function createAtOnce(path: string, bytes: Uint8Array): boolean | undefined {
  if (isThere(fs.statSync(path, { throwIfNoEntry: false }))) return false;
  const temporary = temporaryFor(path);
  try {
    const fd = openAtOnce(temporary);
    try {
      writeAll(fd, bytes);
    } finally {
      fs.closeSync(fd);
    }
    return linkAtOnce(temporary, path);
  } finally {
    attempt(() => fs.unlinkSync(temporary));
  }
}

/** The same, but for waiting until the disk has it: what takes time is that. */
async function createDurably({ path, pace }: FilePlace, bytes: Uint8Array): Promise<boolean | undefined> {
  if (isThere(fs.statSync(path, { throwIfNoEntry: false }))) return false;
  const temporary = temporaryFor(path);
  try {
    const fd = pace.timed(() => {
      const opened = openAtOnce(temporary);
      try {
        writeAll(opened, bytes);
        return opened;
      } catch (error) {
        fs.closeSync(opened);
        throw error;
      }
    });
    try {
      await synced(fd);
    } finally {
      fs.closeSync(fd);
    }
    const done = linkAtOnce(temporary, path);
    if (done === true) await syncFolder(dirname(path));
    return done;
  } finally {
    attempt(() => fs.unlinkSync(temporary));
  }
}

function openAtOnce(temporary: string): number {
  try {
    return fs.openSync(temporary, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    fs.mkdirSync(dirname(temporary), { recursive: true });
    return fs.openSync(temporary, "wx");
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) at += fs.writeSync(fd, bytes, at, bytes.byteLength - at);
}

function linkAtOnce(temporary: string, path: string): boolean | undefined {
  try {
    fs.linkSync(temporary, path);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (NO_LINKS.has(code)) return undefined;
    throw error;
  }
}

function attempt(call: () => void): void {
  try {
    call();
  } catch {
    // What went wrong first is what is told.
  }
}

function synced(fd: number): Promise<void> {
  return new Promise((resolve, reject) => fs.fsync(fd, (error) => (error ? reject(error) : resolve())));
}

function temporaryFor(path: string): string {
  return `${path}.tmp-${process.pid}-${Date.now().toString(36)}-${count++}`;
}

/** Puts a file in the place of one with that content; whether it did. */
export async function replaceFile(place: FilePlace, bytes: Uint8Array, tag: string, signal: AbortSignal | undefined): Promise<boolean> {
  const { path, key } = place;
  try {
    return await locked(place, signal, async () => {
      const held = await readSmall(path);
      if (held === undefined || tagOf(held) !== tag) return false;
      return await viaTemporary(place, bytes, signal, async (temporary) => {
        await fs.promises.rename(temporary, path);
        return true;
      });
    });
  } catch (error) {
    throw writeFailure(error, path, key);
  }
}

/** For file systems without links: nobody else who comes this way can come between. */
async function renameIfAbsent(place: FilePlace, temporary: string, signal: AbortSignal | undefined): Promise<boolean> {
  return await locked(place, signal, async () => {
    if (await exists(place.path)) return false;
    await fs.promises.rename(temporary, place.path);
    return true;
  });
}

/** Writes the bytes beside their place, lets `put` move them there, and leaves nothing else. */
async function viaTemporary(
  { path, durable }: FilePlace,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
  put: (temporary: string) => Promise<boolean>,
): Promise<boolean> {
  const folder = dirname(path);
  await fs.promises.mkdir(folder, { recursive: true });
  const temporary = temporaryFor(path);
  try {
    const file = await fs.promises.open(temporary, "wx");
    try {
      throwIfAborted(signal);
      await file.writeFile(bytes);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    throwIfAborted(signal);
    const done = await put(temporary);
    if (done && durable) await syncFolder(folder);
    return done;
  } finally {
    await fs.promises.rm(temporary, { force: true });
  }
}

/** The new name is on the disk once the folder is. Not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await fs.promises.open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function locked<T>({ root, key }: FilePlace, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  await ready();
  const folder = join(root, LOCKS);
  const path = join(folder, `${addressOf(new TextEncoder().encode(key))}.lock`);
  let inside = false;
  try {
    await fs.promises.mkdir(folder, { recursive: true });
    return await withLock(path, signal, () => {
      inside = true;
      return work();
    });
  } catch (error) {
    throw inside || isDreamDbError(error) || signal?.aborted === true ? error : lockFailure(path, key, error);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return isThere(await fs.promises.lstat(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** The file's content; `undefined` if there is none, or more than a tag can name. */
async function readSmall(path: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await fs.promises.stat(path);
    return size > MAX_TAGGED_BYTES ? undefined : await fs.promises.readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A failure of the system made typed; anything else as it is. */
function writeFailure(error: unknown, path: string, key: string): unknown {
  const { code: errno, message } = error as NodeJS.ErrnoException;
  if (isDreamDbError(error) || typeof errno !== "string" || !(error instanceof Error)) return error;
  const denied = ["EACCES", "EPERM", "EROFS"].includes(errno);
  const full = ["ENOSPC", "EDQUOT", "EFBIG"].includes(errno);
  const code: ErrorCode = denied ? "Forbidden" : "FileSystem";
  const said = full ? `there is no room to write ${path}` : denied ? `${path} may not be written` : `cannot write ${path}`;
  return new DreamDbError(code, `${said}: ${message}`, { key, subject: path, cause: error });
}
