/**
 * Judges answers: which bodies are the bytes that were asked for, and what is wrong with the others.
 *
 * By the bytes that arrive. Headers can refuse an answer, and say how much to expect; they never stand in for bytes.
 */

import { DreamDbError } from "../errors.js";
import { BrokenBody, discard, readBody } from "./body.js";
import { tooLarge } from "./check.js";
import type { ContentRange } from "./content-range.js";
import type { HttpAnswer } from "./http-answer.js";
import { networkError, shortBody, type Place } from "./http-errors.js";
import type { Tally } from "./observe.js";
import type { ReadOptions } from "./types.js";
import type { Watch } from "./watch.js";

/** What reading an answer needs of its request. */
export interface Reading {
  readonly limit: number;
  readonly watch: Watch;
  readonly tally: Tally;
  /** Whether the body ends by itself when the watch does. */
  readonly listens: boolean;
  readonly onTotal?: ReadOptions["onTotal"];
}

/** Reads a 206 to a range: exactly `limit` bytes, whatever its headers say. */
export async function readPart(response: HttpAnswer, place: Place, reading: Reading): Promise<Uint8Array<ArrayBuffer>> {
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
export async function readInstead(
  response: HttpAnswer,
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
        "Serve objects from a host that supports range requests.",
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
export async function readWhole(response: HttpAnswer, place: Place, reading: Reading): Promise<Uint8Array<ArrayBuffer>> {
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
  response: HttpAnswer,
  place: Place,
  reading: Reading & { hint: number | undefined; enough?: number },
  expected: string | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readBody(response, reading);
  } catch (error) {
    reading.watch.check();
    if (error instanceof BrokenBody) throw shortBody(place, expected, error.received, error.cause);
    if (error instanceof RangeError) throw tooLarge(place.url, place.key, reading.limit, reading.hint ?? reading.tally.bytes);
    // A body that a custom `fetch` has read, or that breaks off where there are no streams.
    throw networkError(error, place);
  }
}

/** Content-Length, where it speaks of the bytes that the body will have. */
function announcedBytes(response: HttpAnswer): number | undefined {
  const header = response.headers.get("content-length");
  return header !== null && /^\d+$/.test(header) && !isEncoded(response) ? Number(header) : undefined;
}

function isEncoded(response: HttpAnswer): boolean {
  const header = response.headers.get("content-encoding");
  if (header === null) return false;
  return header.split(",").some((coding) => !["", "identity"].includes(coding.trim().toLowerCase()));
}

/**
 * Whether the runtime surely undid the Content-Encoding that it still shows. Most do; Deno leaves the answer to a ranged request as it is, and
 * only gzip can be told from data by its first bytes.
 */
function isDecoded(response: HttpAnswer, body: Uint8Array): boolean {
  const gzip = /^\s*(x-)?gzip\s*$/i.test(response.headers.get("content-encoding") ?? "");
  return gzip && !(body[0] === 0x1f && body[1] === 0x8b);
}

/** Refuses a 206 whose body cannot be the bytes from `offset`, and cancels it; `range` is what its Content-Range says. */
export function refuseForeignPart(response: HttpAnswer, place: Place, offset: number, range: ContentRange | undefined): void {
  const refuse = (code: "CompressedPartial" | "MultipartPartial" | "RangeMismatch", message: string, header: string) => {
    discard(response);
    const actual = response.headers.get(header) ?? undefined;
    throw new DreamDbError(code, `${place.url}: ${message}`, { ...place, status: 206, subject: header, actual });
  };
  // The parts of a multipart body have the ranges, not the answer.
  if (range?.start === undefined && /^\s*multipart\//i.test(response.headers.get("content-type") ?? "")) {
    refuse("MultipartPartial", "the server answered one range with a multipart body", "content-type");
  }
  if (isEncoded(response)) {
    refuse("CompressedPartial", "the partial answer is compressed; turn compression off for objects", "content-encoding");
  }
  if (range?.start !== undefined && range.start !== offset) {
    refuse("RangeMismatch", `bytes from ${offset} were asked, bytes from ${range.start} came`, "content-range");
  }
}
