/** The static server: ranges, entity tags, CORS, and nothing outside its folder. Raw requests, as a fetch would tidy them up. */

import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { request, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { serveDirectory, type StaticServer } from "../../ts/cli/server/serve.js";
import { matchesEtag, parseRange, targetSegments } from "../../ts/cli/server/serve-headers.js";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";
import { makeTempDir, put } from "../support/temp-dir.js";

const LARGE = pattern(300_000);
let dir = "";
let server: StaticServer;
beforeAll(async () => {
  dir = await makeTempDir();
  const served = join(dir, "served");
  await put(dir, "secret", "outside");
  await put(served, "item", pattern(20));
  await put(served, "large", LARGE);
  await put(served, "empty", "");
  await put(served, "t/kind=event@1/a b%3D", "odd");
  await symlink(join(dir, "secret"), join(served, "escape"));
  await symlink(dir, join(served, "up"));
  await symlink(join(served, "item"), join(served, "alias"));
  await symlink("loop", join(served, "loop"));
  execFileSync("mkfifo", [join(served, "pipe")]);
  await mkdir(`${served}-twin`);
  await put(`${served}-twin`, "k", "outside");
  await symlink(`${served}-twin/k`, join(served, "twin"));
  server = await serveDirectory(served);
});
afterEach(() => void (server.requests as unknown[]).splice(0));
afterAll(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** One request with exactly this target and these headers. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.on("error", reject).end();
  });
}

