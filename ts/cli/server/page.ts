/**
 * The viewer's page, as the package has it: files of dist/viewer, and the package's one .wasm file, which the page needs too. Read once, kept in memory, sent
 * gzipped to whoever takes gzip. They lie there in brotli, an eighth less than gzip, which browsers take over HTTPS alone.
 */
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { DreamDbError } from "../../errors.js";
import { advised } from "../manners/failures.js";
import type { Entry } from "./listen.js";

/** Media types by the end of a name. */
export const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/** What stands at the end of a packed file's name. */
export const PACKED = ".br";

/** One file of the page. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same gzipped; not of what gains little. */
  readonly gzipped?: Buffer;
}

/** A page that can be answered for. */
export interface Page {
  /** Files by their path, as a request names it: `/`, `/assets/index.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The one WebAssembly module, whatever the page calls it. */
  readonly wasm: PageFile;
}

/**
 * Where the page lies in the package, from wherever in the package this came to lie.
 *
 * @throws {DreamDbError} `NotFound` for a build without it
 */
async function pageFolder(): Promise<{ readonly page: string; readonly wasm: string }> {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const page = join(folder, "dist", "viewer");
    const found: string[] = await readdir(page).catch(() => []);
    if (found.includes(`index.html${PACKED}`)) return { page, wasm: join(folder, "pkg", "dreamdb_arrays_bg.wasm") };
    if (dirname(folder) === folder) throw advised(new DreamDbError("NotFound", "the viewer's page is not in this package"), "install the package anew, or build it");
  }
}

/**
 * Reads the page.
 *
 * @throws {DreamDbError} `NotFound`
 */
export async function readPage(): Promise<Page> {
  const { page, wasm } = await pageFolder();
  const files = new Map<string, PageFile>();
  for (const entry of await readdir(page, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(PACKED)) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(page.length, -PACKED.length).replaceAll("\\", "/");
    const bytes = brotliDecompressSync(await readFile(path));
    files.set(name === "/index.html" ? "/" : name, { type: typeOf(name), bytes, gzipped: gzipSync(bytes) });
  }
  return { files, wasm: { type: typeOf(wasm), bytes: await readFile(wasm) } };
}

function typeOf(name: string): string {
  return TYPES[extname(name)] ?? "application/octet-stream";
}

/** Answers a request for a file of the page: GET and HEAD, 404 for what it has not. `headers` are those of every answer. */
export function answerPage({ files, wasm }: Page, headers: Readonly<Record<string, string>>, request: IncomingMessage, response: ServerResponse, entry: Entry): void {
  const { method = "", url = "" } = request;
  if (method !== "GET" && method !== "HEAD") return void response.writeHead(405, { ...headers, Allow: "GET, HEAD", "Content-Length": 0 }).end();
  const path = url.replace(/[?#].*$/s, "");
  const file = path.endsWith(".wasm") ? wasm : files.get(path);
  if (file === undefined) return void response.writeHead(404, { ...headers, "Content-Length": 0 }).end();
  const gzipped = takesGzip(request.headers["accept-encoding"]) ? file.gzipped : undefined;
  const bytes = gzipped ?? file.bytes;
  response.writeHead(200, {
    ...headers,
    "Cache-Control": "no-cache",
    "Content-Length": bytes.byteLength,
    "Content-Type": file.type,
    ...(file.gzipped ? { Vary: "Accept-Encoding" } : {}),
    ...(gzipped ? { "Content-Encoding": "gzip" } : {}),
  });
  if (method === "GET") entry.bytes = bytes.byteLength;
  response.end(method === "GET" ? bytes : undefined);
}

/** Whether an Accept-Encoding header names gzip, or anything, and does not weigh it with nothing. */
function takesGzip(header: string | string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? "").split(",").map((each) => {
      const [coding = "", ...parameters] = each.toLowerCase().split(";").map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}
