/**
 * Requests to the store: in their turn, counted, told, and tried again when that may help.
 *
 * Whether the bytes are the right ones is decided above. A store that does not listen to the signal is not waited for.
 */
import { type ErrorCode, isDreamDbError } from "../errors.js";
import { isAttentive, orAborted, throwIfAborted } from "../store/abort.js";
import { sleep } from "../store/scope.js";
import type { ReadOptions, Store } from "../store/types.js";
import type { Call } from "./call.js";
import type { DatasetObserver, RequestEvent } from "./events.js";
import { given, givenToCopy } from "./given.js";
import { Lane } from "./lane.js";
import { RetryPolicy, type RetryOptions } from "./retry.js";
import type { Counters } from "./stats.js";

/** Options of {@link Requests}. */
export interface RequestOptions {
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** Requests in all. */
  readonly maxRequests: number;
  readonly retry?: RetryOptions | undefined;
  readonly onEvent?: DatasetObserver | undefined;
}

/** Bytes that a body may have beyond what is expected, so that a longer object is told from an endless one. */
const BODY_SLACK = 1 << 20;

/** Bytes to accept of an object that should have `length`. */
export function bodyLimit(length: number): number {
  return Math.max(2 * length, length + BODY_SLACK);
}

/** What a range read may be told besides its bytes. */
export type RangeHints = Pick<ReadOptions, "onWhole" | "onTotal">;

/** A request as events tell it. */
type Asked = Pick<RequestEvent, "kind" | "key" | "offset" | "length">;

/** Sends it once. */
type Send = (fresh: boolean, signal: AbortSignal | undefined) => Promise<Uint8Array<ArrayBuffer>>;

/** Holds what came to the contract of stores. */
type Hold<B extends Uint8Array> = (bytes: unknown, key: string, length?: number) => B;

/** The requests of one dataset to one store. */
export class Requests {
  readonly #store: Store;
  /** Whether the store ends its reads with their signals. */
  readonly #listens: boolean;
  readonly #counters: Counters;
  readonly #lane: Lane;
  readonly #policy: RetryPolicy;
  readonly #onEvent: DatasetObserver | undefined;

  constructor(store: Store, counters: Counters, { concurrency, maxRequests, retry, onEvent }: RequestOptions) {
    this.#store = store;
    this.#listens = isAttentive(store);
    this.#counters = counters;
    this.#lane = new Lane(concurrency, maxRequests);
    this.#policy = new RetryPolicy(retry);
    this.#onEvent = onEvent;
  }

  /**
   * A whole object, as a buffer of its own.
   *
   * @param maxBytes bytes to accept at most, if not the store's own limit
   * @throws {DreamDbError} the store's codes, `RequestBudget`; the abort reason
   */
  get(key: string, call: Call, maxBytes?: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#tries({ kind: "get", key }, call, this.#whole(key, maxBytes), given);
  }

  /** As {@link get}, for who copies the bytes at once: they may be a view of any buffer, a pool included. */
  getToCopy(key: string, call: Call, maxBytes?: number): Promise<Uint8Array> {
    return this.#tries({ kind: "get", key }, call, this.#whole(key, maxBytes), givenToCopy);
  }

  /**
   * Exactly `length` bytes, more than none, as a buffer of its own.
   *
   * @throws {DreamDbError} the store's codes, `RequestBudget`; the abort reason
   */
  getRange(key: string, offset: number, length: number, call: Call, hints: RangeHints = {}): Promise<Uint8Array<ArrayBuffer>> {
    const send: Send = (fresh, signal) => this.#store.getRange(key, offset, length, { ...hints, signal, ...(fresh && { fresh }) });
    return this.#tries({ kind: "range", key, offset, length }, call, send, given);
  }

  /**
   * Refuses a call that needs more requests than `maxRequests` leaves, before the first of them.
   *
   * @throws {DreamDbError} `RequestBudget`
   */
  afford(requests: number): void {
    this.#lane.afford(requests);
  }

  #whole(key: string, maxBytes: number | undefined): Send {
    return (fresh, signal) => this.#store.get(key, fresh ? { signal, maxBytes, fresh } : { signal, maxBytes });
  }

  #tries<B extends Uint8Array>(request: Asked, call: Call, send: Send, hold: Hold<B>): Promise<B> {
    // Most requests succeed, and pay nothing for what happens otherwise.
    return this.#once(request, 1, call, false, send, hold).catch((error: unknown) => this.#again(error, request, call, send, hold));
  }

  /** What comes after a first try that failed. */
  async #again<B extends Uint8Array>(first: unknown, request: Asked, call: Call, send: Send, hold: Hold<B>): Promise<B> {
    const { signal, retries } = call;
    let error = first;
    for (let attempt = 1; ; attempt++) {
      throwIfAborted(signal);
      const wait = error === retries.verdict ? undefined : this.#policy.after(error, attempt, retries);
      if (wait === undefined || !isDreamDbError(error)) throw error;
      this.#counters.retries++;
      this.#onEvent?.({ type: "retry", key: request.key, code: error.code, attempt, delayMs: wait.ms });
      if (wait.busy) this.#lane.close(wait.ms);
      await sleep(wait.ms, signal);
      try {
        return await this.#once(request, attempt + 1, call, wait.fresh, send, hold);
      } catch (next) {
        error = next;
      }
    }
  }

  async #once<B extends Uint8Array>(
    request: Asked,
    attempt: number,
    { signal, retries }: Call,
    fresh: boolean,
    send: Send,
    hold: Hold<B>,
  ): Promise<B> {
    const turn = this.#lane.enter(signal, attempt > 1);
    if (turn !== undefined) await turn;
    try {
      throwIfAborted(signal);
      if (retries.verdict) throw retries.verdict;
      this.#lane.spend();
    } catch (error) {
      this.#lane.leave();
      throw error;
    }
    this.#counters.requests++;
    if (request.kind === "range") this.#counters.ranges++;
    const start = this.#onEvent && performance.now();
    let bytes = 0;
    let code: ErrorCode | undefined;
    try {
      const sent = send(fresh, signal);
      const body = hold(await (this.#listens ? sent : orAborted(Promise.resolve(sent), signal)), request.key, request.length);
      bytes = body.byteLength;
      this.#counters.bytesFetched += bytes;
      return body;
    } catch (error) {
      code = isDreamDbError(error) ? error.code : "Aborted";
      throw error;
    } finally {
      this.#lane.leave();
      if (start !== undefined) {
        this.#onEvent?.({ type: "request", ...request, bytes, attempt, ...(code && { code }), ms: performance.now() - start });
      }
    }
  }
}
