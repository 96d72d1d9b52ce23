/** What every store that can be written to does alike: memory, a folder, and HTTP over a server that takes conditional PUTs. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { init, type WritableStore } from "dreamdb-arrays";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { fsStore } from "../../ts/store/fs.js";
import { httpStore } from "../../ts/store/http.js";
import { memoryStore } from "../../ts/store/memory.js";
import type { StoreOptions, TransferEvent } from "../../ts/store/types.js";
import { pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { testDir } from "../support/temp-dir.js";

const KEY = "t/array.f32.kind=event.storage=dense/000000000000000a/d2xr@1";

beforeAll(() => init());

const STORES: Record<string, (options?: StoreOptions) => Promise<WritableStore>> = {
  memory: async (options = {}) => memoryStore([], options),
  fs: async (options = {}) => fsStore(await testDir(), options),
  http: async (options = {}) => {
    const server = await serveDirectory(await testDir(), { writable: true });
    onTestFinished(() => server.close());
    return httpStore(server.url, options);
  },
};

describe.each(Object.entries(STORES))("the %s store", (_name, make) => {
  it("creates an object once, and leaves the one that is there", async () => {
    const store = await make();
    expect(await store.create(KEY, pattern(1000))).toBe("created");
    expect(await store.create(KEY, pattern(1000))).toBe("exists");
    expect(await store.create(KEY, Uint8Array.of(1))).toBe("exists");
    expect(await store.get(KEY)).toEqual(pattern(1000));
    expect(await store.create("empty", new Uint8Array(0))).toBe("created");
    expect(await store.get("empty")).toEqual(new Uint8Array(0));
    const large = pattern(2_000_000);
    expect(await store.create("large", large.subarray(1))).toBe("created");
    expect(Buffer.compare(await store.get("large"), large.subarray(1))).toBe(0);
  });

  it("replaces an object that is as it was, and no other", async () => {
    const store = await make();
    await store.create("refs/main", Uint8Array.of(1));
    const first = await store.getTagged("refs/main");
    expect(first.bytes).toEqual(Uint8Array.of(1));
    expect(await store.replace("refs/main", Uint8Array.of(2), first.tag)).toBe("replaced");
    expect(await store.replace("refs/main", Uint8Array.of(3), first.tag)).toBe("conflict");
    expect(await store.get("refs/main")).toEqual(Uint8Array.of(2));
    const second = await store.getTagged("refs/main");
    expect(second.tag).not.toBe(first.tag);
    expect(await store.replace("refs/main", Uint8Array.of(4), second.tag)).toBe("replaced");
    expect(await store.replace("refs/none", Uint8Array.of(4), second.tag)).toBe("conflict");
    await expectFailure(store.getTagged("refs/none"), "NotFound");
    await expectFailure(store.get("refs/none"), "NotFound");
  });

  it("lets one of many who create or replace at once do so", async () => {
    const store = await make();
    const created = await Promise.all(Array.from({ length: 16 }, (_, at) => store.create("one", Uint8Array.of(at))));
    expect(created.filter((outcome) => outcome === "created")).toHaveLength(1);
    expect(await store.get("one")).toEqual(Uint8Array.of(created.indexOf("created")));
    const { tag } = await store.getTagged("one");
    const replaced = await Promise.all(Array.from({ length: 16 }, (_, at) => store.replace("one", Uint8Array.of(100 + at), tag)));
    expect(replaced.filter((outcome) => outcome === "replaced")).toHaveLength(1);
    expect(await store.get("one")).toEqual(Uint8Array.of(100 + replaced.indexOf("replaced")));
  });

  it("copies what it is given, refuses what is no object, and tells its observer", async () => {
    const events: TransferEvent[] = [];
    const store = await make({ onRequest: (event) => events.push(event) });
    const bytes = Uint8Array.of(1, 2, 3);
    const done = store.create("mine", bytes);
    await done;
    bytes.fill(9);
    expect(await store.get("mine")).toEqual(Uint8Array.of(1, 2, 3));
    for (const thing of ["text", Float32Array.of(1.5), new DataView(new ArrayBuffer(4))]) await expectFailure(store.create("bad", thing as never), "InvalidArgument");
    await expectFailure(store.create("../bad", bytes), "InvalidArgument");
    expect(events[0]).toMatchObject({ kind: "put", key: "mine", bytes: 3, ok: true });
  });

  it("ends with the caller's signal", async () => {
    const store = await make();
    const reason = new Error("enough");
    expect(await expectRejection(store.create("a", pattern(10), { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(await expectRejection(store.replace("a", pattern(10), "x", { signal: AbortSignal.abort(reason) }))).toBe(reason);
    await expectFailure(store.get("a"), "NotFound");
  });
});

describe("a folder", () => {
  it("holds nothing but the objects after writes, failed ones included", async () => {
    const dir = await testDir();
    const store = fsStore(dir);
    await Promise.all(Array.from({ length: 20 }, (_, at) => store.create(`a/${at % 5}`, pattern(at))));
    expect((await readdir(join(dir, "a"))).sort()).toEqual(["0", "1", "2", "3", "4"]);
    await writeFile(join(dir, "file"), "x");
    await expectFailure(store.create("file/below", pattern(3)), "FileSystem");
    for (const durable of [true, false]) {
      for (const size of [3, 100_000]) expect((await expectFailure(fsStore(dir, { durable }).create("a", pattern(size)), "FileSystem")).message).toContain("a folder has this name");
    }
    expect((await readdir(dir)).sort()).toEqual(["a", "file"]);
  });

  it("replaces a Ref under the lock that the reference takes, which a killed holder gives back", async () => {
    const dir = await testDir();
    const store = fsStore(dir);
    await store.create("refs/main", Uint8Array.of(1));
    const { tag } = await store.getTagged("refs/main");
    // The name was observed: the address of the text "refs/main".
    const lock = join(dir, ".dreamdb-cas-locks/dyekm6mynw6sfaszchtebgwhxwpou6thcrnrplpnqi3ixfjlkul5o.lock");
    await mkdir(join(dir, ".dreamdb-cas-locks"));
    const holder = spawn("flock", ["-x", lock, "sh", "-c", "echo; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"], detached: true });
    onTestFinished(() => void holder.kill());
    await new Promise((ready) => holder.stdout.once("data", ready));
    let done = false;
    const replaced = store.replace("refs/main", Uint8Array.of(2), tag).finally(() => (done = true));
    await new Promise((later) => setTimeout(later, 300));
    expect(done).toBe(false);
    process.kill(-(holder.pid ?? 0), "SIGKILL");
    expect(await replaced).toBe("replaced");
    expect(await readdir(join(dir, ".dreamdb-cas-locks"))).toEqual([lock.slice(lock.lastIndexOf("/") + 1)]);
  });

  it("gives up waiting for the lock with the caller's signal", async () => {
    const dir = await testDir();
    const store = fsStore(dir);
    await store.create("refs/main", Uint8Array.of(1));
    const { tag } = await store.getTagged("refs/main");
    await store.replace("refs/main", Uint8Array.of(2), tag);
    const [name = ""] = await readdir(join(dir, ".dreamdb-cas-locks"));
    const holder = spawn("flock", ["-x", join(dir, ".dreamdb-cas-locks", name), "sh", "-c", "echo; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"], detached: true });
    await new Promise((ready) => holder.stdout.once("data", ready));
    const { tag: next } = await store.getTagged("refs/main");
    const reason = new Error("enough");
    const controller = new AbortController();
    const replaced = expectRejection(store.replace("refs/main", Uint8Array.of(3), next, { signal: controller.signal }));
    setTimeout(() => controller.abort(reason), 100);
    expect(await replaced).toBe(reason);
    process.kill(-(holder.pid ?? 0), "SIGKILL");
    expect(await store.replace("refs/main", Uint8Array.of(4), next)).toBe("replaced");
    expect(await store.get("refs/main")).toEqual(Uint8Array.of(4));
  });
});

describe("over HTTP", () => {
  /** A server that answers every PUT so, and every GET with that tag. */
  async function answering(status: number, headers: Record<string, string> = {}, body = ""): Promise<WritableStore> {
    const server = createServer((asked, response) => {
      asked.resume().on("end", () => response.writeHead(asked.method === "GET" ? 200 : status, headers).end(body));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    return httpStore(`http://127.0.0.1:${(server.address() as AddressInfo).port}/b`);
  }

  it.each([
    [403, "Forbidden", /PUT.*credentials/],
    [401, "Forbidden", /PUT/],
    [404, "NotFound", /bucket/],
    [405, "HttpStatus", /takes no PUT/],
    [501, "HttpStatus", /If-None-Match/],
    [507, "HttpStatus", /no room/],
    [413, "HttpStatus", /no room/],
    [500, "HttpStatus", /500.*PUT/],
    [503, "HttpStatus", /503/],
    [409, "HttpStatus", /409/],
  ] as const)("a PUT that is answered with %i is %s", async (status, code, message) => {
    const store = await answering(status);
    const error = await expectFailure(store.create("k", pattern(3)), code);
    expect(error.status).toBe(status);
    expect(error.message).toMatch(message);
  });

  it.each([
    [{ ETag: 'W/"abc"' }, /weak ETag.*compression/],
    [{}, /without an ETag.*Access-Control-Expose-Headers/],
    [{ ETag: "abc" }, /ETag abc/],
  ])("tags %j cannot hold a Ref", async (headers: Record<string, string>, message) => {
    const store = await answering(200, headers, "x");
    expect((await expectFailure(store.getTagged("refs/main"), "NoStrongTag")).message).toMatch(message);
  });

  it("sends the condition and nothing else that a preflight would not expect", async () => {
    const server = await serveDirectory(await testDir(), { writable: true });
    onTestFinished(() => server.close());
    const store = httpStore(server.url);
    await store.create("refs/main", Uint8Array.of(1));
    const { tag } = await store.getTagged("refs/main");
    await store.replace("refs/main", Uint8Array.of(2), tag);
    const [created, , replaced] = server.requests;
    expect([created?.method, created?.target, created?.headers["if-none-match"], created?.headers["content-type"]]).toEqual(["PUT", "/refs/main", "*", undefined]);
    expect(replaced?.headers["if-match"]).toBe(tag);
    expect(tag).toBe(`"${createHash("sha256").update(Uint8Array.of(1)).digest("base64url").slice(0, 27)}"`);
  });

  /** The status of a PUT to a path that no client has tidied up. */
  function rawPut(port: number, path: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, method: "PUT", headers: { "If-None-Match": "*" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject).end("x");
    });
  }

  it("cannot be written to where nobody said so, nor without a condition, nor outside of the folder", async () => {
    const dir = await testDir();
    const readOnly = await serveDirectory(dir);
    const server = await serveDirectory(join(dir), { writable: true });
    onTestFinished(() => Promise.all([readOnly.close(), server.close()]).then(() => undefined));
    expect((await expectFailure(httpStore(readOnly.url).create("k", pattern(1)), "HttpStatus")).status).toBe(405);
    expect((await fetch(`${server.url}/k`, { method: "PUT", body: "x" })).status).toBe(428);
    for (const path of ["/%2e%2e/k", "/../k", "/a//k", "/%2e%2e%2fk", "/"]) expect(await rawPut(server.port, path)).toBe(404);
    await symlink("/", join(dir, "out"));
    expect(await rawPut(server.port, "/out/tmp/dreamdb-k")).toBe(403);
    expect(await rawPut(server.port, "/out")).toBe(403);
    await rm(join(dir, "out"));
    expect(await readdir(dir)).toEqual([]);
  });
});

describe("a place that cannot be written to", () => {
  it("is Forbidden where the system says so", async () => {
    // Nobody may make files there, not even the superuser.
    const error = await expectFailure(fsStore("/sys/kernel").create("k", pattern(1)), "Forbidden");
    expect(error.message).toMatch(/\/sys\/kernel\/k may not be written/);
  });

  it("is FileSystem where there is no room, and nothing stays behind", async () => {
    const dir = await testDir();
    const script = `
      import { fsStore } from "dreamdb-arrays/fs";
      process.on("SIGXFSZ", () => {});
      try { await fsStore(${JSON.stringify(dir)}).create("k", new Uint8Array(100_000)); } catch (error) { console.log(error.code, error.message); }
    `;
    const child = spawn("bash", ["-c", 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, script], { cwd: process.cwd() });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await new Promise((ended) => child.once("close", ended));
    expect(said).toMatch(/^FileSystem there is no room to write .*k/);
    expect(await readdir(dir)).toEqual([]);
  });
});
