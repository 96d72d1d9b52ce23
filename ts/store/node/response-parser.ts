/**
 * Takes apart the answers that come on one connection: HTTP/1.1 (RFC 9112), for requests by GET and PUT.
 *
 * As strict as Node's own parser, which a test holds it against: what two readers could understand differently (two lengths, a length
 * beside chunks, a bare line feed, folded lines) is refused, as the next answer would be looked for at the wrong place. No I/O here, and
 * no judgement of status or headers beyond where the body ends.
 */

import { AnswerHead } from "./head.js";

/** What a connection is told of an answer. */
export interface AnswerSink {
  /** The head, once; interim answers (1xx) are passed over. */
  onHead(head: AnswerHead): void;
  /** Body bytes: `bytes` from `start` to `end`. They are overwritten by the next that come, if the buffer is the caller's. */
  onBody(bytes: Buffer, start: number, end: number): void;
  /** The answer is over. `keep` says whether another may follow on the connection. */
  onAnswered(keep: boolean): void;
}

/** Bytes of a head, of trailers, and of a chunk's extensions at most: Node's own limit. */
const MOST_BYTES = 16 * 1024;

/** What comes next. */
const IDLE = 0;
const HEAD = 1;
const SIZED = 2;
const UNTIL_CLOSED = 3;
const CHUNK_SIZE = 4;
const CHUNK = 5;
const CHUNK_END = 6;
const TRAILERS = 7;

/** No more bytes to go on with. */
const MORE = -1;

const HT = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SP = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const SEMICOLON = 0x3b;

/** What a byte may be part of: a name (1), a value (2). */
const KINDS = new Uint8Array(256);
for (let byte = SP; byte < 256; byte++) KINDS[byte] = byte === 0x7f ? 0 : 2;
KINDS[HT] = 2;
for (const byte of Buffer.from("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")) KINDS[byte] = 3;

/** The value of a hexadecimal digit; 255 for other bytes. */
const HEX = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 16; digit++) for (const byte of Buffer.from(digit.toString(16) + digit.toString(16).toUpperCase())) HEX[byte] = digit;

/** The error of what is no HTTP. */
function broken(what: string): Error {
  return new Error(`the answer is not HTTP/1.1 as it should be: ${what}`);
}

/** Reads one answer after another, each begun by {@link expect}. */
export class ResponseParser {
  readonly #sink: AnswerSink;
  #state = IDLE;
  /** The begin of a line, or of a head, that has not come as a whole. */
  #kept: Buffer | undefined;
  /** Of a head, relative to where it starts: its next line, and its headers. */
  #line = 0;
  #marks: number[] = [];
  #status = 0;
  /** Bytes that are still to come of the body or chunk. */
  #left = 0;
  #trailerBytes = 0;
  /** Whether the connection may be used again: by its version and, unless it says `close`, by its headers. */
  #keep = false;
  #close = false;
  /** Content-Length, or {@link MORE}. */
  #length = MORE;
  #coded = false;
  #chunked = false;
  /** The header read last. */
  #nameEnd = 0;
  #valueStart = 0;
  #valueEnd = 0;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** An answer is to come. */
  expect(): void {
    this.#state = HEAD;
    this.#trailerBytes = 0;
    this.#startHead();
  }

  /** Nothing more is wanted. */
  stop(): void {
    this.#state = IDLE;
    this.#kept = undefined;
  }

