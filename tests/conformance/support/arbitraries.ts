/** Random item types, payloads and mutations for property tests, and how long such a test may take. */
import * as fc from "fast-check";
import type { ItemTypeDocument } from "../../../ts/conformance/implementation.js";
import { CborMap } from "../naive/cbor.js";
import { type Document, readDocument, SIZES } from "../naive/documents.js";
import { csrItem, denseItem, raggedItem } from "../naive/encode.js";
import { pairsOf } from "../naive/tags.js";
import { concat } from "./cbor-writer.js";

/** Runs, and an end to them on a machine that is busy. A failure prints seed and path; `{ seed, path }` here repeats it. */
export const BOUNDED: fc.Parameters<unknown> = { numRuns: 400, interruptAfterTimeLimit: 3500, markInterruptAsFailure: false };

/** Milliseconds for a property, shrinking included. */
export const PATIENCE = 60_000;

const U64_MAX = (1n << 64n) - 1n;
const DTYPES = [...SIZES.keys()];
const TEXT = fc.oneof(fc.constant("none"), fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("", "\0", "é", "e\u0301", "\ufeffm"));

const semantics = { semanticType: TEXT, units: TEXT, frame: TEXT, axisOrder: TEXT };
const common = { version: fc.constant(1), codecVersion: fc.constant(1), dtype: fc.constantFrom(...DTYPES), endianness: fc.constantFrom("little", "big"), ...semantics };

/** Item types with extents drawn from `extent`, and CSR matrices with these columns. */
function itemTypes(extent: fc.Arbitrary<bigint>, maxRank: number, columns: fc.Arbitrary<bigint>): fc.Arbitrary<ItemTypeDocument> {
  const extents = fc.array(extent, { maxLength: maxRank });
  return fc.oneof(
    fc.record({ family: fc.constant("dense-array"), ...common, shape: extents, layout: fc.constantFrom("c", "f"), codec: fc.constantFrom("raw", "npy") }),
    fc.record({ family: fc.constant("ragged-array"), ...common, innerShape: extents, layout: fc.constant("c"), codec: fc.constant("offsets-values") }),
    fc.record({
      family: fc.constant("sparse-csr"), ...common, shape: fc.tuple(extent, columns), layout: fc.constant("c"), codec: fc.constant("raw"),
      indexDtype: fc.constant("u64"),
    }),
  );
}

const ANY_EXTENT = fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, U64_MAX), fc.constantFrom(0n, 23n, 24n, 255n, 256n, 65_536n, 1n << 32n, 1n << 61n, U64_MAX));

/** Any item type, those included whose items overflow 64 bits. */
export const anyItemType: fc.Arbitrary<ItemTypeDocument> = itemTypes(ANY_EXTENT, 5, ANY_EXTENT);

/** Item types whose Items are small; a sparse matrix may be wide. */
const smallItemType = itemTypes(fc.bigInt(0n, 4n), 4, fc.oneof(fc.bigInt(0n, 9n), fc.constantFrom(U64_MAX, 1n << 40n)));

/** An Item and what it must decode to. */
export interface BuiltItem {
  readonly itemType: ItemTypeDocument;
  readonly document: Document;
  readonly payload: Uint8Array<ArrayBuffer>;
  /** All elements in C order, little-endian. */
  readonly bits: Uint8Array;
  /** Columns of each row of a sparse matrix; cells of each row of a ragged array as so many zeros. */
  readonly rows: readonly (readonly bigint[])[];
}

/** The document of a type. */
export function documentOf(itemType: ItemTypeDocument): Document {
  return readDocument(new CborMap(pairsOf(itemType)));
}

/** Elements of random bits: NaN payloads, infinities and negative zeros are among them, and here more often. */
function elements(size: number, count: number): fc.Arbitrary<Uint8Array[]> {
  const special = ["000000000000f87f", "010000000000f07f", "000000000000f0ff", "0000000000000080", "ffffffffffffffff"].map((hex) =>
    Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)).slice(-size),
  );
  const element = fc.oneof({ weight: 4, arbitrary: fc.uint8Array({ minLength: size, maxLength: size }) }, fc.constantFrom(...special));
  return fc.array(element, { minLength: count, maxLength: count });
}

