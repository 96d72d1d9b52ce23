/** Which host a test runs in, for the few things that hosts do not do alike. */

import { inject } from "vitest";

/** A page, where CORS rules and the browser has a cache; else Node. */
export const inPage = "document" in globalThis;

/** Whether a request that was reset on a connection used before is sent once more by the host itself, as a server may just have closed it. */
export const repeatsResets = inPage || inject("transport") === "sockets";
