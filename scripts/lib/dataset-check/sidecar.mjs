/**
 * What stands in a sidecar (tests/fixtures/README.md), and how what was read differs from it.
 *
 * Independent of the package: numbers as the sidecar encodes them, BLAKE3 of another implementation, base32 and the order of elements by their
 * definitions.
 */
import { blake3 } from "@noble/hashes/blake3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { spelled } from "./words.mjs";

/** @typedef {import("../../../tests/support/sidecar.js").SidecarNumber} SidecarNumber */
/** @typedef {import("../../../tests/support/sidecar.js").BytesFact} BytesFact */
/** @typedef {import("../../../tests/support/sidecar.js").ArrayFact} ArrayFact */
/** @typedef {import("../../../tests/support/sidecar.js").PartsFact} PartsFact */
/** @typedef {Record<string, any>} Facts objects of a sidecar as JSON has them; what is in them is checked where it is used */

/** NumPy's names of the types that the package knows, with the TypedArray that holds each. */
const DTYPES = /** @type {const} */ ({
  float32: ["f32", "Float32Array"], float64: ["f64", "Float64Array"],
  int8: ["i8", "Int8Array"], int16: ["i16", "Int16Array"], int32: ["i32", "Int32Array"], int64: ["i64", "BigInt64Array"],
  uint8: ["u8", "Uint8Array"], uint16: ["u16", "Uint16Array"], uint32: ["u32", "Uint32Array"], uint64: ["u64", "BigUint64Array"],
});

/** @param {SidecarNumber} value */
export function integer(value) {
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "object" && value !== null && "int" in value) return BigInt(value.int);
  throw new Error(`the sidecar has ${spelled(value)} where an integer stands`);
}

/**
 * A number as the double that it is.
 * @param {SidecarNumber} value
 */
export function float(value) {
  if (typeof value === "number") return value;
  if ("int" in value) return Number(value.int);
  /** @type {Record<string, number>} */
  const named = { "-0.0": -0, nan: Number.NaN, inf: Infinity, "-inf": -Infinity };
  const found = named[value.float];
  if (found === undefined) throw new Error(`the sidecar has ${spelled(value)} where a number stands`);
  return found;
}

/**
 * Anchors, listed one by one or by rule.
 * @param {SidecarNumber[] | { start: SidecarNumber, step: SidecarNumber, count: SidecarNumber }} fact
 * @returns {bigint[]}
 */
export function anchorsOf(fact) {
  if (Array.isArray(fact)) return fact.map(integer);
  const [start, step] = [integer(fact.start), integer(fact.step)];
  return Array.from({ length: Number(integer(fact.count)) }, (_, at) => start + step * BigInt(at));
}

/**
 * Values of a field, listed one by one or by rule.
 * @param {Facts} field
 * @returns {{ anchor: bigint, value: any, payload?: BytesFact }[] | undefined} `undefined` if the sidecar has none
 */
export function itemsOf({ items, series, anchors, values, categories }) {
  if (anchors !== undefined) return anchorsOf(anchors).map((anchor, at) => ({ anchor, value: categories === undefined ? values[at] : categories[values[at]] }));
  if (Array.isArray(items)) return items.map(({ anchor, ...rest }) => ({ anchor: integer(anchor), ...rest }));
  if (series === undefined) return undefined;
  if (series.byte !== "index mod 256") throw new Error(`the sidecar has the rule ${spelled(series.byte)}, which nothing here knows`);
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    const one = Uint8Array.of(byte);
    return { len: 1, blake3: digestOf(one), hex: bytesToHex(one) };
  });
  return anchorsOf(series).map((anchor, at) => ({ anchor, value: bytes[at % 256] }));
}

/**
 * A sidecar by versions: one of long columns has only the one version, and states its categories once.
 * @param {Facts} sidecar
 * @returns {Facts}
 */
export function byVersions({ deleted, categories, fields, ...rest }) {
  if (deleted === undefined) return { ...rest };
  const spread = Object.entries(fields).map(([name, field]) => [name, name === "state" ? { ...field, categories } : field]);
  return { ...rest, refs: { main: { tombstones: deleted, fields: Object.fromEntries(spread) } } };
}

/** @param {unknown} fact whether the reference itself failed there */
export function isError(fact) {
  return typeof fact === "object" && fact !== null && "error" in fact;
}

/**
 * BLAKE3-256 as hex.
 * @param {Uint8Array} bytes
 */
