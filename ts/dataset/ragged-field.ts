/** Fields of ragged arrays: whole Items, and single rows of them (0025 §11.1, §11.4). */
import type { DType, DTypeArrays } from "../codec/dtype.js";
import { toNumber, toU64, type U64 } from "../codec/integers.js";
import type { RaggedType } from "../codec/item-type.js";
import { type RaggedArray, stridesOf } from "../codec/values.js";
import type { ItemReadOptions } from "./field.js";
import { rangeArgument, rowArgument, RowField, type RowRangeInit, type RowsContext } from "./row-field.js";
import type { RowRange } from "./rows-by-range.js";

/** One row of a ragged Item: a dense array of its cells. */
export interface RaggedRow<D extends DType = DType> extends RowsContext<RaggedType<D>> {
  /** Of the elements. */
  readonly dtype: D;
  /** Number of the row. */
  readonly row: bigint;
  /** The elements of its cells. */
  readonly data: DTypeArrays[D];
  /** Number of cells, then the extents of one cell. */
  readonly shape: number[];
  /** Elements between neighbours along each axis. */
  readonly strides: number[];
  /** Layout of `data`: last axis fastest. */
  readonly order: "c";
}

/** Adjacent rows of a ragged Item, as a ragged array of their own: its first offset is 0. */
export interface RaggedRows<D extends DType = DType> extends RaggedArray<D>, RowsContext<RaggedType<D>> {
  /** Which rows these are. */
  readonly rows: RowRange;
}

/** A field of ragged arrays. */
export class RaggedField<D extends DType = DType> extends RowField<RaggedArray<D>> {
  get #type(): RaggedType<D> {
    return this.info.type as RaggedType<D>;
  }

  /**
   * One row of the Item at an anchor, without the rest of it; `undefined` if the Track has no Item there or its row is deleted.
   *
   * Costs the Track's index once, then as {@link readRows}.
   *
   * @throws {DreamDbError} as {@link readRows}
   */
  async readRow(anchor: U64, row: U64, options: ItemReadOptions = {}): Promise<RaggedRow<D> | undefined> {
    const [at, range] = [toU64("an anchor", anchor), rowArgument(row)];
    const read = await this.rowsAt<D>(at, range, options);
    if (read === undefined) return undefined;
    const { rowOffsets, values: data, rowCount, itemBytes, verified, checked } = read;
    const { dtype } = this.#type;
    const shape = [toNumber("the number of cells", rowOffsets[1] ?? 0n), ...this.#innerShape()];
    const strides = stridesOf(shape, "c");
    return { dtype, row: range.start, data, shape, strides, order: "c", anchor: at, rowCount, itemBytes, verified, checked, type: this.#type };
  }

  /**
   * Adjacent rows of the Item at an anchor, from `start` to `end`, the latter excluded; `undefined` if the Track has no Item there or its row is
   * deleted.
   *
   * Costs the Track's index once; then three requests one after another, for header, offsets and cells, fewer where they are close to each
   * other or kept, one for the length in the outboard beside the first, and what proves them: kilobytes, however large the Item is. Where
   * `verify` is `always` and the object has no outboard, all of it is fetched.
   *
   * @throws {DreamDbError} `InvalidArgument`, also for rows that the Item has not; `WrongKind` for a Constant; `Unsupported` for a chunked Item; `PayloadHeader`, `PayloadLength`
   * before anything but the header is fetched; `OffsetTerminal`, `OffsetOrder`; `HashMismatch`; `TooLarge`; `RequestBudget`; the store's
   * codes; each with `field` and `anchor`
   */
  async readRows(anchor: U64, rows: RowRangeInit, options: ItemReadOptions = {}): Promise<RaggedRows<D> | undefined> {
    const [at, range] = [toU64("an anchor", anchor), rangeArgument(rows)];
    const read = await this.rowsAt<D>(at, range, options);
    if (read === undefined) return undefined;
    const { rowOffsets, values, rowCount, itemBytes, verified, checked } = read;
    const [{ dtype }, innerShape] = [this.#type, this.#innerShape()];
    const family = "ragged-array";
    return { family, kind: family, dtype, rowOffsets, values, innerShape, rows: range, anchor: at, rowCount, itemBytes, verified, checked, type: this.#type };
  }

  #innerShape(): number[] {
    return this.#type.innerShape.map((extent) => toNumber("an extent of the declared shape", extent));
  }
}
