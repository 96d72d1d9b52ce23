/**
 * Places that refuse: typed errors at each stage of a write, and nothing published. A real server stands behind one that spoils some of its answers.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readdir } from "node:fs/promises";
import { spawn } from "node:child_process";
import { Dataset, type DreamDbError, httpStore, init, type WritableStore } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { expectFailure } from "../support/failure.js";
import { testDir } from "../support/temp-dir.js";
import { contentsOf, rowsFrom, schemaOfAll } from "../support/writes.js";

beforeAll(() => init());

/** What becomes of PUTs to a key that matches: answered with a status, or cut off before or after they were carried out. */
interface Spoils {
  key: RegExp;
  how: number | "cut" | "cut after";
  /** How often; then nothing is spoilt. */
  times: number;
}

/** A dataset behind a server, and what spoils the next requests. */
async function spoilt(): Promise<{ readonly store: WritableStore; readonly plain: WritableStore; readonly spoils: Spoils }> {
  const server = await serveDirectory(await testDir(), { writable: true });
  const spoils: Spoils = { key: /^$/, how: 500, times: Infinity };
  const front = createServer((asked, answer) => {
    const hit = asked.method === "PUT" && spoils.key.test(asked.url ?? "") && spoils.times-- > 0;
    if (!hit) return forward(server.port, asked, answer, false);
    if (typeof spoils.how === "number") return asked.resume().on("end", () => answer.writeHead(spoils.how as number).end());
    if (spoils.how === "cut") return asked.socket.destroy();
    return forward(server.port, asked, answer, true);
  });
  await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
  onTestFinished(async () => {
    front.closeAllConnections();
    front.close();
    await server.close();
  });
  const plain = httpStore(server.url);
  const ds = await Dataset.create(plain, "main", schemaOfAll());
  await ds.append(rowsFrom(1, 2));
  return { store: httpStore(`http://127.0.0.1:${(front.address() as AddressInfo).port}`), plain, spoils };
}

function forward(port: number, asked: IncomingMessage, answer: ServerResponse, cut: boolean): void {
  const { method, url: path, headers } = asked;
  const sent = request({ host: "127.0.0.1", port, method, path, headers }, (came) => {
    if (cut) asked.socket.destroy();
    else came.pipe(answer.writeHead(came.statusCode ?? 500, came.headers));
  });
  sent.on("error", () => answer.destroy());
  asked.pipe(sent);
}

/** What a write puts, by stages. */
const STAGES = {
  "an Item": /^\/(?!refs|manifests|bao).*\/000000000000000a\//,
  "an outboard": /^\/bao-outboard\//,
  "a Track": /\/track\//,
  "the manifest": /^\/manifests\//,
  "the Ref": /^\/refs\//,
};

describe.each(Object.entries(STAGES))("%s", (_stage, key) => {
  it.each([
    [403, "Forbidden"],
    [500, "HttpStatus"],
    [507, "HttpStatus"],
    [405, "HttpStatus"],
    ["cut", "Network"],
  ] as const)("that is refused with %s ends the write as %s, and nothing is published", async (how, code) => {
    const { store, plain, spoils } = await spoilt();
    const ds = await Dataset.open(store, "main", { retry: { attempts: 2, minDelayMs: 1 } });
    Object.assign(spoils, { key, how });
    const error = await expectFailure(ds.append(rowsFrom(10, 1)), code);
    if (typeof how === "number") expect(error.status).toBe(how);
    expect(error.key ?? error.url).toBeDefined();
    expect([...(await contentsOf(plain)).keys()]).toEqual([1n, 2n]);
    spoils.times = 0;
    await ds.append(rowsFrom(10, 1));
    expect([...(await contentsOf(plain)).keys()]).toEqual([1n, 2n, 10n]);
  });

  it.each([503, 429, 409, "cut", "cut after"] as const)("that fails once with %s is written all the same, once", async (how) => {
    const { store, plain, spoils } = await spoilt();
    const ds = await Dataset.open(store, "main", { retry: { minDelayMs: 1 } });
    Object.assign(spoils, { key, how, times: 1 });
    await ds.append(rowsFrom(10, 1));
    expect(spoils.times).toBeLessThan(1);
    expect([...(await contentsOf(plain)).keys()]).toEqual([1n, 2n, 10n]);
    expect(await (await Dataset.open(plain)).current.media("frame").count()).toBe(3);
  });
});

describe("the Ref", () => {
  it("of which nobody can say whether it was moved is RefUncertain, with the manifest that it may name", async () => {
    const { store, plain, spoils } = await spoilt();
    let reads = 0;
    const blind: WritableStore = {
      ...store,
      // The reads of opening and of the base; then nobody is there.
      getTagged: (name, options) => (reads++ < 2 ? store : httpStore("http://127.0.0.1:9")).getTagged(name, options),
    };
    const writer = await Dataset.open(blind, "main", { retry: { attempts: 1 } });
    Object.assign(spoils, { key: STAGES["the Ref"], how: "cut after" });
    const error: DreamDbError = await expectFailure(writer.append(rowsFrom(10, 1)), "RefUncertain");
    expect(error.expected).toBe((await Dataset.open(plain)).current.manifest.address);
    expect(error.message).toMatch(/it is not known whether Ref "main" was written: .*reading it back failed as well/);
  });

  it("that moved on before ours could be confirmed is ours, if the history has it", async () => {
    const { store, plain, spoils } = await spoilt();
    const other = await Dataset.open(plain);
    const ds = await Dataset.open(
      {
        ...store,
        async replace(key, bytes, tag, options) {
          try {
            return await store.replace(key, bytes, tag, options);
          } finally {
            // Before anybody can look, another writer has gone on from our version.
            await other.append(rowsFrom(20, 1), { rebase: true });
          }
        },
      },
      "main",
      { retry: { minDelayMs: 1 } },
    );
    Object.assign(spoils, { key: STAGES["the Ref"], how: "cut after", times: 1 });
    await ds.append(rowsFrom(10, 1));
    expect([...(await contentsOf(plain)).keys()]).toEqual([1n, 2n, 10n, 20n]);
    expect(await (await Dataset.open(plain)).current.media("frame").count()).toBe(4);
  });
});

describe("a folder", () => {
  it("that may not be written to is Forbidden", async () => {
    const error = await expectFailure(Dataset.create(fsStore("/sys/kernel"), "main", schemaOfAll()), "Forbidden");
    expect(error.message).toMatch(/may not be written/);
  });

  it("without room is FileSystem, and the dataset is as it was", async () => {
    const dir = await testDir();
    const ds = await Dataset.create(fsStore(dir), "main", schemaOfAll());
    await ds.append(rowsFrom(1, 2));
    const script = `
      import { Dataset } from "dreamdb-arrays";
      import { fsStore } from "dreamdb-arrays/fs";
      process.on("SIGXFSZ", () => {});
      const ds = await Dataset.open(fsStore(${JSON.stringify(dir)}));
      try { await ds.append([{ anchor: 9, values: { pose: [1, 2], sound: new Uint8Array(1), frame: new Uint8Array(100_000) } }]); }
      catch (error) { console.log(error.code, error.message); }
    `;
    const child = spawn("bash", ["-c", 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, script], { cwd: process.cwd() });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await new Promise((ended) => child.once("close", ended));
    expect(said).toMatch(/^FileSystem there is no room to write /);
    expect([...(await contentsOf(fsStore(dir))).keys()]).toEqual([1n, 2n]);
    const names = await readdir(dir, { recursive: true });
    expect(names.filter((name) => name.includes(".tmp-"))).toEqual([]);
  });
});
