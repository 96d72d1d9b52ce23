/** The bytes: what was asked for, what came, what was checked; each request as it ended. */
import { useEffect, useState } from "preact/hooks";
import type { DatasetEvent } from "dreamdb-arrays";
import { bytesText, countText } from "../data/numbers.js";
import { onKey } from "../keys.js";
import { lines, sums } from "../state/ledger.js";
import { Inert } from "../ui/inert.js";

/** Requests that are listed; more are kept. */
const LISTED = 100;

/** Sums, and the last requests. */
export function BytesPanel() {
  const stats = sums.value;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onKey("b", () => setOpen((was) => !was)), []);
  return (
    <section aria-label="Bytes" class="bytes">
      <h2>Bytes</h2>
      {stats !== undefined && (
        <dl class="numbers">
          <dt>requests</dt>
          <dd data-bytes="requests">{countText(stats.requests)}</dd>
          <dt>wanted</dt>
          <dd data-bytes="wanted">{bytesText(stats.bytesWanted)}</dd>
          <dt>received</dt>
          <dd data-bytes="received">{bytesText(stats.bytesFetched)}</dd>
          <dt>of it proofs</dt>
          <dd data-bytes="proofs">{bytesText(stats.bytesOfProofs)}</dd>
          <dt>verified</dt>
          <dd data-bytes="verified">{bytesText(stats.bytesVerified)}</dd>
          <dt>cache hits</dt>
          <dd data-bytes="hits">{countText(stats.cacheHits)}</dd>
          <dt title="Received for each byte that was wanted, indexes and proofs included">amplification</dt>
          <dd data-bytes="amplification">{stats.bytesWanted === 0 ? "none yet" : `${(stats.bytesFetched / stats.bytesWanted).toFixed(2)}×`}</dd>
        </dl>
      )}
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Requests</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="Requests, newest first">
          <table>
            <thead>
              <tr>
                <th>#</th>
                <th>what</th>
                <th>object</th>
                <th>bytes</th>
              </tr>
            </thead>
            <tbody>
              {isOpen &&
                lines.value
                  .slice(-LISTED)
                  .toReversed()
                  .map(({ number, event }) => (
                    <tr key={number} data-type={event.type} class={event.type === "request" && event.code !== undefined ? "bad" : undefined}>
                      <td>{number}</td>
                      <td>{whatText(event)}</td>
                      <td>
                        <Inert text={shortKey(event.key)} most={32} />
                      </td>
                      <td>{"bytes" in event ? bytesText(event.bytes) : ""}</td>
                    </tr>
                  ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function whatText(event: DatasetEvent): string {
  switch (event.type) {
    case "request":
      return `${event.kind}${event.code === undefined ? "" : ` ${event.code}`} ${Math.round(event.ms)} ms${event.attempt > 1 ? ` (try ${event.attempt})` : ""}`;
    case "retry":
      return `again after ${event.code}`;
    case "verified":
      return `verified ${event.by}`;
    case "cache":
      return "from memory";
  }
}

/** What kind of object it is, and the beginning of its address. */
function shortKey(key: string): string {
  const parts = key.split("/");
  const name = parts.at(-1) ?? "";
  return parts.length < 2 ? key : `${parts.slice(0, -1).map((part) => (part.length > 16 ? `${part.slice(0, 8)}…` : part)).join("/")}/${name.slice(0, 10)}`;
}
