/** A server of HTTP/1.1 on one address: a log of its requests, connections that are kept, an end. What requests get is the caller's matter. */

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { DreamDbError } from "../../errors.js";

/** Requests that a server remembers by default. */
const KEPT_REQUESTS = 10_000;
/** How long a connection without requests is kept. */
const KEPT_ALIVE_MS = 75_000;

/** Options of {@link listen}. */
export interface ListenOptions {
  /** 0, the default, takes a free one. */
  port?: number | undefined;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string | undefined;
  /** How many requests to remember; the oldest are forgotten. Default 10,000. */
  keepRequests?: number | undefined;
  /** Told of each request when its answer is over. */
  onRequest?: ((entry: RequestLogEntry) => void) | undefined;
}

/** One request and what it got. */
export interface RequestLogEntry {
  readonly method: string;
  /** Request target as it came, with query. */
  readonly target: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Status sent; 0 while there is none, and if the client left before. */
  readonly status: number;
  /** Body bytes sent. */
  readonly bytes: number;
  /** Milliseconds from request to the end of the answer. */
  readonly ms: number;
}

/** A running server. */
export interface StaticServer {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Requests so far in the order of their arrival; status, bytes and time are filled in when the answer is over. */
  readonly requests: readonly RequestLogEntry[];
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** The same while its answer is given. */
export type Entry = { -readonly [K in keyof RequestLogEntry]: RequestLogEntry[K] };

/** Gives a request its answer; must not reject before anything is sent unless the status is to be 500. */
export type Handler = (request: IncomingMessage, response: ServerResponse, entry: Entry) => Promise<void>;

/**
 * Listens, and has requests answered.
 *
 * @param always headers of the answer to a request that the handler fails on
 * @throws {DreamDbError} `FileSystem` if the address cannot be had (`cause` says why)
 */
export async function listen(handler: Handler, options: ListenOptions, always: Readonly<Record<string, string>> = {}): Promise<StaticServer> {
  const { port = 0, host = "127.0.0.1", keepRequests = KEPT_REQUESTS, onRequest } = options;
  const requests: RequestLogEntry[] = [];
  const server = createServer((request, response) => {
    const start = performance.now();
    const { method = "", url: target = "", headers } = request;
    const entry: Entry = { method, target, headers, status: 0, bytes: 0, ms: 0 };
    requests.push(entry);
    if (requests.length > keepRequests) requests.shift();
    response.on("close", () => {
      entry.status = response.headersSent ? response.statusCode : 0;
      entry.ms = performance.now() - start;
      onRequest?.(entry);
    });
    handler(request, response, entry).catch(() => {
      // Headers may be out with a length that can no longer be kept; only a broken connection tells the client.
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "Content-Length": 0, ...always }).end();
    });
  });

  // Node closes a connection after 5 s without a request, which a busy client may notice only by a request that fails.
  server.keepAliveTimeout = KEPT_ALIVE_MS;
  await new Promise<void>((listening, reject) => {
    server.once("error", (cause) => {
      reject(new DreamDbError("FileSystem", `cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, host, listening);
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
