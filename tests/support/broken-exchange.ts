/** What a fault of the broken server works with: one request, its object, and the ways to answer or not, over HTTP/1.1 and HTTP/2. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import type { SeenRequest } from "./broken-log.js";

/** A request of either version, as far as it is used. */
export type AnyRequest = IncomingMessage | Http2ServerRequest;
/** An answer of either version. */
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** The part of an answer that faults use. */
interface Answer {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: string | Uint8Array | (() => void)): unknown;
}

/** One request to be answered. */
export interface Exchange {
  readonly response: Answer;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly object: Uint8Array;
  /** Media type of the object. */
  readonly type: string;
  /** The asked range, inclusive; the whole object if none was asked. */
  readonly first: number;
  readonly last: number;
  readonly ranged: boolean;
  readonly key: string;
  /** The key as the request spells it. */
  readonly rawKey: string;
  readonly session: string;
  /** Which of the session's requests in this mode it is, from 1. */
  readonly nth: number;
  /** Another origin with the same objects. */
  readonly elsewhere: string;
  /** Resolves when the session lets go of what it holds. */
  readonly released: Promise<void>;
  readonly http2: boolean;
  /** Writes body bytes and counts them. */
  write(bytes: Uint8Array, then?: () => void): void;
  /** Whether the client reads more slowly than is written. */
  congested(): boolean;
  /** Calls `listener` once, when the answer is over, one way or the other. */
  readonly onOver: (listener: () => void) => void;
  /** Leaves the length of the body open until the connection ends. */
  untilClosed(): void;
  /** Ends the connection or stream in good order, wherever the body is. */
  readonly cut: () => void;
  /** Ends it with an error. */
  readonly reset: (code?: number) => void;
}

/** How to write to a response and how to break it. */
export function wire(response: AnyResponse, seen: SeenRequest): Pick<Exchange, "write" | "congested" | "onOver" | "untilClosed" | "cut" | "reset" | "http2"> {
  const stream = (response as { readonly stream?: ServerHttp2Stream }).stream;
  const plain = response as ServerResponse;
  const write = (bytes: Uint8Array, then?: () => void): void => {
    seen.sent += bytes.byteLength;
    plain.write(bytes, () => then?.());
  };
  const onOver = (listener: () => void): void => whenOver(response, listener);
  if (stream !== undefined) {
    return {
      http2: true,
      write,
      onOver,
      congested: () => stream.writableNeedDrain,
      untilClosed: () => undefined,
      cut: () => void stream.end(),
      reset: (code = constants.NGHTTP2_INTERNAL_ERROR) => stream.close(code),
    };
  }
  return {
    http2: false,
    write,
    onOver,
    congested: () => plain.writableNeedDrain,
    // Without this header Node writes chunks, and says itself where they end.
    untilClosed: () => plain.removeHeader("transfer-encoding"),
    cut: () => void plain.socket?.end(),
    reset: () => void plain.socket?.resetAndDestroy(),
  };
}

/** Calls `listener` once, when an answer is over, one way or the other. */
export function whenOver(response: AnyResponse, listener: () => void): void {
  const stream = (response as { readonly stream?: ServerHttp2Stream }).stream;
  // Answers that wait behind one that is never ended are not told that their connection has closed.
  const socket = stream === undefined ? (response as ServerResponse).req.socket : undefined;
  const over = (): void => {
    response.off("close", over);
    socket?.off("close", over);
    listener();
  };
  response.on("close", over);
  socket?.on("close", over);
}

/** Whether a closed answer was left by its client. */
export function wasLeft(response: AnyResponse, finished: boolean): boolean {
  const stream = (response as { readonly stream?: ServerHttp2Stream }).stream;
  // In HTTP/2 an answer counts as finished however it ended.
  return stream === undefined ? !finished : stream.aborted;
}
