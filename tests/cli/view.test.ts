/** `view`: the page and what it says of itself, the data beside it, and whom both are for. Over a page of a few bytes, in a copy of the package. */
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDataset } from "dreamdb-arrays";
import { makeTempDir, put, testDir } from "../support/temp-dir.js";
import { cli, fixture, json, MAIN } from "./support/program.js";
import { running, serving } from "./support/running.js";

const WASM = fileURLToPath(new URL("../../pkg/dreamdb_arrays_bg.wasm", import.meta.url));
const FILES: Readonly<Record<string, string>> = {
  "index.html": "<!doctype html><title>page</title>",
  "assets/index-x1.js": `console.log("${"x".repeat(2000)}");`,
  "assets/index-x1.css": "body { margin: 0 }",
  "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
};

/** A package whose page is FILES; its program. */
let home: string;
let main: string;
beforeAll(async () => {
  home = await makeTempDir();
  main = join(home, "dist/cli/main.js");
  const dist = join(dirname(MAIN), "..");
  await cp(dist, join(home, "dist"), { recursive: true, filter: (path) => path !== join(dist, "viewer") });
  await cp(dirname(WASM), join(home, "pkg"), { recursive: true });
  await put(home, "package.json", '{ "type": "module" }');
  for (const [name, text] of Object.entries(FILES)) await put(home, `dist/viewer/${name}.br`, brotliCompressSync(text));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Starts `view`; its server, without what it shows. */
async function viewing(...args: readonly string[]) {
  const run = await running(["view", "--port", "0", ...args], main);
  return { ...run, origin: new URL(run.url).origin };
}

/** An answer as it is sent, nothing decoded. */
async function raw(url: string, headers: Record<string, string> = {}, method = "GET") {
  return await new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(url, { headers, method }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces) }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

const policy = (connect: string) =>
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; media-src blob:; " +
  `connect-src ${connect}; font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

describe("of a folder", () => {
  test("writes the page's address, with the dataset as a path from there, and ends with 0 on Ctrl-C", async () => {
    const { url, said, stop } = await viewing(fixture("branches"));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?source=data\/&ref=main$/);
    await expect.poll(said).toContain("Ctrl-C stops\n");
    expect(said()).not.toContain("warning");
    const { searchParams } = new URL(url);
    const { manifest } = await openDataset(new URL(searchParams.get("source") ?? "", url), searchParams.get("ref") ?? "");
    expect(manifest.address).toBe(((await json(["ls", fixture("branches"), "--json"])) as { manifest: { address: string } }).manifest.address);
    expect(await stop()).toBe(0);
  });

  test("a Ref may be asked for, or a manifest", async () => {
    expect((await viewing(fixture("branches"), "feat/x")).url).toMatch(/&ref=feat\/x$/);
    expect((await viewing(fixture("branches"), "main@v1")).url).toMatch(/&ref=main%40v1$/);
    const address = "d2hspedzqcy4fgmn5o7wqgeyu5b3r7qjcnn747ckra3orghsztp65q".slice(0, 53);
    expect((await viewing(fixture("branches"), address)).url).toMatch(new RegExp(`&manifest=${address}$`));
  });

  test("datasets below it are found, and the addresses of the others told", async () => {
    const dir = await testDir();
    await cp(fixture("packs"), join(dir, "a b/packs"), { recursive: true });
    await cp(fixture("branches"), join(dir, "c"), { recursive: true });
    await rm(join(dir, "c/refs/main"));
    const { url, said, origin } = await viewing(dir);
    expect(url).toBe(`${origin}/?source=data/c/&ref=dev`);
    await expect.poll(said).toContain(`also  ${origin}/?source=data/a%20b/packs/&ref=main\n`);
    const [, other = ""] = /also {2}(\S+)/.exec(said()) ?? [];
    await openDataset(new URL(new URL(other).searchParams.get("source") ?? "", other), "main");
  });

  test("data come by ranges, with their tags, for this page alone", async () => {
    const { origin } = await viewing(fixture("branches"));
    const ref = await readFile(join(fixture("branches"), "refs/main"));
    const { status, headers, body } = await raw(`${origin}/data/refs/main`, { Range: "bytes=1-4", Origin: "https://elsewhere.example" });
    expect([status, headers["content-range"], headers["access-control-allow-origin"], headers["cross-origin-resource-policy"]]).toEqual([206, `bytes 1-4/${ref.length}`, undefined, "same-origin"]);
    expect(body.equals(ref.subarray(1, 5))).toBe(true);
    expect(headers["etag"]).toMatch(/^"/);
    expect(JSON.parse((await raw(`${origin}/data/refs/`)).body.toString())).toEqual({ refs: ["dev", "feat/x", "main", "main@v1"] });
    for (const path of ["/data/../package.json", "/data/%2e%2e/package.json", "/data/", "/data", "/refs/main", "/package.json"]) expect([path, (await raw(origin + path)).status]).toEqual([path, 404]);
    for (const method of ["PUT", "POST", "DELETE"]) {
      expect((await raw(`${origin}/data/refs/main`, { "If-Match": "*" }, method)).status).toBe(405);
      expect((await raw(`${origin}/`, {}, method)).status).toBe(405);
    }
    expect((await raw(`${origin}/data/refs/main`, {}, "OPTIONS")).headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("no other name leads there", async () => {
    const { origin } = await viewing(fixture("branches"));
    const { port } = new URL(origin);
    for (const [host, status] of [["rebound.example", 403], [`rebound.example:${port}`, 403], [`localhost:${port}`, 200], [`[::1]:${port}`, 200], [`127.0.0.1:${port}`, 200]] as const) {
      expect([host, (await raw(`${origin}/data/refs/main`, { Host: host })).status]).toEqual([host, status]);
      expect([host, (await raw(`${origin}/`, { Host: host })).status]).toEqual([host, status]);
    }
  });

  test("is refused if there is none, or no dataset in it", async () => {
    const empty = await testDir();
    const look = async (...args: string[]) => {
      const { status, stderr } = await cli(["view", "--port", "0", ...args]);
      return [status, stderr];
    };
    expect(await look(join(empty, "gone"))).toEqual([3, expect.stringContaining("NotFound: no such folder")]);
    expect(await look(empty)).toEqual([3, expect.stringContaining("NotFound: no dataset is in")]);
    expect(await look("https://u:p@data.example.org/e")).toEqual([2, expect.not.stringContaining("u:p")]);
    expect(await look("http://")).toEqual([2, expect.stringContaining("is no URL")]);
    expect(await look("s3://bucket/e")).toEqual([2, expect.stringContaining("scheme")]);
    expect(await look(fixture("branches"), "--port", "70000")).toEqual([2, expect.stringContaining("65535")]);
  });

  test("from beyond this machine comes a warning, and every name does", async () => {
    const { said, origin } = await viewing(fixture("branches"), "--host", "0.0.0.0");
    await expect.poll(said).toContain("warning: 0.0.0.0 is not this machine alone");
    expect((await raw(`${origin}/`, { Host: "robot.local" })).status).toBe(200);
  });
});

describe("the page", () => {
  test("has its types, its policy and no say in anything else", async () => {
    const { origin } = await viewing(fixture("branches"));
    const types = { "/": "text/html; charset=utf-8", "/assets/index-x1.js": "text/javascript; charset=utf-8", "/assets/index-x1.css": "text/css; charset=utf-8", "/icon.svg": "image/svg+xml" };
    for (const [path, type] of Object.entries(types)) {
      const { status, headers } = await raw(origin + path);
      expect([status, headers["content-type"], headers["content-security-policy"], headers["x-content-type-options"], headers["referrer-policy"]]).toEqual([200, type, policy("'self'"), "nosniff", "no-referrer"]);
    }
    expect((await raw(`${origin}/?source=data/&ref=main`)).body.toString()).toBe(FILES["index.html"]);
    expect((await raw(`${origin}/assets/gone.js`)).status).toBe(404);
  });

  test("is sent gzipped to whoever takes it so, and plain to others", async () => {
    const { origin } = await viewing(fixture("branches"));
    const script = FILES["assets/index-x1.js"] ?? "";
    for (const [accept, encoding] of [["gzip, deflate, br", "gzip"], ["br;q=1.0, gzip;q=0.5", "gzip"], ["*", "gzip"], ["gzip;q=0", undefined], ["br", undefined], ["", undefined]] as const) {
      const { headers, body } = await raw(`${origin}/assets/index-x1.js`, { "Accept-Encoding": accept });
      expect([accept, headers["content-encoding"], headers["vary"]]).toEqual([accept, encoding, "Accept-Encoding"]);
      expect(headers["content-length"]).toBe(String(body.length));
      expect(body.equals(encoding === undefined ? Buffer.from(script) : gzipSync(script))).toBe(true);
    }
    expect(await (await fetch(`${origin}/assets/index-x1.js`)).text()).toBe(script);
    const head = await raw(`${origin}/assets/index-x1.js`, {}, "HEAD");
    expect([head.headers["content-length"], head.body.length]).toEqual([String(script.length), 0]);
  });

  test("gets the package's own module, whatever it calls it", async () => {
    const { origin } = await viewing(fixture("branches"));
    const { headers, body } = await raw(`${origin}/assets/dreamdb_arrays_bg-C0ffee.wasm`);
    expect([headers["content-type"], headers["content-encoding"]]).toEqual(["application/wasm", undefined]);
    expect(body.equals(await readFile(WASM))).toBe(true);
  });

  test("of a URL may ask that host besides, and nobody else", async () => {
    const { url: data } = await serving(fixture("branches"));
    const { url, origin } = await viewing(`${data}#x`, "dev");
    expect(url).toBe(`${origin}/?source=${data}/&ref=dev`);
    expect((await raw(`${origin}/`)).headers["content-security-policy"]).toBe(policy(`'self' ${data}`));
    expect((await raw(`${origin}/data/refs/main`)).status).toBe(404);
  });

  test("that is not in the package is missed by name", async () => {
    const bare = await testDir();
    await cp(home, bare, { recursive: true });
    await rm(join(bare, "dist/viewer"), { recursive: true });
    await expect(running(["view", fixture("branches"), "--port", "0"], join(bare, "dist/cli/main.js"))).rejects.toThrow(/ended with 3: .*NotFound: the viewer's page is not in this package/);
  });
});

test("--open hands the address to the system's browser; without one it is only said", async () => {
  const dir = await testDir();
  const opener = join(dir, "xdg-open");
  await writeFile(opener, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > "${dir}/opened"\n`);
  await chmod(opener, 0o755);
  const { url } = await running(["view", fixture("branches"), "--port", "0", "--open"], main, { ...process.env, PATH: dir + delimiter + (process.env["PATH"] ?? "") });
  await expect.poll(() => readFile(join(dir, "opened"), "utf8").catch(() => "")).toBe(`1\n${url}\n`);
  const { said } = await running(["view", fixture("branches"), "--port", "0", "--open"], main, { PATH: dirname(process.execPath) === "/usr/bin" ? "/nowhere" : dirname(process.execPath) });
  await expect.poll(said).toContain("xdg-open is not there");
});
