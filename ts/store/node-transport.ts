/**
 * Requests by Node's own HTTP client, which takes about half the time that its `fetch` takes for a small one.
 *
 * To be told from `fetch` by that alone: redirects, aborts, decoding and failures are the same, and what sends through a dispatcher of the
 * user's own (a proxy) goes on doing so. Only Node's entry may import this. No retries of answers, no judgement of them; see http.ts.
 */

import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Ending, HttpAnswer, HttpBody, HttpChunk, HttpInit, HttpReader } from "./http-answer.js";

/** As many as `fetch` follows. */
const MOST_REDIRECTS = 20;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
/** The longest body of a redirect that is read, so that its connection can be used again. */
const REDIRECT_PAGE_BYTES = 16 * 1024;
/** Codings in one answer that are undone; each takes memory. */
const MOST_CODINGS = 5;

/** Milliseconds that a new connection may take, as for `fetch`; a host that cannot be reached is not one that is slow. */
const CONNECT_MS = 10_000;

/** Their idle connections do not keep a program running; how many are busy is limited above. */
const agents = { http: impatient(new http.Agent({ keepAlive: true })), https: impatient(new https.Agent({ keepAlive: true })) };
/** For requests on connections of their own. */
const freshAgents = { http: impatient(new http.Agent()), https: impatient(new https.Agent()) };

/** What Node's `fetch` sends, too. `identity`, as a range of a compressed object is of no use, and small objects gain little. */
const HEADERS = ["Accept", "*/*", "Accept-Encoding", "identity", "User-Agent", "node"];
/** What the modes of `cache` come to where there is no cache but on the way. */
const CACHE_HEADERS: Readonly<Record<string, readonly string[]>> = {
  "reload": ["Pragma", "no-cache", "Cache-Control", "no-cache"],
  "no-store": ["Pragma", "no-cache", "Cache-Control", "no-cache"],
  "no-cache": ["Cache-Control", "max-age=0"],
};

/** Sends one GET; see {@link HttpAnswer}. Rejects as `fetch` does: with the reason of its end, or with the error of the system. */
export function nodeTransport(url: string, init: HttpInit, ending: Ending): Promise<HttpAnswer> {
  if (hasDispatcher()) return fetch(url, { ...init, signal: ending.signal });
  return new Promise((resolve, reject) => new Exchange(init, ending, resolve, reject).start(targetOf(url)));
}

/** Where a request goes. */
interface Target {
  readonly protocol: string;
  readonly origin: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  /** Path and query. */
  readonly path: string;
}

/** The last origin: thousands of requests go to one, and to take a URL apart costs a part of a small request. */
let last: Target | undefined;

/** Paths that mean what they say. */
const PLAIN_PATH = /^(?:\/[\w=@-][\w=@.-]*)+$/;

function targetOf(url: string): Target {
  if (last !== undefined && url.startsWith(last.origin)) {
    const path = url.slice(last.origin.length);
    if (PLAIN_PATH.test(path)) return { ...last, path };
  }
  return (last = partsOf(new URL(url)));
}

function partsOf({ protocol, origin, host, hostname, port, pathname, search }: URL): Target {
  return { protocol, origin, host, hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname, port, path: pathname + search };
}

/** Whether `fetch` has been told to send in another way: through a proxy, or to a test's own answers. */
function hasDispatcher(): boolean {
  const dispatcher: object | undefined = (globalThis as Record<symbol, object | undefined>)[Symbol.for("undici.globalDispatcher.1")];
  return dispatcher !== undefined && !/^_?Agent$/.test(dispatcher.constructor.name);
}

/** An agent's own way to connect, and an end to it. */
interface Connecting {
  createConnection(...args: unknown[]): Socket;
}

/** Makes an agent give up connections that are not made in time. */
function impatient<A extends http.Agent>(agent: A): A {
  const connecting = agent as unknown as Connecting;
  const connect = connecting.createConnection;
  connecting.createConnection = function (...args) {
    const socket = connect.apply(this, args);
    const giveUp = () => socket.destroy(Object.assign(new Error("the connection was not made in time"), { code: "ETIMEDOUT" }));
    const timer = setTimeout(giveUp, CONNECT_MS);
    const stop = () => clearTimeout(timer);
    socket.once(agent instanceof https.Agent ? "secureConnect" : "connect", stop).once("close", stop);
    return socket;
  };
  return agent;
}

