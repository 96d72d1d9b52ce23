/**
 * Reading what a field has in the window: once for a window and all windows within it, so that zooming in reads nothing.
 *
 * Going to another field or beyond what was read cancels what is under way.
 */
import { useMemo, useRef, useState } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import { type FieldAnchors, lowerBound, type Window } from "../../data/anchors.js";
import { lastOf, type Reading, useReading } from "../../reading.js";
import { windowOfField } from "../../state/window.js";
import { admit, type Admission, contains, type ItemCost } from "./admit.js";

/** What a windowed view works with. */
export interface Windowed<T> {
  readonly window: Window;
  readonly admission: Admission;
  readonly reading: Reading<T | undefined>;
  /** What was read, and which rows of it lie in the window. */
  readonly rows: { readonly all: T; readonly from: number; readonly to: number } | undefined;
  /** How many Items have come, while they come. */
  readonly done: number;
  agree(): void;
  /** Takes the agreement back: ends the read. */
  withdraw(): void;
}

/** How a window is read. */
export type ReadWindow<T> = (window: Window, options: { readonly signal: AbortSignal; readonly onItems: (items: number) => void }) => Promise<T>;

/** The rows of the window that the address has. */
export function useWindow<T extends { readonly anchors: BigUint64Array }>(
  ds: Dataset,
  info: FieldInfo,
  anchors: FieldAnchors,
  cost: ItemCost,
  read: ReadWindow<T>,
): Windowed<T> {
  const window = windowOfField(info);
  const kept = useRef<Window | undefined>(undefined);
  const [agreed, setAgreed] = useState(0);
  const [done, setDone] = useState(0);
  const isKept = kept.current !== undefined && contains(kept.current, window);
  const target = isKept && kept.current !== undefined ? kept.current : window;
  const admission = admit(anchors, window, cost, agreed);
  const isDue = isKept || admission.verdict === "read";
  const reading = useReading<T | undefined>([ds, info], [target.start, target.end, isDue], async (signal) => {
    if (!isDue || target.start >= target.end) return undefined;
    setDone(0);
    const rows = await read(target, { signal, onItems: (items) => !signal.aborted && setDone(items) });
    if (!signal.aborted) kept.current = target;
    return rows;
  });
  const all = isDue ? lastOf(reading) : undefined;
  const rows = useMemo(
    () => (all === undefined ? undefined : { all, from: lowerBound(all.anchors, window.start), to: lowerBound(all.anchors, window.end) }),
    [all, window.start, window.end],
  );
  return { window, admission, reading, rows, done, agree: () => setAgreed(admission.items), withdraw: () => setAgreed(0) };
}
