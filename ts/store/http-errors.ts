/**
 * Turns refusals and failures of HTTP into typed errors that say what to do about them. Which answers count as data is decided by the
 * store; here are only those that do not.
 */

import { DreamDbError, isDreamDbError, withoutSecrets, type ErrorCode } from "../errors.js";
import { readBody } from "./body.js";
import { parseContentRange } from "./content-range.js";
import type { HttpAnswer } from "./http-answer.js";
import { Clock, Watch } from "./watch.js";

/** An object as errors name it. */
export interface Place {
  /** Address without query and user info. */
  readonly url: string;
  readonly key: string;
}

/** The most to read of an error page: enough for the code that object stores send, and for the connection to be used again. */
const ERROR_PAGE_BYTES = 16 * 1024;
/** How long to wait for an error page; the status alone is an answer. */
const ERROR_PAGE_MS = 2000;

/**
 * The error of an answer whose status is no success, its body read or cancelled.
 *
 * Throws instead the caller's abort reason, if that comes first.
 */
export async function statusError(
  response: HttpAnswer,
  place: Place,
  caller: AbortSignal | undefined,
): Promise<DreamDbError> {
  const said = await serverCode(response, place, caller);
  const { status } = response;
  const answered = `${place.url} answered ${status}${said === undefined ? "" : ` (${said})`}`;
  const details = { ...place, status, actual: said };
  if (status === 404 || status === 410) return new DreamDbError("NotFound", `no such object: ${answered}`, details);
  if (status === 401 || status === 403) {
    const hint =
      "the request lacks credentials, its signature has expired, or the bucket hides missing objects from those who may not list it";
    return new DreamDbError("Forbidden", `${answered}: ${hint}`, details);
  }
  if (status === 416) {
    const total = parseContentRange(response.headers.get("content-range"))?.total;
    const size = total === undefined ? "" : ` of ${total} bytes`;
    const actual = total === undefined ? said : String(total);
    return new DreamDbError("RangeNotSatisfiable", `${answered}: the range starts behind the end of the object${size}`, {
      ...details,
      actual,
    });
  }
  const retryAfterMs = retryAfter(response.headers.get("retry-after"));
  return new DreamDbError("HttpStatus", answered, { ...details, retryAfterMs });
}

/** The error code in an object store's XML answer (`AccessDenied`, `SlowDown`), if it is there. */
async function serverCode(
  response: HttpAnswer,
  place: Place,
  caller: AbortSignal | undefined,
): Promise<string | undefined> {
  const watch = new Watch(caller, new Clock(ERROR_PAGE_MS), place.url, place);
  try {
    const page = await readBody(response, { limit: ERROR_PAGE_BYTES, watch, tally: { bytes: 0 } });
    return page && /<Code>([\w.-]{1,64})<\/Code>/.exec(new TextDecoder().decode(page))?.[1];
  } catch (error) {
    if (caller?.aborted) throw error;
    return undefined;
  } finally {
    watch.close();
  }
}

/** Milliseconds from a Retry-After header: seconds or an HTTP date. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The error of a request that got no answer. An error of this package, out of a custom `fetch`, comes back as it is. */
export function networkError(cause: unknown, place: Place): DreamDbError {
  if (isDreamDbError(cause)) return cause;
  const name = cause instanceof Error ? cause.name : "";
  const codes: Record<string, ErrorCode> = { AbortError: "Aborted", TimeoutError: "Timeout" };
  const code = codes[name] ?? "Network";
  const shown = publicCause(cause);
  const said = innermost(shown);
  const likely =
    "Likely causes: the server, or the target of a redirect, does not allow this origin (CORS); offline; a host name that does not " +
    "resolve (DNS); an http address on an https page (mixed content); a server that is down; an answer that is compressed though a range " +
    "was asked; a blocker. Runtimes do not say which.";
  const message = code === "Network" ? `no answer from ${place.url} (${said}). ${likely}` : `${place.url}: ${said}`;
  return new DreamDbError(code, message, { ...place, cause: shown });
}

/** The error of a body that ended before its length: by count, or because it broke off. */
export function shortBody(place: Place, expected: string | undefined, received: number, cause?: unknown): DreamDbError {
  const of = expected === undefined ? "" : ` of ${expected}`;
  return new DreamDbError("BodyLength", `the body of ${place.url} ended after ${received}${of} bytes`, {
    ...place,
    expected,
    actual: String(received),
    cause: publicCause(cause),
  });
}

/** The lowest message of a chain of causes; `fetch failed` alone helps nobody. */
function innermost(cause: unknown): string {
  let said = "toString" in Object(cause) ? String(cause) : "an object";
  for (let error = cause, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth++) {
    said = error.message || said;
    if ("code" in error && typeof error.code === "string" && !said.includes(error.code)) said = `${error.code} ${said}`;
  }
  return said;
}

/** A cause without the secrets of the URLs in it: some runtimes quote the full address in the message. */
export function publicCause(cause: unknown, depth = 0): unknown {
  if (typeof cause === "string") return publicText(cause);
  if (!(cause instanceof Error) || depth === 4) return cause;
  const message = publicText(cause.message);
  const inner = publicCause(cause.cause, depth + 1);
  if (message === cause.message && inner === cause.cause) return cause;
  const copy = new Error(message, inner === undefined ? undefined : { cause: inner });
  copy.name = cause.name;
  if (cause.stack !== undefined) copy.stack = publicText(cause.stack);
  return copy;
}

function publicText(text: string): string {
  return text.replace(/\bhttps?:\/\/[^\s"'<>()]*/gi, withoutSecrets);
}
