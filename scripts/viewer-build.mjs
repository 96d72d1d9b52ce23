/** Builds the viewer's page into viewer/dist, of the built package: `node scripts/viewer-build.mjs`. */
import { join } from "node:path";
import { isMain, root } from "./lib/paths.mjs";
import { fail, must } from "./lib/run.mjs";

/** Builds the page. The package has been built before. */
export async function buildViewer() {
  await must(process.execPath, [join(root, "node_modules/vite/bin/vite.js"), "build", "--config", join(root, "viewer/vite.config.ts"), "--logLevel", "warn"]);
}

if (isMain(import.meta.url)) {
  try {
    await buildViewer();
  } catch (error) {
    fail(error);
  }
}
