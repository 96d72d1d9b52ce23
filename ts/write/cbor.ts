/**
 * Canonical CBOR for writers. Items are passed on as they are encoded: an object that the core has passed is taken apart only as far as something in
 * it changes, and what is not understood stays as it stands. Nothing here checks an object; what is read has been decoded by the core before.
 */

/** The least argument that needs a head of so many bytes. */
const LEAST: Readonly<Record<number, number>> = { 2: 24, 3: 256, 5: 65_536, 9: 2 ** 32 };

/** What decodes as `null` does, and is not encoded so. */
const UNDEFINED = 0xf7;

/** An item as it is encoded. */
export type Item = Uint8Array;

/** A key, which is a text, and its value. */
export type Pair = readonly [key: Item, value: Item];

/** A head: a major type and its argument. */
export function head(major: number, argument: bigint | number): Item {
  const view = new DataView(new ArrayBuffer(9));
  return new Uint8Array(view.buffer, 0, putHead(view, 0, major, argument));
}

/** Writes a head into bytes that are there, for loops over millions; where it ends. */
export function putHead(view: DataView, at: number, major: number, argument: bigint | number): number {
  const value = Number(argument);
  const power = value < 24 ? -1 : value < 256 ? 0 : value < 65_536 ? 1 : value < 2 ** 32 ? 2 : 3;
  const next = at + 1 + (power < 0 ? 0 : 1 << power);
  view.setUint8(at, (major << 5) | (power < 0 ? value : 24 + power));
  if (power === 3) view.setBigUint64(at + 1, BigInt(argument));
  else for (let place = next, rest = value; --place > at; rest >>>= 8) view.setUint8(place, rest);
  return next;
}

/** An unsigned integer. */
export const uint = (value: bigint | number): Item => head(0, value);

/** A byte string. */
export const bytes = (value: Uint8Array): Item => joined([head(2, value.byteLength), value]);

const encoder = new TextEncoder();

/** A text. */
export function text(value: string): Item {
  const encoded = encoder.encode(value);
  return joined([head(3, encoded.byteLength), encoded]);
}

/** `false` or `true`. */
export const bool = (value: boolean): Item => Uint8Array.of(value ? 0xf5 : 0xf4);

/** `null`. */
export const nothing = (): Item => Uint8Array.of(0xf6);

/** A list of items. */
export const list = (items: readonly Item[]): Item => joined([head(4, items.length), ...items]);

/** Values by their keys; those that are `undefined` are left out. */
export type Values = Readonly<Record<string, Item | undefined>>;

/** A map with the keys of an object. */
export const map = (values: Values): Item => mapOf(pairsOf(values));

/** A map with other values under some keys, each in the place of the first that is there, or in addition. What else it holds stays, what it repeats included. */
export function changed(whole: Item | readonly Pair[], values: Values): Item {
  // Told apart by `join`: a Buffer of Node's would become a text by being decoded.
  const left = new Map(pairsOf(values).map((pair) => [pair[0].join(), pair]));
  const kept = pairs(whole).map((pair) => {
    const name = pair[0].join();
    const other = left.get(name);
    left.delete(name);
    return other ?? pair;
  });
  return mapOf([...kept, ...left.values()]);
}

function pairsOf(values: Values): Pair[] {
  return Object.entries(values).flatMap(([key, value]): Pair[] => (value === undefined ? [] : [[text(key), value]]));
}

/** A map in canonical order: shorter keys first, those of one length by their bytes. What is repeated stays so, in its order. */
export function mapOf(pairs: readonly Pair[]): Item {
  const sorted = [...pairs].sort(([first], [second]) => compared(first, second));
  return joined([head(5, sorted.length), ...sorted.flat()]);
}

