/**
 * One request: its redirects, its answer, the answer's body and the body's reader, in one object, as there are thousands of them.
 *
 * Redirects, aborts, codings and failures are as by `fetch`. No retries of answers, and no judgement of them; see `http.ts`.
 */

import type { Ending, HttpAnswer, HttpBody, HttpChunk, HttpInit, HttpReader } from "../http-answer.js";
import type { Connection, Receiver } from "./connection.js";
import { type Decoded, type Decoder, decoderFor } from "./decoder.js";
import type { AnswerHead } from "./head.js";
import type { Origin } from "./origin.js";
import { type Target, targetOf } from "./target.js";

/** As many as `fetch` follows. */
const MOST_REDIRECTS = 20;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The longest body of a redirect that is read, so that its connection can be used again. */
const REDIRECT_PAGE_BYTES = 16 * 1024;
/** Milliseconds that it is waited for: another connection takes about as long. `fetch` does not wait at all. */
const REDIRECT_PAGE_MS = 100;
/** Bytes that wait for a reader, above which the connection is stopped. */
const MOST_AHEAD_BYTES = 64 * 1024;

/** What the modes of `cache` come to where there is no cache but on the way. */
const CACHE_HEADERS: Readonly<Record<string, string>> = {
  "reload": "Pragma: no-cache\r\nCache-Control: no-cache\r\n",
  "no-store": "Pragma: no-cache\r\nCache-Control: no-cache\r\n",
  "no-cache": "Cache-Control: max-age=0\r\n",
};

