/** Orders of elements: from first axis fastest to last axis fastest, and back. What an array's order is, its type says. */

/**
 * Copies the elements of a Fortran-ordered array to where C order has them. Bits are copied, not values.
 *
 * @param from the elements, `width` bytes each
 * @param to as many bytes elsewhere
 * @param width 1, 2, 4 or 8
 */
export function toCOrder(from: Uint8Array, to: Uint8Array, width: number, shape: readonly number[]): void {
  const rank = shape.length;
  const count = shape.reduce((product, extent) => product * extent, 1);
  // Elements of eight bytes go as two halves: a double may not keep the bits of a NaN, and a bigint is slow.
  const halves = width === 8 ? 2 : 1;
  const [source, target] = [units(from, width), units(to, width)];
  const steps = shape.map((_, axis) => shape.slice(0, axis).reduce((product, extent) => product * extent, halves));
  const index = new Array<number>(rank).fill(0);
  const last = rank - 1;
  const [run, step] = [shape[last] ?? 1, steps[last] ?? halves];
  let start = 0;
  for (let at = 0; at < count * halves; ) {
    for (let element = 0, read = start; element < run; element++, read += step) {
      target[at++] = source[read] ?? 0;
      if (halves === 2) target[at++] = source[read + 1] ?? 0;
    }
    // The next index of the axes before the last.
    for (let axis = last - 1; axis >= 0; axis--) {
      start += steps[axis] ?? 0;
      index[axis] = (index[axis] ?? 0) + 1;
      if ((index[axis] ?? 0) < (shape[axis] ?? 0)) break;
      start -= (shape[axis] ?? 0) * (steps[axis] ?? 0);
      index[axis] = 0;
    }
  }
}

/** The other way: from C order to Fortran order, which is what C order is once the axes are read backwards. As {@link toCOrder}. */
export function toFortranOrder(from: Uint8Array, to: Uint8Array, width: number, shape: readonly number[]): void {
  toCOrder(from, to, width, shape.toReversed());
}

/** Elements as integers of at most four bytes, in their own memory: two for each of eight bytes. */
export function units({ buffer, byteOffset, byteLength }: ArrayBufferView, width: number): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  return width === 2 ? new Uint16Array(buffer, byteOffset, byteLength / 2) : new Uint32Array(buffer, byteOffset, byteLength / 4);
}
