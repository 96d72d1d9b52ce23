/**
 * Requests by a client of our own over Node's sockets, which takes about half the processor time that Node's own client takes for a small
 * one, and far less than its `fetch`.
 *
 * To be told from `fetch` by that alone: redirects, aborts, decoding and failures are the same, and what sends through a dispatcher of the
 * user's own (a proxy) goes on doing so. Only Node's entry may import this folder.
 */

import type { Ending, HttpAnswer, HttpInit } from "../http-answer.js";
import { fetchInit } from "../transport.js";
import { Exchange } from "./exchange.js";
import { targetOf } from "./target.js";

/** Sends one request; see {@link HttpAnswer}. Rejects as `fetch` does: with the reason of its end, or with the error of the system. */
export function nodeTransport(url: string, init: HttpInit, ending: Ending): Promise<HttpAnswer> {
  if (hasDispatcher()) return fetch(url, fetchInit(init, ending.signal));
  return new Promise((resolve, reject) => new Exchange(init, ending, resolve, reject).start(targetOf(url)));
}

/** Where Node's `fetch`, and whoever replaces it, has its dispatcher. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

/** Whether `fetch` has been told to send in another way: through a proxy, or to a test's own answers. */
function hasDispatcher(): boolean {
  const dispatcher: object | undefined = (globalThis as Record<symbol, object | undefined>)[DISPATCHER];
  return dispatcher !== undefined && !/^_?Agent$/.test(dispatcher.constructor.name);
}
