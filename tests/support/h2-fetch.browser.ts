/** A `fetch` that speaks HTTP/2: the browser's own does. It takes any certificate, as the project of browser tests is set up. */

import type { Fetch } from "dreamdb-arrays";

/** Reads over HTTP/2 where the server offers it. */
export const h2Fetch: Fetch = (url, init) => fetch(url, init);
