/** Serves the fixtures over HTTP, as an object store would, to the tests of every project: `inject("fixturesUrl")`. */

import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { serveDirectory } from "../../ts/cli/serve.js";

declare module "vitest" {
  interface ProvidedContext {
    /** `http://127.0.0.1:port`, without a slash at the end; `tests/fixtures` lies below it. */
    fixturesUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveDirectory(fileURLToPath(new URL("../fixtures", import.meta.url)));
  project.provide("fixturesUrl", server.url);
  return () => server.close();
}
