/**
 * Records, the sets of anchors that have one value, and the rows that they are together.
 *
 * A record is the byte 1, the number of its buckets as 8 bytes, and for each bucket the high half of its anchors as 4 bytes and a Roaring bitmap of the low
 * halves in the portable format, all little-endian.
 */
import { Anchors, readBitmap, word } from "./bitmap.js";
import type { Host } from "./host.js";
import { refusal } from "./refusal.js";

/** Most rows that are made at once. Runs are so short in writing that their bytes bound nothing. */
export const MOST_ROWS = 2 ** 24;

/** Rows of a column, by strictly ascending anchors. */
export interface RecordRows {
  readonly anchors: BigUint64Array<ArrayBuffer>;
  /** Number of the record that each row is of. */
  readonly records: Uint32Array<ArrayBuffer>;
}

/** The extents that entries say of their records, `[starts, ends)`. */
export interface Extents {
  readonly starts: BigUint64Array;
  readonly ends: BigUint64Array;
}

/**
 * The rows from `start` up to `end` of records, whose entries are at these positions. Of several records with one anchor the last has it: if they come in the
 * order of the index, the one with the greatest value, as the reference reads it.
 *
 * @throws as the core: `ScalarRecord` for a malformed record, whose number is the subject, for an anchor outside of its extent, and for more than 2^24 anchors
 */
export function readRows(
  { lowerBound }: Pick<Host, "lowerBound">,
  records: readonly Uint8Array[],
  { starts, ends }: Extents,
  positions: readonly number[],
  start: bigint,
  end: bigint,
): RecordRows {
  const anchors = new Anchors();
  const counts = new Uint32Array(records.length);
  let left = MOST_ROWS;
  let inOrder = true;
  let last = -1n;
  for (const [number, record] of records.entries()) {
    const before = anchors.count;
    const fault = readRecord(record, left, anchors);
    const refused = (what: string): Error => refusal(`a record of the scalar column ${what}`, { subject: String(number) }, "ScalarRecord");
    if (fault !== "") throw refused(fault);
    const { numbers, count } = anchors;
    const position = positions[number] ?? 0;
    const [least = 0n, greatest = 0n] = [numbers[before], numbers[count - 1]];
    if (least < (starts[position] ?? 0n) || greatest >= (ends[position] ?? 0n)) throw refused("has an anchor outside of the extent that its entry says");
    left -= count - before;
    if (least < start || greatest >= end) {
      const own = numbers.subarray(before, count);
      const inside = own.subarray(lowerBound(own, start), lowerBound(own, end));
      own.set(inside);
      anchors.count = before + inside.length;
    }
    counts[number] = anchors.count - before;
    if (anchors.count === before) continue;
    if (last >= (numbers[before] ?? 0n)) inOrder = false;
    last = numbers[anchors.count - 1] ?? 0n;
  }
  return inOrderOf(anchors, counts, inOrder);
}

/** Reads a record: what is wrong with it, if anything is. */
function readRecord(record: Uint8Array, most: number, anchors: Anchors): string {
  const size = record.byteLength;
  if (size < 9) return "ends before its buckets";
  if (record[0] !== 1) return "is of a version that is not known";
  const buckets = word(record, 1) + word(record, 5) * 2 ** 32;
  const before = anchors.count;
  let at = 9;
  for (let bucket = 0, previous = -1; bucket < buckets; bucket++) {
    if (at + 4 > size) return "has fewer buckets than it says";
    const high = word(record, at);
    if (high <= previous) return "has buckets that do not ascend";
    previous = high;
    at = readBitmap(record, at + 4, high, most + before - anchors.count, anchors);
    if (at < 0) return `has a malformed bitmap, or one that goes beyond ${MOST_ROWS} rows read at once`;
  }
  if (anchors.count === before) return "has no anchors";
  return at < size ? "goes on behind its buckets" : "";
}

/** Rows in order, of each anchor the last one. */
function inOrderOf(anchors: Anchors, counts: Uint32Array, inOrder: boolean): RecordRows {
  const { numbers, words, count } = anchors;
  const records = new Uint32Array(count);
  let at = 0;
  for (const [number, own] of counts.entries()) records.fill(number, at, (at += own));
  if (inOrder) return { anchors: numbers.slice(0, count), records };
  const order = ascending(words, count);
  const kept = new Uint32Array(2 * count);
  const settled = new Uint32Array(count);
  let rows = 0;
  for (let place = 0; place < count; place++) {
    const row = order[place] ?? 0;
    const [low, high] = [words[2 * row] ?? 0, words[2 * row + 1] ?? 0];
    if (rows > 0 && kept[2 * rows - 2] === low && kept[2 * rows - 1] === high) rows--;
    kept[2 * rows] = low;
    kept[2 * rows + 1] = high;
    settled[rows++] = records[row] ?? 0;
  }
  return { anchors: new BigUint64Array(kept.buffer, 0, rows).slice(), records: settled.slice(0, rows) };
}

/** Positions of numbers of 64 bits in ascending order, equal ones as they come: sorted byte by byte, from the last one, but for bytes that are all equal. */
function ascending(words: Uint32Array<ArrayBuffer>, count: number): Uint32Array {
  const bytes = new Uint8Array(words.buffer);
  let order = new Uint32Array(count);
  for (let at = 0; at < count; at++) order[at] = at;
  for (let byte = 0; byte < 8; byte++) {
    const places = new Uint32Array(256);
    for (let at = byte; at < 8 * count; at += 8) places[bytes[at] ?? 0] = (places[bytes[at] ?? 0] ?? 0) + 1;
    if (places.includes(count)) continue;
    let sum = 0;
    for (const [value, own] of places.entries()) {
      places[value] = sum;
      sum += own;
    }
    const next = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      const row = order[at] ?? 0;
      const value = bytes[8 * row + byte] ?? 0;
      const place = places[value] ?? 0;
      next[place] = row;
      places[value] = place + 1;
    }
    order = next;
  }
  return order;
}
