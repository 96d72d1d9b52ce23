/** The `expected.json` beside each fixture: what the reference reads back; and its comparison with what we read, for tests of every host. */

import { expect } from "vitest";
import type { ArrayValue } from "dreamdb-arrays";
import { arrayDifference, bytesDifference, integer } from "../../scripts/lib/dataset-check/sidecar.mjs";

export { addressOfDigest, digestOf as blake3Hex, float, inCOrder, integer, typeOfDocument } from "../../scripts/lib/dataset-check/sidecar.mjs";

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

/** Compare the value of an array Item, element by element. */
export function expectArray(value: ArrayValue, fact: ArrayFact | PartsFact): void {
  expect(arrayDifference(value, fact)).toBeUndefined();
}

/** Compare bytes: length, an independent BLAKE3, and the bytes themselves where the sidecar spells them. */
export function expectBytes(bytes: Uint8Array, fact: BytesFact): void {
  expect(bytesDifference(bytes, fact)).toBeUndefined();
}

/** The facts of some rows of an Item. */
export function rowsOf({ row_offsets, column_indices, values }: PartsFact, start: number, end: number): PartsFact {
  const offsets = row_offsets.values.map((offset) => Number(integer(offset)));
  const [first, last] = [offsets[start] ?? 0, offsets[end] ?? 0];
  const cut = (fact: ArrayFact): ArrayFact => {
    const cells = Number(integer(fact.shape[0] ?? 0));
    const width = cells === 0 ? 0 : fact.values.length / cells;
    return { ...fact, shape: [last - first, ...fact.shape.slice(1)], values: fact.values.slice(first * width, last * width) };
  };
  const rebased: SidecarNumber[] = start === end ? [0] : offsets.slice(start, end + 1).map((offset) => offset - first);
  const table = { ...row_offsets, shape: [rebased.length], values: rebased };
  return { row_offsets: table, values: cut(values), ...(column_indices && { column_indices: cut(column_indices) }) };
}

/** Bytes that hex spells, in one piece or several. */
export function hexBytes(...hex: readonly string[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.join("").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
