/** Answers as Node's entry reads them, byte by byte: what comes of each is what Node's own client makes of it. */

import { describe, expect, it } from "vitest";
import type { AnswerHead } from "../../ts/store/node/head.js";
import { ResponseParser } from "../../ts/store/node/response-parser.js";
import { nodeTransport } from "../../ts/store/node/transport.js";
import { ENDLESS, nodeClient, outcomeOf } from "../support/exchange.js";
import { RAW_ANSWERS } from "../support/raw-answers.js";
import { serveRaw } from "../support/raw-server.js";

const NAMES = Object.keys(RAW_ANSWERS);
const bytesOf = (name: string): Buffer => Buffer.from(RAW_ANSWERS[name] ?? "", "latin1");

describe("an answer with", () => {
  it.each(NAMES)("(%s) is read as by Node's own client", async (name) => {
    const server = await serveRaw((socket) => void socket.end(bytesOf(name)));
    const [ours, nodes] = [await outcomeOf(nodeTransport(server.url, {}, ENDLESS)), await nodeClient()(server.url)];
    expect(ours).toEqual(nodes);
  });

  // Ours says what is there; Node's gives up an answer if more comes along with its end, and does not if it comes a moment later.
  it.each([
    ["something behind it", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcd", "ab"],
    ["a second answer behind it", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nxx", "ab"],
    ["a second answer behind chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nxx", "ab"],
    ["a second answer behind an empty one", "HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nxx", ""],
    ["an empty line behind it", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab\r\n", "ab"],
  ])("%s is read, and its connection is not used again", async (_name, raw, body) => {
    const server = await serveRaw((socket) => void socket.write(raw, "latin1"));
    for (const count of [1, 2]) {
      expect((await outcomeOf(nodeTransport(server.url, {}, ENDLESS)))?.body).toBe(body);
      expect(server.connections).toHaveLength(count);
    }
  });

  it("an empty Transfer-Encoding is an error, as newer Nodes have it", async () => {
    const server = await serveRaw((socket) => void socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\nab"));
    expect(await outcomeOf(nodeTransport(server.url, {}, ENDLESS))).toBeUndefined();
  });

  // More lenient: no reader finds the end elsewhere.
  it.each([
    ["white space around its length", "HTTP/1.1 200 OK\r\nContent-Length:\t 2 \t\r\n\r\nab"],
    ["white space in an extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2; a=b\r\nab\r\n0\r\n\r\n"],
    ["an interim answer that would close", "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"],
  ])("%s is read", async (_name, raw) => {
    const server = await serveRaw((socket) => void socket.end(raw));
    expect((await outcomeOf(nodeTransport(server.url, {}, ENDLESS)))?.body).toBe("ab");
  });

  it("another protocol in its place is an error, whatever its headers say", async () => {
    const server = await serveRaw((socket) => void socket.end("HTTP/1.1 101 Switching\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"));
    expect(await outcomeOf(nodeTransport(server.url, {}, ENDLESS))).toBeUndefined();
  });
});

/** What a parser tells of bytes that come in the given pieces. */
function parse(pieces: readonly Buffer[]): { told: string[]; body: string } {
  const told: string[] = [];
  let body = "";
  const parser = new ResponseParser({
    onHead: (head: AnswerHead) => told.push(`${head.status} ${head.get("etag")} ${head.get("content-range")}`),
    onBody: (bytes, start, end) => (body += bytes.toString("latin1", start, end)),
    onAnswered: (keep) => told.push(`over, ${keep}`),
  });
  parser.expect();
  try {
    for (const piece of pieces) {
      // As a socket's buffer is: longer than what came, and with other things behind it.
      const buffer = Buffer.concat([piece, Buffer.from("\r\n\r\nHTTP/1.1 :")]);
      parser.push(buffer, piece.byteLength);
      buffer.fill(0);
    }
    told.push(parser.finish() ? "ends well" : "closed");
  } catch {
    told.push("refused");
  }
  return { told, body };
}

describe("an answer", () => {
  it.each(NAMES)("(%s) comes to the same however it is cut", (name) => {
    const bytes = bytesOf(name);
    const whole = parse([bytes]);
    // Of what is refused, the bytes before that may have been told or not.
    const comparable = ({ told, body }: ReturnType<typeof parse>): unknown => (told.includes("refused") ? "refused" : { told, body });
    const expected = comparable(whole);
    const step = Math.max(1, Math.floor(bytes.byteLength / 400));
    for (let at = 1; at < bytes.byteLength; at += step) expect(comparable(parse([bytes.subarray(0, at), bytes.subarray(at)])), `at ${at}`).toEqual(expected);
    const single = Array.from({ length: Math.min(bytes.byteLength, 40_000) }, (_, at) => bytes.subarray(at, at + 1));
    if (single.length === bytes.byteLength) expect(comparable(parse(single))).toEqual(expected);
  });

  it.each(["a length", "chunks", "trailers", "102, 103 and 103 in front", "no length", "a chunk's extension"])("(%s) may come byte by byte over a connection", async (name) => {
    const bytes = bytesOf(name);
    const server = await serveRaw(async (socket) => {
      for (const byte of bytes) {
        socket.write(Uint8Array.of(byte));
        await new Promise(setImmediate);
      }
      socket.end();
    });
    const whole = await serveRaw((socket) => void socket.end(bytes));
    expect(await outcomeOf(nodeTransport(server.url, {}, ENDLESS))).toEqual(await nodeClient()(whole.url));
  });
});