/** Who waits for the next piece of a body. */
interface Waiting {
  resolve(chunk: HttpChunk | Promise<HttpChunk>): void;
  reject(reason: unknown): void;
}

/** One request, all its redirects, its answer, the answer's body and the body's reader: one object, as there are thousands of them. */
class Exchange implements HttpAnswer, HttpBody, HttpReader {
  status = 0;
  readonly headers = this;
  readonly body = this;
  readonly #ending: Ending;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #sent: readonly string[];
  #target: Target | undefined;
  #redirects = 0;
  /** The last request sent; events of others are ignored. */
  #request: ClientRequest | undefined;
  /** Whether the head of its answer has come. */
  #answered = false;
  /** Whether it is over. */
  #closed = false;
  #response: IncomingMessage | undefined;
  /** The response, or what decodes it. */
  #source: Readable | undefined;
  #waiting: Waiting | undefined;
  #flows = false;
  readonly #ahead: Uint8Array[] = [];
  #failure: { readonly reason: unknown } | undefined;
  #over = false;

  constructor({ headers, cache }: HttpInit, ending: Ending, resolve: (answer: HttpAnswer) => void, reject: (reason: unknown) => void) {
    this.#ending = ending;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#sent = [...HEADERS, ...(headers ? Object.entries(headers).flat() : []), ...(cache ? (CACHE_HEADERS[cache] ?? []) : [])];
  }

  get url(): string {
    return this.#target ? this.#target.origin + this.#target.path : "";
  }

