/** TypeScript as a host: the shipped declarations, checked inside a user's project by each way of finding modules. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.mjs";
import { must } from "../../scripts/lib/run.mjs";

/**
 * @param {string} name
 * @param {object} options
 * @returns {import("./runtimes.mjs").Host}
 */
function typeHost(name, options) {
  return {
    name,
    run: async ({ project }) => {
      await writeFile(
        join(project, "user.mts"),
        'import { init } from "dreamdb-arrays";\nimport * as inline from "dreamdb-arrays/inline";\nimport * as slim from "dreamdb-arrays/slim";\n' +
          'const started: Promise<void> = slim.init(new URL("https://example.org/x.wasm"));\nawait Promise.all([init(), inline.init(), started]);\n',
      );
      // Without skipLibCheck and without Node's types: the declarations must stand on their own.
      const compilerOptions = { strict: true, noEmit: true, target: "ES2022", lib: ["ES2022", "DOM"], types: [], ...options };
      await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["user.mts"] }));
      await must(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], { cwd: project });
      return "types";
    },
  };
}

/** @type {import("./runtimes.mjs").Host[]} */
export const typeHosts = [
  typeHost("TypeScript, module nodenext", { module: "NodeNext" }),
  typeHost("TypeScript, module resolution bundler", { module: "ESNext", moduleResolution: "bundler" }),
];
