/**
 * Index entries as they are encoded, and as rows: those of a Track or page, those to be, and the array that is written of them.
 *
 * What is read here has been decoded by the core before, and is taken apart without a look at what it is.
 */
import { DreamDbError } from "../../errors.js";
import { endingAt, headAt, joined } from "../cbor.js";
import type { NewEntries } from "../store-items.js";
import { ELEMENTS, END, FROM, OBJECT, place, plus, type Pool, ROW, type Rows, TO, viewOf } from "./rows.js";

const ADDRESS = 33;

/** Behind this anchor no extent can end. */
const MAX_U64 = 2n ** 64n - 1n;

/** Most bytes that the elements of a new entry take beside its extent: two numbers, an address, a truth value. */
const MOST_REST = 9 + 2 + ADDRESS + 1 + 5;

/**
 * Entries of an object, in its order.
 *
 * @param at where the array of them begins
 * @param isEvent whether an entry says its anchor, behind an address, or else its extent, in front
 * @param base the start of their page, if anchors are distances from it, and ends durations
 */
export function readRows(object: Uint8Array, at: number, pool: Pool, isEvent: boolean, base?: bigint): Rows {
  const head = headAt(object, at);
  const rows = new Uint8Array(ROW * head.argument);
  const [view, given] = [viewOf(rows), viewOf(object)];
  const own = pool.push(given) - 1;
  let { next } = head;
  for (let row = 0; row < rows.byteLength; row += ROW) {
    const { argument: elements, next: first } = headAt(object, next);
    const address = isEvent ? headAt(object, first).next : first;
    const behind = numberAt(view, row, given, isEvent ? address + ADDRESS : first);
    const further = isEvent ? behind : numberAt(view, row + END, given, behind);
    next = further;
    for (let left = elements - 2; left > 0; left--) next = endingAt(object, next);
    if (base !== undefined) plus(view, row, Number(base >> 32n), Number(base & 0xffff_ffffn));
    const [high, low] = [view.getUint32(row), view.getUint32(row + 4)];
    // Only the last anchor of all has no end behind it.
    if (isEvent) plus(view, row + END, high, low + Number(high + low < 2 * 0xffff_ffff));
    else if (base !== undefined) plus(view, row + END, high, low);
    if (!isEvent) place(view, row, elements, own, further, next);
    else if (elements === 2) place(view, row, elements, own, address, address + ADDRESS);
    else {
      const rest = joined([object.subarray(address, address + ADDRESS), object.subarray(further, next)]);
      place(view, row, elements, pool.push(viewOf(rest)) - 1, 0, rest.byteLength);
    }
  }
  return rows;
}

/** Reads an unsigned integer into two words; gives where it ends. */
function numberAt(view: DataView, slot: number, object: DataView, at: number): number {
  const info = object.getUint8(at) & 31;
  if (info === 27) {
    view.setUint32(slot, object.getUint32(at + 1));
    view.setUint32(slot + 4, object.getUint32(at + 5));
    return at + 9;
  }
  view.setUint32(slot + 4, info < 24 ? info : info === 24 ? object.getUint8(at + 1) : info === 25 ? object.getUint16(at + 1) : object.getUint32(at + 1));
  return at + 1 + (info < 24 ? 0 : 1 << (info - 24));
}

/**
 * Entries to be, in the order in which they are given.
 *
 * @throws {DreamDbError} `InvalidArgument` for columns of different lengths, an unknown form, or the anchor 2^64 − 1
 */
