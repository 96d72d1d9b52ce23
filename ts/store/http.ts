/**
 * Objects over HTTP: plain GET, single ranges, bodies judged by the bytes that arrive.
 *
 * Nothing but `Range: bytes=a-b` is added to a request, so that no browser asks for a preflight and no edge worker throws at an option it
 * does not know. Sizes come from the caller, never from HEAD or headers. Retries, concurrency and hashing stand above.
 */

import { DreamDbError, isDreamDbError, withoutSecrets } from "../errors.js";
import { BrokenBody, discard, readBody } from "./body.js";
import { byteLimit, checkRange, tooLarge } from "./check.js";
import { parseContentRange } from "./content-range.js";
import { hasHttpCache } from "./host.js";
import { networkError, shortBody, statusError, type Place } from "./http-errors.js";
import { observed, type Tally } from "./observe.js";
import { type Resolve, ResolvedUrls } from "./resolve.js";
import type { ReadOptions, Store, StoreOptions } from "./types.js";
import { describeUrl, objectUrl, parseBase } from "./url.js";
import { throwIfAborted } from "./abort.js";
import { Watch } from "./watch.js";

/** Default of `maxWholeBytes`. */
const MAX_WHOLE_BYTES = 1024 ** 3;
/**
 * The smallest cap on a whole object that comes in place of a range. Below it, an object costs about as much as the second request would;
 * for longer ranges, four times the range is accepted.
 */
const MIN_IGNORED_RANGE_BYTES = 8 * 1024 ** 2;

