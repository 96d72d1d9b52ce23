/** Connections of Node's entry: which are used again, when they are given up, and how much of a body is held that nobody reads. */

import { httpStore } from "dreamdb-arrays";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { nodeTransport } from "../../ts/store/node/transport.js";
import { pattern } from "../support/bytes.js";
import { ENDLESS, endingBy, nodeClient, outcomeOf, readAll } from "../support/exchange.js";
import { expectFailure } from "../support/failure.js";
import { gate } from "../support/recording.js";
import { serveRaw } from "../support/raw-server.js";
import { selfSigned } from "../support/self-signed.js";

const GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab";
const get = (url: string, headers?: Record<string, string>) => outcomeOf(nodeTransport(url, headers ? { headers } : {}, ENDLESS));

/** Resolves when a connection is over. */
const closed = (socket: Socket | undefined): Promise<unknown> =>
  !socket || socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once("close", resolve));

/** More than systems keep for a connection on both of its sides. */
const KEPT_BY_SYSTEM = 16 * 1024 * 1024;

/** Many bytes, whose places can be told by a prime number. */
const LARGE = Buffer.alloc(3 * KEPT_BY_SYSTEM, pattern(65_537));

/** Trusts the certificates of tests, as a program can be told to. */
function trustAll(): void {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("a connection", () => {
  it.each([
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nab"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: Close\r\n\r\nab"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: x , close\r\n\r\nab"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive, close\r\n\r\nab"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: closed\r\n\r\nab"],
    ["HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nab"],
    ["HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: Keep-Alive\r\n\r\nab"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n0\r\n\r\n"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nConnection: x\r\n\r\n"],
    ["HTTP/1.1 204 No Content\r\n\r\n"],
    ["HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n"],
    ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nab"],
  ])("is used again or not behind %j, as by Node's own client", async (raw) => {
    const counts = [];
    for (const client of [get, nodeClient()]) {
      const server = await serveRaw((socket) => void socket.write(raw, "latin1"));
      for (let at = 0; at < 3; at++) {
        expect(await client(server.url)).toBeDefined();
        // Node's needs a moment.
        await new Promise(setImmediate);
      }
      counts.push(server.connections.length);
    }
    expect(counts[0]).toBe(counts[1]);
    expect([1, 3]).toContain(counts[0]);
  });

  it("on which something comes that nobody asked for is closed", async () => {
    const server = await serveRaw((socket) => void socket.write(GOOD));
    expect((await get(server.url))?.body).toBe("ab");
    server.connections[0]?.write(GOOD.replace("ab", "xx"));
    await closed(server.connections[0]);
    expect((await get(server.url))?.body).toBe("ab");
    expect(server.connections).toHaveLength(2);
  });

  it.each([
    ["closed", (socket: Socket) => void socket.end()],
    ["reset", (socket: Socket) => void socket.resetAndDestroy()],
  ])("that is %s at its second request is replaced, but a new one is not", async (_how, end) => {
    const server = await serveRaw((socket, nth) => (nth === 0 ? void socket.write(GOOD) : end(socket)));
    expect((await get(server.url))?.body).toBe("ab");
    expect(await get(server.url)).toBeUndefined();
    expect(server.requests).toHaveLength(3);
    expect(server.connections).toHaveLength(2);
  });

  it("that breaks off in the middle of a head is not replaced", async () => {
    const server = await serveRaw((socket, nth) => (nth === 0 ? void socket.write(GOOD) : void socket.end("HTTP/1.1 200")));
    expect((await get(server.url))?.body).toBe("ab");
    expect(await get(server.url)).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  });

  it("is closed before the server would, if that says when", async () => {
    const server = await serveRaw((socket) => void socket.write(GOOD.replace("\r\n\r\n", "\r\nKeep-Alive: timeout=1, max=100\r\n\r\n")));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await get(server.url))?.body).toBe("ab");
    vi.advanceTimersByTime(400);
    expect((await get(server.url))?.body).toBe("ab");
    expect(server.connections).toHaveLength(1);
    vi.advanceTimersByTime(600);
    await closed(server.connections[0]);
    expect((await get(server.url))?.body).toBe("ab");
    expect(server.connections).toHaveLength(2);
  });

  it("is closed when nobody has used it for half a minute", async () => {
    const server = await serveRaw((socket) => void socket.write(GOOD));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    for (let at = 0; at < 3; at++) {
      expect((await get(server.url))?.body).toBe("ab");
      vi.advanceTimersByTime(29_000);
    }
    expect(server.connections).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    await closed(server.connections[0]);
    expect((await get(server.url))?.body).toBe("ab");
    expect(server.connections).toHaveLength(2);
  });

  it("is not kept if the server says so", async () => {
    const server = await serveRaw((socket) => void socket.write(GOOD.replace("\r\n\r\n", "\r\nKeep-Alive: timeout=0\r\n\r\n")));
    for (const count of [1, 2]) {
      expect((await get(server.url))?.body).toBe("ab");
      expect(server.connections).toHaveLength(count);
    }
  });

  it("that is aborted is closed, before and behind the head", async () => {
    for (const sent of ["", GOOD.slice(0, -1)]) {
      const asked = gate();
      const server = await serveRaw((socket) => {
        if (sent !== "") socket.write(sent);
        asked.open();
      });
      const controller = new AbortController();
      const reading = nodeTransport(server.url, {}, endingBy(controller.signal)).then(readAll);
      const settled = Promise.allSettled([reading]);
      await asked.opened;
      controller.abort(new Error("enough"));
      expect(await settled).toEqual([{ status: "rejected", reason: controller.signal.reason }]);
      await closed(server.connections[0]);
    }
  });

  it("to nowhere is refused", async () => {
    const server = await serveRaw((socket) => void socket.end(GOOD));
    const { url, port } = await serveRaw(() => undefined, { host: "127.0.0.2" });
    expect(url).toContain("127.0.0.2");
    const away = server.port === port ? port + 1 : server.port;
    expect((await expectFailure(httpStore(`http://127.0.0.2:${away}`).get("item"), "Network")).message).toContain("ECONNREFUSED");
  });

  it("goes to IPv6 addresses, and to a name by whichever address answers", async () => {
    const six = await serveRaw((socket) => void socket.write(GOOD), { host: "::1" });
    const four = await serveRaw((socket) => void socket.write(GOOD));
    expect((await get(six.url))?.body).toBe("ab");
    expect(six.requests[0]).toContain(`\r\nHost: [::1]:${six.port}\r\n`);
    expect((await get(`http://localhost:${four.port}/`))?.body).toBe("ab");
    // Whether it has both addresses is the system's to say.
    expect(await get(`http://localhost:${six.port}/`)).toEqual(await nodeClient()(`http://localhost:${six.port}/`));
  });
});

