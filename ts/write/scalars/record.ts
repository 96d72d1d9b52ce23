/**
 * Records: the sets of anchors that have one value, as dataset/scalars/rows.ts reads them. The byte 1, the number of buckets, and of each the high half of
 * its anchors and a Roaring bitmap of the low halves in the portable format, without runs, as the reference makes none.
 */
import { joined } from "../cbor.js";

/** Cookie of bitmaps without runs. */
const COOKIE = 12346;

/** Most values of a container that are written one by one. */
const MOST_LISTED = 4096;

/** The record of anchors, which are strictly ascending. */
export function recordOf(anchors: readonly bigint[]): Uint8Array {
  const buckets = grouped(anchors, (anchor) => Number(anchor >> 32n));
  const front = new Uint8Array(9);
  front[0] = 1;
  new DataView(front.buffer).setBigUint64(1, BigInt(buckets.length), true);
  return joined([front, ...buckets.flatMap(([high, own]) => [words([high]), ...bitmap(own.map((anchor) => Number(anchor & 0xffff_ffffn)))])]);
}

function bitmap(lows: readonly number[]): Uint8Array[] {
  const containers = grouped(lows, (low) => low >>> 16);
  const bodies = containers.map(([, own]) => container(own));
  let offset = 8 + 8 * containers.length;
  const offsets = bodies.map(({ byteLength }) => (offset += byteLength) - byteLength);
  const described = containers.map(([key, own]) => key + (own.length - 1) * 0x1_0000);
  return [words([COOKIE, containers.length, ...described, ...offsets]), ...bodies];
}

function container(lows: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(Math.min(2 * lows.length, 8192));
  if (lows.length <= MOST_LISTED) {
    const view = new DataView(bytes.buffer);
    for (const [at, low] of lows.entries()) view.setUint16(2 * at, low & 0xffff, true);
  } else {
    for (const low of lows) bytes[(low & 0xffff) >> 3] = (bytes[(low & 0xffff) >> 3] ?? 0) | (1 << (low & 7));
  }
  return bytes;
}

/** Integers of 32 bits, little-endian. */
function words(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of values.entries()) view.setUint32(4 * at, value, true);
  return bytes;
}

/** Runs of what has the same key, in order. */
function grouped<T>(all: readonly T[], keyOf: (one: T) => number): [key: number, own: T[]][] {
  const groups: [number, T[]][] = [];
  for (const one of all) {
    const key = keyOf(one);
    const last = groups.at(-1);
    if (last?.[0] === key) last[1].push(one);
    else groups.push([key, [one]]);
  }
  return groups;
}