/** The part of `fetch` that is used: a URL, and `headers` and `signal` at most. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of {@link httpStore}. */
export interface HttpStoreOptions extends StoreOptions {
  /** Sends the requests instead of the global `fetch`: for credentials, signatures made anew, other transports. */
  fetch?: Fetch | undefined;
  /**
   * Gives the URL of each object, for presigned URLs and other addresses that are not base plus key. Asked once per key, and once more
   * for all reads of it that wait when the store answers 401 or 403.
   */
  resolve?: Resolve | undefined;
  /** The `cache` mode of browsers' `fetch`; nothing is passed unless it is given, since edge workers refuse it. */
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
 * Errors: `InvalidArgument` for a base that is no http(s) URL, for user info without an own `fetch`, and for options out of their domain.
 */
export function httpStore(base: string | URL, options: HttpStoreOptions = {}): Store {
  const root = parseBase(base);
  const { onRequest, timeoutMs = 60_000 } = options;
  const maxWholeBytes = byteLimit(options.maxWholeBytes, MAX_WHOLE_BYTES);
  // The global one is looked up at each call, and called on its own object, as browsers demand.
  const send: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  if (!(timeoutMs > 0)) throw new DreamDbError("InvalidArgument", `timeoutMs must be above 0, not ${timeoutMs}`);
  if (root.userInfo && !options.fetch) {
    throw new DreamDbError(
      "InvalidArgument",
      "fetch refuses URLs with a user name or password; pass a `fetch` that adds an Authorization header",
      { subject: "base", url: root.prefix },
    );
  }

  const resolved = options.resolve && new ResolvedUrls(options.resolve);

  /** Sends one GET and hands the answer to `read`; once more if the address has expired and another can be had. */
  async function request<T>(key: string, asked: Asked, read: (answer: Answer) => Promise<T>): Promise<T> {
    const { signal } = asked;
    if (!resolved) return await attempt(key, { url: objectUrl(root, key), shown: describeUrl(root, key) }, asked, read);
    const first = await resolved.of(key, signal);
    try {
      return await attempt(key, { url: first.url, shown: withoutSecrets(first.url) }, asked, read);
    } catch (error) {
      if (!isDreamDbError(error, "Forbidden")) throw error;
    }
    const { url } = await resolved.instead(key, first, signal);
    return await attempt(key, { url, shown: withoutSecrets(url) }, asked, read);
  }

  /** Sends one GET and hands the answer to `read`, under one watch. */
  async function attempt<T>(key: string, to: { url: string; shown: string }, asked: Asked, read: (answer: Answer) => Promise<T>): Promise<T> {
    const { headers, signal, fresh, tally } = asked;
    const place: Place = { url: to.shown, key };
    const watch = new Watch(signal, timeoutMs, place.url, place);
    const cache = fresh && hasHttpCache() ? "reload" : options.cache;
    const init: RequestInit = { ...(headers && { headers }), ...(cache && { cache }), signal: watch.signal };
    try {
      const response = await answer(to.url, init, watch, place);
      watch.moved();
      tally.status = response.status;
      return await read({ response, place, watch });
    } finally {
      watch.close();
    }
  }

  async function answer(url: string, init: RequestInit, watch: Watch, place: Place): Promise<Response> {
    // In a promise of its own, as a custom fetch may throw instead of rejecting.
    const sent = (async () => send(url, init))();
    try {
      const response = await watch.race(sent);
      if (response.type === "error") throw new TypeError("the answer is a network error");
      return response;
    } catch (cause) {
      if (watch.signal.aborted) {
        // A fetch that does not listen may still answer.
        void sent.then(discard, () => undefined);
        watch.check();
      }
      throw networkError(cause, place);
    }
  }

  return {
    async get(key, { signal, maxBytes, fresh }: ReadOptions = {}) {
      const limit = byteLimit(maxBytes, maxWholeBytes);
      return await observed(onRequest, { kind: "get", key }, (tally) =>
        request(key, { signal, fresh, tally }, async ({ response, place, watch }) => {
          // 206 to a plain GET is what some caches make of a whole object; the reference accepts it.
          if (response.status === 206) refuseForeignPart(response, place, 0);
          else if (response.status !== 200) throw await statusError(response, place, signal);
          return await readWhole(response, place, { limit, watch, tally });
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
          const total = [206, 416].includes(response.status) && parseContentRange(response.headers.get("content-range"))?.total;
          if (typeof total === "number") onTotal?.(total);
          if (response.status === 206) {
            refuseForeignPart(response, place, offset);
            return await readPart(response, place, { limit: length, watch, tally });
          }
          if (response.status !== 200) throw await statusError(response, place, signal);
          const whole = await readInstead(response, place, offset + length, { limit: cap, watch, tally, onTotal });
          onWhole?.(whole);
          const all = offset === 0 && length === whole.byteLength;
          return all && !onWhole ? whole : whole.slice(offset, offset + length);
        }),
      );
    },

    describe: (key) => describeUrl(root, key),
  };
}

/** What a request is made of, besides its address. */
interface Asked {
  readonly headers?: Record<string, string>;
  readonly signal: AbortSignal | undefined;
  readonly fresh: boolean | undefined;
  readonly tally: Tally;
}

/** What came back. */
interface Answer {
  readonly response: Response;
  readonly place: Place;
  readonly watch: Watch;
}

/** What the readers below need of one request. */
interface Reading {
  readonly limit: number;
  readonly watch: Watch;
  readonly tally: Tally;
  readonly onTotal?: ReadOptions["onTotal"];
}

/** Reads a 206 to a range: exactly `limit` bytes, whatever its headers say. */
async function readPart(response: Response, place: Place, reading: Reading): Promise<Uint8Array<ArrayBuffer>> {
  const { limit: length, tally } = reading;
  const bytes = await readBroken(response, place, { ...reading, hint: length, enough: length }, String(length));
  if (bytes?.byteLength === length) return bytes;
  if (bytes) throw shortBody(place, String(length), bytes.byteLength);
  throw new DreamDbError("BodyLength", `the body of ${place.url} is longer than the ${length} bytes asked for`, {
    ...place,
    status: 206,
    expected: String(length),
    actual: `at least ${tally.bytes}`,
  });
}

/** Reads a 200 to a range: the whole object, if it may be had for that. */
async function readInstead(
  response: Response,
  place: Place,
  needed: number,
  reading: Reading,
): Promise<Uint8Array<ArrayBuffer>> {
  const { limit, tally } = reading;
  const hint = announcedBytes(response);
  const hopeless = needed > limit || (hint ?? 0) > limit;
  if (hopeless) discard(response);
  const whole = hopeless ? undefined : await readBroken(response, place, { ...reading, hint }, undefined);
  if (!whole) {
    const { host } = new URL(response.url || place.url);
    const size = hint ?? `at least ${Math.max(needed, tally.bytes)}`;
    throw new DreamDbError(
      "RangeIgnored",
      `${host} ignored the Range header and sent the whole object ${place.url}: ${size} bytes, at most ${limit} accepted. ` +
        "Serve objects from a host that supports range requests, or raise maxBytes.",
      { ...place, subject: host, status: 200, expected: `at most ${limit}`, actual: String(size) },
    );
  }
  if (isEncoded(response) && !isDecoded(response, whole)) {
    const actual = response.headers.get("content-encoding") ?? undefined;
    const message = `${place.url}: the answer to a range is compressed; turn compression off for objects`;
    throw new DreamDbError("CompressedPartial", message, { ...place, status: 200, subject: "content-encoding", actual });
  }
  refuseTruncated(whole, hint, place);
  // Here, too, the object is known to end before the range does, if it ended where it said it would.
  if (whole.byteLength < needed && whole.byteLength === hint) reading.onTotal?.(hint);
  if (whole.byteLength < needed) throw shortBody(place, `at least ${needed}`, whole.byteLength);
  return whole;
}

/** Reads a whole object. */
async function readWhole(response: Response, place: Place, reading: Reading): Promise<Uint8Array<ArrayBuffer>> {
  const { limit, tally } = reading;
  const hint = announcedBytes(response);
  if (hint !== undefined && hint > limit) {
    discard(response);
    throw tooLarge(place.url, place.key, limit, hint);
  }
  const bytes = await readBroken(response, place, { ...reading, hint }, hint === undefined ? undefined : String(hint));
  if (!bytes) throw tooLarge(place.url, place.key, limit, `at least ${tally.bytes}`);
  refuseTruncated(bytes, hint, place);
  return bytes;
}

/**
 * Refuses a whole object that ended in good order but is clearly shorter than announced: HTTP/2 and caches let that happen.
 *
 * A little shorter may be the object all the same: pages of other origins see the length of a compressed body but not that it was
 * compressed, and small or random bytes grow by that. The margin is more than any coding adds; within it, the hash decides.
 */
function refuseTruncated(bytes: Uint8Array, announced: number | undefined, place: Place): void {
  const { byteLength } = bytes;
  const margin = 64 + byteLength / 1024;
  if (announced !== undefined && byteLength + margin < announced) throw shortBody(place, String(announced), byteLength);
}

/** {@link readBody}, its untyped failures made typed. */
async function readBroken(
  response: Response,
  place: Place,
  reading: Reading & { hint: number | undefined; enough?: number },
  expected: string | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readBody(response, reading);
  } catch (error) {
    if (error instanceof BrokenBody) throw shortBody(place, expected, error.received, error.cause);
    if (error instanceof RangeError) throw tooLarge(place.url, place.key, reading.limit, reading.hint ?? reading.tally.bytes);
    throw error;
  }
}

