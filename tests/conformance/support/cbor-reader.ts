/** CBOR as values, for what tests look at: numbers are bigints, byte strings arrays of them, maps are Maps with text keys. */

/** A decoded item. */
export type Decoded = bigint | string | boolean | undefined | Uint8Array | readonly Decoded[] | ReadonlyMap<string, Decoded>;

/** The one item that bytes are. */
export function decoded(bytes: Uint8Array): Decoded {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const argument = (info: number): bigint => {
    if (info < 24) return BigInt(info);
    const width = 1 << (info - 24);
    let value = 0n;
    for (let left = width; left > 0; left--) value = value * 256n + BigInt(view.getUint8(at++));
    return value;
  };
  const item = (): Decoded => {
    const first = view.getUint8(at++);
    const value = argument(first & 31);
    const length = Number(value);
    const body = (): Uint8Array => bytes.slice(at, (at += length));
    switch (first >> 5) {
      case 0:
        return value;
      case 1:
        return -1n - value;
      case 2:
        return body();
      case 3:
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body());
      case 4:
        return Array.from({ length }, item);
      case 5:
        return new Map(Array.from({ length }, () => [item() as string, item()] as const));
      case 6:
        return item();
      default:
        return value === 20n ? false : value === 21n ? true : undefined;
    }
  };
  const whole = item();
  if (at !== bytes.byteLength) throw new Error(`an item of ${at} bytes in ${bytes.byteLength}`);
  return whole;
}

/** What is at the end of a path of keys; `undefined` if it is not there. */
export function inside(value: Decoded, ...path: readonly string[]): Decoded {
  return path.reduce<Decoded>((within, key) => (within instanceof Map ? (within as ReadonlyMap<string, Decoded>).get(key) : undefined), value);
}
