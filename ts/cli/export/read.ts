/** What a field holds, read as {@link Content}: one Item, rows of one, a window, or a Constant. */
import { bytesPerElement, type AnyTypedArray } from "../../codec/dtype.js";
import { toNumber } from "../../codec/integers.js";
import { toCOrder } from "../../codec/order.js";
import { type ArrayValue, type CsrArray, elementsOf } from "../../codec/values.js";
import type { ColumnOf, DenseColumn, RaggedColumn, CsrColumn } from "../../dataset/column/columns.js";
import type { Dataset } from "../../dataset/dataset.js";
import { type ArrayFieldInfo, type FieldInfo, isArrayField, isMediaField, isScalarField, type ScalarFieldInfo } from "../../dataset/fields.js";
import { rawSize } from "../../dataset/item-bytes.js";
import type { MediaColumn } from "../../dataset/column/media.js";
import type { Selection } from "../../dataset/selection.js";
import { withContext } from "../../error-context.js";
import { DreamDbError } from "../../errors.js";
import { arrayFieldOf } from "../describe.js";
import { inBatches } from "./batches.js";
import { type Batch, type BytesContent, type Content, type CsrBatch, type CsrContent, type DenseBatch, type DenseContent, once, type RaggedBatch, type RaggedContent, type RowsOf, type ScalarContent } from "./contents.js";
import { constantPayload, extensionOf, payloadsOf } from "./payloads.js";

/** What is asked for. */
export interface Asked {
  /** Of one Item. */
  readonly anchor: bigint | undefined;
  /** Of many. */
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
  /** Rows of the Item. */
  readonly rows: RowsOf | undefined;
  /** Whether payloads are wanted as they are stored. */
  readonly raw: boolean;
}

/** What a reading is given beside. */
export interface Around {
  readonly signal: AbortSignal;
  /** Told of Items that were read, and their bytes. */
  readonly told: (items: number, bytes: number) => void;
}

const MAX_U64 = (1n << 64n) - 1n;

/**
 * Reads what is asked for. Costs the field's index, and what it gives when that is asked for.
 *
 * @throws {DreamDbError} `NotFound` for an anchor without an Item; `WrongKind` for anchors of a Constant; `Unsupported`; the codes of reads
 */
export async function contentOf(ds: Dataset, info: FieldInfo, asked: Asked, around: Around): Promise<Content> {
  if (info.trackKind === "constant") return await constantOf(ds, info, asked, around);
  if (isScalarField(info)) return await scalarOf(ds, info, asked, around);
  if (isMediaField(info)) {
    const field = ds.media(info.name);
    const read = async (selection: Selection, signal: AbortSignal) => bytesBatch(await field.columnOf(selection, { signal }));
    const common = await windowed(field, asked, around, { read, bytesOf: ({ items }) => bytesIn(items) });
    return { ...common, family: "bytes", mime: info.mime, extension: extensionOf(info.mime) } satisfies BytesContent;
  }
  if (!isArrayField(info)) throw new DreamDbError("Unsupported", `fields of kind ${info.kind} cannot be read`, { field: info.name });
  if (asked.rows !== undefined) return await rowsOf(ds, info, asked, asked.rows, around);
  const field = arrayFieldOf(ds, info);
  if (asked.raw) {
    const read = payloadsOf(info, field);
    const common = await windowed(field, asked, around, { read, bytesOf: ({ items }) => bytesIn(items), itemBytes: rawSize(info.type) });
    return { ...common, family: "bytes", mime: undefined, extension: info.type.family === "dense-array" && info.type.codec === "npy" ? "npy" : "bin" };
  }
  return await columnOf(ds, info, asked, around);
}

