/**
 * The web server of the host tests: the datasets of tests/fixtures, with ranges and CORS, and the temporary project with its pages.
 *
 * The project appears under several prefixes, each a different way in which real servers treat a .wasm file; the datasets once more under
 * `faults/<name>`, where answers break off.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { FAULTS } from "./faults.mjs";

const TYPES = /** @type {Record<string, string>} */ ({
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
});

/** Prefix → what becomes of a .wasm file, of its inline copy, of a file of the package, and of the page's policy. */
const PREFIXES = /** @type {Record<string, { wasm?: "html" | "missing" | "octets", inline?: "html", missing?: string, policy?: string }>} */ ({
  plain: {},
  octets: { wasm: "octets" },
  html: { wasm: "html" },
  missing: { wasm: "missing" },
  neither: { wasm: "html", inline: "html" },
  partial: { missing: "dist/dataset/doors.js" },
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
  /** @type {Set<string>} */
  const broken = new Set();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
    requests.push(path);
    answer(request, response, path, { fixtures, project, broken }).catch(() => response.writeHead(404).end("no such object"));
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
 * @param {{ fixtures: string, project: string, broken: Set<string> }} served the folders, and the addresses that were answered badly once
 */
async function answer(request, response, path, { fixtures, project, broken }) {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "range");
  if (request.method === "OPTIONS") {
    response.writeHead(204).end();
    return;
  }
  const [, prefix = "", ...rest] = path.split("/");
  if (prefix === "faults") {
    const [name = "", ...key] = rest;
    const object = await readFile(join(fixtures, ...key));
    const once = name.endsWith("-once");
    // A run of its own asks with a query of its own.
    const again = once && broken.has(request.url ?? "");
    broken.add(request.url ?? "");
    if (again) sendRange(request, response, object);
    else breakOff(request, response, object, FAULTS[name.replace(/-once$/, "")]);
    return;
  }
  const base = prefix === "fixtures" ? fixtures : project;
  const way = prefix === "fixtures" ? {} : PREFIXES[prefix];
  const file = normalize(join(base, rest.join("/")));
  if (way === undefined || !file.startsWith(base + sep)) throw new Error(`nothing is served at ${path}`);
  const isWasm = extname(file) === ".wasm";
  if ((isWasm && way.wasm === "missing") || (way.missing !== undefined && file.endsWith(way.missing))) throw new Error("missing on purpose");
  if ((isWasm && way.wasm === "html") || (file.endsWith("wasm-inline.js") && way.inline === "html")) {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>app</title>");
    return;
  }
  const body = await readFile(file);
  const type = isWasm && way.wasm === "octets" ? undefined : TYPES[extname(file)];
  response.setHeader("content-type", type ?? "application/octet-stream");
  if (way.policy !== undefined) response.setHeader("content-security-policy", way.policy);
  sendRange(request, response, body);
}

/** @param {import("node:http").IncomingMessage} request */
const rangeOf = (request) => /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Buffer} object
 * @param {import("./faults.mjs").Fault | undefined} fault
 */
function breakOff(request, response, object, fault) {
  if (fault === undefined) throw new Error("there is no such fault");
  const range = rangeOf(request);
  const accepted = request.headers["accept-encoding"] ?? "";
  fault({ response, object, first: Number(range?.[1] ?? 0), last: Number(range?.[2] ?? object.length - 1), ranged: range !== null, accepted });
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Buffer} body
 */
function sendRange(request, response, body) {
  response.setHeader("accept-ranges", "bytes");
  const range = rangeOf(request);
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
