/**
 * Values of index entries: canonical CBOR of one text, truth value, integer or float.
 *
 * Integers are i64; floats are finite and in the shortest of the three widths that holds them exactly. A value has one encoding only, so any other is
 * refused: the index could not be ordered or searched by it.
 */
import type { ScalarType } from "../scalar-values.js";
import { type Items, TEXT, utf8 } from "./cbor.js";

/** Below it, floats of 16 bits are multiples of 2^-24. */
const LEAST_NORMAL_HALF = 2 ** -14;

/** Bytes of a float, turned around. */
const scratch = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));

/** The text that is encoded between two places, by a cursor of these bytes; `undefined` if none is, or in another way. */
export function textIn(items: Items, start: number, end: number): string | undefined {
  items.at = start;
  if (items.head() !== TEXT || items.at + items.low !== end || !isLeast(items, start)) return undefined;
  try {
    return utf8.decode(items.bytes.subarray(items.at, end));
  } catch {
    return undefined;
  }
}

/**
 * Puts the value that is encoded between two places at a position among words, two of 32 bits each, by a cursor of these bytes. Whether one is, and in no other
 * way.
 */
export function putWord(type: ScalarType, items: Items, start: number, end: number, words: Uint32Array, position: number): boolean {
  const first = items.bytes[start] ?? 0;
  const at = 2 * position;
  if (type === "bool") {
    words[at] = first & 1;
    return end - start === 1 && (first & 0xfe) === 0xf4;
  }
  if (type === "float") {
    const isOne = isFloat(items.bytes, start, end);
    words[at] = scratch.getUint32(4);
    words[at + 1] = scratch.getUint32(0);
    return isOne;
  }
  items.at = start;
  const major = items.head();
  words[at] = items.low ^ -major;
  words[at + 1] = items.high ^ -major;
  return major < 2 && items.at === end && isLeast(items, start) && items.high <= 0x7fff_ffff;
}

/** Whether the head that was just read, from `start` on, has the least width that holds its argument. */
function isLeast({ low, high, at }: Items, start: number): boolean {
  return at - start === (high > 0 ? 9 : low > 0xffff ? 5 : low > 0xff ? 3 : low > 23 ? 2 : 1);
}

/** Reads a float into the scratch, as one of 64 bits. Whether it is finite, and has the least width that holds it. */
function isFloat(bytes: Uint8Array, start: number, end: number): boolean {
  const width = end - start - 1;
  const first = bytes[start] ?? 0;
  if (first < 0xf9 || first > 0xfb || width !== 1 << (first - 0xf8)) return false;
  for (let at = 0; at < width; at++) scratch.setUint8(at, bytes[start + 1 + at] ?? 0);
  const value = width === 8 ? scratch.getFloat64(0) : width === 4 ? scratch.getFloat32(0) : fromHalf(scratch.getUint16(0));
  scratch.setFloat64(0, value);
  return Number.isFinite(value) && width === leastWidth(value);
}

function fromHalf(half: number): number {
  const [exponent, fraction] = [(half >> 10) & 31, half & 1023];
  const magnitude = exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? Infinity : (1024 + fraction) * 2 ** (exponent - 25);
  return half >> 15 ? -magnitude : magnitude;
}

/** Bytes of the narrowest float that is exactly this finite value, which stands in the scratch. */
function leastWidth(value: number): number {
  const magnitude = Math.abs(value);
  const fitsHalf =
    magnitude < LEAST_NORMAL_HALF ? Number.isInteger(magnitude * 2 ** 24) : magnitude <= 65_504 && scratch.getUint32(4) === 0 && (scratch.getUint32(0) & 1023) === 0;
  return fitsHalf ? 2 : Math.fround(value) === value ? 4 : 8;
}
