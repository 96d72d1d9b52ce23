/**
 * Objects out of files that the user gave to a page: a picked folder, dropped files, a directory handle, or plain Blobs by key.
 *
 * Only slices are read, never more of a file than was asked for. Writing into a directory handle does not belong here.
 */

import { DreamDbError, type ErrorCode } from "../errors.js";
import { orAborted, throwIfAborted } from "./abort.js";
import { byteLimit, checkKey, checkRange, endsEarly, keySegments, tooLarge } from "./check.js";
import { observed, type Tally } from "./observe.js";
import type { Store, StoreOptions } from "./types.js";

/** The part of `FileSystemDirectoryHandle` that is used. */
export interface DirectoryHandle {
  /** Tells it from a file's handle. */
  readonly kind: "directory";
  /** The handle of a folder in it. */
  getDirectoryHandle(name: string): Promise<DirectoryHandle>;
  /** The handle of a file in it. */
  getFileHandle(name: string): Promise<{
    /** The file as it is now. */
    getFile(): Promise<Blob>;
  }>;
}

/** A Blob that may know its path in a picked folder, as a `File` does. */
type PickedFile = Blob & { readonly name?: string; readonly webkitRelativePath?: string };

/** Where blobs come from: pairs of key and Blob, the `FileList` of an `<input webkitdirectory>`, or a directory handle. */
export type BlobSource = Iterable<readonly [string, Blob]> | Iterable<Blob> | DirectoryHandle;

/**
 * A store of the given files. Files of a picked folder go by their path below it; single files by name.
 *
 * A directory handle is walked at each read, so a Ref that changes is seen. Reads reject with `NotFound`, `Forbidden` (permission not
 * granted or withdrawn), `BodyLength`, `TooLarge`, `FileSystem` (the file changed or vanished since it was picked).
 * Errors: `InvalidArgument` for keys that are no relative path, and for files without any name.
 */
export function blobStore(source: BlobSource, { onRequest }: StoreOptions = {}): Store {
  const find = "getDirectoryHandle" in source ? inDirectory(source) : inMap(byKey(source));
  const describe = (key: string): string => `blob:${key}`;

  async function slice(key: string, blob: Blob, signal: AbortSignal | undefined, tally: Tally) {
    const buffer = await orAborted(translated(key, blob.arrayBuffer()), signal);
    tally.bytes = buffer.byteLength;
    return new Uint8Array(buffer);
  }

  async function open(key: string, signal: AbortSignal | undefined): Promise<Blob> {
    throwIfAborted(signal);
    const blob = await orAborted(translated(key, find(key)), signal);
    if (!blob) throw new DreamDbError("NotFound", `no such object: ${describe(key)}`, { key });
    return blob;
  }

  return {
    async get(key, { signal, maxBytes } = {}) {
      checkKey(key);
      const limit = byteLimit(maxBytes, Infinity);
      return await observed(onRequest, { kind: "get", key }, async (tally) => {
        const blob = await open(key, signal);
        if (blob.size > limit) throw tooLarge(describe(key), key, limit, blob.size);
        return await slice(key, blob, signal, tally);
      });
    },

    async getRange(key, offset, length, { signal } = {}) {
      checkKey(key);
      checkRange(key, offset, length);
      throwIfAborted(signal);
      if (length === 0) return new Uint8Array(0);
      return await observed(onRequest, { kind: "range", key, offset, length }, async (tally) => {
        const blob = await open(key, signal);
        if (offset + length > blob.size) throw endsEarly(describe(key), key, offset, length, blob.size);
        return await slice(key, blob.slice(offset, offset + length), signal, tally);
      });
    },

    describe,
  };
}

type Find = (key: string) => Promise<Blob | undefined>;

function inMap(blobs: ReadonlyMap<string, Blob>): Find {
  return async (key) => blobs.get(key);
}

function byKey(source: Iterable<readonly [string, Blob]> | Iterable<Blob>): Map<string, Blob> {
  const blobs = new Map<string, Blob>();
  for (const item of source) {
    const [key, blob] = isPair(item) ? item : [keyOf(item), item];
    checkKey(key);
    blobs.set(key, blob);
  }
  return blobs;
}

function isPair(item: readonly [string, Blob] | Blob): item is readonly [string, Blob] {
  return Array.isArray(item);
}

/** Path below the picked folder, whose own name comes first in `webkitRelativePath`. */
function keyOf(file: PickedFile): string {
  const { webkitRelativePath: path, name } = file;
  return path ? path.slice(path.indexOf("/") + 1) : (name ?? "");
}

function inDirectory(root: DirectoryHandle): Find {
  return async (key) => {
    const path = keySegments(key);
    const name = path.pop() ?? "";
    let directory = root;
    try {
      for (const segment of path) directory = await directory.getDirectoryHandle(segment);
      return await (await directory.getFileHandle(name)).getFile();
    } catch (error) {
      const missing = error instanceof Error && (error.name === "NotFoundError" || error.name === "TypeMismatchError");
      if (missing) return undefined;
      throw error;
    }
  };
}

/** `work`, its DOM exceptions made typed. */
async function translated<T>(key: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : "";
    const denied = name === "NotAllowedError" || name === "SecurityError";
    const code: ErrorCode = denied ? "Forbidden" : "FileSystem";
    const hint = denied ? "permission was not granted" : "it may have changed or vanished since it was picked";
    throw new DreamDbError(code, `cannot read blob:${key} (${String(cause)}): ${hint}`, { key, cause });
  }
}
