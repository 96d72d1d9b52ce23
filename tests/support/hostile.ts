/** Arguments that no type allows but any caller in plain JavaScript can pass. */

/** A Uint8Array whose buffer was transferred away. */
export function detached(): Uint8Array {
  const bytes = Uint8Array.of(1, 2, 3);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

/** Values of every kind that are neither text nor bytes, by name. */
const NEITHER: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["0", 0],
  ["5", 5],
  ["1.5", 1.5],
  ["-1", -1],
  ["NaN", Number.NaN],
  ["2**53", 2 ** 53],
  ["a bigint", 5n],
  ["true", true],
  ["a symbol", Symbol("s")],
  ["a function", () => 1],
  ["an array of numbers", [1, 2, 3]],
  ["an empty array", []],
  ["an ArrayBuffer", new ArrayBuffer(3)],
  ["a DataView", new DataView(new ArrayBuffer(3))],
  ["a Float32Array", Float32Array.of(1)],
  ["a BigUint64Array", BigUint64Array.of(1n)],
  ["a Uint8ClampedArray", Uint8ClampedArray.of(1, 2, 3)],
  ["an object", {}],
  ["an object that says it is bytes", { length: 3, byteLength: 3, 0: 1, [Symbol.toStringTag]: "Uint8Array" }],
  ["an object without a prototype", Object.create(null)],
  ["a boxed string", Object("abc")],
  ["a Date", new Date(0)],
];

/** What is no Uint8Array, or one that cannot be read. */
export const NOT_BYTES: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["a string", "abc"],
  ["a string of digits", "123"],
  ["an empty string", ""],
  ["a detached Uint8Array", detached()],
  ...NEITHER,
];

/** What is no string, or no well-formed one. */
export const NOT_TEXT: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["a Uint8Array", Uint8Array.of(1, 2, 3)],
  ["a high surrogate", "a\ud800"],
  ["a low surrogate", "\udc00b"],
  ["a pair in the wrong order", "\udc00\ud800"],
  ...NEITHER,
];

/** What is no u64. */
export const NOT_U64: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["1.5", 1.5],
  ["-1", -1],
  ["-1n", -1n],
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["2**53", 2 ** 53],
  ["2n**64n", 1n << 64n],
  ["a string", "1"],
  ["true", true],
  ["an array", [1]],
  ["an object", {}],
  ["an object without a prototype", Object.create(null)],
  ["a list with a symbol", [Symbol("s")]],
  ["a symbol", Symbol("s")],
];

/** Milliseconds of the fastest of some runs: how long it takes when the machine does nothing else. */
export function fastest(use: () => unknown, runs = 5): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    use();
    return performance.now() - start;
  });
  return Math.min(...times);
}
