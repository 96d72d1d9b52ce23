/** Files that a command writes: whole under their name, or not at all. */
import { createWriteStream, type WriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { UsageError } from "./failures.js";
import { finished, unfinishedFile } from "./interrupt.js";

/** Numbers the unfinished files of this program. */
let count = 0;

/** Takes bytes one after another. */
export interface Sink {
  /** Resolves when more can be taken. */
  write(data: string | Uint8Array): Promise<void>;
}

/**
 * Refuses a place that cannot be had, before anything is fetched for it.
 *
 * @throws {UsageError} for a file in a folder that is not there
 */
export async function placeFor(path: string): Promise<void> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new UsageError(`there is no folder ${JSON.stringify(folder)} to write into`, "make it first");
}

/**
 * Writes a file beside its place and moves it there when it is whole. After a failure or Ctrl-C nothing of it is left, and what was there before
 * still is. Links are followed; what is no file, such as `/dev/null` or a named pipe, is never replaced but written into.
 */
export async function writeWhole<T>(path: string, fill: (sink: Sink) => Promise<T>): Promise<T> {
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined && !there.isFile() && !there.isDirectory()) return await writeInto(path, fill);
  return await writeBeside(there === undefined ? path : await realpath(path), fill);
}

async function writeBeside<T>(path: string, fill: (sink: Sink) => Promise<T>): Promise<T> {
  // Not of the file's name, which may be as long as names may be.
  const temporary = join(dirname(path), `.dreamdb-arrays.${process.pid}.whole-${count++}.part`);
  unfinishedFile(temporary);
  try {
    const result = await writeInto(temporary, fill);
    await rename(temporary, path);
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    finished(temporary);
  }
}

/** Writes to a path, whatever lies there, and resolves when all of it has been taken. */
async function writeInto<T>(path: string, fill: (sink: Sink) => Promise<T>): Promise<T> {
  const stream = createWriteStream(path);
  // Rejections of what waits tell it; without a listener the event would end the program.
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  try {
    await once(stream, "open");
    const result = await fill({ write: (data) => written(stream, data, () => failure) });
    await new Promise<void>((resolve, reject) => {
      // A write that fails only now is told to this callback before it is an event.
      stream.end((error?: Error | null) => (error ? reject(error) : resolve()));
    });
    return result;
  } finally {
    stream.destroy();
  }
}

async function written(stream: WriteStream, data: string | Uint8Array, failure: () => Error | undefined): Promise<void> {
  const taken = stream.write(data);
  if (!taken && failure() === undefined) await once(stream, "drain");
  const error = failure();
  if (error !== undefined) throw error;
}
