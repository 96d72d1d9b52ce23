/** Work under a signal: a wait that can be cut short, and what ends with what began it. How signals are listened to is abort.ts's matter. */
import { DreamDbError } from "../errors.js";
import { onAbort, orAborted, throwIfAborted } from "./abort.js";

/** So many milliseconds, or the abort reason as soon as the signal fires. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await orAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Why what a scope began ends with it. One for all: nobody is left to see it, and making an error takes time. */
const OVER = new DreamDbError("Aborted", "what it was begun for is over");

/**
 * Runs `work` under a signal of its own, which fires with the given one, when the work fails, and when it calls `end`: for what it began and
 * does not need any more.
 */
export async function scoped<T>(signal: AbortSignal | undefined, work: (own: AbortSignal, end: () => void) => Promise<T>): Promise<T> {
  throwIfAborted(signal);
  const controller = new AbortController();
  const off = signal && onAbort(signal, () => controller.abort(signal.reason));
  const end = (): void => controller.abort(OVER);
  try {
    return await work(controller.signal, end);
  } catch (error) {
    end();
    throw error;
  } finally {
    off?.();
  }
}
