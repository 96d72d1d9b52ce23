/** CBOR of scalar columns, canonical, and where the items of a list lie in an object that the core has passed. */
/** A head: a major type and its argument. */
export function head(major: number, argument: bigint | number): Uint8Array {
  const value = BigInt(argument);
  if (value < 24n) return Uint8Array.of((major << 5) | Number(value));
  const power = [0, 1, 2].find((each) => value < 1n << (8n << BigInt(each))) ?? 3;
  const bytes = new Uint8Array(9);
  new DataView(bytes.buffer).setBigUint64(1, value);
  bytes[8 - (1 << power)] = (major << 5) | (24 + power);
  return bytes.subarray(8 - (1 << power));
}

/** An unsigned integer. */
export const uint = (value: bigint | number): Uint8Array => head(0, value);

/** A byte string. */
export const bytes = (value: Uint8Array): Uint8Array => joined([head(2, value.byteLength), value]);

/** A text. */
export function text(value: string): Uint8Array {
  const encoded = new TextEncoder().encode(value);
  return joined([head(3, encoded.byteLength), encoded]);
}

/** A map of texts to items that are encoded already, in the given order. */
export function map(pairs: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const entries = Object.entries(pairs);
  return joined([head(5, entries.length), ...entries.flatMap(([key, value]) => [text(key), value])]);
}

/** The items of the list under a key of the map that `object` is, each as it stands there. */
export function itemsUnder(object: Uint8Array, key: string): Uint8Array[] {
  const wanted = text(key);
  const first = headAt(object, 0);
  let at = first.next;
  for (let pair = 0; pair < first.argument; pair++) {
    const value = ending(object, at);
    if (value - at === wanted.byteLength && wanted.every((byte, offset) => object[at + offset] === byte)) return items(object, value);
    at = ending(object, value);
  }
  return [];
}

/** The items of the list at the front of `object`, each as it stands there. */
export function items(object: Uint8Array, start = 0): Uint8Array[] {
  const { argument, next } = headAt(object, start);
  let at = next;
  return Array.from({ length: argument }, () => object.subarray(at, (at = ending(object, at))));
}

/** What a byte string or text holds. */
export function body(item: Uint8Array): Uint8Array {
  return item.subarray(headAt(item, 0).next);
}

/** Where an item ends. */
function ending(object: Uint8Array, start: number): number {
  const { major, argument, next } = headAt(object, start);
  if (major === 2 || major === 3) return next + argument;
  const inner = major === 4 ? argument : major === 5 ? 2 * argument : major === 6 ? 1 : 0;
  let at = next;
  for (let item = 0; item < inner; item++) at = ending(object, at);
  return at;
}

/** A head; counts and lengths are those of bytes in memory, so that numbers hold them. */
function headAt(object: Uint8Array, at: number): { major: number; argument: number; next: number } {
  const first = object[at] ?? 0;
  const info = first & 31;
  const width = info < 24 ? 0 : 1 << (info - 24);
  const argument = object.subarray(at + 1, at + 1 + width).reduce((value, byte) => value * 256 + byte, 0);
  return { major: first >> 5, argument: width === 0 ? info : argument, next: at + 1 + width };
}

/** Bytes one after another. Stands here once more so that pages which load this get nothing else anew. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
