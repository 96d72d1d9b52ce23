/**
 * Times a read and reports it to the store's observer, whichever way it ends. Only the reporting; counters live above the stores.
 */

import type { TransferEvent, TransferObserver } from "./types.js";

/** What a read notes down about itself while it runs. */
export interface Tally {
  /** Body bytes received so far. */
  bytes: number;
  /** HTTP status, once there is one. */
  status?: number;
}

/** Runs `read` and reports it as `request`. Without an observer it costs nothing. */
export function observed<T>(
  observer: TransferObserver | undefined,
  request: Pick<TransferEvent, "kind" | "key" | "offset" | "length">,
  read: (tally: Tally) => Promise<T>,
): Promise<T> {
  const tally: Tally = { bytes: 0 };
  return observer ? reported(observer, request, read, tally) : read(tally);
}

async function reported<T>(
  observer: TransferObserver,
  request: Pick<TransferEvent, "kind" | "key" | "offset" | "length">,
  read: (tally: Tally) => Promise<T>,
  tally: Tally,
): Promise<T> {
  const start = performance.now();
  let ok = false;
  try {
    const result = await read(tally);
    ok = true;
    return result;
  } finally {
    observer({ ...request, ...tally, ok, ms: performance.now() - start });
  }
}
