/** Programs that read through the package's Node entry: they end by themselves, trust what Node trusts, and load the client when they need it. */

import { build } from "esbuild";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { selfSigned } from "../support/self-signed.js";
import { serveOnce } from "../support/serve-once.js";
import { testDir } from "../support/temp-dir.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Far longer than any program here runs; one that hangs is killed, and has failed. */
const PATIENCE_MS = 30_000;

/** Runs a program in a Node of its own; what it printed. */
async function run(source: string, env: Record<string, string> = {}): Promise<string> {
  const dir = await testDir();
  const file = join(dir, "program.mjs");
  await build({
    stdin: { contents: `import { httpStore } from "./ts/entry/node.ts";\n${source}`, resolveDir: root, loader: "ts" },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: PATIENCE_MS, env: { ...process.env, ...env } });
  return stdout.trim();
}

describe("a program", () => {
  it("ends when its last read does, though connections are kept", async () => {
    const server = await serveOnce((_request, response) => void response.end("four"));
    const source = `
      const store = httpStore("${server.url}");
      const sizes = await Promise.all([store.get("a"), store.get("b"), store.get("c")]);
      console.log(sizes.map(({ byteLength }) => byteLength).join());`;
    expect(await run(source)).toBe("4,4,4");
    expect(server.connections()).toBe(3);
  });

  it("ends when it has given up a body, and a request that was not answered", async () => {
    const server = await serveOnce((request, response) => {
      if (request.url === "/silent") return;
      response.writeHead(200).write(new Uint8Array(100_000));
    });
    const source = `
      const store = httpStore("${server.url}", { timeoutMs: 2000 });
      const reads = [store.get("endless", { maxBytes: 10 }), store.get("stalled"), store.get("silent")];
      console.log((await Promise.allSettled(reads)).map(({ reason }) => reason.code).join());`;
    expect(await run(source)).toBe("TooLarge,Timeout,Timeout");
  });

  it("reads over TLS by the certificates that Node trusts, and by no others", async () => {
    const identity = selfSigned();
    const trusted = join(await testDir(), "trusted.pem");
    await writeFile(trusted, identity.cert);
    const server = await serveOnce((_request, response) => void response.end("four"), identity);
    const source = `
      const store = httpStore("${server.url}");
      try {
        for (let at = 0; at < 10; at++) await store.get("a");
        console.log("read");
      } catch ({ code, message }) {
        console.log(code, message);
      }`;
    expect(await run(source, { NODE_EXTRA_CA_CERTS: trusted })).toBe("read");
    expect(server.connections()).toBe(1);
    expect(await run(source)).toMatch(/^Network .*DEPTH_ZERO_SELF_SIGNED_CERT/);
  });
});
