/**
 * Bytes that must wait until all of them are known: a file's header counts what comes behind it. Few stay in memory, many go to a file that is gone
 * afterwards.
 */
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { finished, unfinishedFile } from "../manners/interrupt.js";

/** Bytes that stay in memory. */
const KEPT = 8 << 20;
/** Bytes of a file in memory at once. */
const PIECE = 1 << 20;

let made = 0;

/** Takes bytes, and gives them again in the same order. */
export class Spool {
  readonly #path: string;
  #kept: Uint8Array[] = [];
  #file: FileHandle | undefined;
  #bytes = 0;

  /** @param folder where there is room */
  constructor(folder: string) {
    this.#path = join(folder, `.dreamdb-arrays.${process.pid}.${made++}.part`);
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the memory of an array; nobody may change it afterwards. */
  async write({ buffer, byteOffset, byteLength }: ArrayBufferView): Promise<void> {
    this.#kept.push(new Uint8Array(buffer, byteOffset, byteLength));
    this.#bytes += byteLength;
    if (this.#file === undefined) {
      if (this.#bytes <= KEPT) return;
      unfinishedFile(this.#path);
      this.#file = await open(this.#path, "wx", 0o600);
    }
    for (const piece of this.#kept) {
      for (let at = 0; at < piece.byteLength; ) at += (await this.#file.write(piece, at)).bytesWritten;
    }
    this.#kept = [];
  }

  /** All of it. */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#file === undefined) yield* this.#kept;
    else yield* createReadStream(this.#path, { highWaterMark: PIECE }) as AsyncIterable<Uint8Array>;
  }

  /** Gives up what it took. */
  async remove(): Promise<void> {
    this.#kept = [];
    if (this.#file === undefined) return;
    await this.#file.close();
    this.#file = undefined;
    await rm(this.#path, { force: true });
    finished(this.#path);
  }
}
