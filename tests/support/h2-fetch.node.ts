/** A `fetch` that speaks HTTP/2 and takes the test server's certificate: Node's own speaks HTTP/1.1 alone. */

import type { Fetch } from "dreamdb-arrays";
import { Agent, fetch as fetchOfUndici } from "undici";

const dispatcher = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });

/** Reads over HTTP/2 where the server offers it. */
export const h2Fetch: Fetch = async (url, { headers, signal }) =>
  // The same class by another name: Node's types know only Node's own copy of it.
  (await fetchOfUndici(url, { headers: headers as Record<string, string>, signal: signal ?? null, dispatcher })) as unknown as Response;
