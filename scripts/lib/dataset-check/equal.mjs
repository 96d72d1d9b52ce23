/** Equality to the bit, in every host. */

/**
 * Whether two values are the same in everything: −0 is not 0, a bigint is no number, NaN is NaN; views by their type and bytes, errors by what they say.
 * @param {any} a
 * @param {any} b
 * @param {string} [but] a property that may differ
 * @returns {boolean}
 */
export function equal(a, b, but) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) return ArrayBuffer.isView(a) && ArrayBuffer.isView(b) && a.constructor === b.constructor && equalBytes(a, b);
  if (a instanceof Error || b instanceof Error) return a instanceof Error && b instanceof Error && a.message === b.message;
  if (a instanceof Map || b instanceof Map) return a instanceof Map && b instanceof Map && a.size === b.size && [...a].every(([key, value]) => b.has(key) && equal(value, b.get(key), but));
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name === but || (Object.hasOwn(b, name) && equal(a[name], b[name], but)));
}

/**
 * @param {ArrayBufferView} a
 * @param {ArrayBufferView} b
 */
function equalBytes(a, b) {
  const [one, other] = [a, b].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  return one?.length === other?.length && one?.every((byte, at) => byte === other?.[at]) === true;
}
