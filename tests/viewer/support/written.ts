/** Datasets that are written otherwise than by our writer into a folder, which is dataset.ts's matter: into memory, or by the reference. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ColumnsInit, Dataset, memoryStore, type Schema } from "dreamdb-arrays";
import { serveDirectory } from "../../../ts/cli/server/serve.js";

/** A dataset that is being served. */
export interface Source {
  readonly source: string;
  close(): Promise<void>;
}

/**
 * Writes these rows into memory and serves them, for datasets of so many objects that a disk would take minutes over them.
 */
export async function writtenInMemory(schema: Schema, rows: ColumnsInit): Promise<Source> {
  const store = memoryStore();
  const ds = await Dataset.create(store, "main", schema);
  await ds.appendColumns(rows);
  const server = createServer((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const headers = { "access-control-allow-origin": "*", "access-control-expose-headers": "content-range", "cache-control": "no-store" };
    store.get(decodeURIComponent((request.url ?? "/").slice(1))).then(
      (bytes) => {
        if (first === undefined || last === undefined) return response.writeHead(200, headers).end(bytes);
        const part = bytes.subarray(Number(first), Number(last) + 1);
        const range = `bytes ${first}-${Number(first) + part.byteLength - 1}/${bytes.byteLength}`;
        return response.writeHead(206, { ...headers, "content-range": range }).end(part);
      },
      () => response.writeHead(404, headers).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    source: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/**
 * The same by a program for the reference implementation, which writes what this package only reads. `program` is Python; `target` in it is
 * the backend's URL.
 */
export async function writtenByReference(python: string, program: string): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), "viewer-data-"));
  execFileSync(python, ["-c", `import dreamdb, sys\ntarget = sys.argv[1]\n${program}`, `file://${folder}`]);
  return served(folder);
}

async function served(folder: string): Promise<Source> {
  const server = await serveDirectory(folder);
  return {
    source: server.url,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
