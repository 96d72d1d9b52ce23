/**
 * Which failures may pass by themselves, how long to wait for that, and how often in all.
 *
 * Bounded twice: tries per request, and retries per call, so that a call of a thousand Items does not send a thousand requests more to a
 * store that is overloaded.
 */
import { refused } from "../codec/arguments.js";
import { type DreamDbError, isDreamDbError } from "../errors.js";

/** How failures that may pass are tried again. */
export interface RetryOptions {
  /** Tries per request, the first one included. Default 4; with 1 nothing is tried again. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second try; each further wait is twice as long, give or take half of it. Default 100. */
  readonly minDelayMs?: number | undefined;
  /** The longest wait in milliseconds. A server that asks for more (`Retry-After`) is not waited for. Default 30,000, at most 2^31 − 1. */
  readonly maxDelayMs?: number | undefined;
}

/** Retries of one call that reads, however many requests it sends. */
const PER_CALL = 16;

/** Answers of a server that is busy or in trouble. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Those of them that hold for all other requests, too. */
const BUSY = new Set([429, 503]);

/** What the requests of one call spend together. */
export class RetryBudget {
  #left: number;
  #verdict: DreamDbError | undefined;

  /** @param retries that it may spend */
  constructor(retries = PER_CALL) {
    this.#left = retries;
  }

  /** What ended the call's patience with a busy server; its other requests then fail without being sent. */
  get verdict(): DreamDbError | undefined {
    return this.#verdict;
  }

  /** Takes one retry, if one is left. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** A busy server will not be asked again. */
  giveUp(error: DreamDbError): void {
    this.#verdict ??= error;
  }
}

/** What came out for one failure: when to try again. */
export interface Wait {
  readonly ms: number;
  /** Whether all requests had better wait. */
  readonly busy: boolean;
  /** Whether to go around caches, which may have given the wrong answer. */
  readonly fresh: boolean;
}

/** The rules of one dataset. */
export class RetryPolicy {
  readonly #attempts: number;
  readonly #minDelayMs: number;
  readonly #maxDelayMs: number;

  /** @throws {DreamDbError} `InvalidArgument` */
  constructor({ attempts = 4, minDelayMs = 100, maxDelayMs = 30_000 }: RetryOptions = {}) {
    if (!Number.isSafeInteger(attempts) || attempts < 1) throw refused("retry.attempts", "an integer from 1", attempts);
    for (const [name, value] of Object.entries({ minDelayMs, maxDelayMs })) {
      if (typeof value !== "number" || !(value >= 0)) throw refused(`retry.${name}`, "a number from 0", value);
    }
    this.#attempts = attempts;
    this.#minDelayMs = minDelayMs;
    // Beyond, timers go off at once.
    this.#maxDelayMs = Math.min(maxDelayMs, 2 ** 31 - 1);
  }

  /** Whether and when to try again after the failure of try number `attempt`, from 1; the budget is charged. */
  after(error: unknown, attempt: number, budget: RetryBudget): Wait | undefined {
    if (!isDreamDbError(error) || attempt >= this.#attempts) return undefined;
    const { code, status = 0, retryAfterMs } = error;
    const short = code === "BodyLength" && error.url !== undefined;
    const busy = code === "HttpStatus" && BUSY.has(status);
    // A silent server took its time already, and a short body that comes twice is not an accident.
    const often = code === "Network" || (code === "HttpStatus" && TRANSIENT.has(status));
    const once = code === "Timeout" || short;
    if (!often && !(once && attempt === 1)) return undefined;
    const ms = retryAfterMs ?? this.#backoff(attempt);
    if (ms <= this.#maxDelayMs && budget.take()) return { ms, busy, fresh: short };
    if (busy) budget.giveUp(error);
    return undefined;
  }

  #backoff(attempt: number): number {
    return Math.min(this.#maxDelayMs, this.#minDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }
}