  #startHead(): void {
    this.#line = 0;
    this.#marks = [];
    this.#close = false;
    this.#keep = false;
    this.#length = MORE;
    this.#coded = false;
    this.#chunked = false;
  }

  /** The connection was closed in good order; whether that was the end of the answer. */
  finish(): boolean {
    if (this.#state !== UNTIL_CLOSED) return false;
    this.#answered(false);
    return true;
  }

  /** Takes the next bytes; throws if they are no HTTP. */
  push(bytes: Buffer, end: number): void {
    let at = 0;
    if (this.#kept) {
      bytes = Buffer.concat([this.#kept, bytes.subarray(0, end)]);
      end = bytes.byteLength;
      this.#kept = undefined;
    }
    while (at < end && this.#state !== IDLE) {
      const next = this.#step(bytes, at, end);
      if (next === MORE) {
        if (end - at > MOST_BYTES) throw broken("a head or line is too long");
        this.#kept = Buffer.from(bytes.subarray(at, end));
        return;
      }
      at = next;
    }
  }

  /** Goes on from `at`; gives where it came to, or {@link MORE}. */
  #step(bytes: Buffer, at: number, end: number): number {
    switch (this.#state) {
      case HEAD:
        return this.#readHead(bytes, at, end);
      case CHUNK_SIZE:
        return this.#readChunkSize(bytes, at, end);
      case CHUNK_END:
        if (end - at < 2) return MORE;
        if (bytes[at] !== CR || bytes[at + 1] !== LF) throw broken("a chunk is longer than it says");
        this.#state = CHUNK_SIZE;
        return at + 2;
      case TRAILERS:
        return this.#readTrailer(bytes, at, end);
      default:
        return this.#readBody(bytes, at, end);
    }
  }

  #readBody(bytes: Buffer, at: number, end: number): number {
    const stop = this.#state === UNTIL_CLOSED ? end : Math.min(end, at + this.#left);
    this.#left -= stop - at;
    // Before it is told: who is told may have the rest dropped.
    const over = this.#left === 0 && this.#state !== UNTIL_CLOSED;
    const chunk = this.#state === CHUNK;
    if (over && chunk) this.#state = CHUNK_END;
    this.#sink.onBody(bytes, at, stop);
    if (over && !chunk && this.#state === SIZED) this.#answered(stop === end);
    return stop;
  }

  /** @param clean whether nothing came behind the answer */
  #answered(clean: boolean): void {
    this.#state = IDLE;
    this.#sink.onAnswered(clean && this.#keep);
  }

  #readHead(bytes: Buffer, start: number, end: number): number {
    let at = start + this.#line;
    if (this.#line === 0) {
      // As Node does, which was sent such things by servers that miscounted.
      while (at < end && (bytes[at] === CR || bytes[at] === LF)) at++;
      if (at > start) return at;
      at = this.#readStatus(bytes, start, end);
      if (at === MORE) return MORE;
      this.#line = at - start;
    }
    const marks = this.#marks;
    while (bytes[at] !== CR) {
      const next = this.#readField(bytes, at, end);
      if (next === MORE) return MORE;
      marks.push(at - start, this.#nameEnd - start, this.#valueStart - start, this.#valueEnd - start);
      this.#noteField(bytes, at);
      at = next;
      this.#line = at - start;
    }
    if (at + 1 >= end) return MORE;
    if (bytes[at + 1] !== LF) throw broken("a carriage return in the head");
    if (at - start > MOST_BYTES) throw broken("the head is too long");
    this.#onHead(bytes.toString("latin1", start, at), at + 2 === end);
    return at + 2;
  }

  #onHead(text: string, last: boolean): void {
    const status = this.#status;
    if (status === 101) throw broken("it changes the protocol");
    if (status >= 100 && status < 200) return this.#startHead();
    const persistent = this.#keep && !this.#close;
    const empty = status === 204 || status === 304;
    const chunked = this.#chunked && !empty;
    const sized = empty || this.#length === 0;
    const untilClosed = !sized && !chunked && (this.#coded || this.#length === MORE);
    this.#keep = persistent && !untilClosed;
    this.#left = this.#length;
    this.#state = chunked ? CHUNK_SIZE : untilClosed ? UNTIL_CLOSED : SIZED;
    this.#sink.onHead(new AnswerHead(status, text, this.#marks));
    if (sized && this.#state === SIZED) this.#answered(last);
  }

  /** `HTTP/1.1 200 OK`, of which the words at the end mean nothing. */
  #readStatus(bytes: Buffer, start: number, end: number): number {
    const feed = bytes.indexOf(LF, start);
    if (feed < 0 || feed >= end) {
      if (!"HTTP/".startsWith(bytes.toString("latin1", start, Math.min(end, start + 5)))) throw broken("no status line");
      return MORE;
    }
    const line = bytes.toString("latin1", start, feed);
    const version = line.slice(0, 9);
    if (version === "HTTP/1.1 ") this.#keep = true;
    else if (version !== "HTTP/1.0 " && version !== "HTTP/2.0 " && version !== "HTTP/0.9 ") throw broken("an unknown version");
    let status = 0;
    for (let at = 9; at < 12; at++) {
      const digit = line.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) throw broken("no status");
      status = 10 * status + digit;
    }
    const behind = line.charCodeAt(12);
    const ending = line.indexOf("\r");
    if ((behind !== SP && behind !== CR) || ending !== line.length - 1) throw broken("a status line that does not end as it must");
    this.#status = status;
    return feed + 1;
  }

  /** One line of name and value; gives where the next one begins. */
  #readField(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && ((KINDS[bytes[at] as number] as number) & 1) !== 0) at++;
    if (at === end) return MORE;
    if (bytes[at] !== COLON || at === start) throw broken("a header without a proper name");
    this.#nameEnd = at++;
    while (at < end && (bytes[at] === SP || bytes[at] === HT)) at++;
    this.#valueStart = at;
    let last = at;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (((KINDS[byte] as number) & 2) === 0) break;
      if (byte > SP) last = at + 1;
    }
    if (at + 1 >= end && (at === end || bytes[at] === CR)) return MORE;
    if (bytes[at] !== CR || bytes[at + 1] !== LF) throw broken("a header's value has a byte that may not be there");
    this.#valueEnd = last;
    return at + 2;
  }

  /** Takes from a header what says where the body ends. */
  #noteField(bytes: Buffer, start: number): void {
    switch (this.#nameEnd - start) {
      case 10:
        if (isWord(bytes, start, "connection")) this.#noteConnection(bytes);
        break;
      case 14:
        if (isWord(bytes, start, "content-length")) this.#noteLength(bytes);
        break;
      case 17:
        if (isWord(bytes, start, "transfer-encoding")) this.#noteCoding(bytes);
        break;
      default:
    }
  }

  #noteConnection(bytes: Buffer): void {
    if (this.#valueEnd - this.#valueStart === 10 && isWord(bytes, this.#valueStart, "keep-alive")) {
      this.#keep = true;
      return;
    }
    for (const word of this.#value(bytes).toLowerCase().split(",")) {
      const option = word.trim();
      if (option === "close") this.#close = true;
      else if (option === "keep-alive") this.#keep = true;
    }
  }

  #noteLength(bytes: Buffer): void {
    if (this.#length !== MORE) throw broken("two Content-Lengths");
    if (this.#coded) throw broken("Content-Length beside Transfer-Encoding");
    let length = 0;
    for (let at = this.#valueStart; at < this.#valueEnd; at++) {
      const byte = bytes[at] as number;
      if (byte < ZERO || byte > NINE) throw broken("a Content-Length that is no number");
      length = 10 * length + (byte - ZERO);
    }
    if (this.#valueStart === this.#valueEnd || !Number.isSafeInteger(length)) throw broken("a Content-Length that is no number");
    this.#length = length;
  }

  /** Several count as one list, of which the last word decides. */
  #noteCoding(bytes: Buffer): void {
    if (this.#length !== MORE) throw broken("Transfer-Encoding beside Content-Length");
    if (this.#valueStart === this.#valueEnd) throw broken("an empty Transfer-Encoding");
    this.#coded = true;
    const value = this.#value(bytes).toLowerCase();
    this.#chunked = value.slice(value.lastIndexOf(",") + 1).trim() === "chunked";
  }

  #value(bytes: Buffer): string {
    return bytes.toString("latin1", this.#valueStart, this.#valueEnd);
  }

  /** `1f` or `1f;name=value`. */
  #readChunkSize(bytes: Buffer, start: number, end: number): number {
    let at = start;
    let size = 0;
    for (; at < end; at++) {
      const digit = HEX[bytes[at] as number] as number;
      if (digit > 15) break;
      size = 16 * size + digit;
      if (!Number.isSafeInteger(size)) throw broken("a chunk of more bytes than can be counted");
    }
    if (at === start && at < end) throw broken("a chunk without a size");
    const behind = at;
    if (bytes[at] === SEMICOLON) while (at < end && ((KINDS[bytes[at] as number] as number) & 2) !== 0) at++;
    if (at + 1 >= end && (at >= end || bytes[at] === CR)) return MORE;
    if (bytes[at] !== CR || bytes[at + 1] !== LF) throw broken("the size of a chunk does not end as it must");
    if (at - behind > MOST_BYTES) throw broken("an extension of a chunk is too long");
    this.#left = size;
    this.#state = size === 0 ? TRAILERS : CHUNK;
    return at + 2;
  }

  /** Nobody reads trailers, but they must be such. */
  #readTrailer(bytes: Buffer, start: number, end: number): number {
    if (bytes[start] === CR) {
      if (start + 1 === end) return MORE;
      if (bytes[start + 1] !== LF) throw broken("a carriage return in the trailers");
      this.#answered(start + 2 === end);
      return start + 2;
    }
    const next = this.#readField(bytes, start, end);
    if (next === MORE) return MORE;
    if (this.#nameEnd - start === 14 && isWord(bytes, start, "content-length")) throw broken("Content-Length beside Transfer-Encoding");
    this.#trailerBytes += next - start;
    if (this.#trailerBytes > MOST_BYTES) throw broken("the trailers are too long");
    return next;
  }
}

/** Whether a word in lower case stands there, in any case. */
function isWord(bytes: Buffer, start: number, word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    // A dash stays one, and no control character can be there that would become one.
    if (((bytes[start + at] as number) | 0x20) !== word.charCodeAt(at)) return false;
  }
  return true;
}
