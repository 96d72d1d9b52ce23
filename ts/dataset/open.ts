/** Opening a dataset: from a store and a Ref, or a pinned manifest, to a checked manifest. */
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { DreamDbError, withContext } from "../errors.js";
import type { DatasetObserver } from "../io/events.js";
import { LIMITS, ObjectReader } from "../io/objects.js";
import type { RetryOptions } from "../io/retry.js";
import type { VerifyPolicy } from "../io/verifier.js";
import { defaultConcurrency } from "../store/host.js";
import { type Fetch, httpStore } from "../store/http.js";
import type { Resolve } from "../store/resolve.js";
import type { Store } from "../store/types.js";
import { call, ready } from "../wasm.js";
import { Dataset } from "./dataset.js";
import { manifestKey } from "./keys.js";
import { resolveRef } from "./ref.js";
import { keepManifest } from "./registries.js";

/** Options of {@link openDataset}. */
export interface OpenOptions {
  /** Cancels the opening, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** How much is checked against content addresses; `always` unless said otherwise. */
  readonly verify?: VerifyPolicy | undefined;
  /** Bytes of verified spans and packs to keep in memory; 64 MiB unless said otherwise. */
  readonly cacheBytes?: number | undefined;
  /** Requests in flight at most; 6 in browsers and on Cloudflare, which allow no more to one origin, 32 elsewhere. */
  readonly concurrency?: number | undefined;
  /** Requests in all, those for opening and second tries included; a call that needs more is refused with `RequestBudget`. No limit by itself. */
  readonly maxRequests?: number | undefined;
  /** How requests that failed for a passing reason are tried again. */
  readonly retry?: RetryOptions | undefined;
  /** Told of requests, retries, checks and cache hits as they happen. */
  readonly onEvent?: DatasetObserver | undefined;
  /** Bytes between two wanted spans of one object that are read rather than asked around; 512 unless said otherwise. */
  readonly maxGap?: number | undefined;
  /** Bytes of one range request at most; 8 MiB unless said otherwise. Longer spans are read in several. */
  readonly maxRequestBytes?: number | undefined;
  /** Bytes of an Item whose size the index tells, at most, `TooLarge` above it; 1 GiB unless said otherwise. */
  readonly maxItemBytes?: number | undefined;
  /** Used instead of the host's own means, for a source that is a URL. */
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
  const { signal, verify = "always" } = options;
  if (!["always", "available", "never"].includes(verify)) {
    throw refused("verify", '"always", "available" or "never"', typeof verify === "string" ? JSON.stringify(verify) : kindOf(verify));
  }
  const limits = { ...LIMITS, concurrency: defaultConcurrency() };
  for (const name of Object.keys(limits) as (keyof typeof limits)[]) {
    const said = options[name];
    if (said !== undefined) limits[name] = count(name, said, ["concurrency", "maxRequestBytes"].includes(name) ? 1 : 0);
  }
  const { retry, onEvent } = options;
  const objects = new ObjectReader(storeOf(source, options), { verify, retry, onEvent, ...limits });
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

/** A number of bytes or requests; fractions make no sense, and Infinity is no limit. */
function count(name: string, value: number, least: number): number {
  if (typeof value === "number" && value >= least && (Number.isSafeInteger(value) || value === Infinity)) return value;
  throw refused(name, `an integer from ${least}, or Infinity`, String(value));
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
