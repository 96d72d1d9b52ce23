/**
 * Reads response bodies: counted, capped, and always either consumed or cancelled.
 *
 * Streams even where `arrayBuffer()` would do: only a stream can be stopped at a cap when its length is hidden or a lie, and shows progress
 * to the clock. It costs nothing (33 MB over loopback in Node 20: 63 ms, against 125 ms by `arrayBuffer()`).
 */

import { onAbort } from "./abort.js";
import type { HttpAnswer, HttpChunk } from "./http-answer.js";
import type { Tally } from "./observe.js";
import type { Watch } from "./watch.js";

/**
 * The most to allocate on the word of a header. When that much has really arrived, the rest of the announced size is believed, too.
 */
const FIRST_ALLOCATION = 64 * 1024 * 1024;
/** Where a body of unknown length starts; it doubles from there. */
const SMALL_ALLOCATION = 64 * 1024;

/** How to read one body. */
export interface Intake {
  /** Most bytes to accept. */
  readonly limit: number;
  /** Expected bytes, for allocation only. */
  readonly hint?: number | undefined;
  /** Bytes after which nothing is missing, so that it makes no difference how the body ends. */
  readonly enough?: number | undefined;
  readonly watch: Watch;
  readonly tally: Tally;
  /** Whether the body ends by itself when the watch does, as that of the runtime's own `fetch`. */
  readonly listens?: boolean;
}

/** A body that failed after it had begun. */
export class BrokenBody extends Error {
  readonly received: number;
  constructor(received: number, cause: unknown) {
    super("the body broke off", { cause });
    this.received = received;
  }
}

/**
 * The whole body in one exact buffer, or `undefined` if more than `limit` bytes came (it is cancelled then).
 *
 * Errors: the watch's reason; {@link BrokenBody}; a RangeError when the runtime has no buffer of that size. Chunks are copied once, as a
 * custom `fetch` may serve chunks out of memory that it keeps.
 */
export async function readBody(response: HttpAnswer, intake: Intake): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { limit, hint, enough, watch, tally, listens = false } = intake;
  // A null body, or a runtime without streams.
  if (!response.body) {
    const all = await watch.race(Promise.resolve(response.arrayBuffer?.()));
    const bytes = all ? new Uint8Array(all) : new Uint8Array(0);
    tally.bytes += bytes.byteLength;
    return bytes.byteLength > limit ? undefined : bytes;
  }

  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const off = listens ? undefined : onAbort(watch.signal, cancel);
  let ended = false;
  let count = 0;
  try {
    let buffer = new Uint8Array(Math.min(hint ?? SMALL_ALLOCATION, FIRST_ALLOCATION, limit));
    for (;;) {
      let read: HttpChunk;
      try {
        read = await reader.read();
      } catch (cause) {
        watch.check();
        if (count === enough) break;
        throw new BrokenBody(count, cause);
      }
      // A cancelled stream ends quietly; that is no end of the body.
      watch.check();
      if (read.done) break;
      const { value: chunk } = read;
      if (!(ArrayBuffer.isView(chunk) && chunk.BYTES_PER_ELEMENT === 1)) throw new BrokenBody(count, new TypeError("a body must yield bytes"));
      watch.moved();
      tally.bytes += chunk.byteLength;
      const end = count + chunk.byteLength;
      if (end > limit) return undefined;
      if (end > buffer.byteLength) {
        const larger = new Uint8Array(Math.min(limit, Math.max(end, hint ?? 0, 2 * buffer.byteLength)));
        larger.set(buffer.subarray(0, count));
        buffer = larger;
      }
      buffer.set(chunk, count);
      count = end;
    }
    ended = true;
    return count === buffer.byteLength ? buffer : buffer.slice(0, count);
  } finally {
    off?.();
    if (!ended) cancel();
  }
}

/** Lets go of a body that nobody will read, without waiting for it. */
export function discard(response: HttpAnswer): void {
  void response.body?.cancel().catch(() => undefined);
}
