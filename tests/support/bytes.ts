/** Test bytes that tell where they come from. */

/** `size` bytes, byte `i` holding `i % 251`: no power of two divides the period, so a shifted slice never looks right. */
export function pattern(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, i) => i % 251);
}

/** Whether a result owns its buffer, and the buffer holds nothing else. */
export function isExact(bytes: Uint8Array): boolean {
  return bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
}

/** Whether both hold the same bytes: for many thousands of them, where a matcher is slow. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && a.byteLength === b?.byteLength && a.every((byte, at) => byte === b[at]);
}
