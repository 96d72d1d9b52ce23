/**
 * A small static object server: a folder over HTTP, as an object store would serve it to a browser.
 *
 * Ranges, strong entity tags, conditional reads, CORS open to every origin; no listings but that of Refs, no compression, writes only if told so. It
 * listens on the loopback address unless told otherwise. Meant for work and tests, not for the public internet.
 */

import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { DreamDbError } from "../../errors.js";
import { fsStore } from "../../store/fs.js";
import { listen, type ListenOptions, type StaticServer } from "./listen.js";
import { answerObject, CORS, type Served } from "./objects.js";

export type { RequestLogEntry, StaticServer } from "./listen.js";

/** Options of {@link serveDirectory}. */
export interface ServeOptions extends ListenOptions {
  /** Whether conditional PUTs are taken; see serve-put.ts. `false` unless said otherwise: whoever reaches the server could write. */
  writable?: boolean | undefined;
}

/**
 * Serves the files below `dir`, which must exist.
 *
 * Errors: `NotFound` if the folder cannot be found; `FileSystem` if the address cannot be had (`cause` says why).
 */
export async function serveDirectory(dir: string, options: ServeOptions = {}): Promise<StaticServer> {
  const root = await rootOf(dir);
  const served: Served = { root, store: options.writable === true ? fsStore(root) : undefined, headers: CORS };
  return await listen((request, response, entry) => answerObject(served, request.url ?? "", request, response, entry), options, CORS);
}

/**
 * A folder that is to be served, every link followed.
 *
 * @throws {DreamDbError} `NotFound`
 */
export async function rootOf(dir: string): Promise<string> {
  return await realpath(resolve(dir)).catch((cause: unknown) => {
    throw new DreamDbError("NotFound", `no such folder: ${dir}`, { subject: dir, cause });
  });
}
