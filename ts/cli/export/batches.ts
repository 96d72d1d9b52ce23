/** Items of a window in batches of about so many bytes: what is in memory does not grow with the window, however large Items are. */
import { prefetched, until } from "../../dataset/batches.js";
import { type Selection, slice } from "../../dataset/selection.js";

/** Bytes of a batch, about; two are in memory. */
const BATCH_BYTES = 8 << 20;
/** Items of the first batch, as long as nobody knows how large they are. */
const FIRST = 1;
/** Items of a batch at most, and how many times as many as in the one before. */
const MOST = 65_536;
const GROWTH = 8;

/** How the Items of a field are found and read. */
export interface BatchReader<B> {
  /** Items of the window, in runs. */
  scan(signal: AbortSignal): AsyncIterable<Selection>;
  read(selection: Selection, signal: AbortSignal): Promise<B>;
  /** Bytes of what was read. */
  bytesOf(batch: B): number;
  /** Bytes of an Item, if its type tells. */
  readonly itemBytes?: number | undefined;
}

/** Reads the batches, one ahead. */
export function inBatches<B>({ scan, read, bytesOf, itemBytes }: BatchReader<B>, signal: AbortSignal): AsyncGenerator<B, void, undefined> {
  const fit = (bytes: number) => Math.max(1, Math.min(MOST, Math.floor(BATCH_BYTES / Math.max(1, bytes))));
  return until(signal, async function* (own) {
    let size = itemBytes === undefined ? FIRST : fit(itemBytes);
    let largest = 1;
    const begin = async function* () {
      for await (const run of scan(own)) {
        for (let from = 0; from < run.anchors.length; ) {
          const to = Math.min(run.anchors.length, from + size);
          const selection = slice(run, from, to);
          from = to;
          yield async () => {
            const batch = await read(selection, own);
            if (itemBytes === undefined) {
              largest = Math.max(largest, bytesOf(batch) / selection.anchors.length);
              size = Math.min(GROWTH * size, fit(largest));
            }
            return batch;
          };
        }
      }
    };
    yield* prefetched(begin());
  });
}
