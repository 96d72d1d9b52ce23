/**
 * Where a field has Items: what a timeline draws and the playhead steps along.
 *
 * All of it for a field of ordinary size. Of a Track of many Items only those of the window are asked for, since the whole index of a billion Items
 * is nobody's to download.
 */
import { type Dataset, type FieldInfo, isScalarField } from "dreamdb-arrays";
import { type Anchored, anchoredField } from "./fields.js";

/** Anchors of a field within a window. */
export interface FieldAnchors {
  /** Items of the whole Track, deleted and replaced ones included. */
  readonly count: number;
  /** Whether these are all anchors of the field, whatever the window. */
  readonly isWhole: boolean;
  /** Extent that these anchors are of. */
  readonly window: Window;
  /** Anchors with an Item that is there, ascending. */
  readonly live: BigUint64Array;
  /** Anchors with an Item whose row was deleted, ascending. */
  readonly deleted: BigUint64Array;
}

/** A half-open window of anchors. */
export interface Window {
  readonly start: bigint;
  readonly end: bigint;
}

/** Above this many Items of a Track only a window of them is looked at. */
export const WHOLE_UP_TO = 262_144;

const wholes = new WeakMap<Dataset, Map<string, Promise<FieldAnchors>>>();

/** The extent of a field, as the manifest has it. */
export function coverageOf({ coverage }: FieldInfo): Window {
  return { start: coverage.start, end: coverage.end };
}

/** A window of a Track of so many Items that holds about as many as are looked at at once, from its start. */
export function firstWindow({ coverage }: FieldInfo, count: number): Window {
  const { start, end } = coverage;
  if (count <= WHOLE_UP_TO) return { start, end };
  const part = ((end - start) * BigInt(WHOLE_UP_TO)) / BigInt(count);
  return { start, end: start + (part < 1n ? 1n : part) };
}

/** Anchors of a field: all, or those of a window of a long Track. */
export async function anchorsOf(ds: Dataset, info: FieldInfo, window: Window | undefined, signal: AbortSignal): Promise<FieldAnchors> {
  const kept = wholes.get(ds) ?? new Map<string, Promise<FieldAnchors>>();
  wholes.set(ds, kept);
  const whole = kept.get(info.name);
  if (whole !== undefined) return whole;
  const field = anchoredField(ds, info);
  if (field === undefined) throw new TypeError(`${info.name} has no anchors`);
  // The list of deletions comes beside the index, not after it. Its failure is told where it is waited for.
  const deletions = ds.deletedAnchors({ ...coverageOf(info), signal });
  deletions.catch(() => undefined);
  // The index of a scalar column does not say how many rows it has; its anchors come with its values.
  const count = isScalarField(info) ? 0 : await field.count({ signal });
  if (count > WHOLE_UP_TO) return read(info, field, count, window ?? firstWindow(info, count), deletions, signal);
  // Kept for good, so nobody's signal ends it; what it waits for is read already, or read again.
  const all = read(info, field, count, undefined, deletions.catch(() => ds.deletedAnchors(coverageOf(info))));
  kept.set(info.name, all);
  all.catch(() => kept.delete(info.name));
  return all;
}

async function read(info: FieldInfo, field: Anchored, count: number, window: Window | undefined, deletions: Promise<BigUint64Array>, signal?: AbortSignal): Promise<FieldAnchors> {
  const { start, end } = window ?? coverageOf(info);
  const [anchors, gone] = await Promise.all([field.anchors(window === undefined ? {} : { start, end, signal }), deletions]);
  const isGone = new Set(gone);
  const stored = anchors.filter((anchor, at) => anchor !== anchors[at - 1]);
  return {
    count: isScalarField(info) ? anchors.length : count,
    isWhole: window === undefined,
    window: { start, end },
    live: gone.length === 0 ? stored : stored.filter((anchor) => !isGone.has(anchor)),
    deleted: gone.length === 0 ? new BigUint64Array(0) : stored.filter((anchor) => isGone.has(anchor)),
  };
}

/** Number of anchors below `anchor`. */
export function lowerBound(anchors: BigUint64Array, anchor: bigint): number {
  let [low, high] = [0, anchors.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((anchors[middle] ?? 0n) < anchor) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The Item that holds at an anchor: the last one at or before it, else the first after it. */
export function holdsAt({ live }: FieldAnchors, anchor: bigint): bigint | undefined {
  const at = lowerBound(live, anchor + 1n);
  return live[at - 1] ?? live[0];
}
