/** Checks the types of the package, its tests and the scripts, and emits nothing: `node scripts/typecheck.mjs`. */
import { join } from "node:path";
import { build } from "./build.mjs";
import { root } from "./lib/paths.mjs";
import { fail, must } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

try {
  await setup("typecheck");
  await build();
  for (const project of ["tsconfig.json", "viewer/tsconfig.json"]) {
    await must(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", project], { show: true });
  }
  process.stdout.write("typecheck: clean\n");
} catch (error) {
  fail(error);
}
