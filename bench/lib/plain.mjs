/** Requests without a reader: by `fetch`, and by Node's own HTTP client. */
import { Agent, get } from "node:http";

/** Requests in flight at most; the reader's own default on Node. */
export const CONCURRENCY = 32;

/**
 * A request: its target, the bytes that it asks for (`bytes=a-b`), if not all, and how many these are.
 * @typedef {{ target: string, range?: string | undefined, bytes: number }} Asked
 */

/**
 * By `fetch`; milliseconds.
 * @param {string} url of the server
 * @param {readonly Asked[]} requests
 */
export function byFetch(url, requests) {
  return inLanes(requests, async ({ target, range }) => {
    const response = await fetch(url + target, range === undefined ? {} : { headers: { Range: range } });
    return (await response.arrayBuffer()).byteLength;
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

/**
 * By `node:http`; milliseconds.
 * @param {string} url of the server
 * @param {readonly Asked[]} requests
 */
export function byNodeHttp(url, requests) {
  return inLanes(
    requests,
    ({ target, range }) =>
      new Promise((resolve, reject) => {
        const request = get(url + target, { agent, ...(range === undefined ? {} : { headers: { Range: range } }) }, (response) => {
          let own = 0;
          response.on("data", (/** @type {Buffer} */ chunk) => (own += chunk.byteLength));
          response.on("end", () => (response.statusCode === (range === undefined ? 200 : 206) ? resolve(own) : reject(new Error(`${target}: ${response.statusCode}`))));
          response.on("error", reject);
        });
        request.on("error", reject);
      }),
  );
}

/**
 * So many at once; milliseconds.
 * @param {readonly Asked[]} requests
 * @param {(request: Asked) => Promise<number>} send gives the bytes that came
 */
async function inLanes(requests, send) {
  const all = requests.values();
  const start = performance.now();
  const lane = async () => {
    for (const request of all) {
      const bytes = await send(request);
      if (bytes !== request.bytes) throw new Error(`${bytes} bytes of ${request.target} came, not ${request.bytes}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, requests.length) }, lane));
  return performance.now() - start;
}
