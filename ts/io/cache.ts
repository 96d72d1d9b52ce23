/** Verified bytes in memory, the least recently used ones given up first. Failures never get here. */

/** A cache of objects, limited by their bytes. */
export class ByteCache {
  readonly #limit: number;
  readonly #entries = new Map<string, Uint8Array<ArrayBuffer>>();
  #bytes = 0;

  /** @param limit bytes to hold at most; an object larger than that is not kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The object under `key`, not to be changed or handed out. */
  get(key: string): Uint8Array<ArrayBuffer> | undefined {
    const bytes = this.#entries.get(key);
    if (bytes !== undefined) {
      // A Map keeps the order of insertion: what is used goes to the end.
      this.#entries.delete(key);
      this.#entries.set(key, bytes);
    }
    return bytes;
  }

  /** Keep an object that nobody else changes. */
  set(key: string, bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.byteLength > this.#limit || this.#entries.has(key)) return;
    this.#entries.set(key, bytes);
    this.#bytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#entries) {
      if (this.#bytes <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}
