/**
 * What is exported, whatever the format: Items of one family, a batch at a time. Where they come from is read.ts's matter, what becomes of them
 * that of the formats.
 */
import type { AnyTypedArray, DType } from "../../codec/dtype.js";
import type { CsrArray } from "../../codec/values.js";
import type { ScalarType, ScalarValues } from "../../dataset/scalar-values.js";

/** Some Items; without anchors only the value of a Constant. */
export interface Batch {
  readonly anchors: BigUint64Array | undefined;
  /** Items. */
  readonly count: number;
}

/** Dense Items one after another, each in C order. */
export interface DenseBatch extends Batch {
  readonly data: AnyTypedArray;
}

/** Ragged Items one after another: Item `i` has the rows from `itemOffsets[i]` to `itemOffsets[i + 1]`. */
export interface RaggedBatch extends Batch {
  readonly itemOffsets: BigUint64Array;
  readonly rowOffsets: BigUint64Array;
  readonly values: AnyTypedArray;
}

/** Sparse Items. */
export interface CsrBatch extends Batch {
  readonly items: readonly CsrArray[];
}

/** Items that are bytes to everyone: media, and payloads as they are stored. */
export interface BytesBatch extends Batch {
  readonly items: readonly Uint8Array[];
}

/** Values of a scalar column. */
export interface ScalarBatch extends Batch {
  readonly values: readonly ScalarValues[ScalarType][];
}

interface Common<B extends Batch> {
  /** Name of the field. */
  readonly field: string;
  /** Whether it is a column; else one Item, or a Constant. */
  readonly many: boolean;
  /** Items in all batches, exactly. */
  readonly count: number;
  /** Whether Items have anchors. */
  readonly anchored: boolean;
  /** The batches; to be asked for once. */
  batches(): AsyncIterable<B>;
}

/** Rows of an Item instead of all of it. */
export interface RowsOf {
  /** The first row. */
  readonly start: bigint;
  /** The row after the last. */
  readonly end: bigint;
  /** Whether one row was asked for, which is then no list of one. */
  readonly single: boolean;
}

/** Dense arrays. */
export interface DenseContent extends Common<DenseBatch> {
  readonly family: "dense";
  readonly dtype: DType;
  /** Of one Item. */
  readonly shape: readonly number[];
}

/** Ragged arrays. */
export interface RaggedContent extends Common<RaggedBatch> {
  readonly family: "ragged";
  readonly dtype: DType;
  /** Of one cell. */
  readonly innerShape: readonly number[];
  readonly rows: RowsOf | undefined;
}

/** Sparse matrices. */
export interface CsrContent extends Common<CsrBatch> {
  readonly family: "csr";
  readonly dtype: DType;
  /** Of one Item, or of the rows that were asked for. */
  readonly shape: readonly [rows: bigint, columns: bigint];
  readonly rows: RowsOf | undefined;
}

/** Media and payloads. */
export interface BytesContent extends Common<BytesBatch> {
  readonly family: "bytes";
  /** What files of it are called at the end. */
  readonly extension: string;
  /** Of media. */
  readonly mime: string | undefined;
}

/** Scalar values. */
export interface ScalarContent extends Common<ScalarBatch> {
  readonly family: "scalar";
  readonly valueType: ScalarType;
}

/** The text of a Constant. */
export interface TextContent {
  readonly family: "text";
  readonly field: string;
  readonly many: false;
  readonly count: 1;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** What is exported. */
export type Content = DenseContent | RaggedContent | CsrContent | BytesContent | ScalarContent | TextContent;

/** The only batch of what is one Item. */
export async function onlyOf<B extends Batch>(content: { batches(): AsyncIterable<B> }): Promise<B | undefined> {
  for await (const batch of content.batches()) return batch;
  return undefined;
}

/** Batches that are one, which is there already. */
export function once<B>(batch: B): () => AsyncGenerator<B, void, undefined> {
  return async function* () {
    yield batch;
  };
}

/** Each Item as a content of its own, with its anchor. */
export async function* singlesOf(content: Exclude<Content, TextContent | ScalarContent>): AsyncGenerator<readonly [anchor: bigint, item: Content]> {
  switch (content.family) {
    case "bytes":
      for await (const { anchors, items } of content.batches()) {
        for (const [at, item] of items.entries()) yield [anchors?.[at] ?? 0n, { ...content, ...ALONE, batches: once({ ...single(anchors, at), items: [item] }) }];
      }
      return;
    case "csr":
      for await (const { anchors, items } of content.batches()) {
        for (const [at, item] of items.entries()) yield [anchors?.[at] ?? 0n, { ...content, ...ALONE, batches: once({ ...single(anchors, at), items: [item] }) }];
      }
      return;
    case "dense":
      for await (const { anchors, count, data } of content.batches()) {
        const size = count === 0 ? 0 : data.length / count;
        for (let at = 0; at < count; at++) yield [anchors?.[at] ?? 0n, { ...content, ...ALONE, batches: once({ ...single(anchors, at), data: data.subarray(at * size, (at + 1) * size) }) }];
      }
      return;
    case "ragged":
      for await (const batch of content.batches()) {
        for (let at = 0; at < batch.count; at++) yield [batch.anchors?.[at] ?? 0n, { ...content, ...ALONE, batches: once(raggedAt(batch, at, content.innerShape)) }];
      }
  }
}

/** One Item of a batch, its offsets from 0. */
export function raggedAt({ anchors, itemOffsets, rowOffsets, values }: RaggedBatch, at: number, innerShape: readonly number[]): RaggedBatch {
  const cell = innerShape.reduce((product, extent) => product * extent, 1);
  const [from, to] = [Number(itemOffsets[at] ?? 0n), Number(itemOffsets[at + 1] ?? 0n)];
  const own = rowOffsets.slice(from, to + 1);
  const first = own[0] ?? 0n;
  const last = own.at(-1) ?? 0n;
  for (let row = 0; row < own.length; row++) own[row] = (own[row] ?? 0n) - first;
  return { ...single(anchors, at), itemOffsets: BigUint64Array.of(0n, BigInt(to - from)), rowOffsets: own, values: values.subarray(Number(first) * cell, Number(last) * cell) };
}

function single(anchors: BigUint64Array | undefined, at: number): Batch {
  return { anchors: anchors?.slice(at, at + 1), count: 1 };
}

const ALONE = { many: false, count: 1 } as const;
