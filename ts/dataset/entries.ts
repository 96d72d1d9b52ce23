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

/** Addresses at positions of a column, one after another: of neighbours the part of the column that they are. */
export function addressBytesAt(addresses: Uint8Array, positions: Uint32Array): Uint8Array {
  const [first, last] = [positions[0] ?? 0, positions.at(-1) ?? 0];
  if (last - first === positions.length - 1) return addresses.subarray(ADDRESS * first, ADDRESS * (last + 1));
  const picked = new Uint8Array(ADDRESS * positions.length);
  for (const [at, position] of positions.entries()) picked.set(addresses.subarray(ADDRESS * position, ADDRESS * (position + 1)), ADDRESS * at);
  return picked;
}

/** Texts of the addresses at positions of a column: one crossing for all of them. */
export function addressesAt(addresses: Uint8Array, positions: Uint32Array): string[] {
  const texts = call((core) => core.addressTexts(addressBytesAt(addresses, positions)));
  const each = new Array<string>(positions.length);
  for (let at = 0; at < each.length; at++) each[at] = texts.slice(at * ADDRESS_TEXT, (at + 1) * ADDRESS_TEXT);
  return each;
}
