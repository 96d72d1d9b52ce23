/** Sources as a person types them: URLs, folders and `file:` URLs; and how they are read. */
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Dataset } from "../dataset/dataset.js";
import { openDataset, type Version } from "../dataset/open.js";
import { DreamDbError, isDreamDbError, withoutSecrets } from "../errors.js";
import type { VerifyPolicy } from "../io/verifier.js";
import { fsStore } from "../store/fs.js";
import { type Fetch, httpStore } from "../store/http.js";
import type { WritableStore } from "../store/types.js";
import { UsageError } from "./manners/failures.js";

/** How sources are read, as every command that has one takes it. */
export interface SourceOptions {
  readonly verify: VerifyPolicy;
  readonly concurrency?: number | undefined;
  /** Of each request, `Name: value`. */
  readonly header: readonly string[];
  /** Seconds without any byte. */
  readonly timeout?: number | undefined;
}

/** A source that was understood. */
export interface Source {
  /** As it can be shown: without credentials. */
  readonly shown: string;
  readonly store: WritableStore;
  /** Its folder, if it is one. */
  readonly folder?: string;
  /** Its URL with a slash at the end, if it has one; may hold a query that is secret. */
  readonly url?: URL;
  /** What sends requests where plain `fetch` does not do; `undefined` for folders and where no header was given. */
  readonly fetch?: Fetch | undefined;
}

/** A manifest's address, which no Ref's name should be taken for. */
const ADDRESS = /^[a-z2-7]{53}$/;

/**
 * The store that a source is.
 *
 * @throws {UsageError} for what is neither; {DreamDbError} `NotFound` for a folder that is not there, unless `make` is set
 */
export async function sourceOf(given: string, options: SourceOptions, { make = false } = {}): Promise<Source> {
  // Judged also where they play no part: a wrong command line is wrong wherever it leads.
  const headers = new Headers(options.header.map(headerOf));
  if (/^https?:\/\//i.test(given)) return overHttp(given, headers, options);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(given) && !/^file:/i.test(given)) {
    throw new UsageError(`${JSON.stringify(withoutSecrets(given))} has a scheme that is not read`, "give an http(s) URL, a folder or a file: URL");
  }
  const folder = /^file:/i.test(given) ? folderOf(given) : resolve(given);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true && !(make && found === undefined)) {
    const what = found === undefined ? "no such folder" : "that is a file, not the folder of a dataset";
    throw new DreamDbError("NotFound", `${what}: ${folder}`, { subject: folder });
  }
  return { shown: given, store: fsStore(folder), folder };
}

/** The version that a REF argument names: a Ref, or a manifest's address. */
export function versionOf(ref: string | undefined): Version {
  return ref !== undefined && ADDRESS.test(ref) ? { manifest: ref } : (ref ?? "main");
}

/** Opens a version of a source. */
export async function openSource({ store }: Source, ref: string | undefined, { verify, concurrency }: SourceOptions, signal: AbortSignal): Promise<Dataset> {
  return await openDataset(store, versionOf(ref), { verify, concurrency, signal });
}

/**
 * Names of the Refs of a source, ascending; `undefined` where the host does not list them, as most do not.
 *
 * Folders are looked at. Of hosts that the reference's own server and this package's answer `refs/` with JSON; of those that speak S3, the listing is
 * taken. One request.
 */
export async function refsOf(source: Source, signal: AbortSignal): Promise<string[] | undefined> {
  const { folder, url } = source;
  if (folder !== undefined) return (await namesBelow(join(folder, "refs"))).sort();
  if (url === undefined) return undefined;
  const send = source.fetch ?? fetch;
  try {
    const json = await send(new URL("refs/", url).href, { headers: { Accept: "application/json" }, signal });
    const body = json.ok ? await json.text() : "";
    if (!json.ok) await json.body?.cancel();
    return namesIn(body);
  } catch (error) {
    signal.throwIfAborted();
    if (isDreamDbError(error)) return undefined;
    return undefined;
  }
}

function namesIn(body: string): string[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const refs: unknown = typeof parsed === "object" && parsed !== null && "refs" in parsed ? parsed.refs : undefined;
  if (!Array.isArray(refs) || !refs.every((name): name is string => typeof name === "string")) return undefined;
  return refs.toSorted();
}

/** Files below a folder, by their path from it with slashes. No Ref's name has a dot; locks, and what a writer that was killed leaves, do. */
async function namesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll("\\", "/"));
}

function folderOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new UsageError(`${JSON.stringify(url)} names no folder of this machine (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

function overHttp(given: string, headers: Headers, { timeout }: SourceOptions): Source {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new UsageError(`${JSON.stringify(given)} is no URL`);
  }
  if (url.username !== "" || url.password !== "") {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set("Authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
    url.username = url.password = "";
  }
  const own = [...headers];
  // Only where something is added: without, requests go through the package's own client, which is faster.
  const send: Fetch | undefined = own.length === 0 ? undefined : (to, init) => fetch(to, { ...init, headers: withHeaders(init.headers, own) });
  const store = httpStore(url, { fetch: send, timeoutMs: timeout === undefined ? undefined : timeout * 1000 });
  const root = new URL(url);
  if (!root.pathname.endsWith("/")) root.pathname += "/";
  return { shown: withoutSecrets(url.href), store, url: root, fetch: send };
}

function withHeaders(init: RequestInit["headers"], own: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers(init);
  for (const [name, value] of own) headers.set(name, value);
  return headers;
}

function headerOf(text: string): [string, string] {
  const at = text.indexOf(":");
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  try {
    if (at < 1 || !new Headers([[name, value]]).has(name)) throw new TypeError("no header");
  } catch {
    // What was given may be a secret that was quoted wrongly.
    throw new UsageError("--header takes `Name: value`; what was given is not of that form");
  }
  return [name, value];
}
