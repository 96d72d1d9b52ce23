/** Which host a test runs in, for the few things that hosts do not do alike. */

/** A page, where CORS rules and the browser has a cache; else Node. */
export const inPage = "document" in globalThis;
