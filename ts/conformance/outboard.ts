/**
 * BLAKE3 and Bao outboards from their definition: slow, short, and independent of any implementation under test.
 *
 * The runner needs them to hand out proofs and to name bytes; an implementation's own word would prove nothing.
 */

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const MIXES = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
] as const;
const [CHUNK_START, CHUNK_END, PARENT, ROOT] = [1, 2, 4, 8];
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Bytes of a chunk. */
const CHUNK = 1024;
/** Bytes of a block and of a node. */
const BLOCK = 64;

function compress(chaining: Uint32Array, block: Uint8Array, counter: number, length: number, flags: number): Uint32Array {
  const padded = new DataView(new ArrayBuffer(BLOCK));
  block.forEach((byte, at) => padded.setUint8(at, byte));
  let words = Uint32Array.from({ length: 16 }, (_, at) => padded.getUint32(4 * at, true));
  const state = Uint32Array.of(...chaining, ...IV.slice(0, 4), counter % 2 ** 32, Math.floor(counter / 2 ** 32), length, flags);
  const get = (at: number): number => state[at] ?? 0;
  const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
  for (let round = 0; round < 7; round++) {
    for (const [step, [a, b, c, d]] of MIXES.entries()) {
      for (const [word, first, second] of [[words[2 * step] ?? 0, 16, 12], [words[2 * step + 1] ?? 0, 8, 7]] as const) {
        state[a] = get(a) + get(b) + word;
        state[d] = turn(get(d) ^ get(a), first);
        state[c] = get(c) + get(d);
        state[b] = turn(get(b) ^ get(c), second);
      }
    }
    words = Uint32Array.from(PERMUTATION, (from) => words[from] ?? 0);
  }
  return Uint32Array.from({ length: 8 }, (_, at) => get(at) ^ get(at + 8));
}

function bytesOfWords(words: Uint32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, at) => view.setUint32(4 * at, word, true));
  return new Uint8Array(view.buffer);
}

function chunkValue(chunk: Uint8Array, index: number, root: boolean): Uint8Array {
  let chaining = Uint32Array.from(IV);
  const blocks = Math.max(1, Math.ceil(chunk.byteLength / BLOCK));
  for (let number = 0; number < blocks; number++) {
    const last = number === blocks - 1;
    const flags = (number === 0 ? CHUNK_START : 0) | (last ? CHUNK_END : 0) | (last && root ? ROOT : 0);
    const block = chunk.subarray(BLOCK * number, BLOCK * (number + 1));
    chaining = compress(chaining, block, index, block.byteLength, flags) as Uint32Array<ArrayBuffer>;
  }
  return bytesOfWords(chaining);
}

function parentValue(node: Uint8Array, root: boolean): Uint8Array {
  return bytesOfWords(compress(Uint32Array.from(IV), node, 0, BLOCK, PARENT | (root ? ROOT : 0)));
}

/** Bytes under the left child: the largest power of two of chunks that leaves something to the right. */
function leftLength(length: number): number {
  let left = CHUNK;
  while (2 * left < length) left *= 2;
  return left;
}

function nodeCount(length: number): number {
  return Math.max(0, Math.ceil(length / CHUNK) - 1);
}

/** The tree of an object. */
export interface Tree {
  /** Address of the object. */
  readonly address: string;
  /** Its nodes in pre-order. */
  readonly nodes: readonly Uint8Array[];
}

/** Hash an object, keeping its nodes. */
export function treeOf(data: Uint8Array): Tree {
  const nodes: Uint8Array[] = [];
  const walk = (start: number, length: number, root: boolean): Uint8Array => {
    if (length <= CHUNK) return chunkValue(data.subarray(start, start + length), start / CHUNK, root);
    const node = new Uint8Array(BLOCK);
    nodes.push(node);
    const left = leftLength(length);
    node.set(walk(start, left, false));
    node.set(walk(start + left, length - left, false), BLOCK / 2);
    return parentValue(node, root);
  };
  const digest = walk(0, data.byteLength, true);
  return { address: addressText(Uint8Array.of(0x1e, ...digest)), nodes };
}

/** Address of bytes. */
export function addressOfBytes(bytes: Uint8Array): string {
  return treeOf(bytes).address;
}

/**
 * The chunk-aligned span that holds a range, and the indices of the nodes that prove it.
 *
 * A subtree that lies wholly inside the span is hashed from its bytes and needs no node.
 */
export function planOf(length: number, range: readonly [number, number]): { span: [number, number]; nodes: number[] } {
  if (length === 0) return { span: [0, 0], nodes: [] };
  let [start, end] = range;
  // An empty range is proved by the chunk that it lies in.
  if (start === end) [start, end] = [Math.min(start, length - 1), Math.min(start, length - 1) + 1];
  const span: [number, number] = [Math.floor(start / CHUNK) * CHUNK, Math.min(length, Math.ceil(end / CHUNK) * CHUNK)];
  const nodes: number[] = [];
  const walk = (at: number, size: number, index: number): void => {
    const outside = at >= span[1] || at + size <= span[0];
    const inside = span[0] <= at && at + size <= span[1];
    if (outside || inside) return;
    nodes.push(index);
    const left = leftLength(size);
    walk(at, left, index + 1);
    walk(at + left, size - left, index + 1 + nodeCount(left));
  };
  walk(0, length, 0);
  return { span, nodes };
}

/** RFC 4648 base32, lower case, unpadded. */
function addressText(multihash: Uint8Array): string {
  let [text, bits, width] = ["", 0, 0];
  for (const byte of multihash) {
    bits = (bits << 8) | byte;
    width += 8;
    for (; width >= 5; width -= 5) text += ALPHABET[(bits >>> (width - 5)) & 31];
    bits &= (1 << width) - 1;
  }
  return width === 0 ? text : text + ALPHABET[(bits << (5 - width)) & 31];
}
