/**
 * Addresses as texts: what of a query says what is looked at, and how it is said.
 *
 * `source` and `ref` say which dataset, `manifest` pins its version once it was opened, `field`, `view`, `anchor`, `from` and `to` what of it is looked
 * at, and what a view lets one choose stands under the view's own keys (`x.…`).
 */

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

/** Before the name of a folder that was picked. */
export const FOLDER = "folder:";

/** Whether a source is a folder of this computer. */
export function isFolder(source: string | undefined): boolean {
  return source?.startsWith(FOLDER) === true;
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
