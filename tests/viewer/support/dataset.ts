/** Datasets that a test writes by itself, over HTTP. */
import { rm } from "node:fs/promises";
import { type ColumnsInit, Dataset, type RowInit, type Schema, type WritableDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { serveDirectory, type StaticServer } from "../../../ts/cli/server/serve.js";
import { makeTempDir } from "../../support/temp-dir.js";

/** A dataset that is served. */
export interface Served {
  /** URL of its root. */
  readonly source: string;
  /** Its folder. */
  readonly dir: string;
  /** Goes on writing. */
  readonly ds: WritableDataset;
  /** Keys that were asked for, in order, by path below the root. */
  asked(): readonly string[];
  /** Requests so far, with the bytes that were sent. */
  readonly requests: StaticServer["requests"];
  close(): Promise<void>;
}

/** Writes a dataset of rows, or of columns, and serves it from an origin of its own. */
export async function served(schema: Schema, rows: readonly RowInit[] | ColumnsInit): Promise<Served> {
  const dir = await makeTempDir();
  const ds = await Dataset.create(fsStore(dir, { durable: false }), "main", schema);
  await ("fields" in rows ? ds.appendColumns(rows) : ds.append(rows));
  const server = await serveDirectory(dir, { port: 0 });
  return {
    source: server.url,
    dir,
    ds,
    requests: server.requests,
    asked: () => server.requests.map(({ target }) => target),
    async close() {
      await server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
