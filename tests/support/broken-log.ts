/** What passes between tests and the broken server: the script of a session, and the requests that it saw. Types alone, for every host. */

import type { Mode } from "./broken-modes.js";

/** Where the broken server stands. All four have the same sessions. */
export interface BrokenUrls {
  readonly near: string;
  /** Another origin: what redirects lead to. */
  readonly far: string;
  /** HTTP/2 with a certificate that nobody signed. */
  readonly http2: string;
  /** For scripts and logs, so that these are heard while every connection to the others is in use. */
  readonly control: string;
}

/** Bytes of an object: `i % 251` at `i`, a text, or any. */
export type ObjectSpec = { readonly pattern: number } | { readonly text: string } | { readonly base64: string };

/** Requests that are answered in another way than their path says. The first rule that fits decides. */
export interface Rule {
  readonly mode: Mode;
  /** Only requests of keys that contain this. */
  readonly key?: string;
  /** Only requests whose target, query included, contains this. */
  readonly target?: string;
  /** Only requests with a Range header, or only those without. */
  readonly ranged?: boolean;
  /** Only these among the requests that fit so far, counted from 1. */
  readonly nth?: readonly number[];
  /** Only those behind so many that fit. */
  readonly after?: number;
}

/** Faults at random, for requests that no rule decides. The same of the same seed, for the nth request of each key. */
export interface Chaos {
  readonly seed: number;
  /** Of a fault, for each request. */
  readonly likelihood: number;
  readonly modes: readonly Mode[];
}

/** What a session serves, and how. */
export interface Script {
  readonly objects?: Readonly<Record<string, ObjectSpec>>;
  /** A dataset of `tests/fixtures`, whose objects are served, too. */
  readonly fixture?: string;
  readonly rules?: readonly Rule[];
  readonly chaos?: Chaos;
}

/** One request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  /** Request target, raw. */
  readonly target: string;
  /** The server that it arrived at. */
  readonly at: keyof BrokenUrls;
  readonly key: string;
  /** How it was answered. */
  readonly mode: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body bytes that were handed to the socket. */
  sent: number;
  /** Whether the answer is over, one way or the other. */
  over: boolean;
  /** Whether the client closed before the answer was complete. */
  clientLeft: boolean;
}

/** What a session saw since it last forgot. */
export interface Log {
  readonly requests: readonly SeenRequest[];
  /** The most requests that were open at one time. */
  readonly most: number;
}
