/**
 * Objects over HTTP: plain GET, single ranges, bodies judged by the bytes that arrive; PUT under a condition.
 *
 * Nothing but `Range: bytes=a-b` is added to a read, so that no browser asks for a preflight and no edge worker throws at an option it
 * does not know. Sizes come from the caller, never from HEAD or headers. Retries, concurrency and hashing stand above.
 */

import { refused } from "../codec/arguments.js";
import { DreamDbError, isDreamDbError, withoutSecrets } from "../errors.js";
import { readInstead, readPart, readWhole, refuseForeignPart } from "./answers.js";
import { discard } from "./body.js";
import { byteLimit, checkBytes, checkRange } from "./check.js";
import { parseContentRange } from "./content-range.js";
import { hasHttpCache } from "./host.js";
import type { HttpAnswer, HttpInit } from "./http-answer.js";
import { networkError, statusError, type Place } from "./http-errors.js";
import { type Condition, judgePut, putInit, strongTag, uploadClock } from "./http-put.js";
import { observed, type Tally } from "./observe.js";
import { type Resolve, ResolvedUrls } from "./resolve.js";
import { fetchInit, send } from "./transport.js";
import type { ReadOptions, StoreOptions, WritableStore } from "./types.js";
import { describeUrl, objectUrl, parseBase } from "./url.js";
import { markAttentive, throwIfAborted } from "./abort.js";
import { Clock, Watch } from "./watch.js";

/** Default of `maxWholeBytes`. */
const MAX_WHOLE_BYTES = 1024 ** 3;
/**
 * The smallest cap on a whole object that comes in place of a range. Below it, an object costs about as much as the second request would;
 * for longer ranges, four times the range is accepted.
 */
const MIN_IGNORED_RANGE_BYTES = 8 * 1024 ** 2;

/** The part of `fetch` that is used: a URL, and `headers`, `cache` and `signal` at most, for reads; `headers`, `method`, `body` and `signal` for writes. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of {@link httpStore}. */
export interface HttpStoreOptions extends StoreOptions {
  /** Sends the requests instead of the host's own means: for credentials, signatures made anew, other transports. */
  fetch?: Fetch | undefined;
  /**
   * Gives the URL of each object, for presigned URLs and other addresses that are not base plus key. Asked once per key, and once more
   * for all reads of it that wait when the store answers 401 or 403.
   */
  resolve?: Resolve | undefined;
  /**
   * The `cache` mode of browsers' `fetch`. Nothing is passed unless it is given, since edge workers refuse it; but `reload` in browsers, where a cache must
   * not answer.
   */
  cache?: RequestCache | undefined;
  /** Milliseconds without any byte, before and within an answer, after which a read fails with `Timeout`. Default 60,000. */
  timeoutMs?: number | undefined;
  /** Bytes that `get` accepts when the call does not say. Default 1 GiB. */
  maxWholeBytes?: number | undefined;
}

/**
 * A store of the objects below `base`; its query, if any, is sent with each request.
 *
 * Reads reject with `NotFound`, `Forbidden`, `HttpStatus`, `Network`, `Timeout`, `BodyLength`, `TooLarge`; ranges also with
 * `RangeIgnored`, `RangeNotSatisfiable`, `RangeMismatch`, `CompressedPartial`, `MultipartPartial`; with a hook also with `ResolveFailed`; a
 * cancelled read with the signal's reason. One request a read (two, if a hook's address has expired), none for an empty range, none here.
 *
 * Writes are PUTs with `If-None-Match: *` or `If-Match`, which the place must honour; credentials are for the `fetch` hook to add.
 *
 * Errors: `InvalidArgument` for a base that is no http(s) URL, for user info without an own `fetch`, and for options out of their domain.
 */
