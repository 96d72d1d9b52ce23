/** What stands where the data will: the value of a read, that it takes a while, or why it failed. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { lastOf, type Reading, SLOW_MS } from "../reading.js";
import { FailureCard } from "./failure-card.js";

/** Shows a read. Of one under way the value of before is shown, and after a while that it is stale. */
export function Read<T>({ reading, children }: { readonly reading: Reading<T>; children(value: T): ComponentChildren }) {
  const isSlow = useSlow(reading.state === "reading");
  if (reading.state === "failed") return <FailureCard error={reading.error} retry={reading.retry} />;
  const value = lastOf(reading);
  return (
    <div class={isSlow ? "read slow" : "read"} aria-busy={reading.state === "reading"}>
      {isSlow && <p class="waiting">Reading…</p>}
      {value !== undefined && children(value)}
    </div>
  );
}

function useSlow(isReading: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isReading) {
      setSlow(false);
      return undefined;
    }
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isReading]);
  return isSlow && isReading;
}
