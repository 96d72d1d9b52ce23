/** Finding rows by place or anchor. */
import { lowerBound } from "../../data/anchors.js";

/** The row of a span whose place is nearest; the earlier one of two. */
export function rowNear(places: Float64Array, place: number, from: number, to: number): number | undefined {
  if (to <= from) return undefined;
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  if (low === to) return to - 1;
  if (low === from) return from;
  return place - (places[low - 1] ?? 0) <= (places[low] ?? 0) - place ? low - 1 : low;
}

/** The row at an anchor. */
export function rowAt(anchors: BigUint64Array, anchor: bigint): number | undefined {
  const row = lowerBound(anchors, anchor);
  return anchors[row] === anchor ? row : undefined;
}
