/** Matrices in a row: those of a window, or the one of a Constant. */
import type { ArrayFieldInfo, Dataset } from "dreamdb-arrays";
import { DreamDbError } from "dreamdb-arrays";
import type { NumberRows } from "../lines/columns.js";
import { inCOrder } from "./triples.js";

/** Sixteen elements for each, in C order. A Constant has no anchor. */
export type Course = Pick<NumberRows, "anchors" | "data" | "dtype" | "verified">;

/** The part of what was read that lies in the window. */
export function partOf({ anchors, data, dtype, verified }: NumberRows, from: number, to: number): Course {
  return { anchors: anchors.subarray(from, to), data: data.subarray(16 * from, 16 * to), dtype, verified };
}

/** The matrix of a Constant. */
export async function readConstant(ds: Dataset, { name }: ArrayFieldInfo, signal: AbortSignal): Promise<Course> {
  const item = await ds.array(name).readConstant({ signal });
  if (item === undefined) throw new DreamDbError("NotFound", `field ${JSON.stringify(name)} has no value`, { field: name });
  return { anchors: new BigUint64Array(0), data: inCOrder(item), dtype: item.dtype, verified: item.verified };
}
