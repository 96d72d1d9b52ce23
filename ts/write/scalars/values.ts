/**
 * Values of scalar columns as their index has them: canonical CBOR, and the keys that a tree is ordered by.
 *
 * What is given is what `scalarBytes` of items.ts makes: UTF-8, a byte, or 8 bytes of an integer or a float in this host's order.
 */
import { refused } from "../../codec/arguments.js";
import type { ScalarType } from "../../dataset/scalar-values.js";
import { joined } from "../objects.js";
import { head } from "./cbor.js";

/** Most bytes of a text that is a key. */
const MOST_TEXT = 8192;

/** Below it, floats of 16 bits are multiples of 2^-24. */
const LEAST_NORMAL_HALF = 2 ** -14;

/**
 * The canonical encoding of a value.
 *
 * @throws {DreamDbError} `InvalidArgument` for a text of more than 8,192 bytes that would be a key, and for floats that are not finite
 */
export function encodeValue(type: ScalarType, given: Uint8Array): Uint8Array {
  if (type === "categorical" || type === "string") {
    if (type === "string" && given.byteLength > MOST_TEXT) throw refused("value", `a text of at most ${MOST_TEXT} bytes`, `one of ${given.byteLength}`);
    return joined([head(3, given.byteLength), given]);
  }
  if (type === "bool") return Uint8Array.of(given[0] === 0 ? 0xf4 : 0xf5);
  const word = wordOf(given);
  if (type === "float") return encodeFloat(word);
  const value = BigInt.asIntN(64, word);
  return value < 0n ? head(1, -1n - value) : head(0, value);
}

/** 8 bytes as a number without a sign. */
export function wordOf(given: Uint8Array): bigint {
  return new BigUint64Array(given.slice().buffer)[0] ?? 0n;
}

/** The key of a word, an integer's or a float's: 8 bytes that ascend as the numbers do, of which 0 and −0 are one. */
export function keyOfWord(type: ScalarType, word: bigint): Uint8Array {
  const sign = 1n << 63n;
  const ordered = type !== "float" || word < sign ? word ^ sign : word === sign ? sign : ~word;
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, BigInt.asUintN(64, ordered));
  return key;
}

/** A float of the least width that holds it. */
function encodeFloat(word: bigint): Uint8Array {
  const bytes = new Uint8Array(9);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(1, word);
  const value = view.getFloat64(1);
  if (!Number.isFinite(value)) throw refused("value", "a finite number", String(value));
  const magnitude = Math.abs(value);
  const isSmall = magnitude < LEAST_NORMAL_HALF;
  const fitsHalf = isSmall ? Number.isInteger(magnitude * 2 ** 24) : magnitude <= 65_504 && (word & 0x3ff_ffff_ffffn) === 0n;
  if (fitsHalf) {
    const half = isSmall ? magnitude * 2 ** 24 : Number((word >> 42n) & 0x1f_ffffn) - (1008 << 10);
    view.setUint16(1, (Number(word >> 63n) << 15) | half);
    bytes[0] = 0xf9;
    return bytes.subarray(0, 3);
  }
  const isSingle = Math.fround(value) === value;
  if (isSingle) view.setFloat32(1, value);
  bytes[0] = isSingle ? 0xfa : 0xfb;
  return bytes.subarray(0, isSingle ? 5 : 9);
}
