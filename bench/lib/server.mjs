/**
 * The server, in a process of its own, so that it shares no event loop with the reader, and its exact log.
 *
 * Imported, this file starts that process; as the process's main file it is the server: `serveDirectory` of the package, as in tests. It
 * writes down each request when its answer is over, and how many were in flight at once: one is from when its head has arrived until its
 * body is handed to the system. Nothing passes between the two processes but between measurements.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { subscribe } from "node:diagnostics_channel";
import { fileURLToPath } from "node:url";
import { serveDirectory } from "../../dist/cli/server/serve.js";
import { isMain } from "../../scripts/lib/paths.mjs";

/**
 * A request: its target, the bytes that it asked for (`bytes=a-b`), if it said, and body bytes sent.
 * @typedef {{ target: string, range: string | undefined, status: number, bytes: number }} Logged
 */
/** @typedef {{ requests: Logged[], mostInFlight: number }} Log what came since the last log was taken */

/** A server of another process. */
export class Server {
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
   * Serves a folder.
   * @param {string} folder
   */
  static async start(folder) {
    const child = fork(fileURLToPath(import.meta.url), [folder], { execArgv: [] });
    const [url] = await answer(child);
    return new Server(child, url);
  }

  /**
   * The log since the last call; all answers are over then.
   * @returns {Promise<Log>}
   */
  async takeLog() {
    this.#child.send("log");
    const [log] = await answer(this.#child);
    return log;
  }

  async close() {
    this.#child.disconnect();
    await once(this.#child, "exit");
  }
}

/**
 * The next message of the server, which must not end before.
 * @param {import("node:child_process").ChildProcess} child
 */
async function answer(child) {
  const ended = new AbortController();
  const early = (/** @type {unknown} */ code) => ended.abort(new Error(`the server ended (${String(code)})`));
  child.once("exit", early);
  try {
    return await once(child, "message", { signal: ended.signal });
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    child.off("exit", early);
  }
}

/** @param {string} folder */
async function serve(folder) {
  /** @type {Logged[]} */
  let requests = [];
  let inFlight = 0;
  let mostInFlight = 0;
  let asked = false;
  const tell = () => {
    if (!asked || inFlight > 0) return;
    process.send?.({ requests, mostInFlight });
    [asked, requests, mostInFlight] = [false, [], 0];
  };
  subscribe("http.server.request.start", (message) => {
    const { response } = /** @type {{ response: import("node:http").ServerResponse }} */ (message);
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    // Whoever waits for the log gets it after the server's own listeners have written down this request.
    response.once("close", () => {
      inFlight--;
      setImmediate(tell);
    });
  });
  const { url, close } = await serveDirectory(folder, {
    keepRequests: 0,
    onRequest: ({ target, headers, status, bytes }) => requests.push({ target, range: headers.range, status, bytes }),
  });
  process.on("message", () => {
    asked = true;
    setImmediate(tell);
  });
  process.on("disconnect", () => void close());
  process.send?.(url);
}

if (isMain(import.meta.url)) await serve(process.argv[2] ?? "");
