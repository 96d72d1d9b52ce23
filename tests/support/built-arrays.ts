/** Datasets of ragged and CSR fields built by hand, and payloads of any rows: from their definition, by nothing of the package. */

import { codec } from "dreamdb-arrays";
import type { ItemTypeInit } from "../../ts/codec/item-type.js";
import { call } from "../../ts/wasm.js";
import { arrayField, manifest, schema, TIMELINE, track } from "../../ts/cli/vectors/documents.js";
import { address, multihash } from "../conformance/support/address.js";
import { array, bytes, concat, map, uint } from "../conformance/support/cbor-writer.js";

/** Index tables as bytes. */
export function be(...numbers: readonly (bigint | number)[]): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(8 * numbers.length));
  for (const [at, number] of numbers.entries()) out.setBigUint64(8 * at, BigInt(number));
  return new Uint8Array(out.buffer);
}

function offsetsOf(rows: readonly (readonly unknown[])[]): number[] {
  let end = 0;
  return [0, ...rows.map((row) => (end += row.length))];
}

function f32(values: readonly number[], little: boolean): Uint8Array {
  const out = new DataView(new ArrayBuffer(4 * values.length));
  for (const [at, value] of values.entries()) out.setFloat32(4 * at, value, little);
  return new Uint8Array(out.buffer);
}

/** A ragged payload of f32 rows, of cells of `cell` elements each. */
export function raggedPayload(rows: readonly (readonly number[])[], { cell = 1, little = true } = {}): Uint8Array<ArrayBuffer> {
  const offsets = offsetsOf(rows).map((end) => end / cell);
  const signature = Uint8Array.of(...new TextEncoder().encode("RAG1"), 0, 0, 0, 1);
  return concat(signature, be(rows.length, offsets.at(-1) ?? 0), be(...offsets), f32(rows.flat(), little));
}

/** A CSR payload of f32 rows: pairs of column and value. */
export function csrPayload(rows: readonly (readonly (readonly [column: number, value: number])[])[], columns: bigint | number, little = true): Uint8Array<ArrayBuffer> {
  const offsets = offsetsOf(rows);
  const signature = Uint8Array.of(...new TextEncoder().encode("CSR1"), 0, 0, 0, 1);
  const all = rows.flat();
  return concat(
    signature,
    be(rows.length, columns, all.length),
    be(...offsets),
    be(...all.map(([column]) => column)),
    f32(
      all.map(([, value]) => value),
      little,
    ),
  );
}

/** An object under its key, with the key of its outboard. */
export interface BuiltItem {
  readonly key: string;
  readonly outboardKey: string;
}

/** A dataset of one array field. */
export interface BuiltArrays {
  readonly objects: Map<string, Uint8Array<ArrayBuffer>>;
  /** Address of the manifest. */
  readonly manifest: string;
  /** The Items at the anchors 0, 1, … */
  readonly items: readonly BuiltItem[];
}

/** The outboard of an object, by the core, which vectors of other origin pin. */
export function outboardOf(body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(call((core) => core.makeOutboard(body)).bytes);
}

/** Options of {@link buildArrays}. */
export interface BuildOptions {
  readonly outboards?: boolean;
  readonly kind?: "event" | "continuous";
}

/** The field `a` of that type, with those payloads at the anchors 0, 1, … or, if continuous, at extents of one from there on. */
export function buildArrays(type: ItemTypeInit, payloads: readonly Uint8Array<ArrayBuffer>[], { outboards = true, kind = "event" }: BuildOptions = {}): BuiltArrays {
  const names = payloads.map((body) => ({ hash: multihash(body), text: address(body) }));
  const built = aroundItems(type, names, kind);
  const objects = new Map(built.objects);
  for (const [at, body] of payloads.entries()) {
    const item = built.items[at];
    if (item === undefined) continue;
    objects.set(item.key, body);
    if (outboards) objects.set(item.outboardKey, outboardOf(body));
  }
  return { ...built, objects };
}

/** The documents around Items of those names, without the Items. */
export function aroundItems(type: ItemTypeInit, names: readonly { readonly hash: Uint8Array; readonly text: string }[], kind: "event" | "continuous" = "event"): BuiltArrays {
  const document = codec.encodeItemType(type);
  const modality = codec.modalityOf(type, kind);
  const entries = names.map(({ hash }, at) => (kind === "event" ? array([bytes(hash), uint(at)]) : array([uint(at), uint(at + 1), uint(7), bytes(hash)])));
  const index = track(modality, array(entries));
  const registry = map([
    ["dreamdb.schema", schema([arrayField("a", document, kind, kind === "event" ? "unbucketed" : "time-batch")])],
    [modality, map([["item_type", document]])],
  ]);
  const root = manifest([{ field: "a", kind, modality, track: address(index) }], registry);
  const items = names.map(({ text }, at): BuiltItem => {
    const bucket = (kind === "event" ? at : 7).toString(16).padStart(16, "0");
    return { key: `${TIMELINE}/${modality}/${bucket}/${text}`, outboardKey: `bao-outboard/${text}` };
  });
  const objects = new Map([
    [`${TIMELINE}/${modality}/track/${address(index)}`, index],
    [`manifests/${address(root)}`, root],
  ]);
  return { objects, manifest: address(root), items };
}
