/** The servers that tests of every project read from: the fixtures as an object store would serve them, and one that misbehaves. */

import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { serveDirectory } from "../../ts/cli/server/serve.js";
import type { BrokenUrls } from "./broken-log.js";
import { type Mode, MODES } from "./broken-modes.js";
import { startBrokenServer } from "./broken-server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** `http://127.0.0.1:port`, without a slash at the end; `tests/fixtures` lies below it. */
    fixturesUrl: string;
    /** Addresses of the broken server; `tests/support/broken.ts` opens sessions there. */
    brokenUrls: BrokenUrls;
    /** Every way in which it can answer. */
    brokenModes: Mode[];
    /** What sends the package's requests in a project of `tests/http`; set in `vitest.config.ts`. */
    transport: "fetch" | "sockets";
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));
  const [served, broken] = await Promise.all([serveDirectory(fixtures), startBrokenServer(fixtures)]);
  project.provide("fixturesUrl", served.url);
  project.provide("brokenUrls", broken.urls);
  project.provide("brokenModes", Object.keys(MODES) as Mode[]);
  return async () => {
    await Promise.all([served.close(), broken.close()]);
  };
}
