/** Reading a window of a scalar column as rows with exact texts. */
import type { AnyTypedArray, Dataset, ScalarFieldInfo, Verified } from "dreamdb-arrays";
import { valueText } from "../../data/numbers.js";
import type { ReadWindow } from "../windowed/use-window.js";

/** Rows, ascending by anchor. */
export interface LabelRows {
  readonly anchors: BigUint64Array;
  readonly verified: Verified;
  /** The values where they are numbers; of truth values 0 and 1. */
  readonly data: AnyTypedArray | undefined;
  /** The value of a row, exactly. */
  textOf(row: number): string;
}

/** What reads a window. Rows that were deleted are not among what is read. */
export function readerOf(ds: Dataset, info: ScalarFieldInfo): ReadWindow<LabelRows> {
  return async ({ start, end }, { signal }) => {
    const { anchors, values, verified } = await ds.scalar(info.name).column({ start, end, signal });
    if (Array.isArray(values)) return { anchors, verified, data: undefined, textOf: (row) => values[row] ?? "" };
    const isTruth = info.valueType === "bool";
    return { anchors, verified, data: values, textOf: (row) => (isTruth ? String(values[row] === 1) : valueText(values[row] ?? "")) };
  };
}
