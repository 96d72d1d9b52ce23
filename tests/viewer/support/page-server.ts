/** The built page and the datasets of a test over HTTP, each from an origin of its own, as a person would meet them. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** A server that is running. */
export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a folder of files as any static host does; `headers` are what the host adds to each. */
export async function servePage(folder: string, headers: Readonly<Record<string, string>> = {}): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const path = normalize(pathname === "/" ? "/index.html" : pathname);
    readFile(join(folder, path)).then(
      (body) => response.writeHead(200, { ...headers, "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