async function columnOf(ds: Dataset, info: ArrayFieldInfo, asked: Asked, around: Around): Promise<Content> {
  const { family, dtype } = info;
  const field = arrayFieldOf(ds, info);
  const column = async (selection: Selection, signal: AbortSignal) => (await field.columnOf(selection, { signal })) as ColumnOf<ArrayValue>;
  switch (family) {
    case "dense-array": {
      const shape = extents(info.shape);
      const read = async (selection: Selection, signal: AbortSignal) => denseBatch((await column(selection, signal)) as DenseColumn);
      const itemBytes = elementsOf(shape) * bytesPerElement(dtype);
      return { ...(await windowed(field, asked, around, { read, bytesOf: ({ data }) => data.byteLength, itemBytes })), family: "dense", dtype, shape } satisfies DenseContent;
    }
    case "ragged-array": {
      const read = async (selection: Selection, signal: AbortSignal) => raggedBatch((await column(selection, signal)) as RaggedColumn);
      const common = await windowed(field, asked, around, { read, bytesOf: ({ rowOffsets, values }) => rowOffsets.byteLength + values.byteLength });
      return { ...common, family: "ragged", dtype, innerShape: extents(info.innerShape), rows: undefined } satisfies RaggedContent;
    }
    default: {
      const read = async (selection: Selection, signal: AbortSignal) => csrBatch((await column(selection, signal)) as CsrColumn);
      const common = await windowed(field, asked, around, { read, bytesOf: ({ items }) => items.reduce((sum, item) => sum + matrixBytes(item), 0) });
      return { ...common, family: "csr", dtype, shape: matrixShape(info), rows: undefined } satisfies CsrContent;
    }
  }
}

/** A field whose Items can be found in a window. */
interface Scanned {
  readonly name: string;
  scan(window: { readonly start: bigint; readonly end: bigint | undefined }, signal: AbortSignal | undefined): AsyncIterable<Selection>;
}

interface Reading<B> {
  read(selection: Selection, signal: AbortSignal): Promise<B>;
  bytesOf(batch: B): number;
  readonly itemBytes?: number | undefined;
}

/** Counts the Items of a window by the index, without deleted ones, and reads them when that is asked for. */
async function windowed<B extends Batch>(field: Scanned, asked: Asked, { signal, told }: Around, { read, bytesOf, itemBytes }: Reading<B>) {
  const { anchor, start = 0n, end } = asked;
  const window = anchor === undefined ? { start, end } : { start: anchor, end: anchor === MAX_U64 ? undefined : anchor + 1n };
  let count = 0;
  try {
    for await (const { anchors } of field.scan(window, signal)) count += anchors.length;
  } catch (error) {
    throw withContext(error, { field: field.name });
  }
  if (anchor !== undefined && count === 0) throw nothingAt(field.name, anchor);
  const batches = async function* (): AsyncGenerator<B, void, undefined> {
    try {
      for await (const batch of inBatches({ scan: (own) => field.scan(window, own), read, bytesOf, itemBytes }, signal)) {
        yield batch;
        told(batch.count, bytesOf(batch));
      }
    } catch (error) {
      throw withContext(error, { field: field.name });
    }
  };
  return { field: field.name, many: anchor === undefined, count, anchored: true, batches };
}

async function rowsOf(ds: Dataset, info: ArrayFieldInfo, { anchor = 0n }: Asked, rows: RowsOf, { signal, told }: Around): Promise<Content> {
  const { name, family, dtype } = info;
  const anchors = BigUint64Array.of(anchor);
  const common = { field: name, many: false, count: 1, anchored: true, rows };
  if (family === "ragged-array") {
    const read = await ds.ragged(name).readRows(anchor, rows, { signal });
    if (read === undefined) throw nothingAt(name, anchor);
    const itemOffsets = BigUint64Array.of(0n, rows.end - rows.start);
    told(1, read.values.byteLength);
    return { ...common, family: "ragged", dtype, innerShape: extents(info.innerShape), batches: once({ anchors, count: 1, itemOffsets, rowOffsets: read.rowOffsets, values: read.values }) };
  }
  const read = await ds.csr(name).readRows(anchor, rows, { signal });
  if (read === undefined) throw nothingAt(name, anchor);
  told(1, read.values.byteLength);
  return { ...common, family: "csr", dtype, shape: read.shape, batches: once({ anchors, count: 1, items: [read] }) };
}

