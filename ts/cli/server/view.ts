/**
 * The viewer on an address of its own: the page, and below /data/ the folder that it looks at, if it is one.
 *
 * Data are for this page alone: no other page may read them, as there are no CORS headers, and no name may lead here but those of this machine, as a page
 * of another site could have its own name point here. The page in turn may ask this server and its source, and nobody else.
 */
import type { ServerResponse } from "node:http";
import { listen, type ListenOptions, type StaticServer } from "./listen.js";
import { answerObject, refused, type Served } from "./objects.js";
import { answerPage, readPage } from "./page.js";
import { isLoopback } from "./usual.js";

/** What the page is to look at. */
export type Viewed =
  | {
      /** A folder of this machine, every link followed. */
      readonly folder: string;
    }
  | {
      /** The origin of the URL from which the page reads. */
      readonly origin: string;
    };

/** The path below which a folder is served. */
const DATA = "/data/";

/** What every answer has. */
const COMMON = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin" };

/**
 * Serves the page and what it looks at.
 *
 * @throws {DreamDbError} `NotFound` if the package was built without the page; as {@link listen}
 */
export async function serveView(viewed: Viewed, options: ListenOptions): Promise<StaticServer> {
  const page = await readPage();
  const served: Served | undefined = "folder" in viewed ? { root: viewed.folder, store: undefined, headers: COMMON } : undefined;
  const headers = { ...COMMON, "Content-Security-Policy": policyFor(viewed) };
  const alone = isLoopback(options.host ?? "127.0.0.1");
  return await listen(
    async (request, response, entry) => {
      if (alone && !isLoopback(hostOf(request.headers.host))) return forbidden(response);
      const target = request.url ?? "";
      if (served !== undefined && target.startsWith(DATA)) return await answerObject(served, target.slice(DATA.length - 1), request, response, entry);
      answerPage(page, headers, request, response, entry);
    },
    options,
    COMMON,
  );
}

/** What the page may load, and whom it may ask. */
function policyFor(viewed: Viewed): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "media-src blob:",
    `connect-src 'self'${"origin" in viewed ? ` ${viewed.origin}` : ""}`,
    "font-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The name in a Host header. */
function hostOf(header: string | undefined): string {
  return (header ?? "").replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1");
}

function forbidden(response: ServerResponse): void {
  refused(response, 403, COMMON);
}
