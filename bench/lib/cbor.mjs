/** As much CBOR as the benchmark's manifest and Tracks need: minimal heads, map keys in the order in which they are given. */

/**
 * A head of that major type.
 * @param {number} major
 * @param {number | bigint} value
 */
export function head(major, value) {
  const type = major << 5;
  if (value > 0xffff_ffff) {
    const bytes = Buffer.alloc(9, type | 27);
    bytes.writeBigUInt64BE(BigInt(value), 1);
    return bytes;
  }
  const argument = Number(value);
  if (argument < 24) return Buffer.of(type | argument);
  if (argument < 0x100) return Buffer.of(type | 24, argument);
  const wide = argument >= 0x1_0000;
  const bytes = Buffer.alloc(wide ? 5 : 3, type | (wide ? 26 : 25));
  if (wide) bytes.writeUInt32BE(argument, 1);
  else bytes.writeUInt16BE(argument, 1);
  return bytes;
}

/** What is encoded already. */
export class Encoded {
  #bytes;

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  get bytes() {
    return this.#bytes;
  }
}

/** @typedef {{ readonly [key: string]: Value }} Fields what becomes a map */
/** @typedef {number | bigint | Encoded | boolean | string | Uint8Array | readonly unknown[] | Fields} Value what can be written; arrays hold nothing else either */

/**
 * A value: numbers and bigints as unsigned integers, strings as texts, Uint8Arrays as byte strings, arrays, objects as maps.
 * @param {Value} value
 * @returns {Buffer}
 */
export function cbor(value) {
  if (value instanceof Encoded) return value.bytes;
  if (typeof value === "number" || typeof value === "bigint") return head(0, value);
  if (typeof value === "boolean") return Buffer.of(value ? 0xf5 : 0xf4);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.byteLength), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map((item) => cbor(/** @type {Value} */ (item)))]);
  const pairs = Object.entries(/** @type {Fields} */ (value));
  return Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}
