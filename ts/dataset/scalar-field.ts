/**
 * Scalar columns: a category, truth value, number, text or time for each row.
 *
 * The index says which anchors have a value; here that is turned around. How it is stored is scalar-index.ts's and scalar-records.ts's matter.
 */
import type { CoreScalarRows } from "../../pkg/dreamdb_arrays.js";
import { toU64, type U64 } from "../codec/integers.js";
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";
import { type Call, newCall, under } from "../io/call.js";
import type { CheckedBytes, Verified } from "../io/verifier.js";
import { throwIfAborted } from "../store/abort.js";
import { scoped } from "../store/scope.js";
import { call as core } from "../wasm.js";
import type { AuditPlan } from "./audit.js";
import { anchorsArgument, type PreparedReads } from "./anchored-field.js";
import { findAnchor, lowerBound } from "./entries.js";
import type { FieldAccess, ItemReadOptions } from "./field.js";
import type { ScalarFieldInfo } from "./fields.js";
import { type Outcome, outcomes } from "./outcome.js";
import { type ScalarEntries, ScalarIndex } from "./scalar-index.js";
import { ScalarRecords } from "./scalar-records.js";
import { categoriesOf, type ScalarColumn, type ScalarType, type ScalarValues, valueAt, valuesOf } from "./scalar-values.js";
import { cursorOver, type RowCursor } from "./union.js";
import { type Window, type WindowOptions, windowOf } from "./window.js";

/** Rows with the entries that they are of. */
interface Rows {
  readonly entries: ScalarEntries;
  readonly anchors: BigUint64Array<ArrayBuffer>;
  readonly positions: Uint32Array;
  readonly verified: Verified;
}

/** What was found at an anchor. */
type Found<T extends ScalarType> = Boxed<T> | "absent" | "deleted";

/** A value that is told from what says that there is none. */
interface Boxed<T extends ScalarType> {
  readonly value: ScalarValues[T];
}

const MAX_U64 = (1n << 64n) - 1n;

/** Bytes of a value, as an audit counts them: records hold the rows of a value, not the values of rows. */
const VALUE_BYTES = 8;

/** Bytes of records that are turned into rows at once. */
const MOST_BYTES = 2 ** 30;

/**
 * A field of scalar values. Use {@link column} to label many rows: whatever is read, the index comes first and whole, since it is ordered by
 * values.
 *
 * Several values at one anchor are a fault of the writer that nothing forbids. As in the reference, the one that is later in the index then
 * has the row: the larger number, or text by its bytes; of categories the longer one, and among equally long ones the larger.
 */
export class ScalarField<T extends ScalarType = ScalarType> {
  /** What the manifest says of the field. */
  readonly info: ScalarFieldInfo<T>;
  readonly #access: FieldAccess;
  readonly #index: ScalarIndex;
  readonly #records: ScalarRecords;

  /** @internal */
  constructor(info: ScalarFieldInfo<T>, access: FieldAccess, descriptor: string | undefined) {
    this.info = info;
    this.#access = access;
    this.#index = new ScalarIndex(access.objects, access.track, info, descriptor);
    this.#records = new ScalarRecords(access.objects, access.track.place);
  }

  /** Name of the field. */
  get name(): string {
    return this.info.name;
  }

  /**
   * The value at an anchor; `undefined` if there is none or its row is deleted. Costs the index once, then the records whose extents hold the
   * anchor: each value's one, for a column of few values.
   *
   * @throws {DreamDbError} `InvalidArgument`; `ScalarIndex`, `ScalarRecord`; `HashMismatch`; `PackSliceOutOfBounds`; the codes of Tracks and
   * entries; `TooLarge`; `RequestBudget`; the store's codes; each with `field` and `anchor`
   */
  async read(anchor: U64, { signal }: ItemReadOptions = {}): Promise<ScalarValues[T] | undefined> {
    const asked = [toU64("an anchor", anchor)];
    try {
      const [read] = await this.#reads(asked, newCall(signal));
      const found = await read;
      return typeof found === "object" ? found.value : undefined;
    } catch (error) {
      throw withContext(error, { field: this.name, anchor: asked[0] });
    }
  }

  /**
   * The values at many anchors: an outcome for each, in the order of `anchors`, repetitions included. Costs the index once, then the records
   * whose extents hold any of the anchors, each once.
   *
   * @throws {DreamDbError} `InvalidArgument`; the codes of the index. What befalls single records is in the outcomes of all anchors that they
   * may have, with the codes of {@link read}
   */
  async readMany(anchors: Iterable<U64>, { signal }: ItemReadOptions = {}): Promise<Outcome<ScalarValues[T]>[]> {
    const asked = anchorsArgument(anchors);
    const reads = await this.#within(() => this.#reads(asked, newCall(signal)));
    const read = await outcomes(this.name, asked, reads, signal);
    return read.map((outcome) => (outcome.status === "value" ? { ...outcome, value: outcome.value.value } : outcome));
  }

