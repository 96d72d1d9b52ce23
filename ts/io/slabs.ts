/** Memory for many small results: cut from larger pieces, since a buffer of its own for each costs more than what is copied into it. */

/** Bytes of a slab: what a result that is kept keeps with it, at most. */
const SLAB = 1 << 20;

/** Slabs of one call whose results belong together. */
export class Slabs {
  #slab = new Uint8Array(0);
  #used = 0;
  #expected: number;

  /** @param expected bytes of all results, at most: no slab is larger than what is still to come */
  constructor(expected: number) {
    this.#expected = expected;
  }

  /** Room for a result, that of no other. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    if (bytes > SLAB / 4) return new Uint8Array(bytes);
    if (this.#used + bytes > this.#slab.byteLength) {
      this.#slab = new Uint8Array(Math.max(bytes, Math.min(SLAB, this.#expected)));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += bytes;
    this.#expected -= bytes;
    return this.#slab.subarray(start, start + bytes);
  }
}
