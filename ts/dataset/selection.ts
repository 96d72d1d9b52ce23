/**
 * Selected Items of a Track: anchors, and where the index entry of each is. Parallel columns, since there may be millions.
 *
 * What is selected is decided by track.ts and anchored-field.ts; what is read for it, by the kinds of fields.
 */
import type { CoreEntries } from "../../pkg/dreamdb_arrays.js";
import { lowerBound, startsOf } from "./entries.js";

/** Entries that were decoded together. */
export interface Part {
  readonly entries: CoreEntries;
  /** Whether they are all that the Track has: only then do they tell all of a pack's Items. */
  readonly isWhole: boolean;
}

/** Items, in the order in which they are to be read. */
export interface Selection {
  readonly anchors: BigUint64Array<ArrayBuffer>;
  readonly parts: readonly Part[];
  /** For each Item the number of its part. */
  readonly partOf: Uint32Array;
  /** For each Item its position in its part. */
  readonly positions: Uint32Array;
}

/** Where the entry of one Item is. */
export interface Found {
  readonly part: Part;
  readonly position: number;
}

/** No Items. */
export const NOTHING: Selection = {
  anchors: new BigUint64Array(0),
  parts: [],
  partOf: new Uint32Array(0),
  positions: new Uint32Array(0),
};

/** Items with anchors from `start` up to `end`, ascending; of several media Items at one anchor the last one, which is in force. */
export function within(part: Part, start: bigint, end: bigint | undefined): Selection {
  const starts = startsOf(part.entries);
  const [from, to] = [lowerBound(starts, start), end === undefined ? starts.length : lowerBound(starts, end)];
  const count = Math.max(0, to - from);
  const positions = new Uint32Array(count);
  let kept = 0;
  // Only media may have several at an anchor; the core refuses that of arrays.
  const unique = part.entries.form !== "fragments";
  for (let at = from; at < to; at++) if (unique || at + 1 === starts.length || starts[at] !== starts[at + 1]) positions[kept++] = at;
  const anchors = new BigUint64Array(kept);
  if (kept === count) anchors.set(starts.subarray(from, from + count));
  else for (let at = 0; at < kept; at++) anchors[at] = starts[positions[at] ?? 0] ?? 0n;
  return { anchors, parts: [part], partOf: new Uint32Array(kept), positions: positions.subarray(0, kept) };
}

/** Items one after another, as they were found. */
export function select(anchors: readonly bigint[], found: readonly Found[]): Selection {
  const numbers = new Map<Part, number>();
  const partOf = Uint32Array.from(found, ({ part }) => {
    const number = numbers.get(part) ?? numbers.size;
    numbers.set(part, number);
    return number;
  });
  return {
    anchors: BigUint64Array.from(anchors),
    parts: [...numbers.keys()],
    partOf,
    positions: Uint32Array.from(found, ({ position }) => position),
  };
}

/** A run of a selection. */
export function slice({ anchors, parts, partOf, positions }: Selection, from: number, to: number): Selection {
  return { anchors: anchors.slice(from, to), parts, partOf: partOf.subarray(from, to), positions: positions.subarray(from, to) };
}

/** Selections one after another. */
export function concat(selections: readonly Selection[]): Selection {
  const [first] = selections;
  if (first === undefined) return NOTHING;
  if (selections.length === 1) return first;
  const count = selections.reduce((sum, { anchors }) => sum + anchors.length, 0);
  const all = { anchors: new BigUint64Array(count), parts: [] as Part[], partOf: new Uint32Array(count), positions: new Uint32Array(count) };
  let at = 0;
  for (const { anchors, parts, partOf, positions } of selections) {
    all.anchors.set(anchors, at);
    all.positions.set(positions, at);
    const base = all.parts.length;
    for (let item = 0; item < partOf.length; item++) all.partOf[at + item] = base + (partOf[item] ?? 0);
    all.parts.push(...parts);
    at += anchors.length;
  }
  return all;
}

/** What is left of ascending Items without those at the given anchors, which are ascending, too. */
export function without(selection: Selection, deleted: BigUint64Array): Selection {
  const { anchors, parts, partOf, positions } = selection;
  if (deleted.length === 0 || anchors.length === 0) return selection;
  const kept: number[] = [];
  let next = lowerBound(deleted, anchors[0] ?? 0n);
  for (let at = 0; at < anchors.length; at++) {
    const anchor = anchors[at] ?? 0n;
    while (next < deleted.length && (deleted[next] ?? 0n) < anchor) next++;
    if (deleted[next] !== anchor) kept.push(at);
  }
  if (kept.length === anchors.length) return selection;
  return {
    anchors: BigUint64Array.from(kept, (at) => anchors[at] ?? 0n),
    parts,
    partOf: Uint32Array.from(kept, (at) => partOf[at] ?? 0),
    positions: Uint32Array.from(kept, (at) => positions[at] ?? 0),
  };
}
