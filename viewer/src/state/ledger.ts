/** The bytes: each request as it ended, and sums of what was wanted, received and checked. What it looks like is panels/bytes.tsx's matter. */
import { signal } from "@preact/signals";
import type { Dataset, DatasetEvent, Stats } from "dreamdb-arrays";

/** What happened, with a number that tells it from others. */
export interface Line {
  readonly number: number;
  readonly event: DatasetEvent;
}

/** So many of the last events are kept: what plays for hours must not grow. */
const KEPT = 500;
/** Panels are told this often, however many requests there are. */
const TELL_EVERY_MS = 150;

/** The last events, oldest first. */
export const lines = signal<readonly Line[]>([]);
/** Sums since the dataset was opened. */
export const sums = signal<Stats | undefined>(undefined);

let kept: Line[] = [];
let number = 0;
let dataset: Dataset | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Notes an event. */
export function note(event: DatasetEvent): void {
  number += 1;
  kept.push({ number, event });
  if (kept.length > 2 * KEPT) kept = kept.slice(-KEPT);
  waiting ??= setTimeout(tell, TELL_EVERY_MS);
}

/** Whose sums are shown. */
export function follow(ds: Dataset): void {
  dataset = ds;
  tell();
}

function tell(): void {
  waiting = undefined;
  lines.value = kept.slice(-KEPT);
  sums.value = dataset?.stats();
}
