/** Reading a window of a dense field, or of a scalar column of numbers, as rows. */
import { type ArrayFieldInfo, type Dataset, isArrayField, type ScalarFieldInfo } from "dreamdb-arrays";
import type { ItemCost } from "../windowed/admit.js";
import type { ReadWindow } from "../windowed/use-window.js";
import { type NumberRows, withoutReplaced } from "./columns.js";

const WIDTHS = { f32: 4, f64: 8, i8: 1, i16: 2, i32: 4, i64: 8, u8: 1, u16: 2, u32: 4, u64: 8 } as const;
/** Of a scalar. */
const SCALAR_BYTES = 8;

/** What one Item costs, as it is declared. */
export function costOf(info: ArrayFieldInfo | ScalarFieldInfo): ItemCost {
  return isArrayField(info) ? { bytes: elementsOf(info) * WIDTHS[info.dtype], isRequest: true } : { bytes: SCALAR_BYTES, isRequest: false };
}

function elementsOf({ shape = [] }: ArrayFieldInfo): number {
  return Number(shape.reduce((product, extent) => product * extent, 1n));
}

/** What reads a window of the field. Rows that were deleted are not among what is read. */
export function readerOf(ds: Dataset, info: ArrayFieldInfo | ScalarFieldInfo): ReadWindow<NumberRows> {
  return async ({ start, end }, { signal, onItems }) => {
    if (isArrayField(info)) {
      const column = await ds.array(info.name).column({ start, end, signal, onProgress: ({ items }) => onItems(items) });
      const { anchors, dtype, data, verified } = column;
      return withoutReplaced({ anchors, dtype, data, width: elementsOf(info), verified });
    }
    const { anchors, values, verified } = await ds.scalar(info.name).column({ start, end, signal });
    const data = numbersOf(values);
    return { anchors, dtype: data instanceof Float64Array ? "f64" : "i64", data, width: 1, verified };
  };
}

/** The numbers of a column of them; this view is offered for no others. */
function numbersOf(values: unknown): Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> {
  if (values instanceof BigInt64Array || values instanceof Float64Array) return values as Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
  throw new TypeError("a column of something other than numbers");
}
