/** One call of a caller: when it is cancelled, and what its requests spend together. */
import { RetryBudget } from "./retry.js";
import type { Slabs } from "./slabs.js";

/** The scope of one call, handed down to each of its requests. */
export interface Call {
  /** Cancels the call. */
  readonly signal: AbortSignal | undefined;
  readonly retries: RetryBudget;
  /** Where spans are put, if the call's results may share memory; else each has a buffer of its own. */
  readonly slabs?: Slabs | undefined;
}

/** A call that begins. */
export function newCall(signal?: AbortSignal, slabs?: Slabs): Call {
  return { signal, retries: new RetryBudget(), slabs };
}

/** The same call's part in work that it shares with others, which ends by the work's own signal. */
export function under(call: Call, signal: AbortSignal | undefined): Call {
  return { signal, retries: call.retries, slabs: call.slabs };
}
