/**
 * Packs (0022 §3, §4): several Items in one object, one after another without anything between. Which Items share one is decided above.
 */
import { call } from "../wasm.js";
import { bytesArgument, kindOf, refused } from "./arguments.js";
import { allocate } from "./buffer.js";
import { toU64, type U64 } from "./integers.js";

/** An Item to be packed. */
export interface PackItem {
  /** Its anchor. */
  readonly anchor: U64;
  /** Its bytes, which may be none. */
  readonly bytes: Uint8Array;
}

/** Where an Item of a pack lies; a FragmentEntry of six elements (0022 §3.3). */
export interface PackEntry {
  /** Anchor of the Item. */
  readonly start: bigint;
  /** The anchor after it. */
  readonly end: bigint;
  /** Bytes of the Item. */
  readonly size: bigint;
  /** Of the pack. */
  readonly address: string;
  /** Where the Item begins in the pack, below 2^32. */
  readonly packOffset: bigint;
}

/** A pack that is ready to be stored, at `<path>/0000000000000000/<address>` and `bao-outboard/<address>`. */
export interface Pack {
  /** The Items, one after another. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Of the body. */
  readonly address: string;
  /** Proves ranges of the body. */
  readonly outboard: Uint8Array;
  /** The entries, in the order of the Items. */
  readonly entries: readonly PackEntry[];
}

/** One pack of all these Items. */
export function packOf(items: readonly PackItem[]): Pack {
  if (!Array.isArray(items)) throw refused("items", "a list of { anchor, bytes }", kindOf(items));
  if (items.length === 0) throw refused("items", "at least one Item", "none");
  const given = (items as readonly PackItem[]).map((item, at) => {
    if (typeof item !== "object" || item === null) throw refused(`items[${at}]`, "{ anchor, bytes }", item);
    const { anchor, bytes } = item;
    const start = toU64(`items[${at}].anchor`, anchor);
    if (start === 2n ** 64n - 1n) throw refused(`items[${at}].anchor`, "below 2^64 − 1, where no extent could end", start);
    return { start, bytes: bytesArgument(`items[${at}].bytes`, bytes) };
  });
  const sizes = BigUint64Array.from(given, ({ bytes }) => BigInt(bytes.byteLength));
  // Refuses what offsets of 32 bits cannot name.
  call((core) => core.packGroups(sizes, BigInt(Math.max(2, given.length)), undefined));
  const { body, offsets } = packBody(given.map(({ bytes }) => bytes));
  const { address, bytes: outboard } = call((core) => core.makeOutboard(body));
  const entries = given.map(({ start, bytes }, at) => {
    return { start, end: start + 1n, size: BigInt(bytes.byteLength), address, packOffset: BigInt(offsets[at] ?? 0) };
  });
  return { body, address, outboard, entries };
}

/** Items one after another, and where each begins. */
export function packBody(items: readonly Uint8Array[]): { body: Uint8Array<ArrayBuffer>; offsets: Uint32Array } {
  const size = items.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const body = new Uint8Array(allocate(size, "a pack"));
  const offsets = new Uint32Array(items.length);
  let offset = 0;
  for (const [at, item] of items.entries()) {
    offsets[at] = offset;
    body.set(item, offset);
    offset += item.byteLength;
  }
  return { body, offsets };
}
