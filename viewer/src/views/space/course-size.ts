/** How much the matrices of a window are, known before any is read. */
import type { ArrayFieldInfo } from "dreamdb-arrays";
import { type FieldAnchors, lowerBound, type Window } from "../../data/anchors.js";

/** More than either is read only if a person says so. */
export const MOST_BYTES = 64e6;
export const MOST_ITEMS = 200_000;

const BYTES: Readonly<Record<string, number>> = { f32: 4, f64: 8, i8: 1, i16: 2, i32: 4, i64: 8, u8: 1, u16: 2, u32: 4, u64: 8 };

/** How much it is. */
export interface Size {
  readonly items: number;
  readonly bytes: number;
  readonly isMuch: boolean;
}

/** How much the matrices of a window are. */
export function sizeOf({ dtype }: ArrayFieldInfo, anchors: FieldAnchors | undefined, { start, end }: Window): Size {
  const items = anchors === undefined ? 1 : lowerBound(anchors.live, end) - lowerBound(anchors.live, start);
  const bytes = items * 16 * (BYTES[dtype] ?? 8);
  return { items, bytes, isMuch: bytes > MOST_BYTES || items > MOST_ITEMS };
}
