/**
 * The address bar: what a reload, or a colleague with the link, sees again. What it says is data/address.ts's matter.
 *
 * What a person does changes the address at once but makes no entry in the history; going to another field does.
 */
import { signal } from "@preact/signals";
import { type Link, parseLink, queryOf } from "../data/address.js";

/** What the page shows, as the address says it. */
export const link = signal<Link>(parseLink(location.search));

/** Changes some of it. `isStep` makes the back button come back to what was before. */
export function go(change: Partial<Link>, isStep = false): void {
  const next = { ...link.peek(), ...change };
  link.value = next;
  write(next, isStep);
}

/** Makes a choice of the present view, or takes it back. */
export function choose(key: string, value: string | undefined): void {
  const { [key]: _, ...others } = link.peek().choices;
  go({ choices: value === undefined ? others : { ...others, [key]: value } });
}

/** Browsers allow a hundred changes in half a minute, at worst; while one plays or drags, the last one of each short while is written. */
const WRITE_EVERY_MS = 400;
let waiting: ReturnType<typeof setTimeout> | undefined;

function write(next: Link, isStep: boolean): void {
  if (isStep) {
    forget();
    history.pushState(null, "", `${location.pathname}${queryOf(next)}`);
    return;
  }
  // Not put off by the next change: while one plays, there is always a next one.
  waiting ??= setTimeout(() => {
    waiting = undefined;
    history.replaceState(null, "", `${location.pathname}${queryOf(link.peek())}`);
  }, WRITE_EVERY_MS);
}

function forget(): void {
  clearTimeout(waiting);
  waiting = undefined;
}

addEventListener("popstate", () => {
  forget();
  const next = parseLink(location.search);
  // Another dataset is another page: its policy allows another origin.
  if (next.source !== link.peek().source) location.reload();
  else link.value = next;
});