/** The order of byte strings. As encoded keys say their length first, it is that of a map's keys as well. */
export function compared(first: Uint8Array, second: Uint8Array): number {
  const length = Math.min(first.byteLength, second.byteLength);
  for (let at = 0; at < length; at++) {
    const difference = (first[at] ?? 0) - (second[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return first.byteLength - second.byteLength;
}

/** The items of a list. */
export function items(whole: Item): Item[] {
  const { argument, next } = headAt(whole, 0);
  let at = next;
  return Array.from({ length: argument }, () => whole.subarray(at, (at = endingAt(whole, at))));
}

/** The pairs of a map, if it has not been taken apart before. */
export function pairs(whole: Item | readonly Pair[]): readonly Pair[] {
  if (!("byteLength" in whole)) return whole;
  const { argument, next } = headAt(whole, 0);
  let at = next;
  const one = (): Item => whole.subarray(at, (at = endingAt(whole, at)));
  return Array.from({ length: argument }, () => [one(), one()]);
}

/** The first value under a key of a map. */
export function under(whole: Item | readonly Pair[], key: string): Item | undefined {
  const wanted = text(key);
  return pairs(whole).find(([name]) => compared(name, wanted) === 0)?.[1];
}

/** Where the first value under a key of a map begins, however the key's length is spelled. What comes behind it is not looked at. */
export function placeUnder(whole: Item, key: string): number | undefined {
  const wanted = encoder.encode(key);
  let { argument: left, next } = headAt(whole, 0);
  for (; left > 0; left--) {
    const value = endingAt(whole, next);
    if (compared(body(whole.subarray(next, value)), wanted) === 0) return value;
    next = endingAt(whole, value);
  }
  return undefined;
}

/** The items of the list under a key of a map; none if it is not there. */
export function itemsUnder(whole: Item | readonly Pair[], key: string): Item[] {
  const found = under(whole, key);
  return found === undefined ? [] : items(found);
}

/** What a byte string or text holds. */
export const body = (item: Item): Uint8Array => item.subarray(headAt(item, 0).next);

/** An unsigned integer's value, however wide its head. */
export function number(item: Item): bigint {
  const { byteLength } = item;
  if (byteLength < 9) return BigInt(headAt(item, 0).argument);
  return new DataView(item.buffer, item.byteOffset).getBigUint64(1);
}

/**
 * Whether an item is encoded as `mapOf` and its like would: smallest heads, definite lengths, keys in order, numbers of 64 bits as such.
 */
export const isCanonical = (item: Item): boolean => canonicalEnd(item, 0) === item.byteLength;

/** Where an item ends. */
export function endingAt(whole: Uint8Array, start: number): number {
  const { major, argument, next } = headAt(whole, start);
  if (major === 2 || major === 3) return next + argument;
  let at = next;
  for (let inner = innerItems(major, argument); inner > 0; inner--) at = endingAt(whole, at);
  return at;
}

/** Where a canonical item ends; `NaN` if it is not. */
function canonicalEnd(whole: Uint8Array, start: number): number {
  const { major, argument, next } = headAt(whole, start);
  // Of the widest heads the numbers are rounded, and none that is too small becomes large enough.
  if (argument < (LEAST[next - start] ?? 0) || whole[start] === UNDEFINED) return Number.NaN;
  if (major === 2 || major === 3) return next + argument;
  let at = next;
  let previous: Uint8Array | undefined;
  for (let inner = 0; inner < innerItems(major, argument) && !Number.isNaN(at); inner++) {
    const from = at;
    at = canonicalEnd(whole, from);
    if (major === 5 && inner % 2 === 0) {
      const key = whole.subarray(from, at);
      if (previous !== undefined && compared(previous, key) > 0) return Number.NaN;
      previous = key;
    }
  }
  // A big number that fits in 64 bits is decoded as what it spells, and would be encoded so.
  if (major === 6 && argument === 2 && (whole[next] ?? 0) >> 5 === 2) {
    const digits = body(whole.subarray(next, at));
    const zeros = digits.findIndex((digit) => digit !== 0);
    if (zeros < 0 || digits.byteLength - zeros <= 8) return Number.NaN;
  }
  return at;
}

function innerItems(major: number, argument: number): number {
  return major === 4 ? argument : major === 5 ? 2 * argument : major === 6 ? 1 : 0;
}

/** A head; counts and lengths are those of bytes in memory, so that numbers hold them. */
export function headAt(whole: Uint8Array, at: number): { major: number; argument: number; next: number } {
  const first = whole[at] ?? 0;
  let argument = first & 31;
  let next = at + 1;
  if (argument > 23) {
    const end = next + (1 << (argument - 24));
    for (argument = 0; next < end; next++) argument = argument * 256 + (whole[next] ?? 0);
  }
  return { major: first >> 5, argument, next };
}

/** Bytes one after another. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
