/**
 * Writes to the object server: conditional PUTs, as object stores take them, and nothing else.
 *
 * Each must say its condition, since a PUT without one could undo another writer's work without anybody knowing. What a file's tag is, the
 * server that reads it knows; it is given here.
 */

import type { IncomingMessage } from "node:http";
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { isDreamDbError } from "../../errors.js";
import type { WritableStore } from "../../store/types.js";
import { matchesEtag } from "./serve-headers.js";

/** The largest object that is taken. */
const MOST_BYTES = 1024 ** 3;

/** What came of a PUT: the status, and the tag of what is there now, where it is known. */
export interface PutAnswer {
  readonly status: number;
  readonly etag?: string;
}

/**
 * Carries out a PUT: 201 for a new object, 204 for a replaced one, 412 if the condition does not hold, 428 if there is none.
 *
 * @param etagOf the strong tag of an object with that content
 */
export async function putObject(
  store: WritableStore,
  root: string,
  segments: readonly string[],
  request: IncomingMessage,
  etagOf: (bytes: Uint8Array) => string,
): Promise<PutAnswer> {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = request.headers;
  if (ifNoneMatch === undefined ? ifMatch === undefined : ifNoneMatch.trim() !== "*") return { status: 428 };
  if (!(await isInside(root, segments))) return { status: 403 };
  const bytes = await bodyOf(request);
  if (bytes === undefined) return { status: 413 };
  const key = segments.join("/");
  try {
    if (ifMatch === undefined) {
      const done = await store.create(key, bytes);
      return done === "created" ? { status: 201, etag: etagOf(bytes) } : { status: 412 };
    }
    const held = await store.getTagged(key);
    const etag = etagOf(held.bytes);
    if (!matchesEtag(ifMatch, etag, false)) return { status: 412, etag };
    const done = await store.replace(key, bytes, held.tag);
    return done === "replaced" ? { status: 204, etag: etagOf(bytes) } : { status: 412 };
  } catch (error) {
    if (isDreamDbError(error, "NotFound")) return { status: 412 };
    if (isDreamDbError(error, "Forbidden", "InvalidArgument")) return { status: 403 };
    if (isDreamDbError(error, "TooLarge")) return { status: 409 };
    const full = isDreamDbError(error, "FileSystem") && (error.cause as NodeJS.ErrnoException | undefined)?.code === "ENOSPC";
    return { status: full ? 507 : 500 };
  }
}

/** The whole body; `undefined` if it is larger than what is taken. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    // Read on, so that the client hears the answer.
    if (size <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > MOST_BYTES ? undefined : Buffer.concat(chunks);
}

/** Whether the deepest folder of the path that is there lies inside the root once every link is followed, and no link takes the file's place. */
async function isInside(root: string, segments: readonly string[]): Promise<boolean> {
  if (sep === "\\" && segments.some((segment) => /[\\:]/.test(segment))) return false;
  const path = join(root, ...segments);
  if ((await lstat(path).catch(() => undefined))?.isSymbolicLink() === true) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
    if (folder === root || folder === dirname(folder)) return folder === root;
  }
}