export function digestOf(bytes) {
  // The library looks at the prototype, and Node's buffers have another.
  return bytesToHex(blake3(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
}

/**
 * The text of an address: base32 of its 33 bytes, lower case, unpadded.
 * @param {string} hex
 */
export function addressOfHex(hex) {
  const bits = Array.from(hex, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  const fives = bits.padEnd(Math.ceil(bits.length / 5) * 5, "0").match(/.{5}/g) ?? [];
  return fives.map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]).join("");
}

/**
 * Address of the object with this digest.
 * @param {string} digest
 */
export function addressOfDigest(digest) {
  return addressOfHex(`1e${digest}`);
}

/**
 * @param {unknown} bytes
 * @param {BytesFact} fact
 * @returns {string | undefined}
 */
export function bytesDifference(bytes, fact) {
  if (!(bytes instanceof Uint8Array)) return `${spelled(bytes)}, expected ${fact.len} bytes`;
  if (bytes.byteLength !== fact.len) return `${bytes.byteLength} bytes, expected ${fact.len}`;
  const digest = digestOf(bytes);
  if (digest !== fact.blake3) return `bytes of BLAKE3 ${digest}, expected ${fact.blake3}`;
  if (fact.hex !== undefined && bytesToHex(bytes) !== fact.hex) return `the bytes ${bytesToHex(bytes)}, expected ${fact.hex}`;
  return undefined;
}

/**
 * @param {any} value what the package gives for an array
 * @param {ArrayFact | PartsFact} fact
 * @returns {string | undefined}
 */
export function arrayDifference(value, fact) {
  const family = "row_offsets" in fact ? ("column_indices" in fact ? "sparse-csr" : "ragged-array") : "dense-array";
  if (value?.family !== family) return `${spelled(value?.family)}, expected a value of the family ${family}`;
  if (!("row_offsets" in fact)) {
    return differs("shape", value.shape, fact.shape.map((extent) => Number(integer(extent)))) ?? elementsDifference(value, value.data, value.strides, fact);
  }
  const cell = fact.values.shape.slice(1).map((extent) => Number(integer(extent)));
  return (
    differs("kind", value.kind, family) ??
    elementsDifference({ dtype: "u64" }, value.rowOffsets, undefined, fact.row_offsets) ??
    (fact.column_indices ? elementsDifference({ dtype: "u64" }, value.columnIndices, undefined, fact.column_indices) : differs("innerShape", value.innerShape, cell)) ??
    elementsDifference(value, value.values, undefined, fact.values)
  );
}

/**
 * @param {string} what
 * @param {unknown} actual
 * @param {unknown} expected
 */
function differs(what, actual, expected) {
  const [found, wanted] = [spelled(actual), spelled(expected)];
  return found === wanted ? undefined : `${what} ${found}, expected ${wanted}`;
}

/**
 * @param {{ dtype: string }} value
 * @param {ArrayLike<number | bigint>} data
 * @param {readonly number[] | undefined} strides in elements; C order unless given
 * @param {ArrayFact} fact
 */
function elementsDifference({ dtype }, data, strides, fact) {
  const [name, holder] = DTYPES[/** @type {keyof typeof DTYPES} */ (fact.dtype)] ?? [];
  if (dtype !== name || data.constructor.name !== holder) return `${dtype} in a ${data.constructor.name}, expected ${fact.dtype}`;
  const shape = fact.shape.map((extent) => Number(integer(extent)));
  const total = shape.reduce((product, extent) => product * extent, 1);
  if (data.length !== total || fact.values.length !== total) return `${data.length} elements, expected ${fact.values.length} of the shape ${spelled(shape)}`;
  const wide = dtype === "i64" || dtype === "u64";
  const expected = fact.values.map((value) => (wide ? integer(value) : float(value)));
  const elements = inCOrder(data, shape, strides ?? cStrides(shape));
  const wrong = elements.findIndex((element, at) => !Object.is(element, expected[at]));
  return wrong === -1 ? undefined : `element ${wrong} of ${total} in C order is ${spelled(elements[wrong])}, expected ${spelled(expected[wrong])}`;
}

/**
 * Strides of elements that lie in C order.
 * @param {readonly number[]} shape
 */
export function cStrides(shape) {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, extent) => product * extent, 1));
}

/**
 * Elements of strided data in C order: the last axis varies fastest.
 * @template T
 * @param {ArrayLike<T>} data
 * @param {readonly number[]} shape
 * @param {readonly number[]} strides in elements
 * @returns {T[]}
 */
export function inCOrder(data, shape, strides) {
  const total = shape.reduce((product, extent) => product * extent, 1);
  return Array.from({ length: total }, (_, position) => {
    let [rest, at] = [position, 0];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const extent = shape[axis] ?? 1;
      at += (rest % extent) * (strides[axis] ?? 0);
      rest = Math.floor(rest / extent);
    }
    const element = data[at];
    if (element === undefined) throw new Error(`element ${position} would lie at ${at} of ${data.length}`);
    return element;
  });
}

/** A key of a document as JavaScript spells it: `inner_shape` → `innerShape`. */
const camel = (/** @type {string} */ key) => key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/**
 * The object that an item type's document is in JavaScript; extents may be decimal strings.
 * @param {Readonly<Record<string, unknown>>} document
 * @returns {Record<string, unknown>}
 */
export function typeOfDocument(document) {
  const extent = (/** @type {SidecarNumber | string} */ value) => (typeof value === "string" ? BigInt(value) : integer(value));
  return Object.fromEntries(Object.entries(document).map(([key, value]) => [camel(key), Array.isArray(value) ? value.map(extent) : value]));
}
