/**
 * Which Refs a folder has, and the two answers that list them over HTTP: JSON at `<dataset>/refs/`, which this package reads, and the listing of S3 for
 * the prefix `refs/`, which the reference reads. Nothing else is ever listed.
 */
import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { targetSegments } from "./serve-headers.js";

/** An answer that lists Refs. */
export interface RefsAnswer {
  readonly type: "application/json" | "application/xml";
  readonly body: string;
}

/** Names of the Refs in a `refs` folder, ascending: files by their path from it, with slashes. Locks and what begins with a dot are none. */
export async function refNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll("\\", "/"))
    .filter((name) => !name.includes("."))
    .sort();
}

/** The answer to a request that asks for a listing of Refs, 404 if there is no such folder; `undefined` for requests that ask for none. */
export async function listedRefs(root: string, target: string): Promise<RefsAnswer | 404 | undefined> {
  const asked = askedListing(target);
  if (asked === undefined) return undefined;
  const { base, prefix } = asked;
  if (sep === "\\" && [...base, ...prefix].some((segment) => /[\\:]/.test(segment))) return 404;
  const folder = await realpath(join(root, ...base, ...prefix)).catch(() => undefined);
  if (folder === undefined || !(folder + sep).startsWith(root.endsWith(sep) ? root : root + sep)) return 404;
  const names = await refNames(folder);
  if (!asked.xml) return { type: "application/json", body: JSON.stringify({ refs: names }) };
  const keys = names.map((name) => `<Contents><Key>${xmlText([...prefix, name].join("/"))}</Key></Contents>`);
  const head = `<Prefix>${xmlText(prefix.join("/"))}/</Prefix><KeyCount>${names.length}</KeyCount><IsTruncated>false</IsTruncated>`;
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${head}${keys.join("")}</ListBucketResult>`;
  return { type: "application/xml", body };
}

interface AskedListing {
  readonly xml: boolean;
  /** Segments of the path that keys begin behind. */
  readonly base: readonly string[];
  /** Segments up to `refs`. */
  readonly prefix: readonly string[];
}

function askedListing(target: string): AskedListing | undefined {
  const [path = "", query = ""] = target.split("?", 2);
  const search = new URLSearchParams(query);
  if (search.get("list-type") === "2") {
    const prefix = targetSegments(`/${encodeURI((search.get("prefix") ?? "").replace(/\/$/, "")).replaceAll(/[?#]/g, encodeURIComponent)}`);
    const base = path === "/" ? [] : targetSegments(path.replace(/\/$/, ""));
    if (base === undefined || prefix?.at(-1) !== "refs") return undefined;
    return { xml: true, base, prefix };
  }
  if (!path.endsWith("/")) return undefined;
  const segments = targetSegments(path.slice(0, -1));
  return segments?.at(-1) === "refs" ? { xml: false, base: segments.slice(0, -1), prefix: ["refs"] } : undefined;
}

function xmlText(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}
