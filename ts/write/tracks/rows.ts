/**
 * Index entries, and the summaries of pages, as rows of 32 bytes: numbers that are compared and counted, and where everything else lies.
 *
 * Nothing is made for a single row: an index may have a million. What an entry has beside its extent is passed on as it stands, so that elements that
 * this version does not know are kept. Whatever is read here has been decoded by the core before. Pages are tree.ts's matter.
 */
import { DreamDbError } from "../../errors.js";
import { endingAt, headAt, joined } from "../cbor.js";
import type { NewEntries } from "../store-items.js";

/**
 * Rows one after another. Each has, in words of four bytes: the start and the end of its extent, of two words each; how many elements it has; and
 * those that are no numbers of the extent: their object in a {@link Pool}, where they begin in it, and where they end. Of an entry by an anchor that
 * begins with the address, without its head.
 */
export type Rows = Uint8Array;

/** The objects in which the elements of rows lie. */
export type Pool = Uint8Array[];

/** Bytes of a row. */
export const ROW = 32;

/** Where the end of its extent is in a row. */
export const END = 8;

const ELEMENTS = 16;
const OBJECT = 20;
const FROM = 24;
const TO = 28;

const ADDRESS = 33;

/** Behind this anchor no extent can end. */
const MAX_U64 = 2n ** 64n - 1n;

/** Most bytes that the elements of a new entry take beside its extent: two numbers, an address, a truth value. */
const MOST_REST = 9 + 2 + ADDRESS + 1 + 5;

/** Bytes as numbers. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBufferLike>): DataView => new DataView(buffer, byteOffset, byteLength);

/** One row. */
export function rowOf(start: bigint, end: bigint, elements: number, pool: Pool, rest: Uint8Array): Rows {
  const row = new Uint8Array(ROW);
  const view = viewOf(row);
  view.setBigUint64(0, start);
  view.setBigUint64(END, end);
  place(view, 0, elements, pool.push(rest) - 1, 0, rest.byteLength);
  return row;
}

function place(view: DataView, row: number, elements: number, object: number, from: number, to: number): void {
  view.setUint32(row + ELEMENTS, elements);
  view.setUint32(row + OBJECT, object);
  view.setUint32(row + FROM, from);
  view.setUint32(row + TO, to);
}

/**
 * Entries of an object, in its order.
 *
 * @param at where the array of them begins
 * @param isEvent whether an entry says its anchor, behind an address, or else its extent, in front
 * @param base the start of their page, if anchors are distances from it, and ends durations
 */
export function readRows(object: Uint8Array, at: number, pool: Pool, isEvent: boolean, base?: bigint): Rows {
  let { argument: count, next } = headAt(object, at);
  const rows = new Uint8Array(ROW * count);
  const [view, given] = [viewOf(rows), viewOf(object)];
  const own = pool.push(object) - 1;
  const number = (slot: number, from: number): number => {
    const { argument, next } = headAt(object, from);
    if (next - from === 9) view.setBigUint64(slot, given.getBigUint64(next - 8));
    else view.setUint32(slot + 4, argument);
    return next;
  };
  const [high, low] = base === undefined ? [0, 0] : [Number(base >> 32n), Number(base & 0xffff_ffffn)];
  for (let row = 0; row < rows.byteLength; row += ROW) {
    const { argument: elements, next: first } = headAt(object, next);
    const address = isEvent ? headAt(object, first).next : 0;
    const behind = number(row, isEvent ? address + ADDRESS : first);
    const from = isEvent ? behind : number(row + END, behind);
    next = from;
    for (let left = elements - 2; left > 0; left--) next = endingAt(object, next);
    plus(view, row, high, low);
    const [startHigh, startLow] = [view.getUint32(row), view.getUint32(row + 4)];
    // Only the last anchor of all has no end behind it.
    if (isEvent) plus(view, row + END, startHigh, startLow + Number(startHigh + startLow < 2 * 0xffff_ffff));
    else if (base !== undefined) plus(view, row + END, startHigh, startLow);
    if (!isEvent) place(view, row, elements, own, from, next);
    else if (elements === 2) place(view, row, elements, own, address, address + ADDRESS);
    else {
      const rest = joined([object.subarray(address, address + ADDRESS), object.subarray(from, next)]);
      place(view, row, elements, pool.push(rest) - 1, 0, rest.byteLength);
    }
  }
  return rows;
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
  const [view, out] = [viewOf(rows), viewOf(rest)];
  const object = pool.push(rest) - 1;
  let to = 0;
  for (const [at, anchor] of anchors.entries()) {
    const form = forms[at] ?? 0;
    if (form > 2) throw new DreamDbError("InvalidArgument", `${form} is no form of a fragment entry`);
    if (anchor === MAX_U64) throw new DreamDbError("InvalidArgument", "no Item can be at anchor 2^64 − 1: its extent could not end");
    const row = ROW * at;
    const from = to;
    if (isEvent) to += ADDRESS;
    else {
      // The number in front of the address: a size, or a bucket, which is the anchor.
      view.setBigUint64(row, sizes[at] ?? anchor);
      to = putHead(out, to, 0, view.getUint32(row), view.getUint32(row + 4));
      to = putHead(out, to, 2, 0, ADDRESS);
      rest.set(addresses.subarray(ADDRESS * at, ADDRESS * (at + 1)), to);
      to += ADDRESS;
      if (form > 0) to = putHead(out, to, 7, 0, form === 1 ? 21 : 20);
      if (form > 1) to = putHead(out, to, 0, 0, offsets[at] ?? 0);
    }
    view.setBigUint64(row, anchor);
    view.setBigUint64(row + END, anchor + 1n);
    place(view, row, isEvent ? 2 : 4 + form, object, from, to);
  }
  return rows;
}

