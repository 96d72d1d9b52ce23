/**
 * Index entries, `[value, min_anchor, max_anchor + 1, object, offset, length]` for a record inside a pack, without the last two for a record that is an
 * object of its own. Further elements are ignored.
 */
import type { ScalarType } from "../scalar-values.js";
import { BYTES, Items, LIST } from "./cbor.js";
import { refusal } from "./refusal.js";
import { isText } from "./types.js";
import { putWord, textIn } from "./values.js";

/** Length of a record that is a whole object. */
export const WHOLE = (1n << 64n) - 1n;

/** Bytes of an address in a column. */
export const ADDRESS = 33;

/** Bytes of the shortest entry. */
const LEAST = 40;

/** Entries of a Track or leaf, as columns in the order of the index: ascending by value. One value may have several. */
export interface LeafEntries {
  /** Values that are texts; else they are words. */
  readonly texts?: string[];
  /** Values that are 0 or 1, two's complement, or the bits of a float. */
  readonly words?: BigUint64Array<ArrayBuffer>;
  /** Least anchor of each record, or less. */
  readonly starts: BigUint64Array<ArrayBuffer>;
  /** One more than the greatest anchor of each record, or more. */
  readonly ends: BigUint64Array<ArrayBuffer>;
  /** Object of each record, as a position in `addresses`. */
  readonly objects: Uint32Array<ArrayBuffer>;
  /** Addresses of the distinct objects, 33 bytes each. */
  readonly addresses: Uint8Array;
  /** Where each record begins in its object. */
  readonly offsets: BigUint64Array<ArrayBuffer>;
  /** Bytes of each record; 2^64 − 1 if it is all of its object. */
  readonly lengths: BigUint64Array<ArrayBuffer>;
}

/**
 * Reads so many entries.
 *
 * @throws as the core: `ScalarIndex` for a malformed entry or value
 */
export function readEntries(items: Items, count: number, type: ScalarType): LeafEntries {
  const { bytes } = items;
  const areTexts = isText(type);
  // More do not fit, and what is none is refused before it is put anywhere.
  const room = Math.min(count, Math.floor((bytes.byteLength - items.at) / LEAST));
  const column = (): Uint32Array<ArrayBuffer> => new Uint32Array(2 * room);
  const [words, starts, ends, offsets, lengths] = [column(), column(), column(), column(), column()];
  const texts: string[] = [];
  const objects = new Uint32Array(room);
  const names = new Names(bytes);
  const inner = new Items(bytes);
  const put = (to: Uint32Array, position: number): boolean => {
    if (!items.uint()) return false;
    to[2 * position] = items.low;
    to[2 * position + 1] = items.high;
    return true;
  };
  for (let position = 0; position < count; position++) {
    const size = items.head() === LIST ? items.low : 0;
    const value = size < 4 ? -1 : items.body(BYTES);
    const valueEnd = items.at;
    const object = value >= 0 && put(starts, position) && put(ends, position) && isLess(starts, ends, position) ? items.address() : -1;
    let isOne = object >= 0;
    if (size === 4) lengths.fill(0xffff_ffff, 2 * position, 2 * position + 2);
    else isOne &&= size > 5 && put(offsets, position) && put(lengths, position) && !isBeyond(offsets, lengths, position);
    if (!isOne) throw refusal(`entry ${position} of the index is malformed`);
    for (let more = 6; more < size; more++) items.skip();
    objects[position] = names.number(object);

    const text = areTexts ? textIn(inner, value, valueEnd) : undefined;
    if (text !== undefined) texts.push(text);
    else if (areTexts || !putWord(type, inner, value, valueEnd, words, position)) {
      throw refusal(`a value of the index is not the canonical encoding of a ${type}`);
    }
  }
  const bigints = ({ buffer }: Uint32Array<ArrayBuffer>): BigUint64Array<ArrayBuffer> => new BigUint64Array(buffer);
  return {
    ...(areTexts ? { texts } : { words: bigints(words) }),
    starts: bigints(starts),
    ends: bigints(ends),
    objects,
    addresses: names.all(),
    offsets: bigints(offsets),
    lengths: bigints(lengths),
  };
}

/** Whether one word is less than another, both at a position of their columns. */
function isLess(one: Uint32Array, other: Uint32Array, position: number): boolean {
  const at = 2 * position;
  const difference = (one[at + 1] ?? 0) - (other[at + 1] ?? 0);
  return difference < 0 || (difference === 0 && (one[at] ?? 0) < (other[at] ?? 0));
}

/** Whether the sum of two words goes beyond 64 bits. */
function isBeyond(one: Uint32Array, other: Uint32Array, position: number): boolean {
  const at = 2 * position;
  const carry = Number((one[at] ?? 0) + (other[at] ?? 0) >= 2 ** 32);
  return (one[at + 1] ?? 0) + (other[at + 1] ?? 0) + carry >= 2 ** 32;
}

/** Distinct addresses, numbered as they come. */
class Names {
  readonly #bytes: Uint8Array;
  readonly #numbers = new Map<string, number>();
  readonly #starts: number[] = [];
  #last = 0;
  #number = -1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The number of the address that begins there. */
  number(start: number): number {
    const bytes = this.#bytes;
    let at = 0;
    // Most entries have the object of the one before.
    while (at < ADDRESS && bytes[start + at] === bytes[this.#last + at]) at++;
    this.#last = start;
    if (at === ADDRESS && this.#number >= 0) return this.#number;
    const key = String.fromCharCode(...bytes.subarray(start, start + ADDRESS));
    const number = this.#numbers.get(key) ?? this.#starts.push(start) - 1;
    this.#numbers.set(key, number);
    return (this.#number = number);
  }

  /** All of them, one after another. */
  all(): Uint8Array {
    const all = new Uint8Array(ADDRESS * this.#starts.length);
    for (const [number, start] of this.#starts.entries()) all.set(this.#bytes.subarray(start, start + ADDRESS), ADDRESS * number);
    return all;
  }
}
