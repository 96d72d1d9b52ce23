/** Answers that break off or are compressed, for hosts to tell: `/faults/<name>/…` of the test server. Runtimes differ in what they make of these. */
import { gzipSync } from "node:zlib";

/**
 * @typedef {object} Answer
 * @property {import("node:http").ServerResponse} response
 * @property {Buffer} object the whole object
 * @property {number} first first byte asked for
 * @property {number} last last byte asked for
 * @property {boolean} ranged
 * @property {string} accepted the codings that the host takes, by its own word
 * @typedef {(answer: Answer) => void} Fault
 */

/** Bytes that come of each body. */
const SENT = 3;

/**
 * The head of a right answer, and the first bytes of its body.
 * @param {Answer} answer
 * @param {boolean} announced whether the head tells the length of the body
 */
function begin({ response, object, first, last, ranged }, announced) {
  const body = object.subarray(first, last + 1);
  response.writeHead(ranged ? 206 : 200, {
    ...(ranged && { "content-range": `bytes ${first}-${last}/${object.length}` }),
    ...(announced && { "content-length": body.length }),
  });
  response.write(body.subarray(0, SENT), () => response.socket?.end());
}

/** @type {Record<string, Fault>} */
export const FAULTS = {
  /** The connection ends before the announced length. */
  "close-early": (answer) => begin(answer, true),
  /** The end of the connection is all that marks the end of the body, so this looks whole. */
  "close-delimited": (answer) => {
    answer.response.removeHeader("transfer-encoding");
    begin(answer, false);
  },
  /** The last chunk is missing. */
  "chunks-cut": (answer) => begin(answer, false),
  /** Compressed for whoever takes that: of a range, a piece of the compressed object. */
  "gzip-if-accepted": ({ response, object, first, last, ranged, accepted }) => {
    const gzip = /\bgzip\b/.test(accepted);
    const body = (gzip ? gzipSync(object) : object).subarray(first, ranged ? last + 1 : undefined);
    response.writeHead(ranged ? 206 : 200, {
      ...(ranged && { "content-range": `bytes ${first}-${last}/${object.length}` }),
      ...(gzip && { "content-encoding": "gzip" }),
      "content-length": body.length,
    });
    response.end(body);
  },
  /** A whole object, compressed, in answer to anything. */
  "gzip-whole": ({ response, object }) => {
    const body = gzipSync(object);
    response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length }).end(body);
  },
  /** A piece of the compressed object, in answer to a range. */
  "gzip-part": ({ response, object, first, last }) => {
    const body = gzipSync(object).subarray(first, last + 1);
    response.writeHead(206, { "content-encoding": "gzip", "content-range": `bytes ${first}-${last}/${object.length}`, "content-length": body.length }).end(body);
  },
};
