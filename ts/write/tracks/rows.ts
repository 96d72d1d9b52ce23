/**
 * Index entries, and the summaries of pages, as rows of 32 bytes: numbers that are compared and counted, and where everything else lies.
 *
 * Nothing is made for a single row: an index may have a million. What an entry has beside its extent is passed on as it stands, so that elements that
 * this version does not know are kept. How entries are encoded is encoding.ts's matter.
 */
import { DreamDbError } from "../../errors.js";
import { joined } from "../cbor.js";

/**
 * Rows one after another. Each has, in words of four bytes: the start and the end of its extent, of two words each; how many elements it has; and
 * those that are no numbers of the extent: their object in a {@link Pool}, where they begin in it, and where they end. Of an entry by an anchor that
 * begins with the address, without its head.
 */
export type Rows = Uint8Array;

/** The objects in which the elements of rows lie. */
export type Pool = DataView[];

/** Bytes of a row. */
export const ROW = 32;

/** Where the end of its extent is in a row. */
export const END = 8;

/** The number of its elements. */
export const ELEMENTS = 16;

/** Which object of a pool the elements lie in, beside those that are numbers of its extent. */
export const OBJECT = 20;

/** Where they begin there. */
export const FROM = 24;

/** Where they end. */
export const TO = 28;

/** Bytes as numbers. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBufferLike>): DataView => new DataView(buffer, byteOffset, byteLength);

/** One row. */
export function rowOf(start: bigint, end: bigint, elements: number, pool: Pool, rest: Uint8Array): Rows {
  const row = new Uint8Array(ROW);
  const view = viewOf(row);
  view.setBigUint64(0, start);
  view.setBigUint64(END, end);
  place(view, 0, elements, pool.push(viewOf(rest)) - 1, 0, rest.byteLength);
  return row;
}

/** Says where the elements of a row lie. */
export function place(view: DataView, row: number, elements: number, object: number, from: number, to: number): void {
  view.setUint32(row + ELEMENTS, elements);
  view.setUint32(row + OBJECT, object);
  view.setUint32(row + FROM, from);
  view.setUint32(row + TO, to);
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
 * Rows, and others that are in ascending order, together in that order.
 *
 * @throws {DreamDbError} `RepeatedAnchor` as {@link refuseRepeats}
 */
export function merged(rows: Rows, added: Rows, isArray: boolean): Rows {
  if (rows.byteLength === 0) return added;
  const both = joined([sorted(rows), added]);
  const view = viewOf(both);
  const all = new Uint8Array(both.byteLength);
  let [from, at] = [0, 0];
  for (let row = rows.byteLength; row < both.byteLength; row += ROW) {
    let to = from;
    while (to < rows.byteLength && compared(view, to, row) <= 0) to += ROW;
    all.set(both.subarray(from, to), at);
    all.set(both.subarray(row, row + ROW), (at += to - from));
    at += ROW;
    from = to;
  }
  all.set(both.subarray(from, rows.byteLength), at);
  if (isArray) refuseRepeats(all);
  return all;
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
  const object = pool[view.getUint32(row + OBJECT)] ?? view;
  return new Uint8Array(object.buffer, object.byteOffset, object.byteLength).subarray(view.getUint32(row + FROM), view.getUint32(row + TO));
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
export function plus(view: DataView, at: number, high: number, low: number): void {
  const sum = view.getUint32(at + 4) + low;
  view.setUint32(at, view.getUint32(at) + high + Math.floor(sum / 2 ** 32));
  view.setUint32(at + 4, sum);
}

/** The order of numbers of two words. */
export function compared(view: DataView, first: number, second: number): number {
  return view.getUint32(first) - view.getUint32(second) || view.getUint32(first + 4) - view.getUint32(second + 4);
}
