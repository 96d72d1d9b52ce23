/**
 * Roaring bitmaps of 32 bits in the portable format: cookie, a description of each container, containers of 2^16 values each as an array, a bitmap or runs.
 *
 * Read from front to back straight into anchors; the offsets in front, by which other readers jump, are passed over.
 */

/** Cookie of bitmaps without runs. */
const PLAIN = 12346;

/** Low half of the cookie of bitmaps with runs. */
const WITH_RUNS = 12347;

/** Most values of a container that are written one by one. */
const MOST_LISTED = 4096;

/** Anchors, of which there come to be more. */
export class Anchors {
  /** The numbers, and those that may come to be. */
  numbers = new BigUint64Array(512);
  /** The same as two words each, the lower half first. */
  words = new Uint32Array(this.numbers.buffer);
  /** How many there are. */
  count = 0;

  /** Makes room for so many more. */
  reserve(more: number): void {
    const { numbers, count } = this;
    if (count + more <= numbers.length) return;
    this.numbers = new BigUint64Array(Math.max(count + more, 2 * numbers.length));
    this.numbers.set(numbers.subarray(0, count));
    this.words = new Uint32Array(this.numbers.buffer);
  }
}

/** An integer of 16 bits. */
const half = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);

/** An integer of 32 bits. */
export const word = (bytes: Uint8Array, at: number): number => (half(bytes, at) | (half(bytes, at + 2) << 16)) >>> 0;

/**
 * Puts what a bitmap holds behind the other anchors, at most `most`, each below `high`: where the bitmap ends, or -1 for one that is malformed, empty or larger.
 */
export function readBitmap(bytes: Uint8Array, start: number, high: number, most: number, anchors: Anchors): number {
  const end = bytes.byteLength;
  const cookie = word(bytes, start);
  let at = start + 4;
  let count = (cookie >>> 16) + 1;
  const runs = at;
  const hasRuns = (cookie & 0xffff) === WITH_RUNS;
  if (cookie === PLAIN) {
    count = word(bytes, at);
    at += 4;
  } else if (hasRuns) at += (count + 7) >>> 3;
  else return -1;
  const descriptions = at;
  // Short bitmaps with runs do without offsets.
  at += (hasRuns && count < 4 ? 4 : 8) * count;
  if (at > end || count === 0) return -1;
  for (let number = 0, previous = -1; number < count; number++) {
    const description = descriptions + 4 * number;
    const key = half(bytes, description);
    const cardinality = half(bytes, description + 2) + 1;
    if (key <= previous || cardinality > most) return -1;
    previous = key;
    most -= cardinality;
    const isRuns = hasRuns && (((bytes[runs + (number >>> 3)] ?? 0) >>> (number & 7)) & 1) === 1;
    const read = isRuns ? readRuns : cardinality <= MOST_LISTED ? readList : readBits;
    at = read(bytes, at, cardinality, key << 16, high, anchors);
    if (at < 0) return -1;
  }
  return at;
}

/** Reads a container of as many values as its description says, each below a base: where it ends, or -1 if it is malformed. */
type ReadContainer = (bytes: Uint8Array, start: number, cardinality: number, base: number, high: number, anchors: Anchors) => number;

const readList: ReadContainer = (bytes, start, cardinality, base, high, anchors) => {
  const end = start + 2 * cardinality;
  if (end > bytes.byteLength) return -1;
  anchors.reserve(cardinality);
  const { words } = anchors;
  let to = 2 * anchors.count;
  for (let at = start, previous = -1; at < end; at += 2) {
    const low = half(bytes, at);
    if (low <= previous) return -1;
    previous = low;
    words[to++] = base | low;
    words[to++] = high;
  }
  anchors.count += cardinality;
  return end;
};

const readRuns: ReadContainer = (bytes, start, cardinality, base, high, anchors) => {
  const end = start + 2 + 4 * half(bytes, start);
  if (end > bytes.byteLength) return -1;
  anchors.reserve(cardinality);
  const { words } = anchors;
  let to = 2 * anchors.count;
  const full = to + 2 * cardinality;
  for (let at = start + 2, previous = -1; at < end; at += 4) {
    const first = half(bytes, at);
    const last = first + half(bytes, at + 2);
    if (first <= previous || last > 0xffff || to + 2 * (last - first) >= full) return -1;
    previous = last;
    for (let low = first; low <= last; low++) {
      words[to++] = base | low;
      words[to++] = high;
    }
  }
  anchors.count += cardinality;
  return to === full ? end : -1;
};

const readBits: ReadContainer = (bytes, start, cardinality, base, high, anchors) => {
  const end = start + 8192;
  if (end > bytes.byteLength) return -1;
  // Whatever the description says.
  anchors.reserve(1 << 16);
  const { words } = anchors;
  let to = 2 * anchors.count;
  const full = to + 2 * cardinality;
  for (let at = start, from = base; at < end; at += 4, from += 32) {
    for (let bits = word(bytes, at); bits !== 0; bits &= bits - 1) {
      words[to++] = from + 31 - Math.clz32(bits & -bits);
      words[to++] = high;
    }
  }
  anchors.count += cardinality;
  return to === full ? end : -1;
};
