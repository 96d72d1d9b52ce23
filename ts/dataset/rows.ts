/** Rows of a dataset: what its fields have at the same anchors. */
import { withContext } from "../error-context.js";
import type { ErrorContext } from "../errors.js";
import { newCall } from "../io/call.js";
import { type BatchOptions, batchSizeOf, prefetched, until } from "./batches.js";
import { type RowBatch, type RowCursor, union } from "./union.js";
import { type Window, windowOf } from "./window.js";

/** Options of an iteration over rows. */
export interface RowOptions extends BatchOptions {
  /** Names of the fields; all that have Items with anchors and can be read, unless said otherwise. */
  readonly fields?: readonly string[] | undefined;
}

/** A batch of rows, as columns. `C` is what each field's column is. */
export interface Batch<C> {
  /** Anchors at which any of the fields has a value, ascending. */
  readonly anchors: BigUint64Array<ArrayBuffer>;
  /** The columns of the fields by name, each with the anchors that it has; a field without a value in the batch is not among them. */
  readonly columns: Readonly<Record<string, C>>;
}

/** One row. `V` is what a value can be. */
export interface Row<V> {
  /** Where it lies on the timeline. */
  readonly anchor: bigint;
  /** The values by field; where a field has none, there is none. */
  readonly values: Readonly<Record<string, V>>;
}

/** Opens the cursors of the wanted fields. */
export type OpenCursors = (window: Window, signal: AbortSignal) => readonly RowCursor[];

/** Rows of a batch by which single rows are read ahead, if nothing was said. */
const ROWS = 64;

/** Batches of rows. The arguments are judged at once, everything else waits for the first batch. */
export function batchesOfRows<C>(open: OpenCursors, options: RowOptions): AsyncGenerator<Batch<C>, void, undefined> {
  const [window, size] = [windowOf(options), batchSizeOf(options)];
  return until(options.signal, (signal) => prefetched(reads(open(window, signal), size, (batch) => columnsOf<C>(batch, signal))));
}

/** Rows, one by one. */
export function rowsOf<V>(open: OpenCursors, options: RowOptions): AsyncGenerator<Row<V>, void, undefined> {
  const [window, size] = [windowOf(options), batchSizeOf({ batchSize: options.batchSize ?? ROWS })];
  return until(options.signal, async function* (signal) {
    for await (const rows of prefetched(reads(open(window, signal), size, (batch) => valuesOf<V>(batch, signal)))) yield* rows;
  });
}

async function* reads<T>(
  cursors: readonly RowCursor[],
  size: number,
  read: (batch: RowBatch) => Promise<T>,
): AsyncGenerator<() => Promise<T>, void, undefined> {
  for await (const batch of union(cursors, size)) yield () => read(batch);
}

async function columnsOf<C>({ anchors, items }: RowBatch, signal: AbortSignal): Promise<Batch<C>> {
  const read = await Promise.all(Array.from(items, async ([field, own]) => [field, (await about(own.column(signal), { field })) as C] as const));
  const columns = namesOnly<C>();
  for (const [field, column] of read) columns[field] = column;
  return { anchors, columns };
}

async function valuesOf<V>({ anchors, items }: RowBatch, signal: AbortSignal): Promise<Row<V>[]> {
  const call = newCall(signal);
  const read = await Promise.all(
    Array.from(items, async ([field, own]) => {
      const values = own.values(call).map((value, at) => about(value, { field, anchor: own.anchors[at] }));
      return { field, anchors: own.anchors, values: (await Promise.all(values)) as V[] };
    }),
  );
  const rows = Array.from(anchors, (anchor) => ({ anchor, values: namesOnly<V>() }));
  for (const { field, anchors: own, values } of read) {
    let row = 0;
    for (const [at, value] of values.entries()) {
      while (anchors[row] !== own[at]) row++;
      const { values: there } = rows[row] ?? { values: namesOnly<V>() };
      there[field] = value;
    }
  }
  return rows;
}

async function about<T>(read: Promise<T>, context: ErrorContext): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw withContext(error, context);
  }
}

/** A field may be called anything, `__proto__` included. */
function namesOnly<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}
