/** The window of anchors that timeline and views look at. */
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import { coverageOf, type Window } from "../data/anchors.js";
import { go, link } from "./link.js";

/** Extent of all fields that have anchors; one that was never written says [0, 1), and is left out if there are others. */
export function boundsOf(ds: Dataset): Window {
  const anchored = ds.fields.filter(({ trackKind }) => trackKind !== "constant").map(coverageOf);
  const written = anchored.filter(({ start, end }) => !(start === 0n && end === 1n));
  const [first, ...others] = written.length > 0 ? written : anchored;
  if (first === undefined) return { start: 0n, end: 1n };
  return others.reduce((sum, one) => ({ start: one.start < sum.start ? one.start : sum.start, end: one.end > sum.end ? one.end : sum.end }), first);
}

/** The window that the address has, else all of it. */
export function windowOf(ds: Dataset): Window {
  const { from, to } = link.value;
  return from !== undefined && to !== undefined && from < to ? { start: from, end: to } : boundsOf(ds);
}

/** The part of the window that a field can have Items in; its whole coverage, unless a window was chosen. */
export function windowOfField(info: FieldInfo): Window {
  const { from, to } = link.value;
  const { start, end } = coverageOf(info);
  if (from === undefined || to === undefined || from >= to) return { start, end };
  return { start: from > start ? from : start, end: to < end ? to : end };
}

/** Chooses a window; all of it is no choice. */
export function chooseWindow(ds: Dataset, { start, end }: Window): void {
  const bounds = boundsOf(ds);
  const isAll = start <= bounds.start && end >= bounds.end;
  go(isAll ? { from: undefined, to: undefined } : { from: start, to: end });
}
