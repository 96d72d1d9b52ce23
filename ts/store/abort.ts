/**
 * Cancellation as callers see it: the reason of their own signal, at once, whether or not the work underneath listens.
 */

import { kindOf, refused } from "../codec/arguments.js";
import { DreamDbError } from "../errors.js";

/**
 * What a cancelled read rejects with: `signal.reason`, the caller's own value, or `Aborted` around a reason that is not an object
 * (a string thrown on would have neither name nor stack).
 */
export function abortReason(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (typeof reason === "object" && reason !== null) return reason;
  const said = reason === undefined ? "" : `: ${String(reason)}`;
  return new DreamDbError("Aborted", `the read was cancelled${said}`, { cause: reason });
}

/**
 * Throws {@link abortReason} if the signal is aborted.
 *
 * @throws {DreamDbError} `InvalidArgument` for what is no signal
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (!("addEventListener" in Object(signal))) throw refused("signal", "an AbortSignal", kindOf(signal));
  if (signal.aborted) throw abortReason(signal);
}

/** Who waits for a signal: many within, one listener on the signal. */
interface Hub {
  readonly callbacks: Set<() => void>;
  readonly fire: () => void;
}

const hubs = new WeakMap<AbortSignal, Hub>();

/**
 * Calls back once when the signal fires, or at once if it has; the result takes that back.
 *
 * A call of thousands of Items has one signal, on which runtimes expect a few listeners: they search them one by one, and warn of a leak
 * when there are more than ten. So all share one, which is gone with the last of them.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const hub = hubs.get(signal) ?? open(signal);
  // A function of its own, as one callback may be given twice.
  const called = (): void => callback();
  hub.callbacks.add(called);
  return () => {
    if (hub.callbacks.delete(called) && hub.callbacks.size === 0) close(signal, hub);
  };
}

function open(signal: AbortSignal): Hub {
  throwIfAborted(signal);
  const hub: Hub = {
    callbacks: new Set(),
    fire: () => {
      const callbacks = [...hub.callbacks];
      hub.callbacks.clear();
      close(signal, hub);
      for (const callback of callbacks) callback();
    },
  };
  hubs.set(signal, hub);
  signal.addEventListener("abort", hub.fire, { once: true });
  return hub;
}

function close(signal: AbortSignal, hub: Hub): void {
  signal.removeEventListener("abort", hub.fire);
  if (hubs.get(signal) === hub) hubs.delete(signal);
}

/** `work`, or the abort reason as soon as the signal fires. The work itself goes on unless it listens, too. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  // Thousands of reads may wait at once: where nothing can abort them, they wait in one place less, and else in one more, not in several.
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const off = onAbort(signal, () => reject(abortReason(signal)));
    work.then(
      (result) => {
        off();
        return resolve(result);
      },
      (error: unknown) => {
        off();
        return reject(error);
      },
    );
  });
}

const attentive = new WeakSet<object>();

/** Notes that what an object promises ends with the signal that it is given: nobody need watch the signal beside it. */
export function markAttentive<T extends object>(object: T): T {
  attentive.add(object);
  return object;
}

/** Whether an object was noted so. */
export function isAttentive(object: object): boolean {
  return attentive.has(object);
}
