/**
 * What the HTTP store needs of whatever sends its requests: the part of `fetch` that it uses, and nothing else.
 *
 * A `Response` is such an answer as it is. A host's own transport gives the same without WHATWG streams, which cost more than a small
 * request does. What an answer means is not decided here.
 */

/** One request: a GET with these headers, or a PUT of these bytes. */
export interface HttpInit {
  headers?: Record<string, string>;
  cache?: RequestCache;
  put?: Uint8Array<ArrayBuffer>;
}

/** When a request ends before its time. An AbortSignal costs as much as the rest of a small request, so it is made for those who need one. */
export interface Ending {
  /** Why it has ended; `undefined` as long as it has not. */
  readonly ended: { readonly reason: unknown } | undefined;
  /** The same as a signal. */
  readonly signal: AbortSignal;
  /** Tells one listener, the last that was given, of the end; `undefined` takes it back. */
  tell(listener: (() => void) | undefined): void;
}

/** Sends one request, and follows redirects. */
export type Transport = (url: string, init: HttpInit, ending: Ending) => Promise<HttpAnswer>;

/** An answer whose head has come. */
export interface HttpAnswer {
  readonly status: number;
  /** `error` for the answer that stands for none. */
  readonly type?: string;
  /** The address that answered, behind all redirects. */
  readonly url: string;
  /** Headers by their names in lower case. */
  readonly headers: { get(name: string): string | null };
  /** `null` where there is none; `undefined` in runtimes without streams. */
  readonly body: HttpBody | null | undefined;
  /** The whole body, where it is no stream. */
  arrayBuffer?(): Promise<ArrayBuffer>;
}

/** A body that nobody has read yet. */
export interface HttpBody {
  getReader(): HttpReader;
  /** Ends the request. */
  cancel(): Promise<void>;
}

/** Gives a body in the pieces in which it came. */
export interface HttpReader {
  read(): Promise<HttpChunk>;
  cancel(): Promise<void>;
}

/** One piece of a body, or its end. */
export interface HttpChunk {
  readonly done: boolean;
  readonly value?: Uint8Array | undefined;
}