describe("a request", () => {
  it("is what a server expects of it", async () => {
    const server = await serveRaw((socket) => void socket.write(GOOD));
    await get(`${server.url}/a/b=c@d?x=1&y=%20#z`, { Range: "bytes=0-1" });
    expect(server.requests).toEqual([
      `GET /a/b=c@d?x=1&y=%20 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAccept: */*\r\nAccept-Encoding: identity\r\nUser-Agent: node\r\n` +
        "Connection: keep-alive\r\nRange: bytes=0-1",
    ]);
  });

  it.each([
    ["a\r\nX: b", "a value of two lines"],
    ["a\nb", "a line feed"],
    ["a\0b", "a zero"],
    ["a\u0100b", "a letter that Latin-1 does not have"],
  ])("with %j is not sent", async (value) => {
    const server = await serveRaw((socket) => void socket.write(GOOD));
    for (const headers of [{ X: value }, { [`X${value}`]: "a" }, { "": value }]) {
      await expect(nodeTransport(server.url, { headers }, ENDLESS)).rejects.toThrow(TypeError);
    }
    expect(server.connections).toHaveLength(0);
  });

  it("cannot be given another line by its path", async () => {
    const server = await serveRaw((socket) => void socket.write(GOOD));
    await get(`${server.url}/a HTTP/1.1\r\nX: b\r\n\r\né`);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatch(/^GET \/a%20HTTP\/1.1X:%20b%C3%A9 HTTP\/1.1\r\n/);
  });
});

