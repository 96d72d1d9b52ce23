/**
 * Ends a request that its caller gave up or that stopped moving.
 *
 * The clock runs from the last sign of life, so a large object on a slow line is fine and a silent server is not. One timer serves all
 * requests of a store: it is moved when it fires, neither at every chunk nor for every request.
 */

import { DreamDbError, type ErrorDetails } from "../errors.js";
import { abortReason, onAbort, orAborted, throwIfAborted } from "./abort.js";
import type { Ending } from "./http-answer.js";

/** The longest delay that `setTimeout` can hold; above it, it fires at once. */
const LONGEST_DELAY = 0x7fff_ffff;

/** Times out watches that do not move for so many milliseconds. */
export class Clock {
  readonly timeoutMs: number;
  readonly #watches = new Set<Watch>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  /** Begins to look after a watch. */
  add(watch: Watch): void {
    this.#watches.add(watch);
    if (this.#timer === undefined && this.timeoutMs <= LONGEST_DELAY) this.#timer = setTimeout(this.#look, this.timeoutMs);
  }

  /** Lets go of a watch; with the last one the timer goes, which would hold up the end of a program. */
  remove(watch: Watch): void {
    this.#watches.delete(watch);
    if (this.#watches.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #look = (): void => {
    const now = performance.now();
    let next = this.timeoutMs;
    for (const watch of this.#watches) {
      // Timers and the clock round differently; a millisecond early counts as due.
      const left = this.timeoutMs - (now - watch.movedAt);
      if (left <= 1) watch.expire(this.timeoutMs);
      else next = Math.min(next, left);
    }
    this.#timer = this.#watches.size > 0 ? setTimeout(this.#look, next) : undefined;
  };
}

/** Watches over one request; `close` must be called when it is over. */
export class Watch implements Ending {
  /** When the last sign of life came. */
  movedAt = performance.now();
  #ended: { readonly reason: unknown } | undefined;
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #place: string;
  readonly #details: ErrorDetails;
  readonly #off: (() => void) | undefined;

  /**
   * Starts the clock. `place` names the object in the error.
   *
   * Errors: the caller's abort reason, if the signal is aborted already.
   */
  constructor(caller: AbortSignal | undefined, clock: Clock, place: string, details: ErrorDetails) {
    throwIfAborted(caller);
    this.#clock = clock;
    this.#place = place;
    this.#details = details;
    this.#off = caller && onAbort(caller, () => this.#end(abortReason(caller)));
    clock.add(this);
  }

  get ended(): { readonly reason: unknown } | undefined {
    return this.#ended;
  }

  /** For requests by `fetch`: fires on abort and on timeout, with the error to throw as its reason. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended && !this.#controller.signal.aborted) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }

  tell(listener: (() => void) | undefined): void {
    this.#listener = listener;
  }

  #end(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  /** Something arrived. */
  moved(): void {
    this.movedAt = performance.now();
  }

  /** Nothing arrived for too long. */
  expire(timeoutMs: number): void {
    this.#clock.remove(this);
    this.#end(new DreamDbError("Timeout", `nothing arrived for ${timeoutMs} ms from ${this.#place}`, this.#details));
  }

  /** Throws the abort reason or the `Timeout` that ended the request, if any. */
  check(): void {
    if (this.#ended) throw this.#ended.reason;
  }

  /** `work`, or the end that this watch gave it, even if the work does not listen to the signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return orAborted(work, this.signal);
  }

  /** Lets go of the clock and of the caller's signal. */
  close(): void {
    this.#clock.remove(this);
    this.#off?.();
  }
}
