/** Batches: the next one is under way while the caller uses one, and no more than that. */
import { refused } from "../codec/arguments.js";
import { withContext } from "../error-context.js";
import { handled } from "../io/pump.js";
import { abortReason, onAbort } from "../store/abort.js";
import { concat, type Selection, slice } from "./selection.js";
import type { WindowOptions } from "./window.js";

/** Options of an iteration by batches. */
export interface BatchOptions extends WindowOptions {
  /** Items of a batch; 256 unless said otherwise. Their values have 1 GiB at most, `TooLarge` above it. */
  readonly batchSize?: number | undefined;
}

/** Items of a batch for which nothing was said. */
const BATCH = 256;

/**
 * The size that the options say.
 *
 * @throws {DreamDbError} `InvalidArgument`
 */
export function batchSizeOf({ batchSize = BATCH }: BatchOptions): number {
  if (Number.isSafeInteger(batchSize) && batchSize >= 1) return batchSize;
  throw refused("batchSize", "an integer from 1", batchSize);
}

/** What comes of one piece, begun before it is asked for, and given when it is its turn. */
export async function* prefetched<T>(pieces: AsyncIterable<() => Promise<T>>): AsyncGenerator<T, void, undefined> {
  const iterator = pieces[Symbol.asyncIterator]();
  // Nobody awaits what is begun while the caller uses the one before; its failure, or that of finding it, is told in its turn.
  const begin = (): Promise<{ readonly piece: Promise<T> } | undefined> => {
    const begun = iterator.next().then((next) => (next.done === true ? undefined : { piece: handled(next.value()) }));
    return handled(begun);
  };
  try {
    for (let coming = begin(); ; ) {
      const begun = await coming;
      if (begun === undefined) return;
      coming = begin();
      yield await begun.piece;
    }
  } finally {
    // It may be waiting for what is stopped only after this.
    iterator.return?.().catch(() => undefined);
  }
}


/** Runs of Items cut and joined to batches of one size. */
export async function* evenly(runs: AsyncIterable<Selection>, size: number): AsyncGenerator<Selection, void, undefined> {
  let waiting: Selection[] = [];
  let count = 0;
  for await (const run of runs) {
    let from = 0;
    while (count + run.anchors.length - from >= size) {
      const to = from + size - count;
      yield concat([...waiting, slice(run, from, to)]);
      [waiting, count, from] = [[], 0, to];
    }
    if (from === run.anchors.length) continue;
    waiting.push(slice(run, from, run.anchors.length));
    count += run.anchors.length - from;
  }
  if (count > 0) yield concat(waiting);
}

/** Batches of one field. The arguments are judged at once; everything else waits for the first batch to be asked for. */
export function batchesOf<C>(
  runs: (signal: AbortSignal | undefined) => AsyncIterable<Selection>,
  read: (selection: Selection, signal: AbortSignal | undefined) => Promise<C>,
  options: BatchOptions,
  field: string,
): AsyncGenerator<C, void, undefined> {
  const size = batchSizeOf(options);
  return until(options.signal, async function* (signal) {
    const begin = async function* () {
      for await (const selection of evenly(runs(signal), size)) yield () => read(selection, signal);
    };
    try {
      yield* prefetched(begin());
    } catch (error) {
      throw withContext(error, { field });
    }
  });
}

/** An iteration under a signal of its own, which fires with the caller's and when the iteration ends, however it ends. */
export async function* until<T>(
  signal: AbortSignal | undefined,
  iterate: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const own = new AbortController();
  const off = signal && onAbort(signal, () => own.abort(abortReason(signal)));
  try {
    yield* iterate(own.signal);
  } finally {
    own.abort();
    off?.();
  }
}
