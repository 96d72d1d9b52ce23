/**
 * Scalar columns: a category, truth value, number, text or time for each row. What is one here is only the door: how they are stored and read is scalars/' matter.
 */
import { toU64, type U64 } from "../codec/integers.js";
import { withContext } from "../error-context.js";
import { newCall } from "../io/call.js";
import { orAborted } from "../store/abort.js";
import type { AuditPlan } from "./audit.js";
import { anchorsArgument, type PreparedReads } from "./anchored-field.js";
import type { FieldAccess, ItemReadOptions } from "./field.js";
import type { ScalarFieldInfo } from "./fields.js";
import { type Outcome, outcomes } from "./outcome.js";
import { host, scalarReading } from "./scalars-part.js";
import type { Boxed, ScalarReader } from "./scalars/reader.js";
import type { Rows } from "./scalars/rows-of-entries.js";
import type { ScalarColumn, ScalarType, ScalarValues } from "./scalar-values.js";
import { cursorOver, type RowCursor } from "./union.js";
import { type Window, type WindowOptions, windowOf } from "./window.js";

/** Bytes of a value, as an audit counts them: records hold the rows of a value, not the values of rows. */
const VALUE_BYTES = 8;

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
  readonly #descriptor: string | undefined;
  #reader: ScalarReader<T> | undefined;

  /** @internal */
  constructor(info: ScalarFieldInfo<T>, access: FieldAccess, descriptor: string | undefined) {
    this.info = info;
    this.#access = access;
    this.#descriptor = descriptor;
  }

  /** Name of the field. */
  get name(): string {
    return this.info.name;
  }

  /**
   * The value at an anchor; `undefined` if there is none or its row is deleted. Costs the index once, then the records whose extents hold the
   * anchor: each value's one, for a column of few values.
   *
   * @throws {DreamDbError} `InvalidArgument`; `ScalarIndex`, `ScalarRecord`, `UnsupportedIndex`; `HashMismatch`; `PackSliceOutOfBounds`; the codes of
   * Tracks and entries; `TooLarge`; `RequestBudget`; the store's codes; `PartLoad`; each with `field` and `anchor`
   */
  async read(anchor: U64, { signal }: ItemReadOptions = {}): Promise<ScalarValues[T] | undefined> {
    const asked = [toU64("an anchor", anchor)];
    try {
      const [read] = await (await this.#open(signal)).reads(asked, newCall(signal));
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
    const reads = await this.#within(signal, (reader) => reader.reads(asked, newCall(signal)));
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
    return (await this.#alive(window)).column();
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
    const { signal } = window;
    return (await this.#within(signal, (reader) => reader.stored(windowOf(window), newCall(signal)))).anchors;
  }

  /** @internal The rows of a window, to be lined up with the Items of other fields. */
  cursor({ start, end }: Window, signal: AbortSignal): RowCursor {
    return cursorOver(this.name, this.#run({ start, end, signal }), {
      slice: (rows, from, to) => rows.slice(from, to),
      concat: ([rows]) => rows,
      column: (rows) => Promise.resolve(rows.column()),
      values: (rows) => rows.values().map((value) => Promise.resolve(value)),
    });
  }

  /** @internal All rows: whoever knows them has read and checked every page and record. */
  async auditPlan(signal: AbortSignal | undefined): Promise<AuditPlan> {
    const anchors = await this.anchors({ signal });
    const check = () => Promise.resolve(Array.from(anchors, () => VALUE_BYTES));
    return { units: anchors.length === 0 ? [] : [{ anchors: [...anchors], check }], faults: [] };
  }

  /** @internal Finds what is asked for; fetches no record yet. */
  async prepare(asked: readonly bigint[], signal: AbortSignal | undefined): Promise<PreparedReads<Boxed<T>>> {
    const reader = await this.#within(signal, async (opened) => {
      await opened.prepare(signal);
      return opened;
    });
    return {
      requests: 0,
      begin: (call) => {
        const reads = reader.reads(asked, call);
        return asked.map(async (_, at) => (await reads)[at] ?? "absent");
      },
    };
  }

  /** All of a window in one run. */
  async *#run(window: WindowOptions): AsyncGenerator<Rows<T>, void, undefined> {
    yield await this.#alive(window);
  }

  #alive(window: WindowOptions): Promise<Rows<T>> {
    const { signal } = window;
    return this.#within(signal, (reader) => reader.alive(windowOf(window), newCall(signal)));
  }

  async #within<R>(signal: AbortSignal | undefined, work: (reader: ScalarReader<T>) => Promise<R>): Promise<R> {
    try {
      return await work(await this.#open(signal));
    } catch (error) {
      throw withContext(error, { field: this.name });
    }
  }

  async #open(signal: AbortSignal | undefined): Promise<ScalarReader<T>> {
    if (this.#reader !== undefined) return this.#reader;
    const { ScalarReader: Reader } = await orAborted(scalarReading(), signal);
    return (this.#reader ??= new Reader(host, this.info, this.#access, this.#descriptor));
  }
}
