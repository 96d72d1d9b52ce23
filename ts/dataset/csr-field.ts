/** Fields of sparse matrices: whole Items, and single rows of them (0025 §11.2, §11.4). */
import type { DType, DTypeArrays } from "../codec/dtype.js";
import { toU64, type U64 } from "../codec/integers.js";
import type { CsrType } from "../codec/item-type.js";
import type { CsrArray } from "../codec/values.js";
import type { ItemReadOptions } from "./field.js";
import { rangeArgument, rowArgument, RowField, type RowRangeInit, type RowsContext } from "./row-field.js";
import type { RowRange } from "./rows-by-range.js";

/** One row of a sparse matrix: its stored elements. */
export interface CsrRow<D extends DType = DType> extends RowsContext<CsrType<D>> {
  /** Of the elements. */
  readonly dtype: D;
  /** Number of the row. */
  readonly row: bigint;
  /** Columns of the matrix. */
  readonly columns: bigint;
  /** Column of each stored element, strictly increasing. */
  readonly columnIndices: BigUint64Array<ArrayBuffer>;
  /** The stored elements; stored zeros are among them. */
  readonly values: DTypeArrays[D];
}

/** Adjacent rows of a sparse matrix, as a matrix of their own: its first row offset is 0. */
export interface CsrRows<D extends DType = DType> extends CsrArray<D>, RowsContext<CsrType<D>> {
  /** Which rows these are. */
  readonly rows: RowRange;
}

/** A field of sparse matrices. */
export class CsrField<D extends DType = DType> extends RowField<CsrArray<D>> {
  get #type(): CsrType<D> {
    return this.info.type as CsrType<D>;
  }

  /**
   * One row of the matrix at an anchor, without the rest of it; `undefined` if the Track has no Item there or its row is deleted.
   *
   * Costs the Track's index once, then as {@link readRows}.
   *
   * @throws {DreamDbError} as {@link readRows}
   */
  async readRow(anchor: U64, row: U64, options: ItemReadOptions = {}): Promise<CsrRow<D> | undefined> {
    const [at, range] = [toU64("an anchor", anchor), rowArgument(row)];
    const read = await this.rowsAt<D>(at, range, options);
    if (read === undefined) return undefined;
    const { columnIndices, values, rowCount, itemBytes, verified, checked } = read;
    const { dtype, shape } = this.#type;
    return { dtype, row: range.start, columns: shape[1], columnIndices, values, anchor: at, rowCount, itemBytes, verified, checked, type: this.#type };
  }

  /**
   * Adjacent rows of the matrix at an anchor, from `start` to `end`, the latter excluded; `undefined` if the Track has no Item there or its row
   * is deleted.
   *
   * Costs the Track's index once; then requests for header, row offsets, and columns and values side by side, one after another, fewer where
   * they are close to each other or kept, one for the length in the outboard beside the first, and what proves them: kilobytes, however
   * large the matrix is. Where `verify` is `always` and the object has no outboard, all of it is fetched.
   *
   * @throws {DreamDbError} `InvalidArgument`, also for rows that the matrix has not; `WrongKind` for a Constant; `Unsupported` for a chunked Item; `PayloadHeader`,
   * `ShapeMismatch`, `PayloadLength` before anything but the header is fetched; `OffsetTerminal`, `OffsetOrder`, `ColumnBounds`,
   * `ColumnOrder`; `HashMismatch`; `TooLarge`; `RequestBudget`; the store's codes; each with `field` and `anchor`
   */
  async readRows(anchor: U64, rows: RowRangeInit, options: ItemReadOptions = {}): Promise<CsrRows<D> | undefined> {
    const [at, range] = [toU64("an anchor", anchor), rangeArgument(rows)];
    const read = await this.rowsAt<D>(at, range, options);
    if (read === undefined) return undefined;
    const { rowOffsets, columnIndices, values, rowCount, itemBytes, verified, checked } = read;
    const { dtype } = this.#type;
    const family = "sparse-csr";
    const shape = [range.end - range.start, this.#type.shape[1]] as const;
    const context = { rows: range, anchor: at, rowCount, itemBytes, verified, checked, type: this.#type };
    return { family, kind: family, dtype, shape, rowOffsets, columnIndices, values, ...context };
  }
}