  /**
   * The rows of a window of anchors, ascending, without deleted ones. Costs the index once, then all records whose extents meet the window;
   * those that lie side by side in a pack in one request.
   *
   * @throws {DreamDbError} the codes of {@link read}, with `field`; `ScalarRecord` for more than 2^24 rows in the records that are read
   */
  async column(window: WindowOptions = {}): Promise<ScalarColumn<T>> {
    return this.#within(async () => {
      return this.#columnOf(await this.#alive(await this.#rows(window), window.signal));
    });
  }

  #columnOf({ entries, anchors, positions, verified }: Rows): ScalarColumn<T> {
    const { valueType } = this.info;
    const column = { valueType, anchors, values: valuesOf(valueType, entries, positions), verified };
    if (valueType !== "categorical") return column as unknown as ScalarColumn<T>;
    const { categories, codes } = categoriesOf(entries);
    return { ...column, codes: Uint32Array.from(positions, (position) => codes[position] ?? 0), categories } as unknown as ScalarColumn<T>;
  }

  /**
   * Number of stored rows, deleted ones included. Costs the index and all records.
   *
   * @throws {DreamDbError} as {@link column}
   */
  async count(options: ItemReadOptions = {}): Promise<number> {
    return (await this.anchors(options)).length;
  }

  /**
   * Anchors of all stored rows, or of those of a window, ascending, deleted ones included. Costs the index and all records, or those that meet the
   * window.
   *
   * @throws {DreamDbError} as {@link column}
   */
  async anchors(window: WindowOptions = {}): Promise<BigUint64Array<ArrayBuffer>> {
    return this.#within(async () => (await this.#rows(window)).anchors);
  }

  async #within<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  /** All rows of a window, deleted ones included. */
  async #rows(options: WindowOptions): Promise<Rows> {
    const { start: from, end: until = MAX_U64 } = windowOf(options);
    const { signal } = options;
    const entries = await this.#index.entries(signal);
    const positions: number[] = [];
    for (let position = 0; position < entries.starts.length; position++) {
      if ((entries.starts[position] ?? 0n) < until && (entries.ends[position] ?? 0n) > from) positions.push(position);
    }
    // The first failure ends what else was begun.
    const records = await scoped(signal, (own) => Promise.all(this.#records.read(entries, positions, newCall(own), true)));
    const { anchors, records: numbers } = rowsOf(entries, positions, records, from, until);
    return {
      entries,
      anchors: new BigUint64Array(anchors),
      positions: numbers.map((number) => positions[number] ?? 0),
      verified: leastOf(records),
    };
  }

  /** The rows that are not deleted. */
  async #alive(rows: Rows, signal: AbortSignal | undefined): Promise<Rows> {
    const { tombstones, track } = this.#access;
    const [first, last] = [rows.anchors[0], rows.anchors.at(-1)];
    if (tombstones.isEmpty || first === undefined || last === undefined) return rows;
    const deleted = await tombstones.within(track.binding.timeline, first, last + 1n, signal);
    if (deleted.length === 0) return rows;
    const alive = (_: unknown, row: number): boolean => findAnchor(deleted, rows.anchors[row] ?? 0n) === undefined;
    return { ...rows, anchors: rows.anchors.filter(alive), positions: rows.positions.filter(alive) };
  }

  /** @internal The rows of a window, to be lined up with the Items of other fields. */
  cursor({ start, end }: Window, signal: AbortSignal): RowCursor {
    return cursorOver(this.name, this.#run({ start, end, signal }), {
      slice: (rows, from, to) => ({ ...rows, anchors: rows.anchors.slice(from, to), positions: rows.positions.slice(from, to) }),
      concat: ([rows]) => rows,
      column: (rows) => Promise.resolve(this.#columnOf(rows)),
      values: ({ entries, positions }) => Array.from(positions, (position) => Promise.resolve(valueAt(this.info.valueType, entries, position))),
    });
  }

  /** All of a window in one run. */
  async *#run(window: WindowOptions): AsyncGenerator<Rows, void, undefined> {
    yield await this.#within(async () => this.#alive(await this.#rows(window), window.signal));
  }

  /** @internal All rows: whoever knows them has read and checked every page and record. */
  async auditPlan(signal: AbortSignal | undefined): Promise<AuditPlan> {
    const anchors = await this.anchors({ signal });
    const check = () => Promise.resolve(Array.from(anchors, () => VALUE_BYTES));
    return { units: anchors.length === 0 ? [] : [{ anchors: [...anchors], check }], faults: [] };
  }

  /** @internal Finds what is asked for; fetches no record yet. */
  async prepare(asked: readonly bigint[], signal: AbortSignal | undefined): Promise<PreparedReads<Boxed<T>>> {
    await this.#within(() => this.#index.entries(signal));
    return {
      requests: 0,
      begin: (call) => {
        const reads = this.#reads(asked, call);
        return asked.map(async (_, at) => (await reads)[at] ?? "absent");
      },
    };
  }

  /** One promise for each anchor. */
  async #reads(asked: readonly bigint[], call: Call): Promise<Promise<Found<T>>[]> {
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
      const set = read.then((record) => rowsOf(entries, [position], [record], 0n, MAX_U64).anchors);
      // Whoever needs it hears of its failure.
      set.catch(() => undefined);
      sets.set(position, set);
    }
    return asked.map((anchor, at) => this.#readOne(anchor, needs[at] ?? [], sets, entries, call.signal));
  }

  /** All records at once, none of which may fail. */
  async #readTogether(asked: readonly bigint[], entries: ScalarEntries, call: Call): Promise<Promise<Found<T>>[]> {
    const sorted = BigUint64Array.from(asked).sort();
    const positions: number[] = [];
    for (let position = 0; position < entries.starts.length; position++) {
      const next = sorted[lowerBound(sorted, entries.starts[position] ?? 0n)];
      if (next !== undefined && next < (entries.ends[position] ?? 0n)) positions.push(position);
    }
    const records = await scoped(call.signal, (own) => Promise.all(this.#records.read(entries, positions, under(call, own), true)));
    const rows = rowsOf(entries, positions, records, sorted[0] ?? 0n, MAX_U64);
    return asked.map(async (anchor) => {
      const row = findAnchor(rows.anchors, anchor);
      return row === undefined ? "absent" : this.#found(anchor, positions[rows.records[row] ?? 0] ?? 0, entries, call.signal);
    });
  }

  async #readOne(
    anchor: bigint,
    positions: readonly number[],
    sets: ReadonlyMap<number, Promise<BigUint64Array>>,
    entries: ScalarEntries,
    signal: AbortSignal | undefined,
  ): Promise<Found<T>> {
    // All of them: one that failed may have had the value.
    const found = await Promise.all(positions.map(async (position) => findAnchor((await sets.get(position)) ?? new BigUint64Array(0), anchor)));
    const last = found.findLastIndex((place) => place !== undefined);
    const position = positions[last];
    return position === undefined ? "absent" : this.#found(anchor, position, entries, signal);
  }

  async #found(anchor: bigint, position: number, entries: ScalarEntries, signal: AbortSignal | undefined): Promise<Found<T>> {
    const { tombstones, track } = this.#access;
    if (await tombstones.has(track.binding.timeline, anchor, signal)) return "deleted";
    return { value: valueAt(this.info.valueType, entries, position) };
  }
}

