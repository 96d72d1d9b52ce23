/** What callers say of how objects are read, and the reader that goes by it. */
import { kindOf, refused } from "../codec/arguments.js";
import { DreamDbError } from "../errors.js";
import { defaultConcurrency } from "../io/concurrency.js";
import type { DatasetObserver } from "../io/events.js";
import { LIMITS, ObjectReader } from "../io/objects.js";
import type { RetryOptions } from "../io/retry.js";
import type { VerifyPolicy } from "../io/verifier.js";
import { type Fetch, httpStore } from "../store/http.js";
import type { Resolve } from "../store/resolve.js";
import type { Store } from "../store/types.js";

/** Options of what opens something. */
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

/**
 * A reader of a source's objects.
 *
 * @throws {DreamDbError} `InvalidArgument`
 */
export function readerOf(source: string | URL | Store, options: OpenOptions): ObjectReader {
  const { verify = "always" } = options;
  if (!["always", "available", "never"].includes(verify)) {
    throw refused("verify", '"always", "available" or "never"', typeof verify === "string" ? JSON.stringify(verify) : kindOf(verify));
  }
  const limits = { ...LIMITS, concurrency: defaultConcurrency() };
  for (const name of Object.keys(limits) as (keyof typeof limits)[]) {
    const said = options[name];
    if (said !== undefined) limits[name] = count(name, said, ["concurrency", "maxRequestBytes"].includes(name) ? 1 : 0);
  }
  const { retry, onEvent } = options;
  return new ObjectReader(storeOf(source, options), { verify, retry, onEvent, ...limits });
}

/** A number of bytes or requests; fractions make no sense, and Infinity is no limit. */
function count(name: string, value: number, least: number): number {
  if (typeof value === "number" && value >= least && (Number.isSafeInteger(value) || value === Infinity)) return value;
  throw refused(name, `an integer from ${least}, or Infinity`, value);
}

/**
 * The store that a source is, or that reads from it as a URL.
 *
 * @throws {DreamDbError} `InvalidArgument`
 */
export function storeOf(source: string | URL | Store, { fetch, resolve, cache, timeoutMs }: OpenOptions): Store {
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
