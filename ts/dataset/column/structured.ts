/** Columns of ragged and sparse Items: read one by one, and joined where they join. */
import type { DType } from "../../codec/dtype.js";
import { bytesPerElement, type DTypeArrays, typedView } from "../../codec/dtype.js";
import type { CsrType, RaggedType } from "../../codec/item-type.js";
import { decodeOwned } from "../../codec/payload.js";
import type { ArrayValue, CsrArray, RaggedArray } from "../../codec/values.js";
import { newCall } from "../../io/call.js";
import type { Verified } from "../../io/verifier.js";
import type { FieldAccess } from "../field.js";
import type { ArrayFieldInfo } from "../fields.js";
import { ItemBytes } from "../item-bytes.js";
import type { Selection } from "../selection.js";
import { admit, type ColumnOptions, type CsrColumn, least, mostBytes, type RaggedColumn, Teller, tooLarge } from "./columns.js";
import { inWindows } from "./windows.js";

/** The column of ragged Items. */
export async function raggedColumn<D extends DType>(
  info: ArrayFieldInfo<RaggedType>,
  access: FieldAccess,
  selection: Selection,
  options: ColumnOptions,
): Promise<RaggedColumn<D>> {
  const { items: read, verified } = await decoded(info, access, selection, options);
  const items = read as RaggedArray<D>[];
  const { type } = info;
  const dtype = type.dtype as D;
  const itemOffsets = new BigUint64Array(items.length + 1);
  for (const [at, { rowOffsets }] of items.entries()) itemOffsets[at + 1] = (itemOffsets[at] ?? 0n) + BigInt(rowOffsets.length - 1);
  const rowOffsets = new BigUint64Array(Number(itemOffsets.at(-1)) + 1);
  const values = joined(
    dtype,
    items.map((item) => item.values),
  );
  let [row, cells] = [0, 0n];
  for (const item of items) {
    for (let own = 1; own < item.rowOffsets.length; own++) rowOffsets[++row] = cells + (item.rowOffsets[own] ?? 0n);
    cells += item.rowOffsets.at(-1) ?? 0n;
  }
  const innerShape = type.innerShape.map(Number);
  return { family: "ragged-array", dtype, anchors: selection.anchors, itemOffsets, rowOffsets, values, innerShape, verified, type };
}

/** The column of sparse Items. */
export async function csrColumn<D extends DType>(
  info: ArrayFieldInfo<CsrType>,
  access: FieldAccess,
  selection: Selection,
  options: ColumnOptions,
): Promise<CsrColumn<D>> {
  const { items, verified } = await decoded(info, access, selection, options);
  const { type } = info;
  return { family: "sparse-csr", dtype: type.dtype as D, anchors: selection.anchors, items: items as CsrArray<D>[], verified, type };
}

async function decoded(
  { type, typeCbor: cbor }: ArrayFieldInfo,
  { objects, track: { place } }: FieldAccess,
  selection: Selection,
  options: ColumnOptions,
): Promise<{ items: ArrayValue[]; verified: Verified }> {
  const limit = mostBytes(options);
  admit(selection, limit);
  const items = new Array<ArrayValue>(selection.anchors.length);
  const [reader, call] = [new ItemBytes(objects, place), newCall(options.signal)];
  const teller = new Teller(items.length, options);
  let verified: Verified = "object";
  let held = 0;
  await inWindows(selection, async (window, from) => {
    let bytes = 0;
    await reader.readAll(window, call, (at, read) => {
      bytes += read.bytes.byteLength;
      held += read.bytes.byteLength;
      if (held > limit) throw tooLarge(held, limit);
      verified = least(verified, read.verified);
      items[from + at] = decodeOwned({ type, cbor }, read.bytes);
    });
    teller.done(window.anchors.length, bytes);
  });
  return { items, verified };
}

/** Elements one after another; their bits are copied. */
function joined<D extends DType>(dtype: D, parts: readonly DTypeArrays[D][]): DTypeArrays[D] {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0) * bytesPerElement(dtype));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return typedView(dtype, bytes);
}
