/**
 * Objects in a folder, for Node, Deno and Bun.
 *
 * Stands alone behind its own entry point, so that no browser bundle ever meets `node:fs`. Links are followed: the folder is the user's own.
 * Small files are read by synchronous calls, some 10 µs for all four, where the thread pool takes 70 (Node 20): not while the disk makes them wait,
 * and not many without letting others have a turn. Else descriptors, not `FileHandle`s, which take half as long again.
 */

import { constants } from "node:buffer";
import * as fs from "node:fs";
import { join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { DreamDbError, type ErrorCode } from "../errors.js";
import { orAborted, throwIfAborted } from "./abort.js";
import { byteLimit, checkBytes, checkRange, endsEarly, keySegments, tooLarge } from "./check.js";
import { observed, type Tally } from "./observe.js";
import { Pace } from "./fs-pace.js";
import { createFile, type FilePlace, MAX_TAGGED_BYTES, replaceFile, tagOf } from "./fs-write.js";
import type { StoreOptions, WritableStore } from "./types.js";

/** A range above this is compared with the file's size before memory is taken for it. */
const TRUSTED_LENGTH = 1024 * 1024;
/** A file up to this size is read at once, if the disk does not make anybody wait. */
const SMALL = 64 * 1024;
/** Opening must not wait either, as it would for the writer of a pipe. */
const OPEN_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);
/** The most for one system call; they refuse 2 GiB, and an abort is heard between two of them. */
const READ_AT_ONCE = 256 * 1024 * 1024;

/** Options of {@link fsStore}. */
export interface FsStoreOptions extends StoreOptions {
  /**
   * Whether a write waits until the disk has it, so that a power cut loses nothing that was published. `true` unless said otherwise; without, writing many
   * small objects is several times as fast, and a crash of the program alone still leaves no half-written file.
   */
  durable?: boolean | undefined;
}

/**
 * A store of the files below `dir` (a path, or a `URL` object of `file:`), which need not exist yet; the first write makes it.
 *
 * Reads reject with `NotFound` (no such file, or a folder), `Forbidden`, `BodyLength`, `TooLarge`, and `FileSystem` for all else, the system's
 * error as `cause`. A write puts a whole file or none, and replaces one under the lock that the reference takes. Three system calls a range, four a whole file, of a small one at once; descriptors are closed on every path, also after an abort.
 */
export function fsStore(dir: string | URL, { onRequest, durable = true }: FsStoreOptions = {}): WritableStore {
  // Absolute at once, as the working directory may change.
  const root = resolve(dir instanceof URL ? fileURLToPath(dir) : dir);
  const describe = (key: string): string => join(root, key);
  const pace = new Pace();

  /** A write, observed. */
  async function put(
    key: string,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
    write: (place: FilePlace) => Promise<boolean>,
  ): Promise<boolean> {
    const path = pathOf(root, key);
    checkBytes(key, bytes);
    throwIfAborted(signal);
    return await observed(onRequest, { kind: "put", key }, async (tally) => {
      tally.bytes = bytes.byteLength;
      return await orAborted(write({ root, key, path, durable, pace }), signal);
    });
  }

  const store: WritableStore = {
    async get(key, { signal, maxBytes } = {}) {
      const path = pathOf(root, key);
      const limit = byteLimit(maxBytes, Infinity);
      throwIfAborted(signal);
      const read = async (tally: Tally) => {
        if (pace.mustYield) await pace.yields(signal);
        if (pace.isFast) {
          const bytes = pace.timed(() => readSmall(path, key, limit, tally));
          if (bytes !== undefined) return bytes;
        }
        return await withFile(path, key, async (fd) => {
          const { size } = await statFile(fd, path, key);
          if (size > limit) throw tooLarge(path, key, limit, size);
          return await readExactly(fd, path, key, 0, size, tally, signal);
        });
      };
      return await observed(onRequest, { kind: "get", key }, (tally) => orAborted(read(tally), signal));
    },

    async getRange(key, offset, length, { signal } = {}) {
      const path = pathOf(root, key);
      checkRange(key, offset, length);
      throwIfAborted(signal);
      if (length === 0) return new Uint8Array(0);
      const read = async (tally: Tally) =>
        await withFile(path, key, async (fd) => {
          if (length > TRUSTED_LENGTH) {
            const { size } = await statFile(fd, path, key);
            if (offset + length > size) throw endsEarly(path, key, offset, length, size);
          }
          return await readExactly(fd, path, key, offset, length, tally, signal);
        });
      return await observed(onRequest, { kind: "range", key, offset, length }, (tally) => orAborted(read(tally), signal));
    },

    async getTagged(key, { signal } = {}) {
      const bytes = await store.get(key, { signal, maxBytes: MAX_TAGGED_BYTES });
      return { bytes, tag: tagOf(bytes) };
    },

    create: async (key, bytes, { signal } = {}) =>
      (await put(key, bytes, signal, (place) => createFile(place, bytes, signal))) ? "created" : "exists",

    replace: async (key, bytes, tag, { signal } = {}) =>
      (await put(key, bytes, signal, (place) => replaceFile(place, bytes, tag, signal))) ? "replaced" : "conflict",

    describe,
  };
  return store;
}