export function httpStore(base: string | URL, options: HttpStoreOptions = {}): WritableStore {
  const root = parseBase(base);
  const { onRequest, timeoutMs = 60_000 } = options;
  const maxWholeBytes = byteLimit(options.maxWholeBytes, MAX_WHOLE_BYTES);
  const { fetch: custom } = options;
  const listens = custom === undefined;
  if (!(typeof timeoutMs === "number" && timeoutMs > 0)) throw refused("timeoutMs", "a number above 0", timeoutMs);
  if (root.userInfo && !options.fetch) {
    throw new DreamDbError(
      "InvalidArgument",
      "fetch refuses URLs with a user name or password; pass a `fetch` that adds an Authorization header",
      { subject: "base", url: root.prefix },
    );
  }

  const clock = new Clock(timeoutMs);
  const resolved = options.resolve && new ResolvedUrls(options.resolve);

  /** Sends one request and hands the answer to `read`; once more if the address has expired and another can be had. */
  function request<T>(key: string, asked: Asked, read: (answer: Answer) => Promise<T>): Promise<T> {
    if (resolved) return requestResolved(resolved, key, asked, read);
    return attempt(key, { url: objectUrl(root, key), shown: describeUrl(root, key) }, asked, read);
  }

  async function requestResolved<T>(urls: ResolvedUrls, key: string, asked: Asked, read: (answer: Answer) => Promise<T>): Promise<T> {
    const { signal } = asked;
    const first = await urls.of(key, signal);
    try {
      return await attempt(key, { url: first.url, shown: withoutSecrets(first.url) }, asked, read);
    } catch (error) {
      if (!isDreamDbError(error, "Forbidden")) throw error;
    }
    const { url } = await urls.instead(key, first, signal);
    return await attempt(key, { url, shown: withoutSecrets(url) }, asked, read);
  }

  /** Sends one request and hands the answer to `read`, under one watch. */
  async function attempt<T>(key: string, to: { url: string; shown: string }, asked: Asked, read: (answer: Answer) => Promise<T>): Promise<T> {
    const { headers, put, signal, fresh, tally } = asked;
    const place: Place = { url: to.shown, key };
    const watch = new Watch(signal, put ? uploadClock(timeoutMs, put.bytes) : clock, place.url, place);
    const cache = fresh && hasHttpCache() ? "reload" : options.cache;
    const init: HttpInit = put ? putInit(put) : headers ? { headers } : {};
    if (cache && !put) init.cache = cache;
    try {
      const response = await answer(to.url, init, watch, place);
      watch.moved();
      tally.status = response.status;
      return await read({ response, place, watch });
    } finally {
      watch.close();
    }
  }

  async function answer(url: string, init: HttpInit, watch: Watch, place: Place): Promise<HttpAnswer> {
    // The host's own ends with the watch. A custom one may not listen, and may throw instead of rejecting.
    const sent: Promise<HttpAnswer> = custom ? (async () => custom(url, fetchInit(init, watch.signal)))() : send(url, init, watch);
    try {
      const response = listens ? await sent : await watch.race(sent);
      if (response.type === "error") throw new TypeError("the answer is a network error");
      return response;
    } catch (cause) {
      if (watch.ended) {
        // A fetch that does not listen may still answer.
        void sent.then(discard, () => undefined);
        watch.check();
      }
      throw networkError(cause, place);
    }
  }

  /** A PUT under that condition; whether it held. */
  async function put(key: string, bytes: Uint8Array, condition: Condition, signal: AbortSignal | undefined): Promise<boolean> {
    checkBytes(key, bytes);
    return await observed(onRequest, { kind: "put", key }, async (tally) => {
      tally.bytes = bytes.byteLength;
      return await request(key, { put: { bytes, condition }, signal, fresh: false, tally }, async ({ response, place }) => {
        if (response.status !== 412 && !(response.status >= 200 && response.status < 300)) throw await judgePut(response, place, signal);
        discard(response);
        return response.status !== 412;
      });
    });
  }

  const store: WritableStore = {
    async get(key, { signal, maxBytes, fresh }: ReadOptions = {}) {
      const limit = byteLimit(maxBytes, maxWholeBytes);
      return await observed(onRequest, { kind: "get", key }, (tally) =>
        request(key, { signal, fresh, tally }, async ({ response, place, watch }) => {
          // 206 to a plain GET is what some caches make of a whole object; the reference accepts it.
          if (response.status === 206) refuseForeignPart(response, place, 0, parseContentRange(response.headers.get("content-range")));
          else if (response.status !== 200) throw await statusError(response, place, signal);
          return await readWhole(response, place, { limit, watch, tally, listens });
        }),
      );
    },

    async getRange(key, offset, length, { signal, maxBytes, fresh, onWhole, onTotal }: ReadOptions = {}) {
      checkRange(key, offset, length);
      const cap = byteLimit(maxBytes, Math.min(maxWholeBytes, Math.max(MIN_IGNORED_RANGE_BYTES, 4 * length)));
      if (length === 0) {
        objectUrl(root, key);
        throwIfAborted(signal);
        return new Uint8Array(0);
      }
      const headers = { Range: `bytes=${offset}-${offset + length - 1}` };
      return await observed(onRequest, { kind: "range", key, offset, length }, (tally) =>
        request(key, { headers, signal, fresh, tally }, async ({ response, place, watch }) => {
          const { status } = response;
          const range = status === 206 || status === 416 ? parseContentRange(response.headers.get("content-range")) : undefined;
          if (range?.total !== undefined) onTotal?.(range.total);
          if (status === 206) {
            refuseForeignPart(response, place, offset, range);
            return await readPart(response, place, { limit: length, watch, tally, listens });
          }
          if (status !== 200) throw await statusError(response, place, signal);
          const whole = await readInstead(response, place, offset + length, { limit: cap, watch, tally, listens, onTotal });
          onWhole?.(whole);
          const all = offset === 0 && length === whole.byteLength;
          return all && !onWhole ? whole : whole.slice(offset, offset + length);
        }),
      );
    },

    async getTagged(key, { signal } = {}) {
      return await observed(onRequest, { kind: "get", key }, (tally) =>
        request(key, { signal, fresh: true, tally }, async ({ response, place, watch }) => {
          if (response.status !== 200) throw await statusError(response, place, signal);
          const { headers } = response;
          const bytes = await readWhole(response, place, { limit: maxWholeBytes, watch, tally, listens });
          return { bytes, tag: strongTag(headers, place) };
        }),
      );
    },

    create: async (key, bytes, { signal } = {}) => ((await put(key, bytes, { absent: true }, signal)) ? "created" : "exists"),

    replace: async (key, bytes, tag, { signal } = {}) => ((await put(key, bytes, { tag }, signal)) ? "replaced" : "conflict"),

    describe: (key) => describeUrl(root, key),
  };
  // Another's `fetch` or hook may not listen.
  return listens && !resolved ? markAttentive(store) : store;
}

/** What a request is made of, besides its address. */
interface Asked {
  readonly headers?: Record<string, string>;
  readonly put?: { readonly bytes: Uint8Array; readonly condition: Condition };
  readonly signal: AbortSignal | undefined;
  readonly fresh: boolean | undefined;
  readonly tally: Tally;
}

/** What came back. */
interface Answer {
  readonly response: HttpAnswer;
  readonly place: Place;
  readonly watch: Watch;
}
