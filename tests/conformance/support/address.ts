/** Addresses without the package: base32 and BLAKE3 of other origin. */
import { blake3 } from "@noble/hashes/blake3.js";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** The 33 bytes that name `data`. */
export function multihash(data: Uint8Array): Uint8Array {
  return Uint8Array.of(0x1e, ...blake3(data));
}

/** RFC 4648 base32, lower case, unpadded. */
export function base32(raw: Uint8Array): string {
  let bits = raw.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const letters = Math.ceil((raw.byteLength * 8) / 5);
  bits <<= BigInt(letters * 5 - raw.byteLength * 8);
  return Array.from({ length: letters }, (_, at) => ALPHABET[Number((bits >> BigInt(5 * (letters - 1 - at))) & 31n)]).join("");
}

/** The 53 characters that name `data`. */
export function address(data: Uint8Array): string {
  return base32(multihash(data));
}

/** The bytes that 53 characters of base32 spell; `undefined` unless they are their one spelling. */
export function unbase32(text: string): Uint8Array | undefined {
  const values = Array.from(text, (letter) => ALPHABET.indexOf(letter));
  if (values.length !== 53 || values.includes(-1)) return undefined;
  const bits = values.reduce((sum, value) => (sum << 5n) | BigInt(value), 0n);
  if ((bits & 1n) === 1n) return undefined;
  return Uint8Array.from({ length: 33 }, (_, at) => Number((bits >> BigInt(8 * (32 - at) + 1)) & 255n));
}

/** The 33 bytes of an address that a test wrote itself. */
export function addressBytes(text: string): Uint8Array {
  const raw = unbase32(text);
  if (raw === undefined) throw new Error(`${text} is no address`);
  return raw;
}
