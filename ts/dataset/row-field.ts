/** What fields of ragged and CSR arrays have in common: rows of an Item, read without the rest of it (0025 §11.4). */
import { kindOf, refused } from "../codec/arguments.js";
import type { DType } from "../codec/dtype.js";
import { toU64, type U64 } from "../codec/integers.js";
import type { CsrType, ItemType, RaggedType } from "../codec/item-type.js";
import type { ArrayValue } from "../codec/values.js";
import { withContext } from "../error-context.js";
import { newCall } from "../io/call.js";
import type { Verified } from "../io/verifier.js";
import { ArrayField } from "./array-field.js";
import type { ItemReadOptions } from "./field.js";
import { readRows, type ReadRows, type RowRange, type RowsChecked } from "./rows-by-range.js";

/** Rows to be read: from `start` to `end`, the latter excluded. */
export interface RowRangeInit {
  /** The first row, from 0. */
  readonly start: U64;
  /** The row after the last. */
  readonly end: U64;
}

/** What accompanies rows of an Item. */
export interface RowsContext<T extends ItemType = ItemType> {
  /** Anchor of the Item. */
  readonly anchor: bigint;
  /** Rows of the whole Item. */
  readonly rowCount: bigint;
  /** Bytes of the whole Item, as its header has them: what reading all of it would take. */
  readonly itemBytes: bigint;
  /** The least that was checked against the content address of any byte that was read. */
  readonly verified: Verified;
  /** What of the Item's structure was checked. */
  readonly checked: RowsChecked;
  /** The declared type of Items. */
  readonly type: T;
}

/** A field whose Items have rows. */
export abstract class RowField<V extends ArrayValue = ArrayValue> extends ArrayField<V> {
  /** @internal Reads rows of the Item at an anchor, if there is one. */
  protected async rowsAt<D extends DType>(anchor: bigint, range: RowRange, { signal }: ItemReadOptions): Promise<ReadRows<D> | undefined> {
    try {
      const call = newCall(signal);
      const item = await this.located(anchor, call);
      if (typeof item === "string") return undefined;
      const { type, typeCbor } = this.info;
      return await readRows({ objects: this.access.objects, declared: { type: type as RaggedType<D> | CsrType<D>, cbor: typeCbor }, item, range }, call);
    } catch (error) {
      throw withContext(error, { field: this.name, anchor });
    }
  }
}

/** The range of one row. */
export function rowArgument(row: U64): RowRange {
  const start = toU64("a row", row);
  return { start, end: toU64("the end of a row", start + 1n) };
}

/** A range of rows. */
export function rangeArgument(rows: RowRangeInit): RowRange {
  const given: unknown = rows;
  if (typeof given !== "object" || given === null) throw refused("rows", "a range of rows", kindOf(given));
  const [start, end] = [toU64("`rows.start`", rows.start), toU64("`rows.end`", rows.end)];
  if (start > end) throw refused("rows", "a range that ends after it starts", `${start} to ${end}`);
  return { start, end };
}
