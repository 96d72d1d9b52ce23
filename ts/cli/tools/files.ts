/** Files of any size as the tools read them: `-` is standard input; addresses are made while the bytes pass. */
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { addressOf } from "../../codec/hash.js";
import { DreamDbError, isDreamDbError } from "../../errors.js";
import { call } from "../../wasm.js";
import { advised } from "../manners/failures.js";

/** Bytes that are hashed at a time: a power of two of BLAKE3's chunks. Each leaves 32 bytes in memory. */
const WINDOW = 1 << 20;

/** Bytes of a chaining value. */
const CHAINING = 32;

/** Bytes of a file that must be in memory as a whole, twice: more is more than the core's memory has room for. */
export const WHOLE = 2 ** 30;

/** An address and of how many bytes it is. */
export interface Addressed {
  readonly address: string;
  readonly bytes: number;
}

/**
 * The address of a file, read from front to back. Costs one pass of BLAKE3, and 32 bytes of memory for each MiB.
 *
 * @throws {DreamDbError} `NotFound`, `FileSystem`
 */
export async function addressOfFile(path: string, signal: AbortSignal, onBytes: (bytes: number) => void = () => undefined): Promise<Addressed> {
  const window = new Uint8Array(WINDOW);
  const values: Uint8Array[] = [];
  let [bytes, filled] = [0, 0];
  const flush = () => {
    const part = window.subarray(0, filled);
    values.push(call((core) => core.hashWindow(part, BigInt(bytes - filled))));
    filled = 0;
  };
  for await (const piece of piecesOf(path, signal)) {
    for (let from = 0; from < piece.byteLength; ) {
      // Hashed only when more comes: an object of one window is hashed as a whole.
      if (filled === WINDOW) flush();
      const taken = piece.subarray(from, from + WINDOW - filled);
      window.set(taken, filled);
      filled += taken.byteLength;
      from += taken.byteLength;
      bytes += taken.byteLength;
    }
    onBytes(bytes);
  }
  if (values.length === 0) return { address: addressOf(window.subarray(0, filled)), bytes };
  flush();
  const all = new Uint8Array(values.length * CHAINING);
  for (const [at, value] of values.entries()) all.set(value, at * CHAINING);
  return { address: call((core) => core.combineWindows(all)), bytes };
}

/** Bytes of a file, if that can be known beforehand. */
export async function sizeOf(path: string): Promise<number | undefined> {
  const found = path === "-" ? undefined : await stat(path).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}

/**
 * All bytes of a file that is small, or must be in memory as a whole.
 *
 * @throws {DreamDbError} `NotFound`, `FileSystem`; `TooLarge` beyond 1 GiB
 */
export async function wholeFile(path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const size = await sizeOf(path);
  if (size !== undefined && size > WHOLE) throw tooLarge(path, size);
  if (path !== "-") {
    try {
      return new Uint8Array(await readFile(path, { signal }));
    } catch (error) {
      // Node's own error of an abort does not say why.
      signal.throwIfAborted();
      throw unreadable(path, error);
    }
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(path, signal)) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > WHOLE) throw tooLarge(path, bytes);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** What a file is called in messages. */
export function shownPath(path: string): string {
  return path === "-" ? "standard input" : path;
}

/** The error of a file that cannot be read. */
export function unreadable(path: string, error: unknown): unknown {
  if (isDreamDbError(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const what = code === "ENOENT" ? "no such file" : code === "EISDIR" ? "that is a folder, not a file" : code === "EACCES" ? "it may not be read" : message;
  const found = new DreamDbError(code === "ENOENT" ? "NotFound" : "FileSystem", `${shownPath(path)}: ${what}`, { subject: path, cause: error });
  return advised(found, "check the path");
}

/** The error of what is too large to be in memory. */
export function tooLarge(path: string, bytes: number): DreamDbError {
  const message = `${shownPath(path)} has ${bytes} bytes or more, and must be in memory as a whole; ${WHOLE} are the most`;
  return advised(new DreamDbError("TooLarge", message, { subject: path, expected: String(WHOLE), actual: String(bytes) }), "split it");
}

async function* piecesOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: WINDOW });
  const stop = () => void stream.destroy(signal.reason as Error);
  signal.throwIfAborted();
  signal.addEventListener("abort", stop);
  try {
    for await (const piece of stream) yield piece as Buffer;
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
