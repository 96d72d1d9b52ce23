/**
 * Scalar columns as they are read. The index says which anchors have a value; here that is turned around. Loaded when a column is first read, as most pages
 * have none.
 */
import type { Call } from "../../io/call.js";
import type { CheckedBytes, Verified } from "../../io/verifier.js";
import type { FieldAccess } from "../field.js";
import type { ScalarFieldInfo } from "../fields.js";
import type { ScalarType, ScalarValues } from "../scalar-values.js";
import type { Window } from "../window.js";
import { type ScalarEntries, ScalarIndex } from "./column-index.js";
import type { Host } from "./host.js";
import { ScalarRecords } from "./records.js";
import { readRows, type RecordRows } from "./rows.js";
import { Rows, valueAt } from "./rows-of-entries.js";

export { decodeScalarPage, decodeScalarTrack } from "./index-objects.js";

/** What was found at an anchor. */
export type Found<T extends ScalarType> = Boxed<T> | "absent" | "deleted";

/** A value that is told from what says that there is none. */
export interface Boxed<T extends ScalarType> {
  readonly value: ScalarValues[T];
}

const MAX_U64 = (1n << 64n) - 1n;

/** Bytes of records that are turned into rows at once. */
const MOST_BYTES = 2 ** 30;

/** One column. */
export class ScalarReader<T extends ScalarType> {
  readonly #host: Host;
  readonly #type: T;
  readonly #access: FieldAccess;
  readonly #index: ScalarIndex;
  readonly #records: ScalarRecords;

  constructor(host: Host, info: ScalarFieldInfo<T>, access: FieldAccess, descriptor: string | undefined) {
    const { objects, track } = access;
    this.#host = host;
    this.#type = info.valueType;
    this.#access = access;
    this.#index = new ScalarIndex(host, objects, track, info, descriptor);
    this.#records = new ScalarRecords(host, objects, track.place);
  }

  /** Loads the index. */
  async prepare(signal: AbortSignal | undefined): Promise<void> {
    await this.#index.entries(signal);
  }

  /** All rows of a window, deleted ones included. */
  async stored({ start, end = MAX_U64 }: Window, call: Call): Promise<Rows<T>> {
    const entries = await this.#index.entries(call.signal);
    const positions: number[] = [];
    for (let position = 0; position < entries.starts.length; position++) {
      if ((entries.starts[position] ?? 0n) < end && (entries.ends[position] ?? 0n) > start) positions.push(position);
    }
    const records = await this.#together(entries, positions, call);
    const { anchors, records: numbers } = this.#rowsOf(entries, positions, records, start, end);
    return new Rows(
      this.#type,
      entries,
      anchors,
      numbers.map((number) => positions[number] ?? 0),
      leastOf(records),
    );
  }

  /** The rows of a window that are not deleted. */
  async alive(window: Window, call: Call): Promise<Rows<T>> {
    const rows = await this.stored(window, call);
    const { tombstones, track } = this.#access;
    const [first, last] = [rows.anchors[0], rows.anchors.at(-1)];
    if (tombstones.isEmpty || first === undefined || last === undefined) return rows;
    const deleted = await tombstones.within(track.binding.timeline, first, last + 1n, call.signal);
    return deleted.length === 0 ? rows : rows.filter((anchor) => this.#host.findAnchor(deleted, anchor) === undefined);
  }

  /** What there is at anchors: one promise for each. */
  async reads(asked: readonly bigint[], call: Call): Promise<Promise<Found<T>>[]> {
    const { findAnchor, throwIfAborted } = this.#host;
    const entries = await this.#index.entries(call.signal);
    if (asked.length > 1) {
      try {
        return await this.#readTogether(asked, entries, call);
      } catch {
        // Which anchors that concerns is seen record by record.
        throwIfAborted(call.signal);
      }
    }
    const needs = asked.map((anchor) => this.#index.at(entries, anchor));
    const positions = [...new Set(needs.flat())];
    const sets = new Map<number, Promise<BigUint64Array>>();
    for (const [at, read] of this.#records.read(entries, positions, call).entries()) {
      const position = positions[at] ?? 0;
      const set = read.then((record) => this.#rowsOf(entries, [position], [record], 0n, MAX_U64).anchors);
      // Whoever needs it hears of its failure.
      set.catch(() => undefined);
      sets.set(position, set);
    }
    return asked.map(async (anchor, at) => {
      const own = needs[at] ?? [];
      // All of them: one that failed may have had the value.
      const found = await Promise.all(own.map(async (position) => findAnchor((await sets.get(position)) ?? new BigUint64Array(0), anchor)));
      const position = own[found.findLastIndex((place) => place !== undefined)];
      return position === undefined ? "absent" : this.#found(anchor, position, entries, call.signal);
    });
  }

  /** All records at once, none of which may fail. */
  async #readTogether(asked: readonly bigint[], entries: ScalarEntries, call: Call): Promise<Promise<Found<T>>[]> {
    const { findAnchor, lowerBound } = this.#host;
    const sorted = BigUint64Array.from(asked).sort();
    const positions: number[] = [];
    for (let position = 0; position < entries.starts.length; position++) {
      const next = sorted[lowerBound(sorted, entries.starts[position] ?? 0n)];
      if (next !== undefined && next < (entries.ends[position] ?? 0n)) positions.push(position);
    }
    const records = await this.#together(entries, positions, call);
    const rows = this.#rowsOf(entries, positions, records, sorted[0] ?? 0n, MAX_U64);
    return asked.map(async (anchor) => {
      const row = findAnchor(rows.anchors, anchor);
      return row === undefined ? "absent" : this.#found(anchor, positions[rows.records[row] ?? 0] ?? 0, entries, call.signal);
    });
  }

  /** Records of which the first failure ends what else was begun. */
  async #together(entries: ScalarEntries, positions: readonly number[], call: Call): Promise<CheckedBytes[]> {
    return this.#host.scoped(call.signal, (signal) => Promise.all(this.#records.read(entries, positions, { ...call, signal }, true)));
  }

  async #found(anchor: bigint, position: number, entries: ScalarEntries, signal: AbortSignal | undefined): Promise<Found<T>> {
    const { tombstones, track } = this.#access;
    if (await tombstones.has(track.binding.timeline, anchor, signal)) return "deleted";
    return { value: valueAt(this.#type, entries, position) };
  }

  /** The rows of records, which belong to entries at these positions. */
  #rowsOf(entries: ScalarEntries, positions: readonly number[], records: readonly CheckedBytes[], start: bigint, end: bigint): RecordRows {
    const { call, Refusal } = this.#host;
    const size = records.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (size > MOST_BYTES) {
      const message = `the records have ${size} bytes, at most ${MOST_BYTES} are read at once; a smaller window has fewer`;
      throw new Refusal("TooLarge", message, { expected: `at most ${MOST_BYTES}`, actual: String(size) });
    }
    const own = records.map(({ bytes }) => bytes);
    return call(() => readRows(this.#host, own, entries, positions, start, end));
  }
}

/** What was checked of all of them; of none, what was checked of the index. */
function leastOf(records: readonly CheckedBytes[]): Verified {
  const rank: readonly Verified[] = ["none", "range", "object"];
  return records.reduce<Verified>((least, { verified }) => (rank.indexOf(verified) < rank.indexOf(least) ? verified : least), "object");
}
