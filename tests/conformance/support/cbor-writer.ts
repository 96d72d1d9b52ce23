/** CBOR by hand, with minimal heads and parts that are bytes already: what a test builds around an input must leave it as it is. */

/** Bytes of several parts one after another. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** A head of that major type, in its shortest form. */
export function head(major: number, argument: bigint | number): Uint8Array<ArrayBuffer> {
  const value = BigInt(argument);
  if (value < 24n) return Uint8Array.of((major << 5) | Number(value));
  const power = [0, 1, 2].find((power) => value < 1n << (8n << BigInt(power))) ?? 3;
  const bytes = new Uint8Array(9);
  new DataView(bytes.buffer).setBigUint64(1, value);
  const width = 1 << power;
  return concat(Uint8Array.of((major << 5) | (24 + power)), bytes.subarray(9 - width));
}

/** An unsigned integer. */
export const uint = (value: bigint | number): Uint8Array<ArrayBuffer> => head(0, value);

/** A byte string. */
export const bytes = (value: Uint8Array): Uint8Array<ArrayBuffer> => concat(head(2, value.byteLength), value);

/** A text. */
export function text(value: string): Uint8Array<ArrayBuffer> {
  const raw = new TextEncoder().encode(value);
  return concat(head(3, raw.byteLength), raw);
}

/** An array of encoded items. */
export const array = (items: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => concat(head(4, items.length), ...items);

/** A map of texts to encoded items, in the given order. */
export function map(pairs: readonly (readonly [key: string, value: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  return concat(head(5, pairs.length), ...pairs.flatMap(([key, value]) => [text(key), value]));
}

/** The value true. */
export const TRUE = Uint8Array.of(0xf5);

/** The value false. */
export const FALSE = Uint8Array.of(0xf4);
