/**
 * The `expected.json` beside each fixture: what the reference reads back, and the comparison with what we read.
 *
 * Everything here is independent of the package: numbers as the sidecar encodes them, BLAKE3 of another implementation, base32 and the
 * order of elements by their definitions.
 */

import { blake3 } from "@noble/hashes/blake3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect } from "vitest";
import type { ArrayValue, DenseArray } from "dreamdb-arrays";

/** A number of a sidecar: integers from 2^53 on, and what JSON cannot write, are spelled out. */
export type SidecarNumber = number | { readonly int: string } | { readonly float: string };

/** Bytes of a sidecar; hex only of short ones. */
export interface BytesFact {
  readonly len: number;
  readonly blake3: string;
  readonly hex?: string;
}

/** An array of a sidecar: elements in C order whatever the stored layout. */
export interface ArrayFact {
  readonly dtype: string;
  readonly shape: readonly SidecarNumber[];
  readonly values: readonly SidecarNumber[];
}

/** Parts of a ragged Item, or of a CSR Item if there are column indices. */
export interface PartsFact {
  readonly row_offsets: ArrayFact;
  readonly column_indices?: ArrayFact;
  readonly values: ArrayFact;
}

/** One Item of a field; `payload` of array Items is the stored object. */
export interface ItemFact {
  readonly anchor: SidecarNumber;
  readonly value: ArrayFact | PartsFact | BytesFact;
  readonly payload?: BytesFact;
}

/** A field. */
export interface FieldFact {
  readonly kind: string;
  readonly required?: boolean;
  readonly modality: string;
  readonly track: string;
  readonly coverage: readonly [SidecarNumber, SidecarNumber];
  readonly role: string;
  readonly item_type?: Readonly<Record<string, unknown>>;
  readonly track_kind?: string;
  readonly object_kind?: string;
  readonly mime?: string;
  readonly pack_items?: number;
  readonly chunk_size?: number;
  readonly items?: readonly ItemFact[];
  readonly constant?: unknown;
  readonly payload?: BytesFact;
  /** Stored Items of an array field, deleted ones included. */
  readonly audit_physical_items?: number;
}

/** One version of a dataset. */
export interface RefFact {
  readonly manifest: string;
  readonly timeline: string;
  readonly tracks_form: string;
  readonly parents: readonly string[];
  readonly ts: SidecarNumber;
  readonly writer: string;
  readonly count: number;
  readonly anchors: readonly SidecarNumber[];
  readonly tombstones: readonly SidecarNumber[];
  readonly meta: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, FieldFact>>;
}

/** A whole sidecar. */
export interface Sidecar {
  readonly refs: Readonly<Record<string, RefFact>>;
  /** Body of each Ref, as hex. */
  readonly ref_bytes: Readonly<Record<string, string>>;
  /** Size of each object, by key. */
  readonly objects: Readonly<Record<string, number>>;
}

/** An integer of a sidecar. */
export function integer(value: SidecarNumber): bigint {
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "object" && "int" in value) return BigInt(value.int);
  throw new Error(`the sidecar has ${JSON.stringify(value)} where an integer stands`);
}

/** A number of a sidecar as the double that it is. */
export function float(value: SidecarNumber): number {
  if (typeof value === "number") return value;
  const named: Record<string, number> = { "-0.0": -0, "nan": Number.NaN, "inf": Infinity, "-inf": -Infinity };
  const text = "float" in value ? value.float : value.int;
  return named[text] ?? Number(text);
}

/** TypedArray that holds each NumPy dtype. */
const CLASSES: Readonly<Record<string, { new (length: number): ArrayBufferView; readonly name: string }>> = {
  float32: Float32Array, float64: Float64Array,
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
};

/** Elements of strided data in C order: the last axis varies fastest. */
export function inCOrder<T>(data: ArrayLike<T>, shape: readonly number[], strides: readonly number[]): T[] {
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

/** Strides of elements that lie in C order. */
function cStrides(shape: readonly number[]): number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, extent) => product * extent, 1));
}

function expectElements(data: ArrayLike<number | bigint>, strides: readonly number[] | undefined, fact: ArrayFact): void {
  const shape = fact.shape.map((extent) => Number(integer(extent)));
  expect(data.constructor.name).toBe(CLASSES[fact.dtype]?.name);
  expect(data.length).toBe(shape.reduce((product, extent) => product * extent, 1));
  const wide = fact.dtype.endsWith("int64");
  // toEqual tells −0 from 0 and bigint from number, and takes NaN for NaN.
  expect(inCOrder(data, shape, strides ?? cStrides(shape))).toEqual(fact.values.map((value) => (wide ? integer(value) : float(value))));
}

function isParts(fact: ItemFact["value"]): fact is PartsFact {
  return "row_offsets" in fact;
}

/** Compare the value of an array Item, element by element. */
export function expectArray(value: ArrayValue, fact: ArrayFact | PartsFact): void {
  if (!isParts(fact)) {
    expect(value.family).toBe("dense-array");
    const { shape, strides, data } = value as DenseArray;
    expect(shape).toEqual(fact.shape.map((extent) => Number(integer(extent))));
    expectElements(data, strides, fact);
    return;
  }
  if (value.family === "dense-array") throw new Error("a dense array was read where a ragged or sparse one is expected");
  expect(value.family).toBe(fact.column_indices === undefined ? "ragged-array" : "sparse-csr");
  expect(value.kind).toBe(value.family);
  expectElements(value.rowOffsets, undefined, fact.row_offsets);
  if (value.family === "sparse-csr" && fact.column_indices) expectElements(value.columnIndices, undefined, fact.column_indices);
  if (value.family === "ragged-array") expect(value.innerShape).toEqual(fact.values.shape.slice(1).map((extent) => Number(integer(extent))));
  expectElements(value.values, undefined, fact.values);
}

/** Compare bytes: length, an independent BLAKE3, and the bytes themselves where the sidecar spells them. */
export function expectBytes(bytes: Uint8Array, fact: BytesFact): void {
  expect(bytes.byteLength).toBe(fact.len);
  expect(blake3Hex(bytes)).toBe(fact.blake3);
  if (fact.hex !== undefined) expect(bytesToHex(plain(bytes))).toBe(fact.hex);
}

/** BLAKE3-256 of another implementation than the package's. */
export function blake3Hex(bytes: Uint8Array): string {
  return bytesToHex(blake3(plain(bytes)));
}

/** Address of the object with this digest: base32 of `0x1e` and the digest, lower case, unpadded. */
export function addressOfDigest(digest: string): string {
  let bits = [0x1e, ...hexBytes(digest)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, "0");
  return (bits.match(/.{5}/g) ?? []).map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]).join("");
}

/** Bytes that hex spells, in one piece or several. */
export function hexBytes(...hex: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.join("").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** noble looks at the prototype. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Key of a document as JavaScript spells it: `inner_shape` → `innerShape`. */
function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The object that an item type's document is in JavaScript; extents may be decimal strings. */
export function typeOfDocument(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => {
      if (!Array.isArray(value)) return [camel(key), value];
      return [camel(key), value.map((extent: SidecarNumber | string) => (typeof extent === "string" ? BigInt(extent) : integer(extent)))];
    }),
  );
}
