/** What a view is given, and what views do alike. */
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import type { FieldAnchors } from "../data/anchors.js";
import { isBusy } from "../state/playhead.js";
import { shown, type Shown } from "../state/shown.js";

/** What a view is given. Its choices (colours, axes, …) are in `link.choices`, changed by `choose`. */
export interface ViewProps<I extends FieldInfo = FieldInfo> {
  readonly ds: Dataset;
  readonly info: I;
  /** Where the field has Items; `undefined` of a Constant. */
  readonly anchors: FieldAnchors | undefined;
  /** Anchor of the Item to show, the one that holds at the playhead; `undefined` of a Constant. */
  readonly anchor: bigint | undefined;
}

/** Says what is on screen, each time it changes; that nothing is, when the view goes. */
export function useShown(make: () => Shown | undefined, inputs: readonly unknown[]): void {
  useEffect(() => {
    shown.value = make();
  }, inputs);
  useEffect(() => () => {
    shown.value = undefined;
  }, []);
}

/** Keeps the playhead from moving on while an Item is being read. */
export function useBusy(isReading: boolean): void {
  // At once: the next step may be due before the browser has painted.
  useLayoutEffect(() => {
    isBusy.value = isReading;
    return () => {
      isBusy.value = false;
    };
  }, [isReading]);
}
