/** Answers that end too early, for hosts to tell: `/faults/<name>/…` of the test server. Runtimes differ in what they make of these. */

/**
 * @typedef {object} Answer
 * @property {import("node:http").ServerResponse} response
 * @property {Buffer} object the whole object
 * @property {number} first first byte asked for
 * @property {number} last last byte asked for
 * @property {boolean} ranged
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
};
