/**
 * A server that is not what is measured: a folder out of memory, in a process of its own, with as little HTTP as GETs and ranges need.
 *
 * `serveDirectory` takes about 90 µs a request, as it asks the file system and hashes for entity tags, which is more than any of the readers
 * takes for an Item. This one takes about 10. Imported, this file starts the process; as its main file it is the server.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMain } from "../../scripts/lib/paths.mjs";
import { filesOf } from "./files.mjs";

/** A server of another process. */
export class MemoryServer {
  /** @type {import("node:child_process").ChildProcess} */
  #child;

  /**
   * @param {import("node:child_process").ChildProcess} child
   * @param {string} url without a slash at the end
   */
  constructor(child, url) {
    this.#child = child;
    this.url = url;
  }

  /**
   * Serves a folder as it is now.
   * @param {string} folder
   */
  static async start(folder) {
    const child = fork(fileURLToPath(import.meta.url), [folder], { execArgv: [] });
    const ended = once(child, "exit").then(([code]) => [new Error(`the server ended (${String(code)})`)]);
    const [url] = await Promise.race([once(child, "message"), ended]);
    if (url instanceof Error) throw url;
    return new MemoryServer(child, url);
  }

  async close() {
    this.#child.disconnect();
    await once(this.#child, "exit");
  }
}

/** Headers that every answer has: pages of all origins may read it. */
const COMMON = "Access-Control-Allow-Origin: *\r\nAccept-Ranges: bytes\r\nCache-Control: no-store\r\n";

/** What browsers must be told. */
const TYPES = new Map([[".js", "text/javascript"], [".wasm", "application/wasm"]]);

/** A page for the browser to be on. */
const PAGE = "<!doctype html><title>bench</title>";

/**
 * The answer to a request.
 * @param {Map<string, Buffer>} files
 * @param {string} head
 */
function answer(files, head) {
  const [method, target = ""] = head.slice(0, head.indexOf("\r\n")).split(" ");
  if (target === "/") return Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`);
  const body = files.get(decodeURIComponent(target.slice(1)));
  if (method !== "GET" || body === undefined) return Buffer.from(`HTTP/1.1 404 Not Found\r\n${COMMON}Content-Length: 0\r\n\r\n`);
  const range = /\r\nrange: bytes=(\d+)-(\d*)\r\n/i.exec(head);
  const first = Number(range?.[1] ?? 0);
  const end = Math.min(body.byteLength, range?.[2] ? Number(range[2]) + 1 : Infinity);
  const told = range ? `206 Partial Content\r\nContent-Range: bytes ${first}-${end - 1}/${body.byteLength}` : "200 OK";
  const type = TYPES.get(extname(target)) ?? "application/octet-stream";
  const front = Buffer.from(`HTTP/1.1 ${told}\r\n${COMMON}Content-Type: ${type}\r\nContent-Length: ${end - first}\r\n\r\n`);
  return Buffer.concat([front, body.subarray(first, end)]);
}

/** @param {string} folder */
async function serve(folder) {
  const files = new Map(filesOf(folder).map((key) => [key, readFileSync(join(folder, key))]));
  const server = createServer({ noDelay: true }, (socket) => {
    let pending = "";
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      for (let end = pending.indexOf("\r\n\r\n"); end >= 0; end = pending.indexOf("\r\n\r\n")) {
        const head = pending.slice(0, end + 2);
        pending = pending.slice(end + 4);
        socket.write(answer(files, head));
      }
    });
    // A client that goes away in the middle is none of our business.
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  process.on("disconnect", () => process.exit());
  process.send?.(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
}

if (isMain(import.meta.url)) await serve(process.argv[2] ?? "");
