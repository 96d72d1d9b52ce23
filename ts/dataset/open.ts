/** Opening a dataset: from a store and a Ref, or a pinned manifest, to a checked manifest. */
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { DreamDbError, withContext } from "../errors.js";
import { ObjectReader, type VerifyPolicy } from "../io/objects.js";
import { type Fetch, httpStore } from "../store/http.js";
import type { Resolve } from "../store/resolve.js";
import type { Store } from "../store/types.js";
import { call, ready } from "../wasm.js";
import { Dataset } from "./dataset.js";
import { manifestKey } from "./keys.js";
import { resolveRef } from "./ref.js";

/** Bytes of verified packs kept in memory, unless said otherwise. */
const CACHE_BYTES = 64 << 20;

/** Options of {@link openDataset}. */
export interface OpenOptions {
  /** Cancels the opening, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** How much is checked against content addresses; `always` unless said otherwise. */
  readonly verify?: VerifyPolicy | undefined;
  /** Bytes of verified packs to keep in memory; 64 MiB unless said otherwise. */
  readonly cacheBytes?: number | undefined;
  /** Used instead of the global `fetch`, for a source that is a URL. */
  readonly fetch?: Fetch | undefined;
  /** Gives the URL of each object, for presigned URLs that expire and the like; for a source that is a URL, see {@link httpStore}. */
  readonly resolve?: Resolve | undefined;
  /** The `cache` mode of browsers' `fetch`, for a source that is a URL. */
  readonly cache?: RequestCache | undefined;
  /** Milliseconds without progress after which a request is given up, for a source that is a URL. */
  readonly timeoutMs?: number | undefined;
}

/** The version to open: a Ref's name, or a manifest pinned by its address. */
export type Version = string | { readonly manifest: string };

/**
 * Open one version of a dataset.
 *
 * Costs two requests, the Ref and the manifest; one if the manifest is pinned. Nothing else is read until it is asked for.
 *
 * @param source URL of the dataset's root on any HTTP object store, or a store: `fsStore` of `dreamdb-arrays/fs`, `memoryStore`,
 * `blobStore`, your own
 * @param version name of a Ref, or `{ manifest }` with an address; `main` unless said otherwise
 * @throws {DreamDbError} `InvalidArgument`, `RefName`, `RefBody`, `NotFound` and the store's other codes, `HashMismatch`, the codes of a
 * manifest and of the item types in it, `WasmLoad`
 */
export async function openDataset(source: string | URL | Store, version: Version = "main", options: OpenOptions = {}): Promise<Dataset> {
  const { signal, verify = "always", cacheBytes = CACHE_BYTES } = options;
  if (!["always", "available", "never"].includes(verify)) {
    throw refused("verify", '"always", "available" or "never"', typeof verify === "string" ? JSON.stringify(verify) : kindOf(verify));
  }
  if (typeof cacheBytes !== "number" || !(cacheBytes >= 0)) throw refused("cacheBytes", "a number from 0", String(cacheBytes));
  const objects = new ObjectReader(storeOf(source, options), { verify, cacheBytes });
  await ready();
  const address = typeof version === "string" ? await resolveRef(objects, version, signal) : pinned(version);
  const key = manifestKey(address);
  const object = await objects.metadata({ key, address }, signal);
  try {
    return new Dataset(objects, address, call((core) => core.decodeManifest(object)));
  } catch (error) {
    throw withContext(error, { key });
  }
}

function storeOf(source: string | URL | Store, { fetch, resolve, cache, timeoutMs }: OpenOptions): Store {
  if (isStore(source)) return source;
  if (typeof source !== "string" && kindOf(source) !== "URL") throw refused("source", "a URL or a store", kindOf(source));
  if (/^file:/i.test(String(source))) {
    const message = "a folder is opened through its store: openDataset(fsStore(path), …) with fsStore of `dreamdb-arrays/fs`";
    throw new DreamDbError("InvalidArgument", message, { subject: "source" });
  }
  return httpStore(source, { fetch, resolve, cache, timeoutMs });
}

function isStore(source: unknown): source is Store {
  if (typeof source !== "object" || source === null) return false;
  const { get, getRange } = source as { readonly get?: unknown; readonly getRange?: unknown };
  return typeof get === "function" && typeof getRange === "function";
}

/** The address of a pinned version, refused unless it is one. */
function pinned(version: unknown): string {
  if (typeof version !== "object" || version === null) throw refused("version", "a Ref's name or { manifest: address }", kindOf(version));
  const address = textArgument("manifest", (version as { readonly manifest?: unknown }).manifest);
  call((core) => core.addressBytes(address));
  return address;
}
