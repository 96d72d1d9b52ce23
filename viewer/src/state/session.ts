/** The dataset that the page shows: opening it, and what became of that. Reads of its fields are the matter of those who show them. */
import { signal } from "@preact/signals";
import { blobStore, type BlobSource, type Dataset, openDataset, type Version } from "dreamdb-arrays";
import { follow, note } from "./ledger.js";
import { go, link } from "./link.js";
import { allowOnly } from "./policy.js";

/** What there is to show. */
export type Session =
  | { readonly state: "none" }
  | { readonly state: "opening"; readonly source: string }
  /** A link to a folder, which must be picked anew: pages keep no permission. */
  | { readonly state: "unpicked"; readonly folder: string }
  | { readonly state: "open"; readonly source: string; readonly ds: Dataset }
  | { readonly state: "failed"; readonly source: string; readonly error: unknown; retry(): void };

/** The page's one. */
export const session = signal<Session>({ state: "none" });

const FOLDER = "folder:";

/** Opens what the address names. */
export function openLinked(): void {
  const { source } = link.peek();
  if (source === undefined) return;
  if (source.startsWith(FOLDER)) {
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
  void open(source, url, openLinked);
}

/** Opens a folder that a person picked. */
export function openFolder(name: string, files: BlobSource, ref: string): void {
  const source = FOLDER + name;
  const isSame = link.peek().source === source;
  go(isSame ? {} : { source, ref, manifest: undefined, field: undefined, view: undefined, anchor: undefined, from: undefined, to: undefined, choices: {} }, true);
  allowOnly(undefined);
  void open(source, blobStore(files), () => openFolder(name, files, ref));
}

/** A manifest's address, which may stand where a Ref does. */
const ADDRESS = /^[a-z2-7]{53}$/;

/** Leaves for another source: a page of its own, whose policy allows that one alone. */
export function openUrl(source: string, ref: string): void {
  location.assign(`${location.pathname}?${new URLSearchParams({ source, [ADDRESS.test(ref) ? "manifest" : "ref"]: ref }).toString()}`);
}

/** The version that is pinned, or what its Ref names now. */
async function open(source: string, store: Parameters<typeof openDataset>[0], retry: () => void): Promise<void> {
  session.value = { state: "opening", source };
  const { manifest, ref = manifest === undefined ? "main" : undefined } = link.peek();
  const version: Version = manifest === undefined ? (ref ?? "main") : { manifest };
  try {
    const ds = await openDataset(store, version, { onEvent: note });
    follow(ds);
    session.value = { state: "open", source, ds };
    go({ ref, manifest: ds.manifest.address });
  } catch (error) {
    session.value = { state: "failed", source, error, retry };
  }
}
