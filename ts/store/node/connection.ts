/**
 * One connection: connects, sends one request at a time, hands its answer to who asked.
 *
 * Each socket has one buffer and its listeners for life; a request adds neither. Which connection is used when is decided by `origin.ts`, what
 * becomes of an answer by `exchange.ts`.
 */

import { isIP, type OnReadOpts, connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure, type TLSSocket } from "node:tls";
import type { AnswerHead } from "./head.js";
import { type AnswerSink, ResponseParser } from "./response-parser.js";

/** Milliseconds that a new connection may take, as for `fetch`; a host that cannot be reached is not one that is slow. */
const CONNECT_MS = 10_000;
/** Bytes that are read at once. */
const BUFFER_BYTES = 64 * 1024;
/** A piece from here on takes the buffer along, and smaller ones are copied out of it. */
const LARGE_PIECE_BYTES = 16 * 1024;
/** Before the first probe of a connection that is silent, as by Node's own client. */
const PROBE_MS = 1000;
/** How long a connection is kept that nobody uses; less than what takes it down unseen on the way does. */
const IDLE_MS = 30_000;

/** Who waits for an answer. */
export interface Receiver {
  onHead(head: AnswerHead): void;
  /** A piece of the body, which is the receiver's; `false` stops the connection until {@link Connection.resume}. */
  onPiece(piece: Uint8Array): boolean;
  /** The answer is over, and the connection is not the receiver's any more. */
  onAnswered(): void;
  /** The answer broke off. `stale` tells that the connection had been used before, and that nothing came of the answer. */
  onLost(error: Error, stale: boolean): void;
}

/** Where connections come from and go to. */
export interface Keeper {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** For another connection to the same server, with fewer round trips. */
  session: Buffer | undefined;
  /** The connection can be used again. */
  keep(connection: Connection): void;
  /** It cannot, ever. */
  forget(connection: Connection): void;
}

/** A connection to one origin. */
export class Connection implements AnswerSink {
  /** When it is not to be used any more, by `performance.now()`, if nobody uses it before. */
  idleUntil = 0;
  readonly #keeper: Keeper;
  readonly #socket: Socket;
  readonly #parser = new ResponseParser(this);
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #receiver: Receiver | undefined;
  /** What waits for the connection to be made; `null` once it is. */
  #pending: readonly [head: string, body: Uint8Array | undefined] | undefined | null;
  #used = false;
  /** Whether nothing has come since the request was sent. */
  #silent = true;
  #paused = false;
  /** Milliseconds that it may be idle. */
  #idleMs = IDLE_MS;

  /** Begins to connect. */
  constructor(keeper: Keeper) {
    this.#keeper = keeper;
    const { host, port, secure, session } = keeper;
    const onread: OnReadOpts = { buffer: () => this.#buffer, callback: (count) => this.#onRead(count) };
    const socket = secure ? connectTls({ host, port, onread }, session) : connectPlain({ host, port, onread });
    this.#socket = socket;
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error("the connection was not made in time"), { code: "ETIMEDOUT" }));
    }, CONNECT_MS);
    socket.once(secure ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      this.#onConnect();
    });
    socket.on("error", (error) => {
      keeper.session = undefined;
      this.#lose(error);
    });
    socket.on("end", () => this.#onEnd());
    socket.on("close", () => {
      clearTimeout(timer);
      this.#lose(closed());
    });
    if (secure) socket.on("session", (fresh: Buffer) => (keeper.session = fresh));
  }

  #onConnect(): void {
    this.#socket.setNoDelay(true).setKeepAlive(true, PROBE_MS);
    const pending = this.#pending;
    this.#pending = null;
    if (pending) this.#write(...pending);
  }

  #write(head: string, body: Uint8Array | undefined): void {
    if (body === undefined || body.byteLength === 0) {
      this.#socket.write(head, "latin1");
      return;
    }
    // One call of the system for both.
    this.#socket.cork();
    this.#socket.write(head, "latin1");
    this.#socket.write(body);
    this.#socket.uncork();
  }

  /** Sends a request and has its answer told to `receiver`. Nobody else may be using the connection, nor change the body meanwhile. */
  send(head: string, body: Uint8Array | undefined, receiver: Receiver): void {
    if (this.#used) this.#socket.ref();
    this.#receiver = receiver;
    this.#silent = true;
    this.#parser.expect();
    if (this.#pending === null) this.#write(head, body);
    else this.#pending = [head, body];
  }

  /** Goes on after a pause. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  /** Ends it; nothing more is told. */
  destroy(): void {
    this.#receiver = undefined;
    this.#parser.stop();
    this.#socket.destroy();
    this.#keeper.forget(this);
  }

  /** Takes what came; gives whether to go on reading. */
  #onRead(count: number): boolean {
    // What nobody asked for makes all that follows doubtful.
    if (!this.#receiver) this.destroy();
    this.#silent = false;
    try {
      this.#parser.push(this.#buffer, count);
    } catch (error) {
      this.#lose(error as Error);
    }
    return !this.#paused;
  }

  onHead(head: AnswerHead): void {
    const hint = head.get("keep-alive");
    this.#idleMs = hint === null ? IDLE_MS : idleMsOf(hint);
    this.#receiver?.onHead(head);
  }

  onBody(bytes: Buffer, start: number, end: number): void {
    // What is not the socket's buffer is nobody's else.
    const large = end - start >= LARGE_PIECE_BYTES;
    if (large && bytes === this.#buffer) this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    const piece = bytes === this.#buffer ? Buffer.from(bytes.subarray(start, end)) : bytes.subarray(start, end);
    if (this.#receiver?.onPiece(piece) === false) this.#paused = true;
  }

  onAnswered(keep: boolean): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    if (keep && this.#idleMs > 0) {
      this.#used = true;
      this.resume();
      this.#socket.unref();
      this.idleUntil = performance.now() + this.#idleMs;
      this.#keeper.keep(this);
    } else {
      this.destroy();
    }
    receiver?.onAnswered();
  }

  /** The server has said that it will send nothing more. */
  #onEnd(): void {
    if (!this.#parser.finish()) this.#lose(closed());
  }

  #lose(error: Error): void {
    const receiver = this.#receiver;
    const stale = this.#used && this.#silent;
    this.destroy();
    receiver?.onLost(error, stale);
  }
}

function connectTls(to: { host: string; port: number; onread: OnReadOpts }, session: Buffer | undefined): TLSSocket {
  // `onread` is documented for TLS, but not in its types.
  const options = { ...to, servername: isIP(to.host) === 0 ? to.host : "", ALPNProtocols: ["http/1.1"], ...(session && { session }) };
  return connectSecure(options);
}

function closed(): Error {
  return Object.assign(new Error("the connection was closed before the answer was complete"), { code: "ECONNRESET" });
}

/** How long a connection may be idle by a Keep-Alive header: a little less than the server says, as it counts from earlier. */
function idleMsOf(hint: string): number {
  const seconds = /^\s*timeout\s*=\s*(\d+)/i.exec(hint)?.[1];
  if (seconds === undefined) return IDLE_MS;
  const ms = Number(seconds) * 1000;
  return Math.min(IDLE_MS, ms - Math.min(1000, ms / 2));
}