export function newRows({ anchors, addresses, sizes, forms, offsets }: NewEntries, pool: Pool, isArray: boolean, isEvent: boolean): Rows {
  const { length } = anchors;
  const media = isArray ? 0 : length;
  if (addresses.length !== ADDRESS * length || [sizes, forms, offsets].some((column) => column.length !== media)) {
    throw new DreamDbError("InvalidArgument", "the columns of new entries have different lengths");
  }
  const rows = new Uint8Array(ROW * length);
  const rest = isEvent ? addresses : new Uint8Array(MOST_REST * length);
  const [view, out, given] = [viewOf(rows), viewOf(rest), viewOf(addresses)];
  const object = pool.push(out) - 1;
  let to = 0;
  for (let at = 0; at < length; at++) {
    const form = forms[at] ?? 0;
    const anchor = anchors[at] ?? 0n;
    if (form > 2) throw new DreamDbError("InvalidArgument", `${form} is no form of a fragment entry`);
    if (anchor === MAX_U64) throw new DreamDbError("InvalidArgument", "no Item can be at anchor 2^64 − 1: its extent could not end");
    const row = ROW * at;
    const from = to;
    if (isEvent) to += ADDRESS;
    else {
      // The number in front of the address: a size, or a bucket, which is the anchor.
      view.setBigUint64(row, sizes[at] ?? anchor);
      to = putHead(out, to, 0, view.getUint32(row), view.getUint32(row + 4));
      to = copied(out, putHead(out, to, 2, 0, ADDRESS), given, ADDRESS * at, ADDRESS * (at + 1));
      if (form > 0) to = putHead(out, to, 7, 0, form === 1 ? 21 : 20);
      if (form > 1) to = putHead(out, to, 0, 0, offsets[at] ?? 0);
    }
    view.setBigUint64(row, anchor);
    view.setBigUint64(row + END, anchor + 1n);
    place(view, row, isEvent ? 2 : 4 + form, object, from, to);
  }
  return rows;
}

/** Bytes of a head. */
export function headBytes(argument: number): number {
  return argument < 24 ? 1 : argument < 256 ? 2 : argument < 65_536 ? 3 : argument < 2 ** 32 ? 5 : 9;
}

/** Bytes that a number of two words takes. */
export const numberBytes = (view: DataView, at: number): number => (view.getUint32(at) > 0 ? 9 : headBytes(view.getUint32(at + 4)));

/** Bytes that the entry of a row takes. */
export function entryBytes(view: DataView, row: number, isEvent: boolean): number {
  const numbers = numberBytes(view, row) + (isEvent ? 2 : numberBytes(view, row + END));
  return headBytes(view.getUint32(row + ELEMENTS)) + numbers + view.getUint32(row + TO) - view.getUint32(row + FROM);
}

/** Bytes that the array of all entries takes, or any number above `most`. */
export function arrayBytes(rows: Rows, isEvent: boolean, most: number): number {
  const view = viewOf(rows);
  let bytes = headBytes(rows.byteLength / ROW);
  for (let row = 0; row < rows.byteLength && bytes <= most; row += ROW) bytes += entryBytes(view, row, isEvent);
  return bytes;
}

/** The array of all entries, which takes `most` bytes at most. */
export function encoded(rows: Rows, pool: Pool, isEvent: boolean, most: number): Uint8Array {
  const view = viewOf(rows);
  const array = new Uint8Array(most);
  const out = viewOf(array);
  let at = putHead(out, 0, 4, 0, rows.byteLength / ROW);
  for (let row = 0; row < rows.byteLength; row += ROW) {
    const object = pool[view.getUint32(row + OBJECT)] ?? out;
    const [from, to] = [view.getUint32(row + FROM), view.getUint32(row + TO)];
    const address = isEvent ? from + ADDRESS : from;
    at = putHead(out, at, 4, 0, view.getUint32(row + ELEMENTS));
    if (isEvent) at = copied(out, putHead(out, at, 2, 0, ADDRESS), object, from, address);
    at = putHead(out, at, 0, view.getUint32(row), view.getUint32(row + 4));
    if (!isEvent) at = putHead(out, at, 0, view.getUint32(row + END), view.getUint32(row + END + 4));
    at = copied(out, at, object, address, to);
  }
  return array.subarray(0, at);
}

/** Copies bytes; gives where they end. So few are copied word by word faster than through a view that is made for them. */
function copied(out: DataView, at: number, object: DataView, from: number, to: number): number {
  for (; to - from >= 4; from += 4, at += 4) out.setUint32(at, object.getUint32(from));
  for (; from < to; from++) out.setUint8(at++, object.getUint8(from));
  return at;
}

/** Puts a head with an argument of two words; gives where it ends. */
function putHead(out: DataView, at: number, major: number, high: number, low: number): number {
  const type = major << 5;
  if (high > 0) {
    out.setUint8(at, type | 27);
    out.setUint32(at + 1, high);
    out.setUint32(at + 5, low);
    return at + 9;
  }
  if (low < 24) out.setUint8(at, type | low);
  else if (low < 256) out.setUint16(at, ((type | 24) << 8) | low);
  else if (low < 65_536) {
    out.setUint8(at, type | 25);
    out.setUint16(at + 1, low);
  } else {
    out.setUint8(at, type | 26);
    out.setUint32(at + 1, low);
  }
  return at + headBytes(low);
}
