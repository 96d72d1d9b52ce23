/** The Items of the files: one each, or with `--stacked` one for each element of the first axis; counted without being read, read one by one. */
import { type FileHandle, open, readFile } from "node:fs/promises";
import { bytesPerElement } from "../../codec/dtype.js";
import { DreamDbError } from "../../errors.js";
import type { ItemInit } from "../../write/items.js";
import { unreadable } from "../tools/files.js";
import type { Said } from "./declaration.js";
import type { Input } from "./inputs.js";
import { elementsIn } from "./npy.js";

/** All Items, in the order of the files. */
export class Items {
  /** How many there are. */
  readonly count: number;
  /** Bytes of all of them. */
  readonly bytes: number;
  readonly #inputs: readonly Input[];
  readonly #stacked: boolean;
  /** Number of the first Item of each file. */
  readonly #firsts: Float64Array;
  #held: { readonly path: string; readonly file: FileHandle } | undefined;

  constructor(inputs: readonly Input[], { stacked = false }: Said) {
    this.#inputs = inputs;
    this.#stacked = stacked;
    this.#firsts = new Float64Array(inputs.length);
    let [count, bytes] = [0, 0];
    for (const [at, input] of inputs.entries()) {
      this.#firsts[at] = count;
      const own = stacked ? (input.npy?.shape[0] ?? 0) : 1;
      count += own;
      bytes += own * sizeOfItem(input, stacked);
    }
    this.count = count;
    this.bytes = bytes;
  }

  /** Bytes of an Item, without any header. */
  sizeOf(at: number): number {
    const { input } = this.#find(at);
    return sizeOfItem(input, this.#stacked);
  }

  /** What an Item is called in messages. */
  nameOf(at: number): string {
    const { input, index } = this.#find(at);
    return this.#stacked ? `${input.path}[${index}]` : input.path;
  }

  /**
   * Reads an Item, as the field takes it.
   *
   * @throws {DreamDbError} `PayloadLength` for a file that has changed; those of files
   */
  async read(at: number): Promise<ItemInit> {
    const { input, index } = this.#find(at);
    const { path, npy, bytes } = input;
    if (npy === undefined) {
      const image = await readFile(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
      if (image.byteLength !== bytes) throw new DreamDbError("PayloadLength", `${path} has changed while it was imported`, { subject: path });
      return image;
    }
    const shape = this.#stacked ? npy.shape.slice(1) : npy.shape;
    const elements = shape.reduce((product, extent) => product * extent, 1);
    const file = await this.#open(path);
    const data = await elementsIn(file, path, npy, index * elements, elements);
    return { data, shape, order: this.#stacked ? "c" : npy.order };
  }

  /** Lets go of the file that was read last. */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.file.close();
  }

  /** Elements of a stack come from one file: it stays open until another one is wanted. */
  async #open(path: string): Promise<FileHandle> {
    if (this.#held?.path === path) return this.#held.file;
    await this.close();
    const file = await open(path).catch((error: unknown) => Promise.reject(unreadable(path, error)));
    this.#held = { path, file };
    return file;
  }

  #find(at: number): { readonly input: Input; readonly index: number } {
    let [low, high] = [0, this.#firsts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#firsts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    const input = this.#inputs[low];
    if (input === undefined) throw new RangeError(`there is no Item ${at}`);
    return { input, index: at - (this.#firsts[low] ?? 0) };
  }
}

function sizeOfItem({ npy, bytes }: Input, stacked: boolean): number {
  if (npy === undefined) return bytes;
  return npy.shape.slice(stacked ? 1 : 0).reduce((product, extent) => product * extent, bytesPerElement(npy.dtype));
}
