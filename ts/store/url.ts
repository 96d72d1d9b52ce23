/**
 * Joins object keys to a base URL without changing what either means.
 *
 * Keys hold `=` and `@`, and go into the path raw: servers, signers and proxies disagree on `%3D`, and the reference writes `=`. Encoded is
 * only what would end the path, be read as an escape, or be encoded by the URL parser anyway. Nothing is decoded here.
 */

import { DreamDbError, withoutSecrets } from "../errors.js";
import { isUsualKey, keySegments } from "./check.js";

/** A parsed base: what stands before and after every key. */
export interface Base {
  /** The prefix without user info, to be shown. */
  readonly shown: string;
  /** Scheme, host and path, with no slash at the end. */
  readonly prefix: string;
  /** `?…`, or empty; repeated on each request, for signatures and tokens. */
  readonly query: string;
  /** Whether user name or password stand in it, which no standard `fetch` sends. */
  readonly userInfo: boolean;
}

/** Code points that are encoded in a key; everything else goes out as it is. */
const ENCODED = /(?:[^!-~]|["#%<>?\\^`{|}])+/gu;

/**
 * Parses a base URL. One trailing slash and a fragment are dropped, the query is kept, the last path segment is part of the prefix. A
 * relative base resolves against the page's or worker's location, if there is one.
 *
 * Errors: `InvalidArgument` for anything but http and https.
 */
export function parseBase(base: string | URL): Base {
  const url = parse(String(base));
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new DreamDbError("InvalidArgument", `an HTTP store needs an http or https URL, not ${url.protocol}`, {
      subject: "base",
      url: url.href,
    });
  }
  const query = url.search;
  url.search = "";
  url.hash = "";
  const prefix = url.href.replace(/\/$/, "");
  return { prefix, shown: withoutSecrets(prefix), query, userInfo: url.username !== "" || url.password !== "" };
}

function parse(base: string): URL {
  try {
    return new URL(base);
  } catch {
    // Looked at only now: to read `location` where there is none may warn or throw.
    const here = (globalThis as { location?: { href?: string } }).location?.href;
    try {
      if (here !== undefined) return new URL(base, here);
    } catch {
      // Falls through to the one error for both.
    }
    const what = withoutSecrets(base);
    throw new DreamDbError("InvalidArgument", `${JSON.stringify(what)} is no absolute URL`, { subject: "base" });
  }
}

/**
 * The address to request.
 *
 * Errors: `InvalidArgument` for a key that is no relative path, or holds half a surrogate pair.
 */
export function objectUrl(base: Base, key: string): string {
  if (isUsualKey(key)) return `${base.prefix}/${key}${base.query}`;
  const path = keySegments(key).join("/");
  try {
    return `${base.prefix}/${path.replace(ENCODED, encodeURIComponent)}${base.query}`;
  } catch (cause) {
    throw new DreamDbError("InvalidArgument", `object key ${JSON.stringify(key)} is not well-formed text`, {
      subject: "key",
      actual: key,
      cause,
    });
  }
}

/** The address to show: no query, no user info. Never throws. */
export function describeUrl(base: Base, key: string): string {
  return `${base.shown}/${key}`;
}