async function scalarOf(ds: Dataset, { name, valueType }: ScalarFieldInfo, { anchor, start, end }: Asked, { signal, told }: Around): Promise<ScalarContent> {
  const field = ds.scalar(name);
  const common = { family: "scalar", field: name, valueType, anchored: true } as const;
  if (anchor !== undefined) {
    const value = await field.read(anchor, { signal });
    if (value === undefined) throw nothingAt(name, anchor);
    return { ...common, many: false, count: 1, batches: once({ anchors: BigUint64Array.of(anchor), count: 1, values: [value] }) };
  }
  const column = await field.column({ start, end, signal });
  const { anchors } = column;
  const values = valueType === "bool" ? Array.from(column.values as Uint8Array, (value) => value === 1) : [...(column.values as Iterable<string | number | bigint>)];
  told(anchors.length, 0);
  return { ...common, many: true, count: anchors.length, batches: once({ anchors, count: anchors.length, values }) };
}

async function constantOf(ds: Dataset, info: FieldInfo, { anchor, start, end, rows, raw }: Asked, { signal, told }: Around): Promise<Content> {
  const { name } = info;
  if (anchor !== undefined || start !== undefined || end !== undefined || rows !== undefined) {
    throw new DreamDbError("WrongKind", `field ${JSON.stringify(name)} is a Constant: it is got whole, without anchors and rows`, { field: name });
  }
  const common = { field: name, many: false, count: 1, anchored: false } as const;
  if (raw && isArrayField(info)) {
    const bytes = await constantPayload(info, arrayFieldOf(ds, info), signal);
    told(1, bytes.byteLength);
    return { ...common, family: "bytes", mime: undefined, extension: "bin", batches: once({ anchors: undefined, count: 1, items: [bytes] }) };
  }
  const value = await ds.constant(name).read({ signal });
  if (value === undefined) throw new DreamDbError("NotFound", `field ${JSON.stringify(name)} was never written`, { field: name });
  told(1, 0);
  if (value.family === "text") return { family: "text", field: name, many: false, count: 1, text: value.text, bytes: value.bytes };
  const batch = { anchors: undefined, count: 1 };
  if (value.family === "dense-array") {
    const { data, dtype, shape, order } = value;
    return { ...common, family: "dense", dtype, shape, batches: once({ ...batch, data: order === "f" ? inCOrder(data, shape) : data }) };
  }
  if (value.family === "ragged-array") {
    const { dtype, innerShape, rowOffsets, values } = value;
    return { ...common, family: "ragged", dtype, innerShape, rows: undefined, batches: once({ ...batch, itemOffsets: BigUint64Array.of(0n, BigInt(rowOffsets.length - 1)), rowOffsets, values }) };
  }
  return { ...common, family: "csr", dtype: value.dtype, shape: value.shape, rows: undefined, batches: once({ ...batch, items: [value] }) };
}

function nothingAt(field: string, anchor: bigint): DreamDbError {
  return new DreamDbError("NotFound", `field ${JSON.stringify(field)} has no Item at anchor ${anchor}, or its row was deleted`, { field, anchor });
}

function denseBatch({ anchors, data }: DenseColumn): DenseBatch {
  return { anchors, count: anchors.length, data };
}

function raggedBatch({ anchors, itemOffsets, rowOffsets, values }: RaggedColumn): RaggedBatch {
  return { anchors, count: anchors.length, itemOffsets, rowOffsets, values };
}

function csrBatch({ anchors, items }: CsrColumn): CsrBatch {
  return { anchors, count: anchors.length, items };
}

function bytesBatch({ anchors, items }: MediaColumn) {
  return { anchors, count: anchors.length, items: items.map(({ bytes }) => bytes) };
}

function inCOrder(data: AnyTypedArray, shape: readonly number[]): AnyTypedArray {
  const ordered = data.slice();
  if (data.length > 0) toCOrder(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), new Uint8Array(ordered.buffer), data.BYTES_PER_ELEMENT, shape);
  return ordered;
}

function matrixShape({ name, shape }: ArrayFieldInfo): readonly [bigint, bigint] {
  const [rows, columns] = shape ?? [];
  if (rows === undefined || columns === undefined) throw new DreamDbError("Internal", "a sparse field without a shape", { field: name });
  return [rows, columns];
}

function extents(shape: readonly bigint[] | undefined): number[] {
  return (shape ?? []).map((extent) => toNumber("an extent of the declared shape", extent));
}

function bytesIn(items: readonly Uint8Array[]): number {
  return items.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function matrixBytes({ rowOffsets, columnIndices, values }: CsrArray): number {
  return rowOffsets.byteLength + columnIndices.byteLength + values.byteLength;
}
