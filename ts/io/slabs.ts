/** Memory for many small results: cut from larger pieces, since a buffer of its own for each costs more than what is copied into it. */

/** Bytes of a slab: what a result that is kept keeps with it, at most. */
const SLAB = 1 << 20;

/** Slabs of one call whose results belong together. */
export class Slabs {
  #slab = new Uint8Array(0);
  #used = 0;

  /** Room for a result, that of no other. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    if (bytes > SLAB / 4) return new Uint8Array(bytes);
    if (this.#used + bytes > this.#slab.byteLength) [this.#slab, this.#used] = [new Uint8Array(SLAB), 0];
    const start = this.#used;
    this.#used += bytes;
    return this.#slab.subarray(start, start + bytes);
  }
}