/** Content-Length, where it speaks of the bytes that the body will have. */
function announcedBytes(response: Response): number | undefined {
  const header = response.headers.get("content-length");
  return header !== null && /^\d+$/.test(header) && !isEncoded(response) ? Number(header) : undefined;
}

function isEncoded(response: Response): boolean {
  const codings = (response.headers.get("content-encoding") ?? "").split(",");
  return codings.some((coding) => !["", "identity"].includes(coding.trim().toLowerCase()));
}

/**
 * Whether the runtime surely undid the Content-Encoding that it still shows. Most do; Deno leaves the answer to a ranged request as it is, and
 * only gzip can be told from data by its first bytes.
 */
function isDecoded(response: Response, body: Uint8Array): boolean {
  const gzip = /^\s*(x-)?gzip\s*$/i.test(response.headers.get("content-encoding") ?? "");
  return gzip && !(body[0] === 0x1f && body[1] === 0x8b);
}

/** Refuses a 206 whose body cannot be the bytes from `offset`, and cancels it. */
function refuseForeignPart(response: Response, place: Place, offset: number): void {
  const refuse = (code: "CompressedPartial" | "MultipartPartial" | "RangeMismatch", message: string, header: string) => {
    discard(response);
    const actual = response.headers.get(header) ?? undefined;
    throw new DreamDbError(code, `${place.url}: ${message}`, { ...place, status: 206, subject: header, actual });
  };
  if (/^\s*multipart\//i.test(response.headers.get("content-type") ?? "")) {
    refuse("MultipartPartial", "the server answered one range with a multipart body", "content-type");
  }
  if (isEncoded(response)) {
    refuse("CompressedPartial", "the partial answer is compressed; turn compression off for objects", "content-encoding");
  }
  const start = parseContentRange(response.headers.get("content-range"))?.start;
  if (start !== undefined && start !== offset) {
    refuse("RangeMismatch", `bytes from ${offset} were asked, bytes from ${start} came`, "content-range");
  }
}
