/** An order of points of which each beginning is an even sample: shuffled, always in the same way. */

let [kept, order] = [-1, new Uint32Array(0)];

/** The order for so many points. That of the last count is kept, since Items that are played mostly have one. */
export function shuffled(count: number): Uint32Array<ArrayBuffer> {
  if (count === kept) return order;
  const all = Uint32Array.from({ length: count }, (_, at) => at);
  let state = 0x9e3779b9;
  for (let left = count; left > 1; left--) {
    // xorshift32; its state is never 0.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const other = (state >>> 0) % left;
    const last = all[left - 1] ?? 0;
    all[left - 1] = all[other] ?? 0;
    all[other] = last;
  }
  [kept, order] = [count, all];
  return all;
}

/** Points in that order: those of `drawn` alone, which ascend. */
export interface Shuffled {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly colours: Uint8Array<ArrayBuffer>;
}

/** Places, three numbers each, and colours, four bytes each, of points as they are to be drawn. */
export function inShuffledOrder(positions: Float32Array, colours: Uint8Array<ArrayBuffer>, drawn: Uint32Array): Shuffled {
  const count = drawn.length;
  const [places, words] = [new Float32Array(3 * count), new Uint32Array(count)];
  const from = new Uint32Array(colours.buffer, colours.byteOffset, colours.length / 4);
  const all = shuffled(count);
  for (let at = 0; at < count; at++) {
    const point = drawn[all[at] ?? 0] ?? 0;
    places[3 * at] = positions[3 * point] ?? 0;
    places[3 * at + 1] = positions[3 * point + 1] ?? 0;
    places[3 * at + 2] = positions[3 * point + 2] ?? 0;
    words[at] = from[point] ?? 0;
  }
  return { positions: places, colours: new Uint8Array(words.buffer) };
}