describe("over TLS", () => {
  it("names the host and the protocol, and takes up the session again", async () => {
    trustAll();
    const seen: unknown[] = [];
    const server = await serveRaw((socket) => {
      const { alpnProtocol, servername } = socket as TLSSocket & { servername: string | false };
      seen.push([alpnProtocol, servername, (socket as TLSSocket).isSessionReused()]);
      socket.end(GOOD.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    }, { identity: selfSigned() });
    for (const host of ["127.0.0.1", "localhost"]) {
      for (let at = 0; at < 2; at++) expect((await get(`https://${host}:${server.port}/`))?.body).toBe("ab");
    }
    expect(seen).toEqual([
      ["http/1.1", false, false],
      ["http/1.1", false, true],
      ["http/1.1", "localhost", false],
      ["http/1.1", "localhost", true],
    ]);
  });

  it("sends nothing to who cannot prove the name", async () => {
    const server = await serveRaw((socket) => void socket.end(GOOD), { identity: selfSigned() });
    expect((await expectFailure(httpStore(server.url).get("item"), "Network")).message).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(server.requests).toEqual([]);
  });
});

describe.each([["TCP", undefined], ["TLS", selfSigned()]])("a body over %s", (_name, identity) => {
  it("is the bytes that were sent, in whatever pieces, and no further ahead of a slow reader than the system is", async () => {
    if (identity) trustAll();
    const bytes = LARGE;
    let sent = 0;
    const server = await serveRaw(async (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.byteLength}\r\n\r\n`);
      for (let size = 1; sent < bytes.byteLength; size = (size * 7) % 300_007) {
        const piece = bytes.subarray(sent, sent + size);
        sent += piece.byteLength;
        if (!socket.write(piece)) await new Promise((drained) => socket.once("drain", drained));
      }
    }, { ...(identity && { identity }) });
    const reader = (await nodeTransport(server.url, {}, ENDLESS)).body?.getReader();
    const received = Buffer.alloc(bytes.byteLength);
    let count = 0;
    let ahead = 0;
    for (;;) {
      // Now and then nobody reads for a while.
      if (count < bytes.byteLength / 2 && count % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      const read = await reader?.read();
      if (!read?.value) break;
      ahead = Math.max(ahead, sent - count);
      received.set(read.value, count);
      count += read.value.byteLength;
    }
    expect(count).toBe(bytes.byteLength);
    expect(received.equals(bytes)).toBe(true);
    expect(ahead).toBeLessThan(KEPT_BY_SYSTEM);
    // The connection goes on.
    expect(server.connections).toHaveLength(1);
  });

  it.each([
    ["", LARGE],
    // As long as what is in it.
    ["Content-Encoding: gzip\r\n", gzipSync(LARGE, { level: 0 })],
    ["Content-Encoding: gzip, gzip\r\n", gzipSync(gzipSync(LARGE, { level: 0 }), { level: 0 })],
  ])("that nobody reads stops the server, and can be read to its end all the same (%j)", async (coding, bytes) => {
    if (identity) trustAll();
    const server = await serveRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${coding}Content-Length: ${bytes.byteLength}\r\n\r\n`);
      socket.write(bytes);
    }, { ...(identity && { identity }) });
    const before = process.memoryUsage().arrayBuffers;
    const found = await nodeTransport(server.url, {}, ENDLESS);
    const left = (): number => server.connections[0]?.writableLength ?? 0;
    for (let calm = 0, last = -1; calm < 20; calm = left() === last ? calm + 1 : 0) {
      last = left();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(left()).toBeGreaterThan(0);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(KEPT_BY_SYSTEM + bytes.byteLength / 2);
    expect((await readAll(found)).equals(LARGE)).toBe(true);
  });
});