/** The whole of a small file; `undefined` of any other. */
function readSmall(path: string, key: string, limit: number, tally: Tally): Uint8Array<ArrayBuffer> | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(path, OPEN_FLAGS);
    const stats = fs.fstatSync(fd);
    const { size } = stats;
    if (!stats.isFile() || size > SMALL || size > limit) return undefined;
    const bytes = new Uint8Array(size);
    // One that gives less than it said is read again by who can say what is wrong.
    if (size > 0 && fs.readSync(fd, bytes, 0, size, 0) !== size) return undefined;
    tally.bytes += size;
    return bytes;
  } catch (error) {
    throw typed(error as NodeJS.ErrnoException, path, key);
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** The file of a key. What only Windows reads as a separator, drive or stream is refused there. */
function pathOf(root: string, key: string): string {
  const segments = keySegments(key);
  if (sep === "\\" && segments.some((segment) => /[\\:]/.test(segment))) {
    throw new DreamDbError("InvalidArgument", `object key ${JSON.stringify(key)} is no file name on this system`, {
      subject: "key",
      actual: key,
    });
  }
  // The segments are plain ones, so there is nothing to normalize.
  return `${root.endsWith(sep) ? root : root + sep}${segments.join(sep)}`;
}

async function withFile<T>(path: string, key: string, use: (fd: number) => Promise<T>): Promise<T> {
  const fd = await call<number>(path, key, (done) => fs.open(path, "r", done));
  try {
    return await use(fd);
  } finally {
    await call<void>(path, key, (done) => fs.close(fd, done));
  }
}

async function statFile(fd: number, path: string, key: string): Promise<fs.Stats> {
  const stats = await call<fs.Stats>(path, key, (done) => fs.fstat(fd, done));
  if (stats.isDirectory()) throw notFound(path, key, undefined);
  return stats;
}

/** Reads on until all is there: one `read` may give less than asked, and 0 only at the end of the file. */
async function readExactly(
  fd: number,
  path: string,
  key: string,
  offset: number,
  length: number,
  tally: Tally,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = allocate(length, path, key);
  for (let count = 0; count < length; ) {
    throwIfAborted(signal);
    const from = count;
    const size = Math.min(length - from, READ_AT_ONCE);
    const got = await call<number>(path, key, (done) => fs.read(fd, bytes, from, size, offset + from, done));
    if (got === 0) {
      throw new DreamDbError("BodyLength", `${path} ends after ${count} of the ${length} bytes asked from byte ${offset}`, {
        key,
        expected: String(length),
        actual: String(count),
      });
    }
    count += got;
    tally.bytes += got;
  }
  return bytes;
}

function allocate(length: number, path: string, key: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch {
    throw tooLarge(path, key, constants.MAX_LENGTH, length);
  }
}

/** One system call as a promise, its failure made typed. */
function call<T>(
  path: string,
  key: string,
  start: (done: (error: NodeJS.ErrnoException | null | undefined, value?: T) => void) => void,
): Promise<T> {
  return new Promise((resolveCall, reject) => {
    start((error, value) => {
      if (error) reject(typed(error, path, key));
      else resolveCall(value as T);
    });
  });
}

function typed(error: NodeJS.ErrnoException, path: string, key: string): DreamDbError {
  const { code: errno = "" } = error;
  if (errno === "ENOENT" || errno === "ENOTDIR" || errno === "EISDIR") return notFound(path, key, error);
  const denied = errno === "EACCES" || errno === "EPERM";
  const code: ErrorCode = denied ? "Forbidden" : "FileSystem";
  return new DreamDbError(code, `cannot read ${path}: ${error.message}`, { key, subject: path, cause: error });
}

function notFound(path: string, key: string, cause: unknown): DreamDbError {
  return new DreamDbError("NotFound", `no such object: ${path}`, { key, subject: path, cause });
}