  get(name: string): string | null {
    const value = this.#response?.headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  }

  start(target: Target): void {
    const { ended } = this.#ending;
    if (ended) return this.#fail(ended.reason);
    this.#ending.tell(() => this.#fail(this.#ending.ended?.reason));
    this.#send(target, false);
  }

  /** @param fresh on a connection of its own, which nobody had used before */
  #send(target: Target, fresh: boolean): void {
    const { protocol, host, hostname, port, path } = target;
    const secure = protocol === "https:";
    if (!secure && protocol !== "http:") return this.#fail(new TypeError(`a redirect leads to ${protocol}, not to http or https`));
    let request: ClientRequest;
    try {
      request = (secure ? https : http).request({
        agent: (fresh ? freshAgents : agents)[secure ? "https" : "http"],
        host: hostname,
        port,
        path,
        headers: ["Host", host, ...this.#sent],
      });
    } catch (error) {
      return this.#fail(error);
    }
    this.#target = target;
    this.#request = request;
    this.#answered = false;
    this.#closed = false;
    request.on("response", (response) => this.#onResponse(request, response));
    request.on("error", (error) => this.#onError(request, error));
    request.on("close", () => this.#onClose(request));
    request.end();
  }

  #onResponse(request: ClientRequest, response: IncomingMessage): void {
    this.#answered = true;
    response.on("error", (error) => this.#onError(request, error));
    const { statusCode = 0 } = response;
    const { location } = response.headers;
    if (REDIRECTS.has(statusCode) && location !== undefined) return this.#follow(request, response, location);
    this.status = statusCode;
    this.#response = response;
    this.#source = this.#decoded(response);
    this.#resolve(this);
  }

  #onError(request: ClientRequest, error: NodeJS.ErrnoException): void {
    if (request !== this.#request || (this.#answered && !this.#response)) return;
    // The server may close a connection just as it is used again; that says nothing about the request.
    const stale = !this.#answered && request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
    if (stale && this.#target && !this.#failure) this.#send(this.#target, true);
    else this.#fail(error);
  }

  /** Every request ends here, also one whose answer is of no known kind. */
  #onClose(request: ClientRequest): void {
    if (request !== this.#request) return;
    this.#closed = true;
    if (!this.#answered) this.#fail(new Error("the connection was closed without an answer"));
    else this.#wake();
  }

  #follow(request: ClientRequest, response: IncomingMessage, location: string): void {
    let target: URL;
    try {
      if (++this.#redirects > MOST_REDIRECTS) throw new TypeError("redirect count exceeded");
      // Headers come as if they were Latin-1.
      target = new URL(Buffer.from(location, "latin1").toString(), this.url);
      if (target.username !== "" || target.password !== "") throw new TypeError("a redirect leads to a URL with a user name or password");
    } catch (error) {
      return this.#fail(error);
    }
    let bytes = 0;
    response.on("data", (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > REDIRECT_PAGE_BYTES) response.destroy();
    });
    response.on("close", () => {
      if (request === this.#request && !this.#failure) this.#send(partsOf(target), false);
    });
  }

  /** Undoes the codings that `fetch` undoes. A part is left as it is: a piece of a compressed stream cannot be told from a whole one. */
  #decoded(response: IncomingMessage): Readable {
    const codings = this.get("content-encoding")?.toLowerCase().split(",");
    if (codings === undefined || this.status === 206 || codings.length > MOST_CODINGS) return response;
    const decoders = codings.toReversed().map((coding) => decoderOf(coding.trim()));
    let source: Readable = response;
    if (decoders.includes(undefined)) return source;
    for (const decoder of decoders) {
      if (!decoder) continue;
      source = pipeline(source, decoder, () => undefined);
      source.on("error", (error) => this.#fail(error));
    }
    return source;
  }

  getReader(): HttpReader {
    return this;
  }

  read(): Promise<HttpChunk> {
    const source = this.#source;
    const response = this.#response;
    if (!source || !response) return Promise.reject(new TypeError("there is no body"));
    const value = this.#failure && this.#ending.ended ? null : this.#next(source);
    if (value !== null) return Promise.resolve({ done: false, value });
    if (this.#failure) return Promise.reject(this.#failure.reason);
    const ended = source === response ? response.complete && response.readableLength === 0 : source.readableEnded;
    // A moment after the end the connection can be used again, which the reader's next request should find.
    if (ended && (this.#closed || source !== response || !this.#request?.shouldKeepAlive)) {
      this.#end();
      return Promise.resolve({ done: true });
    }
    if (source.closed && !ended) return Promise.reject(new Error("the connection was closed"));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#flows) source.resume();
      else if (!ended) this.#flow(source);
    });
  }

  /** What has come already. A small body is there as a whole when it is first asked for, and costs no listener. */
  #next(source: Readable): Uint8Array | null {
    return this.#ahead.shift() ?? (this.#flows ? null : (source.read() as Uint8Array | null));
  }

  /** From here on pieces are handed to who waits as they come; what nobody waits for stops the source. */
  #flow(source: Readable): void {
    this.#flows = true;
    source.on("data", (value: Uint8Array) => {
      if (this.#over) return;
      if (this.#waiting) return this.#taken()?.resolve({ done: false, value });
      this.#ahead.push(value);
      source.pause();
    });
    for (const event of ["end", "close"]) source.on(event, () => this.#wake());
  }

  #wake(): void {
    if (this.#waiting) this.#taken()?.resolve(this.read());
  }

  /** Who waited, and waits no more. */
  #taken(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  cancel(): Promise<void> {
    if (!this.#failure && !this.#over) {
      this.#failure = { reason: new Error("the body was cancelled") };
      this.#end();
      const response = this.#response;
      // What has come already is no reason to close the connection.
      if (response?.complete && response === this.#source) while (response.read() !== null);
      else this.#request?.destroy();
      this.#taken()?.resolve({ done: true });
    }
    return Promise.resolve();
  }

  #fail(reason: unknown): void {
    if (this.#failure || this.#over) return;
    this.#failure = { reason };
    this.#end();
    this.#request?.destroy();
    this.#reject(reason);
    this.#taken()?.reject(reason);
  }

  /** Nothing more will happen that could be stopped. */
  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#ending.tell(undefined);
  }
}

/** What undoes a coding, as leniently as `fetch` does where the end is missing; `undefined` for one that is not known. */
function decoderOf(coding: string): (Readable & NodeJS.WritableStream) | undefined {
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  if (coding === "gzip" || coding === "x-gzip") return createGunzip(flush);
  if (coding === "deflate") return createInflate(flush);
  const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };
  return coding === "br" ? createBrotliDecompress(brotli) : undefined;
}
