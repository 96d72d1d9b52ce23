/**
 * Reads that follow what one looks at: when that changes, the read under way is cancelled, and what it would have given is never shown.
 *
 * The value of before stays, marked as stale, until the next one is there, so that stepping does not flicker.
 */
import { useEffect, useState } from "preact/hooks";

/** Where a read is. */
export type Reading<T> =
  | { readonly state: "reading"; readonly last: T | undefined }
  | { readonly state: "value"; readonly value: T }
  | { readonly state: "failed"; readonly error: unknown; retry(): void };

/** A read is called slow, and said to be under way, after this long. */
export const SLOW_MS = 250;

/**
 * What `read` gives for these `inputs`: a change of any of them cancels the read and begins it anew. `family` are inputs whose change makes the value of
 * before worthless, such as the field.
 */
export function useReading<T>(family: readonly unknown[], inputs: readonly unknown[], read: (signal: AbortSignal) => Promise<T>): Reading<T> {
  const [reading, setReading] = useState<{ readonly of: readonly unknown[]; readonly at: readonly unknown[]; readonly now: Reading<T> }>({ of: family, at: inputs, now: { state: "reading", last: undefined } });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const tell = (now: Reading<T>): void => {
      if (!controller.signal.aborted) setReading({ of: family, at: inputs, now });
    };
    setReading(({ of, now }) => ({ of: family, at: inputs, now: { state: "reading", last: isSame(of, family) ? lastOf(now) : undefined } }));
    read(controller.signal).then(
      (value) => tell({ state: "value", value }),
      (error: unknown) => tell({ state: "failed", error, retry: () => setAttempt((count) => count + 1) }),
    );
    return () => controller.abort();
  }, [...family, ...inputs, attempt]);
  if (!isSame(reading.of, family)) return { state: "reading", last: undefined };
  // Between a change and the read that it begins, too, the value of before is that of before: who plays on must see that.
  return isSame(reading.at, inputs) ? reading.now : { state: "reading", last: lastOf(reading.now) };
}

/** The value that can be shown meanwhile. */
export function lastOf<T>(reading: Reading<T>): T | undefined {
  if (reading.state === "value") return reading.value;
  return reading.state === "reading" ? reading.last : undefined;
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => Object.is(one, b[at]));
}
