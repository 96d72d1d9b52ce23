/** `serve`: what it says and how it ends, the Refs that it lists, and the reference reading and writing through it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { Reference } from "../interop/support/reference.js";
import { base64 } from "../interop/support/values.js";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import { put, testDir } from "../support/temp-dir.js";
import { cli, fixture, json, MAIN } from "./support/program.js";
import { serving } from "./support/running.js";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));

test("writes its URL, says what is there and what to try, and ends with 0 on Ctrl-C", async () => {
  const { url, said, stop } = await serving(fixture("branches"));
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect.poll(said).toContain(`openDataset("${url}", "main")`);
  expect(said()).toContain("Refs: dev  feat/x  main  main@v1\n");
  expect(said()).toContain(`try  dreamdb-arrays ls ${url}\n`);
  expect(said()).not.toContain("warning");
  expect(await stop()).toBe(0);
  await expect(fetch(`${url}/refs/main`)).rejects.toThrow("fetch failed");
});

test("a dataset below the folder is found, and the line to try works", async () => {
  const { url, said } = await serving(fixtures);
  await expect.poll(said).toContain("or   const");
  expect(said()).toContain("Refs of arrays-basic/data: main\n");
  const { refs, manifest } = (await json(["ls", /^try {2}dreamdb-arrays ls (.*)$/m.exec(said())?.[1] ?? "", "--json"])) as { refs: string[]; manifest: { address: string } };
  expect(refs).toEqual(["main"]);
  expect((await openDataset(`${url}/arrays-basic/data`)).manifest.address).toBe(manifest.address);
});

test("lists Refs as JSON and as S3 does, without locks, and nothing else", async () => {
  const dir = await testDir();
  for (const name of ["main", "main.lock", ".hidden", "feat/x", "a&b", ".dot/y"]) await put(dir, `sub/refs/${name}`, "x");
  await put(dir, "sub/other/key", "x");
  const { url } = await serving(dir);
  const text = async (path: string) => {
    const answer = await fetch(url + path);
    return [answer.status, answer.headers.get("access-control-allow-origin"), await answer.text()];
  };
  expect(await text("/sub/refs/")).toEqual([200, "*", '{"refs":["a&b","feat/x","main"]}']);
  const keys = ["a&#38;b", "feat/x", "main"];
  for (const [path, prefix] of [["/sub/?list-type=2&prefix=refs%2F", "refs/"], ["/?list-type=2&prefix=sub/refs/", "sub/refs/"]] as const) {
    const [status, , body] = await text(path);
    expect(status).toBe(200);
    expect([...String(body).matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)).toEqual(keys.map((key) => prefix + key));
  }
  for (const path of ["/refs/", "/sub/", "/sub/other/", "/sub/refs", "/?list-type=2&prefix=sub/", "/?list-type=2&prefix=", "/?list-type=2&prefix=sub/%2e%2e/sub/refs/", "/sub/..%2fsub/refs/"]) {
    expect([path, (await text(path))[0]]).toEqual([path, 404]);
  }
});

test("--log has a line for each request, without its query", async () => {
  const { url, said } = await serving(fixture("branches"), "--log");
  await fetch(`${url}/refs/main?sig=secret`, { headers: { range: "bytes=0-3" } });
  await fetch(`${url}/none`);
  await expect.poll(said).toMatch(/404 {2}GET \/none/);
  expect(said()).toMatch(/^\d{4}-\S+Z {2}206 {2}GET \/refs\/main {2}bytes=0-3 {2}4 bytes {2}\d+ ms$/m);
  expect(said()).not.toContain("secret");
});

test("--host beyond this machine is warned of, more so with --writable", async () => {
  const open = await serving(fixture("branches"), "--host", "0.0.0.0");
  await expect.poll(open.said).toMatch(/warning: 0\.0\.0\.0 is not this machine alone: whoever reaches it can read all of it/);
  const writable = await serving(await testDir(), "--host", "0.0.0.0", "--writable");
  await expect.poll(writable.said).toMatch(/warning: .* can read and WRITE here/);
});

test("without --port the usual one is taken, or a free one if that is in use", async () => {
  const holder = await serveDirectory(fixtures, { port: 8765 }).catch(() => undefined);
  const { status, stderr } = await cli(["serve", fixtures, "--port", "8765"]);
  expect([status, stderr]).toEqual([3, expect.stringMatching(/FileSystem: cannot listen on 127\.0\.0\.1:8765: .*EADDRINUSE/) as string]);
  const child = spawn(process.execPath, [MAIN, "serve", fixtures], { stdio: ["ignore", "pipe", "ignore"] });
  const [first] = (await once(child.stdout, "data")) as [Buffer];
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(first.toString()).toMatch(/^http:\/\/127\.0\.0\.1:(?!8765\b)\d+\n$/);
  await holder?.close();
});

test.each([
  [["serve", fixtures, "--port", "65536"], 2, "whole number from 0 to 65535"],
  [["serve", `${fixtures}/none`], 3, "NotFound: no such folder"],
  [["serve", fixtures, "--host", "192.0.2.1"], 3, "FileSystem: cannot listen on 192.0.2.1:8765"],
])("%j ends with %d", async (args, status, text) => {
  const ended = await cli(args);
  expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(text) as string]);
});

test("the reference reads and lists through it, and writes where it may", async () => {
  const dir = await testDir();
  await cp(fixture("branches"), dir, { recursive: true });
  const reference = new Reference();
  try {
    const reading = await serving(dir);
    const opened = await reference.open(reading.url, "main");
    expect((await opened.refs()).sort()).toEqual(["dev", "feat/x", "main", "main@v1"]);
    const [info] = (await openDataset(fsStore(dir))).fields;
    await reference.judge(reading.url, "main", info?.name);

    const folder = await testDir();
    const field = { kind: "image", name: "im", required: true, mime: "png" } as const;
    const made = await reference.create(folder, "main", [field]);
    const row = (at: number) => ({ anchor: BigInt(at), values: [["im", { bytes: base64(Uint8Array.of(at)) }]] }) as const;
    await made.append([row(1)]);
    const closed = await serving(folder);
    await expect((await reference.open(closed.url, "main")).append([row(2)])).rejects.toThrow("405");
    const writing = await serving(folder, "--writable");
    await (await reference.open(writing.url, "main")).append([row(2)]);
    const im = (await openDataset(fsStore(folder))).media("im");
    expect(await im.anchors()).toEqual(BigUint64Array.of(1n, 2n));
    expect((await im.read(2n))?.bytes).toEqual(Uint8Array.of(2));
  } finally {
    await reference.close();
  }
});
