/**
 * Ends a request that its caller gave up or that stopped moving.
 *
 * The clock runs from the last sign of life, so a large object on a slow line is fine and a silent server is not. One timer serves a whole
 * request: it is moved when it fires, not at every chunk.
 */

import { DreamDbError, type ErrorDetails } from "../errors.js";
import { abortReason, orAborted, throwIfAborted } from "./abort.js";

/** The longest delay that `setTimeout` can hold; above it, it fires at once. */
const LONGEST_DELAY = 0x7fff_ffff;

/** Watches over one request; `close` must be called when it is over. */
export class Watch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timeoutMs: number;
  readonly #timedOut: () => DreamDbError;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #moved = performance.now();

  /**
   * Starts the clock. `place` names the object in the error.
   *
   * Errors: the caller's abort reason, if the signal is aborted already.
   */
  constructor(caller: AbortSignal | undefined, timeoutMs: number, place: string, details: ErrorDetails) {
    throwIfAborted(caller);
    this.#caller = caller;
    this.#timeoutMs = timeoutMs;
    this.#timedOut = () => new DreamDbError("Timeout", `nothing arrived for ${timeoutMs} ms from ${place}`, details);
    caller?.addEventListener("abort", this.#onAbort, { once: true });
    if (timeoutMs <= LONGEST_DELAY) this.#timer = setTimeout(this.#onTimer, timeoutMs);
  }

  /** For the request: fires on abort and on timeout, with the error to throw as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something arrived. */
  moved(): void {
    this.#moved = performance.now();
  }

  /** Throws the abort reason or the `Timeout` that ended the request, if any. */
  check(): void {
    throwIfAborted(this.signal);
  }

  /** `work`, or the end that this watch gave it, even if the work does not listen to the signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return orAborted(work, this.signal);
  }

  /** Lets go of the timer and of the caller's signal. */
  close(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => {
    if (this.#caller) this.#controller.abort(abortReason(this.#caller));
  };

  readonly #onTimer = (): void => {
    // Timers and the clock round differently; a millisecond early counts as due.
    const left = this.#timeoutMs - (performance.now() - this.#moved);
    if (left <= 1) this.#controller.abort(this.#timedOut());
    else this.#timer = setTimeout(this.#onTimer, left);
  };
}
