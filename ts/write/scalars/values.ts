/** Values of scalar columns as their index has them: canonical CBOR, and the keys that a tree is ordered by. */
import type { ScalarType } from "../../dataset/scalar-values.js";
import { head, text } from "../cbor.js";
import type { Host } from "./host.js";

/** Most bytes of a text that is a key. */
const MOST_TEXT = 8192;

/** Below it, floats of 16 bits are multiples of 2^-24. */
const LEAST_NORMAL_HALF = 2 ** -14;

/**
 * The canonical encoding of a value.
 *
 * @throws {DreamDbError} `InvalidArgument` for a value of another type, a text of more than 8,192 bytes that would be a key, floats that are not finite,
 * integers beyond i64, and numbers beyond 2^53 in their place
 */
export function encodeValue(type: ScalarType, value: unknown, { refused, textArgument, kindOf }: Host): Uint8Array {
  if (type === "categorical" || type === "string") {
    const encoded = text(textArgument("value", value));
    if (type === "string" && encoded.byteLength > MOST_TEXT + 3) throw refused("value", `a text of at most ${MOST_TEXT} bytes`, "a longer one");
    return encoded;
  }
  if (type === "bool") {
    if (typeof value !== "boolean") throw refused("value", "true or false", kindOf(value));
    return Uint8Array.of(value ? 0xf5 : 0xf4);
  }
  if (type === "float") {
    if (typeof value !== "number" || !Number.isFinite(value)) throw refused("value", "a finite number", typeof value === "number" ? value : kindOf(value));
    return encodeFloat(value);
  }
  const integer = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof integer !== "bigint") throw refused("value", "a bigint, or an integer up to 2^53 − 1", typeof value === "number" ? value : kindOf(value));
  if (BigInt.asIntN(64, integer) !== integer) throw refused("value", "an integer from −2^63 to 2^63 − 1", integer);
  return integer < 0n ? head(1, -1n - integer) : head(0, integer);
}

/** A value that was encoded, integer or float, as a word. */
export function wordOf(type: ScalarType, value: unknown): bigint {
  if (type !== "float") return BigInt(value as bigint | number);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value as number);
  return view.getBigUint64(0);
}

/** The key of a word, an integer's or a float's: 8 bytes that ascend as the numbers do, of which 0 and −0 are one. */
export function keyOfWord(type: ScalarType, word: bigint): Uint8Array {
  const sign = 1n << 63n;
  const ordered = type !== "float" || word < sign ? word + sign : word === sign ? sign : ~word;
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, BigInt.asUintN(64, ordered));
  return key;
}

/** A float of the least width that holds it. */
function encodeFloat(value: number): Uint8Array {
  const bytes = new Uint8Array(9);
  const view = new DataView(bytes.buffer);
  view.setFloat64(1, value);
  const word = view.getBigUint64(1);
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
