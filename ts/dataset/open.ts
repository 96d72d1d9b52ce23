/** Opening a dataset: from a store and a Ref, or a pinned manifest, to a checked manifest. */
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { withContext } from "../error-context.js";
import type { Store } from "../store/types.js";
import { call, ready } from "../wasm.js";
import { Dataset } from "./dataset.js";
import { manifestKey } from "./keys.js";
import { type OpenOptions, readerOf } from "./reader-options.js";
import { resolveRef } from "./ref.js";
import { keepManifest } from "./registries.js";

/** The version to open: a Ref's name, or a manifest pinned by its address. */
export type Version =
  | string
  | {
      /** Address of the manifest. */
      readonly manifest: string;
    };

/**
 * Open one version of a dataset.
 *
 * Costs two requests, the Ref and the manifest; one if the manifest is pinned. Nothing else is read until it is asked for.
 *
 * @param source URL of the dataset's root on any HTTP object store, or a store: `fsStore` of `dreamdb-arrays/fs`, `memoryStore`,
 * `blobStore`, your own
 * @param version name of a Ref, or `{ manifest }` with an address; `main` unless said otherwise
 * @throws {DreamDbError} `InvalidArgument`, `RefName`, `RefBody`, `Multihash` for an address that is none, `NotFound` and the store's other codes,
 * `RequestBudget`, `HashMismatch`, the codes of a manifest and of the item types in it, `WasmLoad`
 */
export async function openDataset(source: string | URL | Store, version: Version = "main", options: OpenOptions = {}): Promise<Dataset> {
  const { signal } = options;
  const objects = readerOf(source, options);
  await ready();
  const address = typeof version === "string" ? await resolveRef(objects, version, signal) : pinned(version);
  const key = manifestKey(address);
  const object = await objects.metadata({ key, address }, signal);
  try {
    return keepManifest(new Dataset(objects, address, call((core) => core.decodeManifest(object))), object);
  } catch (error) {
    throw withContext(error, { key });
  }
}

/** The address of a pinned version, refused unless it is one. */
function pinned(version: unknown): string {
  if (typeof version !== "object" || version === null) throw refused("version", "a Ref's name or { manifest: address }", kindOf(version));
  const address = textArgument("manifest", (version as { readonly manifest?: unknown }).manifest);
  call((core) => core.addressBytes(address));
  return address;
}
