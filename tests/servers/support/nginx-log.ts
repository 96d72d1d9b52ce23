/** What nginx did, by its own log, for tests in Node and in browsers. */

import { inject } from "vitest";

/** The servers, each `http://127.0.0.1:port`; and the log of all of them. */
export interface NginxUrls {
  /** As the documentation says. */
  readonly plain: string;
  /** `max_ranges 0`: every range is answered by the whole object. */
  readonly noRanges: string;
  /** Compresses every type. */
  readonly gzip: string;
  /** Sends everyone to `plain`, a server of another origin. */
  readonly redirect: string;
  /** One line of JSON for each request. */
  readonly log: string;
}

/** One request. */
export interface LoggedRequest {
  /** Path, without the query. */
  readonly path: string;
  readonly status: number;
  /** Bytes of the body as sent. */
  readonly bytes: number;
  /** Empty if none was asked. */
  readonly range: string;
  /** Empty if it was not compressed. */
  readonly encoding: string;
}

/** A mark for the requests of one test: part of the base URL's query, which goes with each request. */
export function newMark(): string {
  return `mark=${crypto.randomUUID()}`;
}

/** The requests with a mark, in the order in which they ended. */
export async function requestsWith(mark: string): Promise<LoggedRequest[]> {
  const log = await (await fetch(inject("nginx").log)).text();
  const entries = log
    .split("\n")
    .filter((line) => line.includes(mark))
    .map((line) => JSON.parse(line) as Omit<LoggedRequest, "path"> & { readonly target: string });
  return entries.map(({ target, ...rest }) => ({ path: target.replace(/\?.*/, ""), ...rest }));
}
