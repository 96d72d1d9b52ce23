/**
 * What this writer stored last: the Tracks and pages that its next write will extend. Nobody need fetch them, or check what was made here.
 */
import type { NewObject } from "./objects.js";

/** Bytes that are kept. */
const MOST_BYTES = 16 << 20;

/** Keeps the objects that were stored last. */
export class Recent {
  readonly #objects = new Map<string, Uint8Array>();
  #bytes = 0;

  get(key: string): Uint8Array | undefined {
    return this.#objects.get(key);
  }

  /** Keeps objects, in the place of those that were kept longest. */
  keep(objects: readonly NewObject[]): void {
    for (const { key, bytes } of objects) {
      this.#forget(key);
      this.#objects.set(key, bytes);
      this.#bytes += bytes.byteLength;
    }
    for (const key of this.#objects.keys()) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#objects.get(key)?.byteLength ?? 0;
    this.#objects.delete(key);
  }
}
