/** Whether the Items of a window are read at once, only when a person agrees, or not at all: nobody's gigabytes are read unasked. */
import type { FieldAnchors, Window } from "../../data/anchors.js";
import { lowerBound } from "../../data/anchors.js";

/** More Items than these are never read into one plot. */
export const MOST_ITEMS = 200_000;
/** Above this many requests, one for each Item, a person is asked. */
export const ASK_ITEMS = 20_000;
/** Above this many bytes of values a person is asked. */
export const ASK_BYTES = 64_000_000;

/** What is to become of a window. */
export interface Admission {
  readonly verdict: "read" | "ask" | "too-many";
  /** Items in the window; of the whole Track if not all of the window's anchors are known. */
  readonly items: number;
  /** Bytes of their values, by the declared type. */
  readonly bytes: number;
}

/** What an Item costs. */
export interface ItemCost {
  /** Bytes of its value. */
  readonly bytes: number;
  /** Whether each may take a request of its own, as those of arrays do; rows of scalars come many at a time. */
  readonly isRequest: boolean;
}

/** Judges a window of Items; `agreed` is how many of them a person has agreed to. */
export function admit(anchors: FieldAnchors, window: Window, cost: ItemCost, agreed: number): Admission {
  const isKnown = anchors.isWhole || (window.start >= anchors.window.start && window.end <= anchors.window.end);
  const items = isKnown ? Math.max(0, lowerBound(anchors.live, window.end) - lowerBound(anchors.live, window.start)) : anchors.count;
  const bytes = items * cost.bytes;
  if (items > MOST_ITEMS) return { verdict: "too-many", items, bytes };
  const isMuch = (cost.isRequest && items > ASK_ITEMS) || bytes > ASK_BYTES;
  return { verdict: isMuch && items > agreed ? "ask" : "read", items, bytes };
}

/** A window of about `items` Items around an anchor. */
export function windowAround({ live }: FieldAnchors, anchor: bigint, items: number): Window | undefined {
  const at = lowerBound(live, anchor);
  const first = Math.max(0, Math.min(at - Math.floor(items / 2), live.length - items));
  const [start, last] = [live[first], live[Math.min(live.length, first + items) - 1]];
  return start === undefined || last === undefined ? undefined : { start, end: last + 1n };
}

/** Whether one window lies within another. */
export function contains(outer: Window, inner: Window): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
