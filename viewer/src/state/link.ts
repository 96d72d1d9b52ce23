/**
 * The address bar: what a reload, or a colleague with the link, sees again.
 *
 * `source` and `ref` say which dataset, `manifest` pins its version once it was opened, `field`, `view`, `anchor`, `from` and `to` what of it is looked
 * at, and what a view lets one choose stands under the view's own keys (`x.…`). What a person does changes the address at once but makes no entry
 * in the history; going to another field does.
 */
import { signal } from "@preact/signals";

/** What the address says. Texts as they are, numbers where they are some. */
export interface Link {
  /** URL of the dataset, absolute or relative to the page; `folder:NAME` for one that was picked. */
  readonly source: string | undefined;
  readonly ref: string | undefined;
  readonly manifest: string | undefined;
  readonly field: string | undefined;
  readonly view: string | undefined;
  readonly anchor: bigint | undefined;
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
  /** What was chosen in the view, by its own keys. */
  readonly choices: Readonly<Record<string, string>>;
}

const TEXTS = ["source", "ref", "manifest", "field", "view"] as const;
const NUMBERS = ["anchor", "from", "to"] as const;
const CHOICE = "x.";

/** What a query says. What is no u64 where one should stand is left out. */
export function parseLink(query: string): Link {
  const params = new URLSearchParams(query);
  const text = (key: string): string | undefined => params.get(key) ?? undefined;
  const number = (key: string): bigint | undefined => {
    const digits = params.get(key) ?? "";
    return /^\d{1,20}$/.test(digits) && BigInt(digits) < 1n << 64n ? BigInt(digits) : undefined;
  };
  const choices: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [key, value] of params) if (key.startsWith(CHOICE)) choices[key.slice(CHOICE.length)] = value;
  return {
    source: text("source"),
    ref: text("ref"),
    manifest: text("manifest"),
    field: text("field"),
    view: text("view"),
    anchor: number("anchor"),
    from: number("from"),
    to: number("to"),
    choices,
  };
}

/** The query that says it, with its question mark; slashes and colons stay legible. */
export function queryOf(link: Link): string {
  const params = new URLSearchParams();
  for (const key of TEXTS) if (link[key] !== undefined) params.set(key, link[key]);
  for (const key of NUMBERS) if (link[key] !== undefined) params.set(key, String(link[key]));
  for (const [key, value] of Object.entries(link.choices)) params.set(CHOICE + key, value);
  const query = params.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
  return query === "" ? "" : `?${query}`;
}

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

/** Browsers allow some hundred changes a minute; while one plays or drags, the last one of each short while is written. */
const WRITE_EVERY_MS = 300;
let waiting: ReturnType<typeof setTimeout> | undefined;

function write(next: Link, isStep: boolean): void {
  clearTimeout(waiting);
  const url = `${location.pathname}${queryOf(next)}`;
  if (isStep) {
    history.pushState(null, "", url);
    return;
  }
  waiting = setTimeout(() => history.replaceState(null, "", `${location.pathname}${queryOf(link.peek())}`), WRITE_EVERY_MS);
}

addEventListener("popstate", () => {
  clearTimeout(waiting);
  const next = parseLink(location.search);
  // Another dataset is another page: its policy allows another origin.
  if (next.source !== link.peek().source) location.reload();
  else link.value = next;
});
