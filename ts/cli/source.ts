/** Sources as a person types them: URLs, folders and `file:` URLs; and how they are read. */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Dataset } from "../dataset/dataset.js";
import { openDataset, type Version } from "../dataset/open.js";
import { DreamDbError, withoutSecrets } from "../errors.js";
import type { VerifyPolicy } from "../io/verifier.js";
import { fsStore } from "../store/fs.js";
import { type Fetch, httpStore } from "../store/http.js";
import type { WritableStore } from "../store/types.js";
import { UsageError } from "./manners/failures.js";
import { refNames } from "./server/serve-refs.js";

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
  /** What these requests have beside the usual: secrets, perhaps. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Characters of a listing that are read at most. */
const LONGEST_LISTING = 4 * 1024 ** 2;

/** Milliseconds that a listing may take, which nothing depends on. */
const LISTING_MS = 15_000;

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

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
  const folder = folderOf(given);
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
 * Folders are looked at. This package's own server answers `refs/` with JSON: one request. A host that speaks S3, by its headers, is asked for the
 * listing of its bucket, first taking the URL's host for the bucket, then the first segment of its path: one request or two more.
 */
export async function refsOf(source: Source, signal: AbortSignal): Promise<string[] | undefined> {
  const { folder, url } = source;
  if (folder !== undefined) return await refNames(join(folder, "refs"));
  if (url === undefined) return undefined;
  const { text, isBucket } = await listing(source, new URL(`refs/${url.search}`, url), signal);
  const names = namesIn(text);
  if (names !== undefined || !isBucket) return names;
  const path = decodeURIComponent(url.pathname.slice(1));
  const bucket = path.split("/")[0] ?? "";
  for (const [at, prefix] of [["/", path], [`/${bucket}`, path.slice(bucket.length + 1)]] as const) {
    const asked = new URL(at, url);
    asked.search = url.search;
    asked.searchParams.set("list-type", "2");
    asked.searchParams.set("prefix", `${prefix}refs/`);
    const listed = keysIn((await listing(source, asked, signal)).text, `${prefix}refs/`);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

const NO_LISTING = { text: "", isBucket: false };

interface Listing {
  /** The body, whatever its status; nothing if there is none, or far too much. */
  readonly text: string;
  /** Whether the host speaks S3. */
  readonly isBucket: boolean;
}

async function listing({ fetch: send = fetch }: Source, url: URL, signal: AbortSignal): Promise<Listing> {
  try {
    const patient = AbortSignal.any([signal, AbortSignal.timeout(LISTING_MS)]);
    const answer = await send(url.href, { headers: { Accept: "application/json, application/xml" }, signal: patient });
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > LONGEST_LISTING) return NO_LISTING;
    }
    return { text, isBucket: [...answer.headers.keys()].some((name) => /^x-(amz|goog)-/.test(name)) };
  } catch {
    signal.throwIfAborted();
    return NO_LISTING;
  }
}

/** Keys of an S3 listing, which may be the first thousand of them, without their common prefix. */
function keysIn(body: string, prefix: string): string[] | undefined {
  if (!body.includes("<ListBucketResult")) return undefined;
  const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => unescaped(key));
  return keys.filter((key) => key.startsWith(prefix) && key.length > prefix.length && !key.endsWith(".lock")).map((key) => key.slice(prefix.length)).sort();
}

function unescaped(xml: string): string {
  return xml.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (whole, decimal?: string, hex?: string, name = "") => {
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : (ENTITIES[name.toLowerCase()] ?? whole);
  });
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

/**
 * The folder that a source is which is no http(s) URL, whether or not it is there.
 *
 * @throws {UsageError} for a URL of another scheme
 */
export function folderOf(given: string): string {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(given) && !/^file:/i.test(given)) return resolve(given);
  if (!/^file:/i.test(given)) {
    throw new UsageError(`${JSON.stringify(withoutSecrets(given))} has a scheme that is not read`, "give an http(s) URL, a folder or a file: URL");
  }
  try {
    return fileURLToPath(given);
  } catch (cause) {
    throw new UsageError(`${JSON.stringify(given)} names no folder of this machine (${cause instanceof Error ? cause.message : String(cause)})`);
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
  return { shown: withoutSecrets(url.href), store, url: root, fetch: send, headers: Object.fromEntries(own) };
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