/** The rows of records, which belong to entries at these positions. */
function rowsOf(
  entries: ScalarEntries,
  positions: readonly number[],
  records: readonly CheckedBytes[],
  start: bigint,
  end: bigint,
): CoreScalarRows {
  const lengths = Uint32Array.from(records, ({ bytes }) => bytes.byteLength);
  const size = records.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  if (size > MOST_BYTES) {
    const message = `the records have ${size} bytes, at most ${MOST_BYTES} are read at once; a smaller window has fewer`;
    throw new DreamDbError("TooLarge", message, { expected: `at most ${MOST_BYTES}`, actual: String(size) });
  }
  const run = new Uint8Array(size);
  let at = 0;
  for (const { bytes } of records) {
    run.set(bytes, at);
    at += bytes.byteLength;
  }
  const starts = BigUint64Array.from(positions, (position) => entries.starts[position] ?? 0n);
  const ends = BigUint64Array.from(positions, (position) => entries.ends[position] ?? 0n);
  return core((functions) => functions.scalarRows(run, lengths, starts, ends, start, end));
}

/** What was checked of all of them; of none, what was checked of the index. */
function leastOf(records: readonly CheckedBytes[]): Verified {
  const rank: readonly Verified[] = ["none", "range", "object"];
  return records.reduce<Verified>((least, { verified }) => (rank.indexOf(verified) < rank.indexOf(least) ? verified : least), "object");
}
