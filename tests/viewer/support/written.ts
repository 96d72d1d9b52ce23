/** Datasets that a test writes by itself, of values that it knows, served over HTTP from a folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ColumnsInit, Dataset, type Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { serveDirectory } from "../../../ts/cli/server/serve.js";

/** A dataset that is being served. */
export interface Served {
  readonly source: string;
  close(): Promise<void>;
}

/** Writes these rows into a new folder and serves it. */
export async function written(schema: Schema, rows: ColumnsInit, deleted: readonly bigint[] = []): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), "viewer-data-"));
  const ds = await Dataset.create(fsStore(folder, { durable: false }), "main", schema);
  await ds.appendColumns(rows);
  if (deleted.length > 0) await ds.delete(deleted);
  const server = await serveDirectory(folder);
  return {
    source: server.url,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
