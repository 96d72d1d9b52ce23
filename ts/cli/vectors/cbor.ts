/**
 * CBOR around the inputs of vectors, which must stay as they are: heads in their shortest form and parts that are bytes already; and, the other way, where the
 * parts of a schema lie. What is not of the expected form has no parts; judging it is the package's matter.
 */

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

/** A head of that major type. */
export function head(major: number, argument: bigint | number): Uint8Array<ArrayBuffer> {
  const value = BigInt(argument);
  if (value < 24n) return Uint8Array.of((major << 5) | Number(value));
  const power = [0, 1, 2].find((each) => value < 1n << (8n << BigInt(each))) ?? 3;
  const bytes = new Uint8Array(9);
  new DataView(bytes.buffer).setBigUint64(1, value);
  return concat(Uint8Array.of((major << 5) | (24 + power)), bytes.subarray(9 - (1 << power)));
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

/** The items of an array; none, if it is no array. */
export function itemsOf(data: Uint8Array): Uint8Array[] {
  return parts(data, 4);
}

/** What stands behind a text key of a map, the first time. */
export function valueOf(data: Uint8Array, key: string): Uint8Array | undefined {
  const all = parts(data, 5);
  const at = all.findIndex((part, number) => number % 2 === 0 && textOf(part) === key);
  return at < 0 ? undefined : all[at + 1];
}

/** The text that an item is, if it is one. */
export function textOf(data: Uint8Array | undefined): string | undefined {
  const start = data === undefined ? undefined : headAt(data, 0);
  return data === undefined || start?.major !== 3 ? undefined : new TextDecoder().decode(data.subarray(start.end, start.end + start.argument));
}

function parts(data: Uint8Array, major: 4 | 5): Uint8Array[] {
  const start = headAt(data, 0);
  if (start?.major !== major) return [];
  const found: Uint8Array[] = [];
  let at = start.end;
  for (let left = start.argument * (major - 3); left > 0; left--) {
    const end = endOf(data, at);
    if (end === undefined) return [];
    found.push(data.subarray(at, end));
    at = end;
  }
  return found;
}

/** Where the item that begins at `at` ends. */
function endOf(data: Uint8Array, at: number): number | undefined {
  let next = at;
  for (let left = 1; left > 0; left--) {
    const start = headAt(data, next);
    if (start === undefined) return undefined;
    const { major, argument, end } = start;
    next = end + (major === 2 || major === 3 ? argument : 0);
    if (major === 4 || major === 5) left += argument * (major - 3);
    if (major === 6) left += 1;
    if (next > data.byteLength) return undefined;
  }
  return next;
}

function headAt(data: Uint8Array, at: number): { readonly major: number; readonly argument: number; readonly end: number } | undefined {
  const first = data[at];
  if (first === undefined) return undefined;
  const [major, info] = [first >> 5, first & 31];
  if (info < 24) return { major, argument: info, end: at + 1 };
  const width = 1 << (info - 24);
  if (info > 27 || at + 1 + width > data.byteLength) return undefined;
  return { major, argument: data.subarray(at + 1, at + 1 + width).reduce((sum, byte) => sum * 256 + byte, 0), end: at + 1 + width };
}
