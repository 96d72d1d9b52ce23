/** CBOR as the vectors use it, read into values that keep pair order and repetitions. Slow and small. */
import { array, bytes, concat, FALSE, head, text, TRUE, uint } from "../support/cbor-writer.js";
import { Refusal } from "./refusal.js";

/** A map as the list of its pairs, in wire order, repetitions kept. */
export class CborMap {
  readonly pairs: readonly (readonly [Cbor, Cbor])[];

  constructor(pairs: readonly (readonly [Cbor, Cbor])[]) {
    this.pairs = pairs;
  }

  /** The first value under a text key. */
  get(key: string): Cbor | undefined {
    return this.pairs.find(([name]) => name === key)?.[1];
  }

  /** Whether there is a pair with that text key. */
  has(key: string): boolean {
    return this.pairs.some(([name]) => name === key);
  }
}

/** A tagged item other than a bignum that fits. */
export class CborTag {
  readonly number: bigint;
  readonly value: Cbor;

  constructor(number: bigint, value: Cbor) {
    this.number = number;
    this.value = value;
  }
}

/** The simple value 23. */
export const UNDEFINED = Symbol("undefined");

/** A decoded item; integers are bigints. */
export type Cbor = bigint | string | Uint8Array | boolean | null | typeof UNDEFINED | readonly Cbor[] | CborMap | CborTag;

const DEPTH = 128;
const U64_END = 1n << 64n;

/** Whether a value is an unsigned integer of 64 bits. */
export function isUint(value: Cbor | undefined): value is bigint {
  return typeof value === "bigint" && value >= 0n && value < U64_END;
}

/** Whether a value is an array. */
export function isList(value: Cbor | undefined): value is readonly Cbor[] {
  return Array.isArray(value);
}

/** The only item of `data`; with `textKeys` every key of every map must be text. */
export function decode(data: Uint8Array, textKeys = false): Cbor {
  const { value, end } = decodeFirst(data, textKeys);
  if (end !== data.byteLength) throw new Refusal("Cbor");
  return value;
}

/** The first item of `data`, and where it ends. */
export function decodeFirst(data: Uint8Array, textKeys = false): { value: Cbor; end: number } {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;
  const take = (count: number): number => {
    if (at + count > data.byteLength) throw new Refusal("Cbor");
    at += count;
    return at - count;
  };
  const argument = (info: number): bigint => {
    if (info < 24) return BigInt(info);
    if (info > 27) throw new Refusal("Cbor");
    const width = 1 << (info - 24);
    const from = take(width);
    let value = 0n;
    for (let index = 0; index < width; index++) value = (value << 8n) | BigInt(view.getUint8(from + index));
    return value;
  };
  const item = (depth: number): Cbor => {
    if (depth > DEPTH) throw new Refusal("Cbor");
    const first = view.getUint8(take(1));
    const [major, info] = [first >> 5, first & 31];
    if (major === 7) return simple(info);
    const count = argument(info);
    switch (major) {
      case 0:
        return count;
      case 1:
        return -1n - count;
      case 2:
      case 3: {
        if (count > BigInt(data.byteLength)) throw new Refusal("Cbor");
        const from = take(Number(count));
        const body = data.slice(from, at);
        return major === 2 ? body : utf8(body);
      }
      case 4: {
        const items: Cbor[] = [];
        for (let index = 0n; index < count; index++) items.push(item(depth + 1));
        return items;
      }
      case 5: {
        const pairs: [Cbor, Cbor][] = [];
        for (let index = 0n; index < count; index++) {
          const key = item(depth + 1);
          if (textKeys && typeof key !== "string") throw new Refusal("Cbor");
          pairs.push([key, item(depth + 1)]);
        }
        return new CborMap(pairs);
      }
      default:
        return tagged(count, item(depth + 1));
    }
  };
  return { value: item(0), end: at };
}

function simple(info: number): Cbor {
  const values = new Map<number, Cbor>([[20, false], [21, true], [22, null], [23, UNDEFINED]]);
  const value = values.get(info);
  if (value === undefined) throw new Refusal("Cbor");
  return value;
}

function utf8(raw: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw new Refusal("Cbor");
  }
}

/** A positive bignum that fits in 64 bits is that integer. */
function tagged(number: bigint, value: Cbor): Cbor {
  if (number === 2n && value instanceof Uint8Array) {
    const integer = value.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    if (integer < U64_END) return integer;
  }
  return new CborTag(number, value);
}

/** CBOR with minimal heads, pairs in the order in which they are. */
export function encode(value: Cbor): Uint8Array<ArrayBuffer> {
  if (value === null) return Uint8Array.of(0xf6);
  if (value === UNDEFINED) return Uint8Array.of(0xf7);
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  if (typeof value === "bigint") return value >= 0n ? uint(value) : head(1, -1n - value);
  if (typeof value === "string") return text(value);
  if (value instanceof Uint8Array) return bytes(value);
  if (value instanceof CborTag) return concat(head(6, value.number), encode(value.value));
  if (value instanceof CborMap) return concat(head(5, value.pairs.length), ...value.pairs.flat().map(encode));
  return array(value.map(encode));
}

/** Canonical CBOR of a map: its keys by their length, then their bytes. */
export function encodeSorted(pairs: Iterable<readonly [string, Cbor]>): Uint8Array<ArrayBuffer> {
  const order = [...pairs].map(([key, value]) => ({ key: text(key), value: encode(value) }));
  order.sort((first, second) => compareBytes(first.key, second.key));
  return concat(head(5, order.length), ...order.flatMap(({ key, value }) => [key, value]));
}

/** The order of bytes. */
export function compareBytes(first: Uint8Array, second: Uint8Array): number {
  const at = first.findIndex((byte, index) => byte !== second[index]);
  if (at === -1) return first.byteLength - second.byteLength;
  return (first[at] ?? 0) - (second[at] ?? -1);
}
