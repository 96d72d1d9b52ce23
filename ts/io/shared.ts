/**
 * One piece of work for several callers, each of which may leave.
 *
 * The work stops only when every caller has left. A failure is never kept: the next caller starts anew.
 */
import { isDreamDbError } from "../errors.js";
import { orAborted, throwIfAborted } from "../store/abort.js";

interface Running<T> {
  readonly result: Promise<T>;
  /** None, if who started it cannot leave: then nothing can stop it. */
  readonly controller: AbortController | undefined;
  /** Those who still wait. */
  callers: number;
  /** Those who ever did. */
  joined: number;
}

/** Work in flight, by key. */
export class Shared<T> {
  readonly #running = new Map<string, Running<T>>();
  readonly #onEnd: ((key: string) => void) | undefined;

  /** @param onEnd told when work is over, or stopped by all who wanted it */
  constructor(onEnd?: (key: string) => void) {
    this.#onEnd = onEnd;
  }

  /**
   * Join the work under `key`, or start it.
   *
   * @param work told by its signal when no caller is left; it has none if its first caller cannot leave, which spares each layer below
   * a listener
   * @param signal of this caller, who then gets `signal.reason`; the others go on
   * @param copy makes each caller's own result, if there are several; a lone one gets the result itself
   */
  run(key: string, work: (signal: AbortSignal | undefined) => Promise<T>, signal?: AbortSignal, copy?: (result: T) => T): Promise<T> {
    try {
      throwIfAborted(signal);
    } catch (error) {
      return Promise.reject(error);
    }
    const running = this.#running.get(key) ?? this.#start(key, work, signal !== undefined);
    running.callers++;
    running.joined++;
    // Who cannot leave need not be watched.
    if (signal === undefined && copy === undefined) return running.result;
    return this.#wait(key, running, signal, copy);
  }

  async #wait(key: string, running: Running<T>, signal: AbortSignal | undefined, copy: ((result: T) => T) | undefined): Promise<T> {
    try {
      const result = await orAborted(running.result, signal);
      return copy !== undefined && running.joined > 1 ? copy(result) : result;
    } finally {
      running.callers--;
      if (running.callers === 0 && this.#running.get(key) === running) {
        this.#end(key);
        running.controller?.abort();
      }
    }
  }

  #start(key: string, work: (signal: AbortSignal | undefined) => Promise<T>, canStop: boolean): Running<T> {
    const controller = canStop ? new AbortController() : undefined;
    const result = work(controller?.signal).finally(() => {
      if (this.#running.get(key) === running) this.#end(key);
    });
    const running: Running<T> = { result, controller, callers: 0, joined: 0 };
    this.#running.set(key, running);
    return running;
  }

  #end(key: string): void {
    this.#running.delete(key);
    this.#onEnd?.(key);
  }
}

/** Work that several wait for and later ones find done: what it gave, or the failure that it ended with; but not that all had left. */
export function once<T>(work: (signal: AbortSignal | undefined) => Promise<T>): { known?: () => T; wait: (signal: AbortSignal | undefined) => Promise<T> } {
  const shared = new Shared<T>();
  const result: ReturnType<typeof once<T>> = {
    async wait(signal) {
      try {
        const value = await shared.run("", work, signal);
        result.known = () => value;
        return value;
      } catch (error) {
        if (isDreamDbError(error) && error.code !== "Aborted") {
          result.known = () => {
            throw error;
          };
        }
        throw error;
      }
    },
  };
  return result;
}
