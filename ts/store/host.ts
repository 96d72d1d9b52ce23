/** What differs between hosts and cannot be tried out without a request. */

/** `Mozilla/…` in every browser; `Node.js/…`, `Deno/…`, `Bun/…`, `Cloudflare-Workers`, or nothing elsewhere. */
export function agent(): string {
  const { userAgent } = (globalThis as { navigator?: { userAgent?: unknown } }).navigator ?? {};
  return typeof userAgent === "string" ? userAgent : "";
}

/** Whether `fetch` goes through an HTTP cache that it can be told to bypass. Edge workers throw at `cache` in an init. */
export function hasHttpCache(): boolean {
  return agent().startsWith("Mozilla/");
}