/** Rows of a structured Item. */
function rowsOf({ family, extents }: Document): fc.Arbitrary<bigint[][]> {
  if (family === "ragged-array") return fc.array(fc.array(fc.constant(0n), { maxLength: 4 }), { maxLength: 6 });
  const [count = 0n, columns = 0n] = extents;
  const column = columns === 0n ? fc.constant<bigint[]>([]) : fc.uniqueArray(fc.bigInt(0n, columns - 1n), { maxLength: 5 });
  const sorted = column.map((row: bigint[]) => row.toSorted((first, second) => (first < second ? -1 : 1)));
  return fc.array(sorted, { minLength: Number(count), maxLength: Number(count) });
}

/** A random Item of a random small type. */
export const builtItem: fc.Arbitrary<BuiltItem> = smallItemType.chain((itemType) => {
  const document = documentOf(itemType);
  const { family, extents, elementSize } = document;
  const cell = family === "sparse-csr" ? 1 : extents.reduce((product, extent) => product * Number(extent), 1);
  const finish = (rows: bigint[][], found: Uint8Array[]): BuiltItem => ({ itemType, document, payload: encoded(document, rows, found), bits: concat(...found), rows });
  if (family === "dense-array") return elements(elementSize, cell).map((found) => finish([], found));
  return rowsOf(document).chain((rows) => elements(elementSize, rows.flat().length * cell).map((found) => finish(rows, found)));
});

function encoded(document: Document, rows: bigint[][], found: Uint8Array[]): Uint8Array<ArrayBuffer> {
  switch (document.family) {
    case "dense-array":
      return denseItem(document, found);
    case "ragged-array":
      return raggedItem(document, rows.map((row) => row.length), found);
    default:
      return csrItem(document, rows, found);
  }
}

/** The Item of the same elements in the other byte order. */
export function twinOf({ itemType, document, bits, rows }: BuiltItem): BuiltItem {
  const twin = { ...itemType, endianness: itemType.endianness === "little" ? "big" : "little" };
  const other = documentOf(twin);
  const size = document.elementSize;
  const found = Array.from({ length: bits.byteLength / size }, (_, at) => bits.slice(at * size, (at + 1) * size));
  return { itemType: twin, document: other, payload: encoded(other, rows.map((row) => [...row]), found), bits, rows };
}

/** A change to bytes. */
export type Mutation = (bytes: Uint8Array) => Uint8Array<ArrayBuffer>;

const INTERESTING = [0n, 1n, 2n, 255n, 256n, 1n << 32n, 1n << 61n, 1n << 63n, U64_MAX];

/** A few random changes, most of them near the front, where headers and tables are. */
export const mutation: fc.Arbitrary<Mutation> = fc
  .array(
    fc.record({
      what: fc.constantFrom("set", "set", "set", "flip", "u64", "u64", "insert", "delete", "cut", "swap"),
      at: fc.oneof(fc.nat(64), fc.nat(400)),
      byte: fc.oneof(fc.nat(255), fc.constantFrom(...Array.from(" ,(){}'\"+0123456789TF:\n", (letter) => letter.charCodeAt(0)))),
      value: fc.oneof(fc.constantFrom(...INTERESTING), fc.bigInt(0n, 20n)),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((changes) => (bytes) => changes.reduce((whole, change) => changed(whole, change), new Uint8Array(bytes)));

interface Change {
  readonly what: string;
  readonly at: number;
  readonly byte: number;
  readonly value: bigint;
}

function changed(bytes: Uint8Array<ArrayBuffer>, { what, at: place, byte, value }: Change): Uint8Array<ArrayBuffer> {
  const at = bytes.byteLength === 0 ? 0 : place % bytes.byteLength;
  const [front, back] = [bytes.slice(0, at), bytes.slice(at)];
  switch (what) {
    case "insert":
      return concat(front, Uint8Array.of(byte), back);
    case "delete":
      return concat(front, back.slice(1));
    case "cut":
      return front;
    case "u64": {
      const from = at - (at % 8);
      if (from + 8 <= bytes.byteLength) new DataView(bytes.buffer).setBigUint64(from, value);
      return bytes;
    }
    case "swap":
      return concat(front, back.slice(8, 16), back.slice(0, 8), back.slice(16));
    case "flip":
      if (back.byteLength > 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << (byte & 7));
      return bytes;
    default:
      if (back.byteLength > 0) bytes[at] = byte;
      return bytes;
  }
}
