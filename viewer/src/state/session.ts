/** The dataset that the page shows: opening it, and what became of that. Reads of its fields are the matter of those who show them. */
import { signal } from "@preact/signals";
import { type Dataset, openDataset, type Store, type Version } from "dreamdb-arrays";
import { FOLDER, isFolder } from "../data/address.js";
import { follow, note } from "./ledger.js";
import { go, link } from "./link.js";
import { allowOnly } from "./policy.js";

/** What there is to show. */
export type Session =
  | { readonly state: "none" }
  | { readonly state: "opening"; readonly source: string }
  /** A link to a folder, which must be picked anew: pages keep no permission. */
  | { readonly state: "unpicked"; readonly folder: string }
  | { readonly state: "open"; readonly source: string; readonly ds: Dataset; newest(): void }
  | { readonly state: "failed"; readonly source: string; readonly error: unknown; retry(): void };

/** The page's one. */
export const session = signal<Session>({ state: "none" });

/** Opens what the address names. */
export function openLinked(): void {
  const { source } = link.peek();
  if (source === undefined) return;
  if (isFolder(source)) {
    session.value = { state: "unpicked", folder: source.slice(FOLDER.length) };
    return;
  }
  let url: URL;
  try {
    url = new URL(source, document.baseURI);
  } catch (error) {
    session.value = { state: "failed", source, error, retry: openLinked };
    return;
  }
  allowOnly(url);
  void open(source, url, openLinked, openLinked);
}

/** A manifest's address, which may stand where a Ref does. */
const ADDRESS = /^[a-z2-7]{53}$/;

/**
 * Opens a folder that a person picked; at the version and the place that the address has, if it is of a folder of that name and nobody says otherwise.
 * `isLive` is one that shows what became of it since.
 */
export function openFolder(name: string, store: Store, ref: string, isLive: boolean): void {
  const source = FOLDER + name;
  const before = link.peek();
  const isSame = before.source === source && ref === (before.ref ?? "main");
  const version = ADDRESS.test(ref) ? { ref: undefined, manifest: ref } : { ref, manifest: undefined };
  go(isSame ? {} : { source, ...version, field: undefined, view: undefined, anchor: undefined, from: undefined, to: undefined, choices: {} }, true);
  allowOnly(undefined);
  const again = (): void => void open(source, store, again, isLive ? again : () => (session.value = { state: "unpicked", folder: name }));
  again();
}

/** Reads the Ref of what is open again, and shows the version that it names now. */
export function openNewest(): void {
  const now = session.peek();
  if (now.state !== "open") return;
  go({ manifest: undefined });
  now.newest();
}

/** Leaves for another source: a page of its own, whose policy allows that one alone. */
export function openUrl(source: string, ref: string): void {
  location.assign(`${location.pathname}?${new URLSearchParams({ source, [ADDRESS.test(ref) ? "manifest" : "ref"]: ref }).toString()}`);
}

/** The version that is pinned, or what its Ref names now. */
async function open(source: string, store: URL | Store, retry: () => void, newest: () => void): Promise<void> {
  session.value = { state: "opening", source };
  const { manifest, ref = manifest === undefined ? "main" : undefined } = link.peek();
  const version: Version = manifest === undefined ? (ref ?? "main") : { manifest };
  try {
    const ds = await openDataset(store, version, { onEvent: note });
    follow(ds);
    session.value = { state: "open", source, ds, newest };
    go({ ref, manifest: ds.manifest.address });
  } catch (error) {
    session.value = { state: "failed", source, error, retry };
  }
}
