/**
 * The web server of the host tests: the datasets of tests/fixtures, with ranges and CORS, and the temporary project with its pages.
 *
 * The project appears under several prefixes, each a different way in which real servers treat a .wasm file.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const TYPES = /** @type {Record<string, string>} */ ({
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
});

/** Prefix → what becomes of a .wasm file and of the page's policy. */
const PREFIXES = /** @type {Record<string, { wasm?: "html" | "missing" | "octets", policy?: string }>} */ ({
  plain: {},
  octets: { wasm: "octets" },
  html: { wasm: "html" },
  missing: { wasm: "missing" },
  policy: { policy: "script-src 'self' 'unsafe-inline'" },
  allowed: { policy: "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" },
});

/**
 * @param {string} fixtures folder of the datasets
 * @param {string} project folder of the temporary project
 * @returns {Promise<{ origin: string, requests: string[], close: () => Promise<void> }>}
 */
export async function serve(fixtures, project) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    requests.push(path);
    answer(request, response, path, { fixtures, project }).catch(() => response.writeHead(404).end("no such object"));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the test server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {string} path
 * @param {{ fixtures: string, project: string }} folders
 */
async function answer(request, response, path, { fixtures, project }) {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "range");
  if (request.method === "OPTIONS") {
    response.writeHead(204).end();
    return;
  }
  const [, prefix = "", ...rest] = path.split("/");
  const base = prefix === "fixtures" ? fixtures : project;
  const way = prefix === "fixtures" ? {} : PREFIXES[prefix];
  const file = normalize(join(base, rest.join("/")));
  if (way === undefined || !file.startsWith(base + sep)) throw new Error(`nothing is served at ${path}`);
  const isWasm = extname(file) === ".wasm";
  if (isWasm && way.wasm === "missing") throw new Error("missing on purpose");
  if (isWasm && way.wasm === "html") {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>app</title>");
    return;
  }
  const body = await readFile(file);
  const type = isWasm && way.wasm === "octets" ? undefined : TYPES[extname(file)];
  response.setHeader("content-type", type ?? "application/octet-stream");
  if (way.policy !== undefined) response.setHeader("content-security-policy", way.policy);
  sendRange(request, response, body);
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Buffer} body
 */
function sendRange(request, response, body) {
  response.setHeader("accept-ranges", "bytes");
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  if (range === null) {
    response.writeHead(200, { "content-length": body.length }).end(body);
    return;
  }
  const first = Number(range[1]);
  const last = Math.min(Number(range[2]), body.length - 1);
  if (first > last) {
    response.writeHead(416, { "content-range": `bytes */${body.length}` }).end();
    return;
  }
  const part = body.subarray(first, last + 1);
  response.writeHead(206, { "content-range": `bytes ${first}-${last}/${body.length}`, "content-length": part.length }).end(part);
}
