/** Columns: many Items of a field in one value. How they are filled is the matter of the kinds of fields. */
import type { DType, DTypeArrays } from "../../codec/dtype.js";
import { refused } from "../../codec/arguments.js";
import type { CsrType, DenseType, RaggedType } from "../../codec/item-type.js";
import type { ArrayValue, CsrArray, DenseArray, RaggedArray } from "../../codec/values.js";
import { DreamDbError } from "../../errors.js";
import type { Verified } from "../../io/verifier.js";
import type { Selection } from "../selection.js";
import type { WindowOptions } from "../window.js";

interface CommonColumn {
  /** Anchors of the Items, ascending. */
  readonly anchors: BigUint64Array<ArrayBuffer>;
  /** The least that was checked of any Item; of none, everything. */
  readonly verified: Verified;
}

/** Dense Items, one after another in one array: `[n, …shape]` in C order, whatever the order of the stored Items is. */
export interface DenseColumn<D extends DType = DType> extends CommonColumn {
  /** Name of the family. */
  readonly family: "dense-array";
  /** Of the elements. */
  readonly dtype: D;
  /** The elements of all Items. */
  readonly data: DTypeArrays[D];
  /** Number of Items, then the extents of each. */
  readonly shape: number[];
  /** Elements between neighbours along each axis. */
  readonly strides: number[];
  /** Layout of `data`: last axis fastest. */
  readonly order: "c";
  /** The declared type of Items. */
  readonly type: DenseType;
}

/** Ragged Items, one after another: Item `i` has the rows from `itemOffsets[i]` to `itemOffsets[i + 1]`. */
export interface RaggedColumn<D extends DType = DType> extends CommonColumn {
  /** Name of the family. */
  readonly family: "ragged-array";
  /** Of the elements. */
  readonly dtype: D;
  /** Number of Items + 1 offsets into the rows. */
  readonly itemOffsets: BigUint64Array<ArrayBuffer>;
  /** Number of rows + 1 offsets into the cells of all Items. */
  readonly rowOffsets: BigUint64Array<ArrayBuffer>;
  /** The cells, each the elements of `innerShape` in C order. */
  readonly values: DTypeArrays[D];
  /** Extents of one cell; empty if a cell is one scalar. */
  readonly innerShape: readonly number[];
  /** The declared type of Items. */
  readonly type: RaggedType;
}

/** Sparse Items: a list, since matrices do not join. */
export interface CsrColumn<D extends DType = DType> extends CommonColumn {
  /** Name of the family. */
  readonly family: "sparse-csr";
  /** Of the elements. */
  readonly dtype: D;
  /** A matrix for each anchor. */
  readonly items: readonly CsrArray<D>[];
  /** The declared type of Items. */
  readonly type: CsrType;
}

/** The column of a field whose Items have values `V`. */
export type ColumnOf<V extends ArrayValue> =
  V extends DenseArray<infer D> ? DenseColumn<D> : V extends RaggedArray<infer D> ? RaggedColumn<D> : V extends CsrArray<infer D> ? CsrColumn<D> : never;

/** How far a column is. */
export interface Progress {
  /** Items that are done. */
  readonly items: number;
  /** Items of the whole column. */
  readonly total: number;
  /** Bytes of the Items that are done. */
  readonly bytes: number;
}

/** Options of a column. */
export interface ColumnOptions extends WindowOptions {
  /** Told now and then how far it is, and at the end. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Bytes of the values at most, `TooLarge` above it; 1 GiB unless said otherwise. Larger columns are read by `batches`, each of which has 1 GiB at most. */
  readonly maxBytes?: number | undefined;
}

/** Bytes of a column for which nothing was said. */
const MOST_BYTES = 2 ** 30;

/**
 * The limit that the options say.
 *
 * @throws {DreamDbError} `InvalidArgument`
 */
export function mostBytes({ maxBytes = MOST_BYTES }: ColumnOptions): number {
  if (typeof maxBytes === "number" && maxBytes >= 0) return maxBytes;
  throw refused("maxBytes", "a number of bytes", maxBytes);
}

/** The refusal of a column that is larger than its caller allows. */
export function tooLarge(bytes: number | bigint, limit: number): DreamDbError {
  const message = `the column has at least ${bytes} bytes of values, maxBytes is ${limit}: read it by batches(), smaller than this, or raise maxBytes`;
  return new DreamDbError("TooLarge", message, { expected: `at most ${limit}`, actual: String(bytes) });
}

/**
 * Bytes of Items by the index, which tells the sizes of fragments only.
 *
 * @throws {DreamDbError} `TooLarge` for more than `limit`
 */
export function admit({ parts, partOf, positions }: Selection, limit: number): number {
  let bytes = 0n;
  for (const [at, part] of partOf.entries()) {
    const entries = parts[part]?.entries;
    if (entries?.form === "fragments") bytes += entries.sizes[positions[at] ?? 0] ?? 0n;
  }
  if (bytes > limit) throw tooLarge(bytes, limit);
  return Number(bytes);
}

/** Progress that is told when it has moved on. */
export class Teller {
  readonly #tell: ColumnOptions["onProgress"];
  readonly #total: number;
  #items = 0;
  #bytes = 0;

  constructor(total: number, { onProgress }: ColumnOptions) {
    this.#total = total;
    this.#tell = onProgress;
  }

  /** So many Items of so many bytes are done. */
  done(items: number, bytes: number): void {
    this.#items += items;
    this.#bytes += bytes;
    this.#tell?.({ items: this.#items, total: this.#total, bytes: this.#bytes });
  }
}

/** The less that was checked of two. */
export function least(a: Verified, b: Verified): Verified {
  if (a === "none" || b === "none") return "none";
  return a === "range" ? a : b;
}