const NO_NAME = /[^\w!#$%&'*+.^`|~-]/;
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** The end of a body. */
const DONE: Promise<HttpChunk> = Promise.resolve({ done: true });

/** Who waits for the next piece of a body. */
interface Waiting {
  resolve(chunk: HttpChunk): void;
  reject(reason: unknown): void;
}

/** One GET or PUT, from its start to the end of the answer's body. */
export class Exchange implements HttpAnswer, HttpBody, HttpReader, Receiver, Decoded {
  status = 0;
  readonly headers = this;
  readonly body = this;
  readonly #init: HttpInit;
  /** What is put; `undefined` for a GET, and for what a redirect made one. */
  #put: Uint8Array | undefined;
  readonly #ending: Ending;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  #origin: Origin | undefined;
  #path = "";
  /** The connection, as long as it is ours. */
  #connection: Connection | undefined;
  #head: AnswerHead | undefined;
  #redirects = 0;
  /** Where the redirect leads whose page is being read, and how much of that has come. */
  #next: Target | undefined;
  #pageBytes = 0;
  #pageTimer: ReturnType<typeof setTimeout> | undefined;
  #decoder: Decoder | undefined;
  readonly #ahead: Uint8Array[] = [];
  #aheadBytes = 0;
  /** Whether all of the body is there. */
  #complete = false;
  #waiting: Waiting | undefined;
  #failure: { readonly reason: unknown } | undefined;
  #over = false;

  constructor(init: HttpInit, ending: Ending, resolve: (answer: HttpAnswer) => void, reject: (reason: unknown) => void) {
    this.#init = init;
    this.#put = init.put;
    this.#ending = ending;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  get url(): string {
    return this.#origin ? this.#origin.origin + this.#path : "";
  }

  get(name: string): string | null {
    return this.#head?.get(name) ?? null;
  }

  start(target: Target): void {
    const { ended } = this.#ending;
    if (ended) return this.#fail(ended.reason);
    this.#ending.tell(() => this.#fail(this.#ending.ended?.reason));
    this.#send(target, false);
  }

  /** @param fresh on a connection that nobody had used before */
  #send({ origin, path }: Target, fresh: boolean): void {
    let headers: string;
    try {
      headers = headersOf(this.#init);
    } catch (error) {
      return this.#fail(error);
    }
    this.#origin = origin;
    this.#path = path;
    const connection = fresh ? origin.open() : origin.take();
    this.#connection = connection;
    const put = this.#put;
    if (put === undefined) connection.send(`GET ${path} HTTP/1.1\r\n${origin.headers}${headers}\r\n`, undefined, this);
    else connection.send(`PUT ${path} HTTP/1.1\r\n${origin.headers}Content-Length: ${put.byteLength}\r\n${headers}\r\n`, put, this);
  }

  onHead(head: AnswerHead): void {
    const { status } = head;
    if (REDIRECTS.has(status)) {
      const location = head.get("location");
      if (location !== null) return this.#redirect(status, location);
    }
    this.status = status;
    this.#head = head;
    // A part is left as it is: a piece of a compressed stream cannot be told from a whole one.
    const codings = status === 206 ? null : head.get("content-encoding");
    if (codings !== null) this.#decoder = decoderFor(codings, this);
    this.#resolve(this);
  }

  onPiece(piece: Uint8Array): boolean {
    if (this.#next) {
      this.#pageBytes += piece.byteLength;
      if (this.#pageBytes > REDIRECT_PAGE_BYTES) this.#leavePage();
      return true;
    }
    return this.#decoder ? this.#decoder.write(piece) : this.onDecoded(piece);
  }

  onAnswered(): void {
    this.#connection = undefined;
    if (this.#next) this.#follow();
    else if (this.#decoder) this.#decoder.end();
    else this.onDecodedAll();
  }

  onLost(error: Error, stale: boolean): void {
    this.#connection = undefined;
    if (this.#next) this.#follow();
    // The server may close a connection just as it is used again; that says nothing about the request. Whether a PUT was carried out is not known, and
    // for the caller to find out.
    else if (stale && this.#origin && this.#put === undefined) this.#send({ origin: this.#origin, path: this.#path }, true);
    else this.#fail(error);
  }

  #redirect(status: number, location: string): void {
    if (status === 303) this.#put = undefined;
    try {
      if (++this.#redirects > MOST_REDIRECTS) throw new TypeError("redirect count exceeded");
      // Headers come as if they were Latin-1.
      const url = new URL(Buffer.from(location, "latin1").toString(), this.url);
      if (url.username !== "" || url.password !== "") throw new TypeError("a redirect leads to a URL with a user name or password");
      this.#next = targetOf(url);
      this.#pageBytes = 0;
      this.#pageTimer = setTimeout(() => this.#leavePage(), REDIRECT_PAGE_MS);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Goes on without the rest of a redirect's page. */
  #leavePage(): void {
    this.#connection?.destroy();
    this.#follow();
  }

  /** Goes where the redirect leads. */
  #follow(): void {
    clearTimeout(this.#pageTimer);
    const next = this.#next;
    this.#next = undefined;
    if (next) this.#send(next, false);
  }

  onDecoded(piece: Uint8Array): boolean {
    const waiting = this.#taken();
    if (waiting) {
      waiting.resolve({ done: false, value: piece });
      return true;
    }
    this.#ahead.push(piece);
    this.#aheadBytes += piece.byteLength;
    return this.#aheadBytes < MOST_AHEAD_BYTES;
  }

  onDecodedAll(): void {
    this.#complete = true;
    if (!this.#waiting) return;
    this.#end();
    this.#taken()?.resolve({ done: true });
  }

  onUndecodable(error: Error): void {
    this.#fail(error);
  }

  onRoom(): void {
    this.#connection?.resume();
  }

  getReader(): HttpReader {
    return this;
  }

  read(): Promise<HttpChunk> {
    const value = this.#ahead.shift();
    if (value !== undefined) {
      this.#aheadBytes -= value.byteLength;
      return Promise.resolve({ done: false, value });
    }
    if (this.#failure) return Promise.reject(this.#failure.reason);
    if (this.#complete) {
      this.#end();
      return DONE;
    }
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#decoder) this.#decoder.resume();
      else this.#connection?.resume();
    });
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
      this.#letGo();
      this.#taken()?.resolve({ done: true });
    }
    return Promise.resolve();
  }

  #fail(reason: unknown): void {
    if (this.#failure || this.#over) return;
    this.#failure = { reason };
    this.#letGo();
    this.#reject(reason);
    this.#taken()?.reject(reason);
  }

  /** Nothing more is wanted. What came before a failure still counts, but not what came before an end that the reader has asked for. */
  #letGo(): void {
    this.#end();
    if (this.#ending.ended) this.#ahead.length = 0;
    this.#decoder?.destroy();
    // What has come as a whole is no reason to close the connection.
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  /** Nothing more will happen that could be stopped. */
  #end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#pageTimer);
    this.#ending.tell(undefined);
  }
}

/** The lines of the headers of one request. */
function headersOf({ headers, cache }: HttpInit): string {
  let lines = cache ? (CACHE_HEADERS[cache] ?? "") : "";
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (name === "" || NO_NAME.test(name) || NO_VALUE.test(value)) throw new TypeError(`${JSON.stringify(name)} is no header that can be sent`);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
