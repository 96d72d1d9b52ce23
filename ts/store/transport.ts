/**
 * What sends the requests of stores without a `fetch` of their own: the global one, or what the host's entry has put in its place.
 *
 * A global `fetch` that was replaced after this package was imported, by a test or a monitor, is meant for all requests and goes first.
 */

import type { Ending, HttpAnswer, HttpInit, Transport } from "./http-answer.js";

const hostsOwn = globalThis.fetch;
let installed: Transport | undefined;

/** Sends all further requests through `transport`; `undefined` brings back the global `fetch`. */
export function setTransport(transport: Transport | undefined): void {
  installed = transport;
}

/** Sends one request. `fetch` is looked up at each call, and called on its own object, as browsers demand. */
export function send(url: string, init: HttpInit, ending: Ending): Promise<HttpAnswer> {
  if (installed && globalThis.fetch === hostsOwn) return installed(url, init, ending);
  return globalThis.fetch(url, fetchInit(init, ending.signal));
}

/** What `fetch` is given for a request. */
export function fetchInit({ put, ...init }: HttpInit, signal: AbortSignal): RequestInit {
  return put === undefined ? { ...init, signal } : { ...init, method: "PUT", body: put, signal };
}
