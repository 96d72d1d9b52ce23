/**
 * Items of CBOR that the core has found to be well-formed, walked without making an object of each. Counts and lengths are therefore those of bytes in memory.
 * What an item has to be is said by those who read it.
 */
import { refusal } from "./refusal.js";

/** Major types, by their numbers. */
export const BYTES = 2;
export const TEXT = 3;
export const LIST = 4;
export const MAP = 5;
const TAG = 6;

/** Tag of a big integer that is not negative. */
const BIGNUM = 2;

/** Refuses what is not UTF-8, and leaves the rest as it is. */
export const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A place among items, which moves as they are read. */
export class Items {
  readonly bytes: Uint8Array;
  /** Where the next item begins. */
  at: number;
  /** Argument of the head that was read last, its lower half. */
  low = 0;
  /** Its upper half. */
  high = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Reads a head, and gives its major type. */
  head(): number {
    const { bytes } = this;
    let at = this.at;
    const first = bytes[at++] ?? 0;
    let low = first & 31;
    let high = 0;
    if (low > 23) {
      const end = at + (1 << (low - 24));
      for (low = 0; at < end; at++) {
        high = (high << 8) | (low >>> 24);
        low = (low << 8) | (bytes[at] ?? 0);
      }
    }
    this.at = at;
    this.low = low >>> 0;
    this.high = high >>> 0;
    return first >> 5;
  }

  /** The argument of the last head. */
  value(): bigint {
    return (BigInt(this.high) << 32n) | BigInt(this.low);
  }

  /** Passes over an item. */
  skip(): void {
    const { bytes } = this;
    for (let left = 1; left > 0; left--) {
      const first = bytes[this.at] ?? 0;
      const major = first >> 5;
      let argument = first & 31;
      if (argument < 24) this.at++;
      else {
        this.head();
        argument = this.low;
      }
      if (major === BYTES || major === TEXT) this.at += argument;
      else if (major >= LIST) left += major === LIST ? argument : major === MAP ? 2 * argument : Number(major === TAG);
    }
  }

  /** Reads a byte string or a text: where it begins, with its length in `low`; -1 if the next item is another. */
  body(major: number): number {
    if (this.head() !== major) return -1;
    const start = this.at;
    this.at += this.low;
    return start;
  }

  /** Reads an unsigned integer; a big one that fits in 64 bits is one, too. Whether the next item is one. */
  uint(): boolean {
    const major = this.head();
    if (major !== TAG || this.low !== BIGNUM || this.high !== 0) return major === 0;
    const start = this.body(BYTES);
    if (start < 0) return false;
    let [low, high, size] = [0, 0, 0];
    for (const digit of this.bytes.subarray(start, this.at)) {
      if (size > 0 || digit > 0) size++;
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | digit;
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
    return size <= 8;
  }

  /** Reads a text; `undefined` if the next item is another. */
  text(): string | undefined {
    const start = this.body(TEXT);
    return start < 0 ? undefined : utf8.decode(this.bytes.subarray(start, this.at));
  }

  /** Reads an address: where its 33 bytes begin; -1 if the next item is none. */
  address(): number {
    const start = this.body(BYTES);
    return start >= 0 && this.low === 33 && this.bytes[start] === 0x1e ? start : -1;
  }
}

/** The values of a map, by key. What they have to be is refused with the code `ScalarIndex`, in sentences that begin with the place. */
export class Fields {
  readonly #items: Items;
  readonly #place: string;
  readonly #places = new Map<string, number>();

  /** Reads a map that repeats no key. */
  constructor(items: Items, place: string) {
    this.#items = items;
    this.#place = place;
    if (items.head() !== MAP) throw refusal(`${place} is not a map`);
    for (let pairs = items.low; pairs > 0; pairs--) {
      const key = items.text() ?? "";
      if (this.#places.has(key)) throw this.refusal(key, `repeats the key \`${key}\``);
      this.#places.set(key, items.at);
      items.skip();
    }
  }

  /** Refuses the map unless it has all of these keys, and no other. */
  close(...keys: string[]): void {
    for (const key of this.#places.keys()) if (!keys.includes(key)) throw this.refusal(key, `has the unknown key \`${key}\``);
    for (const key of keys) this.at(key);
  }

  /** The items, at the value under a key. */
  at(key: string): Items {
    const place = this.#places.get(key);
    if (place === undefined) throw this.refusal(key, `lacks the key \`${key}\``);
    this.#items.at = place;
    return this.#items;
  }

  /** A text. */
  text(key: string): string {
    return this.at(key).text() ?? this.#fail(key, "text");
  }

  /** An unsigned integer. */
  uint(key: string): bigint {
    const items = this.at(key);
    return items.uint() ? items.value() : this.#fail(key, "an unsigned integer");
  }

  /** Bytes of an address. */
  address(key: string): Uint8Array {
    const items = this.at(key);
    const start = items.address();
    return start < 0 ? this.#fail(key, "an address") : items.bytes.subarray(start, items.at);
  }

  /** The items, at the first of a list; `low` is their number. */
  list(key: string): Items {
    const items = this.at(key);
    return items.head() === LIST ? items : this.#fail(key, "an array");
  }

  /** What is wrong with a value. */
  wrong(key: string, wanted: string): Error {
    return this.refusal(key, `has a \`${key}\` that is not ${wanted}`);
  }

  /** What is wrong with the map, and with which key. */
  refusal(subject: string, what: string, bounds: { expected?: string; actual?: string } = {}): Error {
    return refusal(`${this.#place} ${what}`, { subject, ...bounds });
  }

  #fail(key: string, wanted: string): never {
    throw this.wrong(key, wanted);
  }
}
