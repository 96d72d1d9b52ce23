/**
 * Writes over HTTP: what a conditional PUT is made of, and what its refusals mean.
 *
 * Object stores take `If-None-Match: *` and `If-Match` on PUT (S3, R2, GCS' XML door, SeaweedFS, MinIO, our own server). A place that ignores
 * them would let writers undo each other, and nothing in an answer tells.
 */

import { DreamDbError, type ErrorCode } from "../errors.js";
import type { HttpAnswer, HttpInit } from "./http-answer.js";
import { type Place, statusError } from "./http-errors.js";
import { Clock } from "./watch.js";

/** When the PUT is to be carried out: where nothing is, or in the place of one state. */
export type Condition = { readonly absent: true } | { readonly tag: string };

/** The slowest line that is waited for: nothing arrives while an object is on its way up. */
const SLOWEST_BYTES_PER_MS = 16;

/** The request. No `Content-Type`: the reference sends none, and stores keep none then. */
export function putInit({ bytes, condition }: { readonly bytes: Uint8Array; readonly condition: Condition }): HttpInit {
  const headers: Record<string, string> = "tag" in condition ? { "If-Match": condition.tag } : { "If-None-Match": "*" };
  // Shared memory is no body.
  const put = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
  return { headers, put };
}

/** A clock for one upload, which has the time that its bytes take on a slow line as well. */
export function uploadClock(timeoutMs: number, { byteLength }: Uint8Array): Clock {
  return new Clock(timeoutMs + byteLength / SLOWEST_BYTES_PER_MS);
}

/** The error of a PUT that was answered with neither success nor 412. */
export async function judgePut(response: HttpAnswer, place: Place, caller: AbortSignal | undefined): Promise<DreamDbError> {
  const error = await statusError(response, place, caller);
  const { status, actual, retryAfterMs } = error;
  const details = { ...place, status, actual, retryAfterMs };
  const said = `${place.url} answered ${status}${actual === undefined ? "" : ` (${actual})`} to a PUT`;
  const refuse = (code: ErrorCode, why = ""): DreamDbError => new DreamDbError(code, said + why, details);
  if (error.code === "Forbidden") return refuse("Forbidden", ": the credentials are missing or do not allow writing here; a `fetch` hook can sign requests");
  if (status === 404) return refuse("NotFound", ": there is no such bucket, or the path cannot be written");
  if (status === 405 || status === 501) {
    return refuse("HttpStatus", ": this host takes no PUT, or none with If-Match and If-None-Match, without which writers would undo each other's work");
  }
  return refuse("HttpStatus", status === 507 || status === 413 ? ": there is no room for the object" : "");
}

/**
 * The strong ETag of an answer, as `If-Match` takes it.
 *
 * @throws {DreamDbError} `NoStrongTag`
 */
export function strongTag(headers: HttpAnswer["headers"], place: Place): string {
  const tag = headers.get("etag");
  if (tag !== null && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag)) return tag;
  const weak = "a weak ETag does not say that the bytes are the same, so If-Match never holds for it; servers weaken it when they compress: turn compression off for refs/";
  const none = "without one a Ref cannot be moved safely; a page of another origin sees it only if Access-Control-Expose-Headers names ETag";
  const message = tag === null ? `${place.url} came without an ETag: ${none}` : `${place.url} has the ETag ${tag}: ${tag.startsWith("W/") ? weak : none}`;
  throw new DreamDbError("NoStrongTag", message, { ...place, subject: "etag", expected: "a strong ETag", actual: tag ?? "none" });
}
