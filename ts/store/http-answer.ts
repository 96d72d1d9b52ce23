/**
 * What the HTTP store needs of whatever sends its requests: the part of `fetch` that it uses, and nothing else.
 *
 * A `Response` is such an answer as it is. A host's own transport gives the same without WHATWG streams, which cost more than a small
 * request does. What an answer means is not decided here.
 */

/** One request: a GET with these headers, which ends with the signal. */
export interface HttpInit extends RequestInit {
  headers?: Record<string, string>;
  signal: AbortSignal;
}

/** Sends one GET, and follows redirects. */
export type Transport = (url: string, init: HttpInit) => Promise<HttpAnswer>;

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