describe("a whole object", () => {
  it("comes with its length, its tag and open CORS", async () => {
    const { status, headers, body } = await ask("/item");
    expect(status).toBe(200);
    expect(body).toEqual(Buffer.from(pattern(20)));
    expect(headers).toMatchObject({
      "accept-ranges": "bytes",
      "access-control-allow-origin": "*",
      "content-length": "20",
      "content-type": "application/octet-stream",
      connection: "keep-alive",
    });
    expect(headers.etag).toMatch(/^"[\w-]+"$/);
    for (const exposed of ["ETag", "Content-Range", "Content-Length", "Accept-Ranges"]) {
      expect(headers["access-control-expose-headers"]).toContain(exposed);
    }
  });

  it("may be large, empty, or oddly named", async () => {
    expect(Buffer.compare((await ask("/large")).body, LARGE)).toBe(0);
    expect(await ask("/empty")).toMatchObject({ status: 200, headers: { "content-length": "0" } });
    for (const path of ["/t/kind=event@1/a%20b%253D", "/t/kind%3Devent%401/a%20b%253D?sig=x"]) {
      expect((await ask(path)).body.toString()).toBe("odd");
    }
    expect((await ask(`http://127.0.0.1:${server.port}/item`)).status).toBe(200);
  });

  it("has a HEAD with the same headers and no body, also with a Range", async () => {
    const { date: _date, ...get } = (await ask("/large")).headers;
    for (const headers of [{}, { range: "bytes=0-3" }]) {
      const head = await ask("/large", headers, "HEAD");
      expect(head.status).toBe(200);
      expect(head.headers).toMatchObject(get);
      expect(head.body).toHaveLength(0);
    }
  });

  it("is not listed and not written", async () => {
    for (const path of ["/", "/t", "/t/", "/t/kind=event@1"]) expect((await ask(path)).status).toBe(404);
    for (const method of ["PUT", "POST", "DELETE", "PATCH"]) {
      expect(await ask("/item", {}, method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
    }
  });
});

describe("a range", () => {
  it.each([
    ["bytes=0-0", 0, 0],
    ["bytes=10-14", 10, 14],
    ["bytes=19-19", 19, 19],
    ["bytes=15-", 15, 19],
    ["bytes=-5", 15, 19],
    ["bytes=-500", 0, 19],
    ["bytes=10-5000", 10, 19],
    ["bytes=0-99999999999999999999999999", 0, 19],
    ["Bytes=3-4", 3, 4],
  ])("%s is served as such", async (range, first, last) => {
    const { status, headers, body } = await ask("/item", { range });
    expect(status).toBe(206);
    expect(headers).toMatchObject({ "content-range": `bytes ${first}-${last}/20`, "content-length": String(last - first + 1) });
    expect(body).toEqual(Buffer.from(pattern(20).subarray(first, last + 1)));
  });

  it("of a large file is streamed from its place", async () => {
    const { status, body } = await ask("/large", { range: "bytes=5-290000" });
    expect(status).toBe(206);
    expect(Buffer.compare(body, LARGE.subarray(5, 290_001))).toBe(0);
  });

  it.each(["bytes=20-", "bytes=20-25", "bytes=999-9999", "bytes=-0"])("%s touches nothing: 416", async (range) => {
    expect(await ask("/item", { range })).toMatchObject({ status: 416, headers: { "content-range": "bytes */20" } });
  });

  it.each(["bytes=5-4", "bytes=-", "bytes=a-b", "bytes=0-4,6-8", "lines=0-4", "bytes 0-4", "bytes=0-4,", ""])(
    "%j is none, or several: the whole object",
    async (range) => {
      expect(await ask("/item", { range })).toMatchObject({ status: 200, headers: { "content-length": "20" } });
    },
  );

  it("of an empty object is 416, or the empty object for a suffix", () => {
    expect(parseRange("bytes=0-0", 0)).toEqual({ kind: "unsatisfiable" });
    expect(parseRange("bytes=-5", 0)).toEqual({ kind: "whole" });
  });
});

describe("an entity tag", () => {
  it("changes with the content, even within one tick of the clock and at the same size", async () => {
    const path = join(dir, "served", "ref");
    const tags = new Set<string | undefined>();
    for (let i = 0; i < 20; i++) {
      await writeFile(path, Buffer.alloc(33, i));
      tags.add((await ask("/ref")).headers.etag);
    }
    expect(tags.size).toBe(20);
    await writeFile(path, Buffer.alloc(33, 7));
    expect(tags).toContain((await ask("/ref")).headers.etag);
  });

  it("of a large file changes when the file does, and only then", async () => {
    const path = join(dir, "served", "changing");
    await writeFile(path, LARGE);
    const before = (await ask("/changing")).headers.etag;
    expect((await ask("/changing")).headers.etag).toBe(before);
    await writeFile(path, LARGE.slice(1));
    expect((await ask("/changing")).headers.etag).not.toBe(before);
  });

  it("makes reads conditional", async () => {
    const etag = (await ask("/item")).headers.etag ?? "";
    const cases: [Record<string, string>, number][] = [
      [{ "if-none-match": etag }, 304],
      [{ "if-none-match": `W/${etag}` }, 304],
      [{ "if-none-match": `"x", ${etag}` }, 304],
      [{ "if-none-match": "*" }, 304],
      [{ "if-none-match": '"x"' }, 200],
      [{ "if-match": etag }, 200],
      [{ "if-match": `"x",${etag}` }, 200],
      [{ "if-match": "*" }, 200],
      [{ "if-match": '"x"' }, 412],
      [{ "if-match": `W/${etag}` }, 412],
      [{ "if-match": '"x"', "if-none-match": etag }, 412],
      [{ range: "bytes=0-3", "if-range": etag }, 206],
      [{ range: "bytes=0-3", "if-range": '"x"' }, 200],
      [{ range: "bytes=0-3", "if-range": `W/${etag}` }, 200],
      [{ range: "bytes=0-3", "if-range": new Date().toUTCString() }, 200],
      [{ range: "bytes=0-3", "if-none-match": etag }, 304],
      [{ range: "bytes=99-", "if-match": '"x"' }, 412],
    ];
    for (const [headers, status] of cases) expect([headers, (await ask("/item", headers)).status]).toEqual([headers, status]);
    const unchanged = await ask("/item", { "if-none-match": etag });
    expect(unchanged.headers).toMatchObject({ etag, "access-control-allow-origin": "*" });
    expect(unchanged.body).toHaveLength(0);
    expect(matchesEtag('"a,b", "c"', '"c"', false)).toBe(true);
    expect(matchesEtag('"a,b"', '"b"', false)).toBe(false);
  });
});

describe("a page of another origin", () => {
  it("may ask with a Range header, and reads refusals too", async () => {
    const preflight = await ask("/item", { origin: "https://x", "access-control-request-headers": "range" }, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(preflight.headers["access-control-allow-headers"]).toMatch(/\bRange\b/);
    expect(preflight.headers["access-control-allow-methods"]).toMatch(/\bGET\b/);
    for (const path of ["/missing", "/../secret"]) {
      expect((await ask(path)).headers["access-control-allow-origin"]).toBe("*");
    }
  });
});

describe("what is outside the folder", () => {
  it.each([
    "/../secret", "/..%2fsecret", "/%2e%2e/secret", "/%2e%2e%2fsecret", "/t/../../secret", "/t/..%2f..%2fsecret", "//etc/passwd",
    "/%2fetc/passwd", "/item%00", "/%00", "/%", "/%zz", "/%c0%ae%c0%ae/secret", "/%ff", "/..%5csecret", "/./item", "/item/", "/item/x",
    "/escape", "/up/secret", "/loop", `/${"x".repeat(300)}`, "/pipe", "/twin", "secret", "*",
  ])("is not reached by %s", async (path) => {
    const { status, body } = await raw(path);
    expect([404, 400]).toContain(status);
    expect(body).not.toContain("outside");
  });

  it("is not decoded twice", async () => {
    expect(targetSegments("/%252e%252e/secret")).toEqual(["%2e%2e", "secret"]);
    expect((await ask("/%252e%252e/secret")).status).toBe(404);
  });

  it("is not what a link inside it points to inside", async () => {
    expect((await ask("/alias")).body).toEqual(Buffer.from(pattern(20)));
  });

  /** A target that no client library would send. */
  function raw(target: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const socket = connect(server.port, "127.0.0.1");
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString("latin1"))).on("error", reject);
      socket.on("end", () => resolve({ status: Number(text.split(" ")[1]), body: text }));
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    });
  }
});

