/**
 * When synchronous calls of the system do: a small file takes them some 10 to 100 µs, where the thread pool takes several times that. Not while the disk
 * makes them wait, and not many without letting others have a turn.
 */
import { throwIfAborted } from "./abort.js";

/** Calls at once after which others have their turn: timers, sockets, aborts. */
const IN_A_ROW = 32;
/** Milliseconds for one call above which the disk is taken to be slow, or busy. */
const SLOW_MS = 1;
/** Calls by the thread pool, at most, before it is tried again: twice as many each time, as one alone may have been an accident. */
const PATIENT = 1024;

/** Says which calls may hold up the program, since they take less time than waiting would. */
export class Pace {
  #inARow = 0;
  #patient = 0;
  #slow = 1;

  /** Whether others must have a turn before the next call. */
  get mustYield(): boolean {
    return this.#inARow >= IN_A_ROW;
  }

  /** Lets others have a turn. */
  async yields(signal: AbortSignal | undefined): Promise<void> {
    await new Promise((resume) => setImmediate(resume));
    this.#inARow = 0;
    throwIfAborted(signal);
  }

  /** Whether the next call may be made at once. */
  get isFast(): boolean {
    return this.#patient === 0 || --this.#patient === 0;
  }

  /** Does it, and learns from the time that it took. */
  timed<T>(call: () => T): T {
    const start = performance.now();
    try {
      return call();
    } finally {
      this.#inARow++;
      if (performance.now() - start < SLOW_MS) this.#slow = 1;
      else this.#patient = this.#slow = Math.min(PATIENT, 2 * this.#slow);
    }
  }
}
