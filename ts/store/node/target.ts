/** Where a request goes: the origin, whose connections are found by it, and the path. */

import { Origin } from "./origin.js";

/** A place to ask. */
export interface Target {
  readonly origin: Origin;
  /** Path and query. */
  readonly path: string;
}

const origins = new Map<string, Origin>();

/** The last origin: thousands of requests go to one, and to take a URL apart costs a part of a small request. */
let last: Origin | undefined;

/** Paths that mean what they say. */
const PLAIN_PATH = /^(?:\/[\w=@-][\w=@.-]*)+$/;

/** Takes a URL apart. Throws a TypeError for one that is no http or https. */
export function targetOf(url: string | URL): Target {
  if (typeof url === "string" && last !== undefined && url.startsWith(last.origin)) {
    const path = url.slice(last.origin.length);
    if (PLAIN_PATH.test(path)) return { origin: last, path };
  }
  const parts = new URL(url);
  const { protocol, origin, pathname, search } = parts;
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError(`${protocol} is neither http nor https`);
  last = origins.get(origin);
  if (!last) origins.set(origin, (last = new Origin(parts)));
  return { origin: last, path: pathname + search };
}