describe("the server", () => {
  it("remembers the last requests and what they got", async () => {
    const entries: string[] = [];
    const small = await serveDirectory(join(dir, "served"), { keepRequests: 2, onRequest: ({ target }) => entries.push(target) });
    try {
      await fetch(`${small.url}/missing`);
      await (await fetch(`${small.url}/item?sig=1`, { headers: { Range: "bytes=3-6" } })).arrayBuffer();
      await (await fetch(`${small.url}/large`)).arrayBuffer();
      await expect.poll(() => entries).toEqual(["/missing", "/item?sig=1", "/large"]);
      expect(small.requests).toMatchObject([
        { method: "GET", target: "/item?sig=1", status: 206, bytes: 4, headers: { range: "bytes=3-6" } },
        { method: "GET", target: "/large", status: 200, bytes: LARGE.byteLength },
      ]);
    } finally {
      await small.close();
    }
  });

  it("survives clients that leave, and closes with connections open", async () => {
    await put(join(dir, "served"), "huge", Buffer.alloc(30_000_000));
    const other = await serveDirectory(join(dir, "served"), { host: "localhost" });
    const controller = new AbortController();
    const response = await fetch(`${other.url}/huge`, { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await expect.poll(() => other.requests[0]?.ms).toBeGreaterThan(0);
    expect(other.requests[0]?.bytes).toBeLessThan(30_000_000);
    const open = await fetch(`${other.url}/huge`);
    await other.close();
    await expect(open.arrayBuffer()).rejects.toThrow("terminated");
    await expect(fetch(other.url)).rejects.toThrow("fetch failed");
  });

  it("says when it cannot start", async () => {
    await expectFailure(serveDirectory(join(dir, "nowhere")), "NotFound");
    const error = await expectFailure(serveDirectory(dir, { port: server.port }), "FileSystem");
    expect(error.cause).toMatchObject({ code: "EADDRINUSE" });
  });
});
