/**
 * Answers to requests for the objects of a folder, as an object store would give them: ranges, strong entity tags, conditional reads, conditional
 * writes if told so, no listings but that of Refs. Who listens, and on what else, is the server's matter.
 */

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, realpath, type FileHandle } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { WritableStore } from "../../store/types.js";
import type { Entry } from "./listen.js";
import { putObject } from "./serve-put.js";
import { matchesEtag, parseRange, targetSegments } from "./serve-headers.js";
import { listedRefs, type RefsAnswer } from "./serve-refs.js";

/** Files up to this size are tagged by content and sent from memory. */
const SMALL_FILE = 64 * 1024;
/** Bytes of a large file in memory at once, for each answer. */
const PIECE = 256 * 1024;

const METHODS = "GET, HEAD, OPTIONS";
const WRITABLE_METHODS = "GET, HEAD, PUT, OPTIONS";

/** Headers that let the pages of every origin read. */
export const CORS: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag",
  // For pages that isolate themselves to get SharedArrayBuffer.
  "Cross-Origin-Resource-Policy": "cross-origin",
};

type Headers = Readonly<Record<string, string>>;

/** What is served. */
export interface Served {
  /** The folder, every link followed. */
  readonly root: string;
  /** What writes go to, if they are taken. */
  readonly store: WritableStore | undefined;
  /** What every answer has: {@link CORS}, or nothing. */
  readonly headers: Headers;
}

/** Answers a request; `target` is its target as seen from the folder. */
export async function answerObject(served: Served, target: string, request: IncomingMessage, response: ServerResponse, entry: Entry): Promise<void> {
  const { root, store, headers: always } = served;
  const { method, headers } = request;
  const methods = store ? WRITABLE_METHODS : METHODS;
  const refuse = (status: number, more: Headers = {}) => refused(response, status, { ...always, ...more });
  if (method === "OPTIONS") return preflight(response, methods, always);
  const segments = targetSegments(target);
  if (method === "PUT" && store) {
    const { status, etag } = segments ? await putObject(store, root, segments, request, contentTag) : { status: 404 };
    return refuse(status, etag === undefined ? {} : { ETag: etag });
  }
  if (method !== "GET" && method !== "HEAD") return refuse(405, { Allow: methods });
  const listed = await listedRefs(root, target);
  if (typeof listed === "object") return sendListing(response, listed, method, entry, always);
  const file = segments ? await openInside(root, segments) : 404;
  if (typeof file === "number") return refuse(file);
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return refuse(404);
    const size = Number(stats.size);
    const content = size <= SMALL_FILE ? await readAll(file, size) : undefined;
    // A Ref is rewritten in place, maybe within one tick of the file system's clock, so the times alone could not tell.
    const etag = content
      ? contentTag(content)
      : `"${[stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].map((n) => n.toString(36)).join("-")}"`;

    const ifMatch = headers["if-match"];
    if (ifMatch !== undefined && !matchesEtag(ifMatch, etag, false)) return refuse(412, { ETag: etag });
    const ifNoneMatch = headers["if-none-match"];
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag, true)) {
      response.writeHead(304, { ...always, ETag: etag, "Cache-Control": "no-cache" }).end();
      return;
    }

    // Ranges are defined for GET only; If-Range holds one strong tag, or a date that no answer of ours ever gave.
    const ifRange = headers["if-range"];
    const ranged = method === "GET" && (ifRange === undefined || String(ifRange).trim() === etag);
    const range = parseRange(ranged ? headers.range : undefined, size);
    if (range.kind === "unsatisfiable") return refuse(416, { "Content-Range": `bytes */${size}` });
    const { first, last } = range.kind === "part" ? range : { first: 0, last: size - 1 };
    response.writeHead(range.kind === "part" ? 206 : 200, {
      ...always,
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

function sendListing(response: ServerResponse, { type, body }: RefsAnswer, method: string, entry: Entry, always: Headers): void {
  const bytes = Buffer.from(body);
  const headers = { "Cache-Control": "no-store", "Content-Length": bytes.byteLength, "Content-Type": type, "X-Content-Type-Options": "nosniff" };
  response.writeHead(200, { ...always, ...headers });
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

function preflight(response: ServerResponse, methods: string, always: Headers): void {
  response
    .writeHead(204, {
      ...always,
      Allow: methods,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "Authorization, Range, If-Match, If-None-Match, If-Range",
      "Access-Control-Max-Age": 86_400,
    })
    .end();
}

/** An answer without a body. */
export function refused(response: ServerResponse, status: number, headers: Headers): void {
  response.writeHead(status, { ...(status === 204 ? {} : { "Content-Length": 0 }), ...headers }).end();
}
