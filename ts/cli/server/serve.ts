/**
 * A small static object server: a folder over HTTP, as an object store would serve it to a browser.
 *
 * Ranges, strong entity tags, conditional reads, CORS open to every origin; no listings but that of Refs, no compression, writes only if told so. It
 * listens on the loopback address unless told otherwise. Meant for work and tests, not for the public internet.
 */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath, type FileHandle } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { DreamDbError } from "../../errors.js";
import { fsStore } from "../../store/fs.js";
import type { WritableStore } from "../../store/types.js";
import { putObject } from "./serve-put.js";
import { matchesEtag, parseRange, targetSegments } from "./serve-headers.js";
import { listedRefs, type RefsAnswer } from "./serve-refs.js";

/** Files up to this size are tagged by content and sent from memory. */
const SMALL_FILE = 64 * 1024;
/** Bytes of a large file in memory at once, for each answer. */
const PIECE = 256 * 1024;
/** Requests that a server remembers by default. */
const KEPT_REQUESTS = 10_000;

const METHODS = "GET, HEAD, OPTIONS";
const WRITABLE_METHODS = "GET, HEAD, PUT, OPTIONS";
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag",
  // For pages that isolate themselves to get SharedArrayBuffer.
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Options of {@link serveDirectory}. */
export interface ServeOptions {
  /** 0, the default, takes a free one. */
  port?: number | undefined;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string | undefined;
  /** Whether conditional PUTs are taken; see serve-put.ts. `false` unless said otherwise: whoever reaches the server could write. */
  writable?: boolean | undefined;
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

/** How long a connection without requests is kept. */
const KEPT_ALIVE_MS = 75_000;

/**
 * Serves the files below `dir`, which must exist.
 *
 * Errors: `NotFound` if the folder cannot be found; `FileSystem` if the address cannot be had (`cause` says why).
 */
export async function serveDirectory(dir: string, options: ServeOptions = {}): Promise<StaticServer> {
  const { port = 0, host = "127.0.0.1", keepRequests = KEPT_REQUESTS, writable = false, onRequest } = options;
  const root = await realpath(resolve(dir)).catch((cause: unknown) => {
    throw new DreamDbError("NotFound", `no such folder: ${dir}`, { subject: dir, cause });
  });
  const requests: RequestLogEntry[] = [];
  const served: Served = { root, store: writable ? fsStore(root) : undefined };

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
    answer(served, request, response, entry).catch(() => {
      // Headers may be out with a length that can no longer be kept; only a broken connection tells the client.
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
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

type Entry = { -readonly [K in keyof RequestLogEntry]: RequestLogEntry[K] };

/** What is served. */
interface Served {
  readonly root: string;
  /** What writes go to, if they are taken. */
  readonly store: WritableStore | undefined;
}

async function answer({ root, store }: Served, request: IncomingMessage, response: ServerResponse, entry: Entry): Promise<void> {
  const { method, headers } = request;
  const methods = store ? WRITABLE_METHODS : METHODS;
  if (method === "OPTIONS") return preflight(response, methods);
  const segments = targetSegments(request.url ?? "");
  if (method === "PUT" && store) {
    const { status, etag } = segments ? await putObject(store, root, segments, request, contentTag) : { status: 404 };
    return refuse(response, status, etag === undefined ? {} : { ETag: etag });
  }
  if (method !== "GET" && method !== "HEAD") return refuse(response, 405, { Allow: methods });
  const listed = await listedRefs(root, request.url ?? "");
  if (typeof listed === "object") return sendListing(response, listed, method, entry);
  const file = segments ? await openInside(root, segments) : 404;
  if (typeof file === "number") return refuse(response, file);
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return refuse(response, 404);
    const size = Number(stats.size);
    const content = size <= SMALL_FILE ? await readAll(file, size) : undefined;
    // A Ref is rewritten in place, maybe within one tick of the file system's clock, so the times alone could not tell.
    const etag = content
      ? contentTag(content)
      : `"${[stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].map((n) => n.toString(36)).join("-")}"`;

    const ifMatch = headers["if-match"];
    if (ifMatch !== undefined && !matchesEtag(ifMatch, etag, false)) return refuse(response, 412, { ETag: etag });
    const ifNoneMatch = headers["if-none-match"];
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag, true)) {
      response.writeHead(304, { ...CORS, ETag: etag, "Cache-Control": "no-cache" }).end();
      return;
    }

    // Ranges are defined for GET only; If-Range holds one strong tag, or a date that no answer of ours ever gave.
    const ifRange = headers["if-range"];
    const ranged = method === "GET" && (ifRange === undefined || String(ifRange).trim() === etag);
    const range = parseRange(ranged ? headers.range : undefined, size);
    if (range.kind === "unsatisfiable") return refuse(response, 416, { "Content-Range": `bytes */${size}` });
    const { first, last } = range.kind === "part" ? range : { first: 0, last: size - 1 };
    response.writeHead(range.kind === "part" ? 206 : 200, {
      ...CORS,
      "Accept-Ranges": "bytes",
      "Cache-Control": "no-cache",
      "Content-Length": last - first + 1,
      "Content-Type": "application/octet-stream",
      "X-Content-Type-Options": "nosniff",
      ETag: etag,
      ...(range.kind === "part" ? { "Content-Range": `bytes ${first}-${last}/${size}` } : {}),
    });
    if (method === "HEAD") {
      response.end();
    } else if (content) {
      entry.bytes = last - first + 1;
      response.end(content.subarray(first, last + 1));
    } else {
      await pipeline(counted(read(file, first, last), entry), response);
    }
  } finally {
    await file.close();
  }
}

function sendListing(response: ServerResponse, { type, body }: RefsAnswer, method: string, entry: Entry): void {
  const bytes = Buffer.from(body);
  const headers = { "Cache-Control": "no-store", "Content-Length": bytes.byteLength, "Content-Type": type, "X-Content-Type-Options": "nosniff" };
  response.writeHead(200, { ...CORS, ...headers });
  if (method === "GET") entry.bytes = bytes.byteLength;
  response.end(method === "GET" ? bytes : undefined);
}

/** The tag of a small file. */
function contentTag(content: Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"`;
}

/** Failures of the system that mean: there is no such file. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "EINVAL"]);

/** The file, if it is inside the root once every link is followed; else the status that says why not. */
async function openInside(root: string, segments: readonly string[]): Promise<FileHandle | 404 | 403 | 500> {
  if (sep === "\\" && segments.some((segment) => /[\\:]/.test(segment))) return 404;
  try {
    const path = await realpath(join(root, ...segments));
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return 404;
    // Without waiting, as the open of a pipe would block until somebody writes into it.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (ABSENT.has(code)) return 404;
    // Anything else, too many open files for one, must not look like absence.
    return code === "EACCES" || code === "EPERM" ? 403 : 500;
  }
}

async function readAll(file: FileHandle, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of read(file, 0, size - 1)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The bytes from `first` to `last` in pieces. Throws if the file ends before. */
async function* read(file: FileHandle, first: number, last: number): AsyncGenerator<Buffer> {
  for (let at = first; at <= last; ) {
    const chunk = Buffer.allocUnsafe(Math.min(last - at + 1, PIECE));
    const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, at);
    if (bytesRead === 0) throw new Error("the file shrank while it was read");
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, entry: Entry): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    entry.bytes += chunk.byteLength;
    yield chunk;
  }
}

function preflight(response: ServerResponse, methods: string): void {
  response
    .writeHead(204, {
      ...CORS,
      Allow: methods,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "Authorization, Range, If-Match, If-None-Match, If-Range",
      "Access-Control-Max-Age": 86_400,
    })
    .end();
}

/** An answer without a body, readable for pages of every origin. */
function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...CORS, ...(status === 204 ? {} : { "Content-Length": 0 }), ...headers }).end();
}
