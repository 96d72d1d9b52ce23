/**
 * Elements moved as integers. A float that passes through a JavaScript number may come out as another NaN; its bits do not.
 */
import type { ElementArray } from "./types.js";

/** Elements as unsigned integers, `perElement` of them each: 64-bit elements are two, since numbers move faster than bigints. */
export interface Bits {
  readonly words: Uint8Array | Uint16Array | Uint32Array;
  readonly perElement: 1 | 2;
}

/** The bits of `data`, in its own memory. */
export function bitsOf({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }: ElementArray): Bits {
  switch (BYTES_PER_ELEMENT) {
    case 1:
      return { words: new Uint8Array(buffer, byteOffset, byteLength), perElement: 1 };
    case 2:
      return { words: new Uint16Array(buffer, byteOffset, byteLength / 2), perElement: 1 };
    default:
      return { words: new Uint32Array(buffer, byteOffset, byteLength / 4), perElement: BYTES_PER_ELEMENT === 8 ? 2 : 1 };
  }
}
