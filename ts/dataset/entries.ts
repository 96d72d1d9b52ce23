/**
 * Index entries as columns, and the search in them. No object is made per entry; addresses stay bytes until an Item is asked for.
 *
 * Where the columns come from is track.ts's and pages.ts's matter.
 */
import type { CoreEntries } from "../../pkg/dreamdb_arrays.js";
import { call } from "../wasm.js";

/** Bytes of an address in a column. */
const ADDRESS = 33;

/** Characters of an address as text. */
const ADDRESS_TEXT = 53;

/** Anchors of entries, ascending; of Items over extents, their first ones. */
export function startsOf(entries: CoreEntries): BigUint64Array {
  return entries.form === "event" ? entries.anchors : entries.starts;
}

/** Number of anchors before `anchor`: where it stands, or would. */
export function lowerBound(anchors: BigUint64Array, anchor: bigint): number {
  let [low, high] = [0, anchors.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((anchors[middle] ?? 0n) < anchor) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of anchors up to `anchor`, which is among them. */
export function upperBound(anchors: BigUint64Array, anchor: bigint): number {
  let [low, high] = [0, anchors.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((anchors[middle] ?? 0n) <= anchor) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Position of the last entry with exactly this anchor: among equal ones the one in force. */
export function findAnchor(anchors: BigUint64Array, anchor: bigint): number | undefined {
  const after = upperBound(anchors, anchor);
  return anchors[after - 1] === anchor ? after - 1 : undefined;
}

/** Text of the address at a position of a column. */
export function addressAt(addresses: Uint8Array, position: number): string {
  return call((core) => core.addressTexts(addresses.subarray(position * ADDRESS, (position + 1) * ADDRESS)));
}

/** Texts of the addresses at positions of a column: one crossing for all of them. */
export function addressesAt(addresses: Uint8Array, positions: Uint32Array): string[] {
  const picked = new Uint8Array(positions.length * ADDRESS);
  for (const [at, position] of positions.entries()) {
    picked.set(addresses.subarray(position * ADDRESS, (position + 1) * ADDRESS), at * ADDRESS);
  }
  const texts = call((core) => core.addressTexts(picked));
  return Array.from(positions, (_, at) => texts.slice(at * ADDRESS_TEXT, (at + 1) * ADDRESS_TEXT));
}
