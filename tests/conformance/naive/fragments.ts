/** Fragment entries and packs: every rule of 0022 §3 looked at by itself. */
import type { FragmentEntry, StoredObject } from "../../../ts/conformance/implementation.js";
import { address, base32 } from "../support/address.js";
import { concat } from "../support/cbor-writer.js";
import { type Cbor, CborMap, decode, isList, isUint } from "./cbor.js";
import { Refusal } from "./refusal.js";

function addressOf(value: Cbor | undefined): string {
  if (!(value instanceof Uint8Array)) throw new Refusal("EntryType");
  if (value.byteLength !== 33 || value[0] !== 0x1e) throw new Refusal("Multihash");
  return base32(value);
}

function uintOf(value: Cbor | undefined): bigint {
  if (typeof value !== "bigint") throw new Refusal("EntryType");
  if (!isUint(value)) throw new Refusal("IntegerRange");
  return value;
}

/** The entries of an index, in wire order. */
export function fragmentEntries(objectIndex: Uint8Array): FragmentEntry[] {
  const index = decode(objectIndex);
  if (!isList(index)) throw new Refusal("TrackField");
  return index.map((entry) => {
    if (!isList(entry)) throw new Refusal("EntryType");
    if (entry.length < 4) throw new Refusal("EntryTooShort");
    const [start, end, byteSize] = [uintOf(entry[0]), uintOf(entry[1]), uintOf(entry[2])];
    const named = addressOf(entry[3]);
    const [, , , , flag = false, offset] = entry;
    if (typeof flag !== "boolean") throw new Refusal("EntryType");
    if (offset !== undefined && typeof offset !== "bigint") throw new Refusal("EntryType");
    if (offset !== undefined && !(offset >= 0n && offset < 1n << 32n)) throw new Refusal("IntegerRange");
    if (start >= end) throw new Refusal("EntryExtent");
    const form = flag ? "chunked" : offset === undefined ? "single" : "packed";
    return { start, end, byteSize, address: named, form, ...(form === "packed" ? { packOffset: Number(offset) } : {}) };
  });
}

/** The Items of an index, by ascending start. */
export function readFragments(
  objectIndex: Uint8Array,
  objects: readonly StoredObject[],
  window: readonly [bigint, bigint] | undefined,
): [bigint, Uint8Array][] {
  const entries = fragmentEntries(objectIndex);
  const fetch = (folder: string, named: string): Uint8Array => {
    const found = objects.find(({ path }) => path === `${folder}/${named}`);
    if (found === undefined) throw new Refusal("NotFound");
    if (address(found.bytes) !== named) throw new Refusal("HashMismatch");
    return found.bytes;
  };
  const inBucket = (named: string) => fetch("0000000000000000", named);
  const sorted = [...entries].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const asked = sorted.filter(({ start }) => window === undefined || (start >= window[0] && start < window[1]));
  return asked.map((entry) => {
    const { start, byteSize, address: named, packOffset = 0 } = entry;
    if (entry.form === "chunked") return [start, chunked(fetch("items", named), byteSize, inBucket)];
    const body = inBucket(named);
    if (entry.form === "single") {
      if (BigInt(body.byteLength) !== byteSize) throw new Refusal("PayloadLength");
      return [start, body];
    }
    checkPack(entries.filter((other) => other.form === "packed" && other.address === named), BigInt(body.byteLength));
    return [start, body.slice(packOffset, packOffset + Number(byteSize))];
  });
}

function chunked(list: Uint8Array, byteSize: bigint, fetch: (named: string) => Uint8Array): Uint8Array {
  const manifest = decode(list, true);
  if (!(manifest instanceof CborMap)) throw new Refusal("ChunkLength");
  const chunks = manifest.get("chunks");
  if (!isList(chunks)) throw new Refusal("ChunkLength");
  const bodies = chunks.map((chunk) => {
    if (!(chunk instanceof CborMap)) throw new Refusal("ChunkLength");
    const body = fetch(addressOf(chunk.get("hash")));
    if (BigInt(body.byteLength) !== chunk.get("size")) throw new Refusal("ChunkLength");
    return body;
  });
  const body = concat(...bodies);
  const length = BigInt(body.byteLength);
  if (length !== manifest.get("total_size") || length !== byteSize) throw new Refusal("ChunkLength");
  return body;
}

/** 0022 §3.4 over the ranges of one pack. */
function checkPack(entries: readonly FragmentEntry[], length: bigint): void {
  const ranges = entries.map(({ packOffset = 0, byteSize }) => [BigInt(packOffset), BigInt(packOffset) + byteSize] as const);
  if (ranges.some(([, end]) => end > length)) throw new Refusal("PackSliceOutOfBounds");
  const distinct = new Map(ranges.filter(([start, end]) => start < end).map((range) => [range.join(), range]));
  const order = [...distinct.values()].sort((a, b) => (a[0] !== b[0] ? (a[0] < b[0] ? -1 : 1) : a[1] < b[1] ? -1 : 1));
  let at = 0n;
  for (const [start, end] of order) {
    if (start !== at) throw new Refusal("PackInvariant");
    at = end;
  }
  if (at !== length) throw new Refusal("PackLength");
}