/** Rows in ascending order of their starts; equal ones keep theirs. */
export function sorted(rows: Rows): Rows {
  const view = viewOf(rows);
  let row = ROW;
  while (row < rows.byteLength && compared(view, row - ROW, row) <= 0) row += ROW;
  if (row >= rows.byteLength) return rows;
  const ascending = new Uint8Array(rows.byteLength);
  const order = Array.from({ length: rows.byteLength / ROW }, (_, at) => ROW * at).sort((first, second) => compared(view, first, second));
  for (const [at, from] of order.entries()) ascending.set(rows.subarray(from, from + ROW), ROW * at);
  return ascending;
}

/**
 * Refuses array Items at one anchor among rows in ascending order.
 *
 * @throws {DreamDbError} `RepeatedAnchor`
 */
export function refuseRepeats(rows: Rows): void {
  const view = viewOf(rows);
  for (let row = ROW; row < rows.byteLength; row += ROW) {
    if (compared(view, row - ROW, row) !== 0) continue;
    const anchor = view.getBigUint64(row);
    throw new DreamDbError("RepeatedAnchor", `two array Items of one Track cannot be at one anchor, ${anchor}`, { subject: String(anchor) });
  }
}

/** Where the extent of the first row starts. */
export const startOf = (rows: Rows): bigint => viewOf(rows).getBigUint64(0);

/** Where the extent of the first row ends. */
export const endOf = (rows: Rows): bigint => viewOf(rows).getBigUint64(END);

/** The elements of a row that are no numbers of its extent. */
export function elementsOf(rows: Rows, row: number, pool: Pool): Uint8Array {
  const view = viewOf(rows);
  return (pool[view.getUint32(row + OBJECT)] ?? new Uint8Array(0)).subarray(view.getUint32(row + FROM), view.getUint32(row + TO));
}

/** Those of rows in ascending order that start at `start` or behind it, and before `end`, if there is one. */
export function between(rows: Rows, start: bigint, end: bigint | undefined): Rows {
  const view = viewOf(rows);
  const before = (anchor: bigint): number => {
    let [low, high] = [0, rows.byteLength / ROW];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (view.getBigUint64(ROW * middle) < anchor) low = middle + 1;
      else high = middle;
    }
    return ROW * low;
  };
  return rows.subarray(before(start), end === undefined ? undefined : before(end));
}

/** The end behind which none of the rows, one at least, has another. */
export function reach(rows: Rows): bigint {
  const view = viewOf(rows);
  let most = END;
  for (let at = END; at < rows.byteLength; at += ROW) if (compared(view, at, most) > 0) most = at;
  return view.getBigUint64(most);
}

/** Rows as they stand in a page that starts with the first: by distances from there, and durations. */
export function relative(rows: Rows): Rows {
  const own = rows.slice();
  const view = viewOf(own);
  if (own.byteLength === 0) return own;
  const [high, low] = [view.getUint32(0), view.getUint32(4)];
  for (let row = 0; row < own.byteLength; row += ROW) {
    plus(view, row + END, -view.getUint32(row), -view.getUint32(row + 4));
    plus(view, row, -high, -low);
  }
  return own;
}

/** Adds to a number of two words. */
function plus(view: DataView, at: number, high: number, low: number): void {
  const sum = view.getUint32(at + 4) + low;
  view.setUint32(at, view.getUint32(at) + high + Math.floor(sum / 2 ** 32));
  view.setUint32(at + 4, sum);
}

/** The order of numbers of two words. */
export function compared(view: DataView, first: number, second: number): number {
  return view.getUint32(first) - view.getUint32(second) || view.getUint32(first + 4) - view.getUint32(second + 4);
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

/** Bytes that the array of all entries takes. */
export function arrayBytes(rows: Rows, isEvent: boolean): number {
  const view = viewOf(rows);
  let bytes = headBytes(rows.byteLength / ROW);
  for (let row = 0; row < rows.byteLength; row += ROW) bytes += entryBytes(view, row, isEvent);
  return bytes;
}

/** The array of all entries. */
export function encoded(rows: Rows, pool: Pool, isEvent: boolean): Uint8Array {
  const view = viewOf(rows);
  const array = new Uint8Array(arrayBytes(rows, isEvent));
  const out = viewOf(array);
  let at = putHead(out, 0, 4, 0, rows.byteLength / ROW);
  const copy = (object: Uint8Array | undefined, from: number, to: number): void => {
    for (; from < to; from++) array[at++] = object?.[from] ?? 0;
  };
  const number = (slot: number): void => {
    at = putHead(out, at, 0, view.getUint32(slot), view.getUint32(slot + 4));
  };
  for (let row = 0; row < rows.byteLength; row += ROW) {
    const object = pool[view.getUint32(row + OBJECT)];
    let [from, to] = [view.getUint32(row + FROM), view.getUint32(row + TO)];
    at = putHead(out, at, 4, 0, view.getUint32(row + ELEMENTS));
    if (isEvent) {
      at = putHead(out, at, 2, 0, ADDRESS);
      copy(object, from, (from += ADDRESS));
    }
    number(row);
    if (!isEvent) number(row + END);
    copy(object, from, to);
  }
  return array;
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
