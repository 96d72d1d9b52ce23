/**
 * The playhead: the anchor at which the dataset is looked at, and playing.
 *
 * Anchors have no unit that is declared, so playing goes by Items of the chosen field, so many a second, never by time. It waits for each Item to be shown:
 * a slow source is played slowly, not with gaps.
 */
import { effect, signal } from "@preact/signals";
import { type FieldAnchors, holdsAt, lowerBound } from "../data/anchors.js";
import { go, link } from "./link.js";

/** Whether it plays. */
export const playing = signal(false);
/** Items a second. */
export const rate = signal(10);
/** Anchors of the field that is looked at, along which it steps; `undefined` until they are known, and for Constants. */
export const track = signal<FieldAnchors | undefined>(undefined);
/** Whether what is at the playhead is still being read. */
export const isBusy = signal(false);

/** Goes to the Item so many Items away; to the first or last for what lies beyond. */
export function step(items: number): void {
  const live = track.peek()?.live;
  if (live === undefined || live.length === 0) return;
  const at = indexOf(track.peek(), link.peek().anchor);
  const next = live[Math.min(live.length - 1, Math.max(0, at + items))];
  if (next !== undefined) go({ anchor: next });
}

/** Goes to the first or the last Item. */
export function toEnd(isLast: boolean): void {
  const anchor = track.peek()?.live.at(isLast ? -1 : 0);
  if (anchor !== undefined) go({ anchor });
}

/** Goes to where something is, near an anchor. */
export function moveTo(anchor: bigint): void {
  go({ anchor });
}

/** Place of the Item that holds at an anchor. */
export function indexOf(anchors: FieldAnchors | undefined, anchor: bigint | undefined): number {
  if (anchors === undefined) return 0;
  const held = anchor === undefined ? anchors.live[0] : holdsAt(anchors, anchor);
  return held === undefined ? 0 : lowerBound(anchors.live, held);
}

effect(() => {
  if (!playing.value) return;
  const timer = setInterval(() => {
    if (isBusy.peek()) return;
    const anchors = track.peek();
    const isAtEnd = anchors === undefined || indexOf(anchors, link.peek().anchor) >= anchors.live.length - 1;
    if (isAtEnd) playing.value = false;
    else step(1);
  }, 1000 / rate.value);
  return () => clearInterval(timer);
});
