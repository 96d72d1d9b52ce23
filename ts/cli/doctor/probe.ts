/**
 * Single requests as they really go over the wire: every header, every redirect, the bytes as they were sent, and how the body ended. Neither `fetch` nor
 * the package's own client shows all of that. What follows from it is judged elsewhere.
 */
import { request as requestHttp, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { withoutSecrets } from "../../errors.js";

/** How a body ended. `limit`: it was left there; `silent`: nothing came for too long. */
export type Ending = "whole" | "limit" | "cut" | "silent";

/** Why no answer came. */
export interface Silence {
  readonly kind: "unreachable" | "certificate" | "protocol" | "reset" | "silent";
  /** In the words of the system, without secrets. */
  readonly text: string;
}

/** An answer on the way, or the last one. */
export interface Hop {
  readonly url: URL;
  /** `Origin` that was sent; `undefined` if none. */
  readonly origin: string | undefined;
  readonly status: number;
  /** By names in lower case; those that came twice joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What one request brought. */
export interface Probed {
  /** Redirects and the answer, in their order; empty if nothing was answered. */
  readonly hops: readonly Hop[];
  /** The last of them. */
  readonly answer: Hop | undefined;
  readonly silence: Silence | undefined;
  /** As it was sent: compressed, if it was. */
  readonly body: Uint8Array;
  readonly ended: Ending;
  /** Milliseconds to the end. */
  readonly ms: number;
  /** HTTP version of the last answer. */
  readonly version: string;
}

/** What is asked. */
export interface Asked {
  readonly url: string;
  readonly method?: "GET" | "OPTIONS";
  readonly headers?: Readonly<Record<string, string>>;
  /** A page's origin, which redirects may turn to `null`. */
  readonly origin?: string;
  /** Bytes of the body after which no more is read. */
  readonly limit: number;
}

/** Redirects that `fetch` follows. */
const MOST_REDIRECTS = 20;

const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_|SSL|TLS/;
const UNREACHABLE = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"]);

/** Sends requests to one host, and counts them. */
export class Prober {
  requests = 0;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #silentMs: number;
  readonly #signal: AbortSignal;
  readonly #plain = new HttpAgent({ keepAlive: true, maxSockets: 64 });
  readonly #secure = new HttpsAgent({ keepAlive: true, maxSockets: 64 });

  /** @param headers of each request; not sent on to other hosts by redirects */
  constructor(headers: Readonly<Record<string, string>>, silentMs: number, signal: AbortSignal) {
    this.#headers = headers;
    this.#silentMs = silentMs;
    this.#signal = signal;
  }

  /** Follows redirects to an answer. Rejects only with the reason of the signal. */
  async probe({ url, method = "GET", headers, origin, limit }: Asked): Promise<Probed> {
    const start = performance.now();
    const hops: Hop[] = [];
    const first = new URL(url);
    let [at, sent] = [first, origin];
    for (;;) {
      const own = at.origin === first.origin ? this.#headers : {};
      const one = await this.#once(at, method, { ...own, ...headers, ...(sent !== undefined && { Origin: sent }) }, limit);
      if (one.response !== undefined) hops.push({ url: at, origin: sent, status: one.response.statusCode ?? 0, headers: headersOf(one.response) });
      const answer = hops.at(-1);
      const location = answer?.headers["location"];
      const follows = method === "GET" && one.silence === undefined && answer !== undefined && [301, 302, 303, 307, 308].includes(answer.status);
      if (follows && location !== undefined && hops.length <= MOST_REDIRECTS && URL.canParse(location, at)) {
        const to = new URL(location, at);
        if (to.protocol === "http:" || to.protocol === "https:") {
          // As browsers have it: led from one foreign origin to another, a page is nobody.
          if (sent !== undefined && at.origin !== to.origin && at.origin !== sent) sent = "null";
          at = to;
          continue;
        }
      }
      const ms = performance.now() - start;
      return { hops, answer: one.silence === undefined ? answer : undefined, silence: one.silence, body: one.body, ended: one.ended, ms, version: one.response?.httpVersion ?? "" };
    }
  }

  /** Gives connections back. */
  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  #once(url: URL, method: string, headers: Readonly<Record<string, string>>, limit: number): Promise<Once> {
    this.requests += 1;
    this.#signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const secure = url.protocol === "https:";
      const send = secure ? requestHttps : requestHttp;
      let response: IncomingMessage | undefined;
      const pieces: Buffer[] = [];
      let size = 0;
      const settle = (ended: Ending, silence?: Silence) => {
        clearTimeout(timer);
        this.#signal.removeEventListener("abort", stop);
        request.destroy();
        resolve({ response, silence, ended, body: Buffer.concat(pieces).subarray(0, limit) });
      };
      const stop = () => {
        clearTimeout(timer);
        request.destroy();
        reject(this.#signal.reason as Error);
      };
      const silent = () => settle("silent", response === undefined ? { kind: "silent", text: `no byte within ${this.#silentMs / 1000} s` } : undefined);
      let timer = setTimeout(silent, this.#silentMs);
      const moved = () => {
        clearTimeout(timer);
        timer = setTimeout(silent, this.#silentMs);
      };
      const request = send(url, { method, headers, agent: secure ? this.#secure : this.#plain });
      this.#signal.addEventListener("abort", stop, { once: true });
      request.on("error", (error: NodeJS.ErrnoException) => {
        if (response === undefined) settle("cut", silenceOf(error));
        else settle("cut");
      });
      request.on("response", (came) => {
        response = came;
        moved();
        came.on("data", (piece: Buffer) => {
          moved();
          pieces.push(piece);
          size += piece.byteLength;
          if (size > limit) settle("limit");
        });
        came.on("end", () => {
          // Destroying the request would end a connection that may be used again.
          clearTimeout(timer);
          this.#signal.removeEventListener("abort", stop);
          resolve({ response, silence: undefined, ended: came.complete ? "whole" : "cut", body: Buffer.concat(pieces) });
        });
        came.on("error", () => settle("cut"));
        came.on("aborted", () => settle("cut"));
      });
      request.end();
    });
  }
}

interface Once {
  readonly response: IncomingMessage | undefined;
  readonly silence: Silence | undefined;
  readonly ended: Ending;
  readonly body: Uint8Array;
}

function silenceOf(error: NodeJS.ErrnoException): Silence {
  const code = error.code ?? "";
  const inner = (error as { readonly errors?: readonly NodeJS.ErrnoException[] }).errors?.[0];
  const text = withoutSecrets(error.message || inner?.message || code || "no reason given");
  if (UNREACHABLE.has(code) || UNREACHABLE.has(inner?.code ?? "")) return { kind: "unreachable", text };
  if (/NO_APPLICATION_PROTOCOL/.test(code)) return { kind: "protocol", text };
  if (CERTIFICATE.test(code)) return { kind: "certificate", text };
  return code.startsWith("HPE_") ? { kind: "protocol", text } : { kind: "reset", text };
}

function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    const value = (rawHeaders[at + 1] ?? "").trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
