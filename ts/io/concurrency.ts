/** How many requests a host takes at once. */
import { agent } from "../store/host.js";

/**
 * Requests that one dataset keeps in flight unless told otherwise.
 *
 * 6 where the host queues or refuses more to one origin: browsers over HTTP/1.1, Cloudflare Workers. 32 elsewhere.
 */
export function defaultConcurrency(): number {
  return /^(Mozilla\/|Cloudflare-Workers)/.test(agent()) ? 6 : 32;
}
