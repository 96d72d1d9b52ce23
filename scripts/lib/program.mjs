/**
 * The command line as one file of the package, libraries included, with their licences beside it: so the package declares no dependency, and who uses it
 * as a library installs none. What the package has besides it takes from where that lies: a second copy would be a tenth of the package, and start
 * 0.1 s sooner.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./paths.mjs";

/** What stands on top: some of what is bundled is CommonJS and asks for Node's own modules. */
const BANNER = '#!/usr/bin/env node\nimport { createRequire as requireOf } from "node:module";\nconst require = requireOf(import.meta.url);';

/**
 * Replace what tsc made of ts/cli/main.ts.
 * @param {string} dist
 */
export async function bundleProgram(dist) {
  const esbuild = await import("esbuild");
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["ts/cli/main.ts"],
    outfile: join(dist, "cli/main.js"),
    bundle: true,
    // Errors say their names themselves; what stacks lose, a build without this line has.
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [{ name: "package", setup: ({ onResolve }) => onResolve({ filter: /^\./ }, ({ path, importer }) => packageFile(resolve(dirname(importer), path))) }],
    banner: { js: BANNER },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const names = new Set(Object.keys(metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = [...names].sort().map(licenceOf);
  writeFileSync(join(dist, "cli/licences.txt"), `What dist/cli/main.js holds of others, and under which terms.\n\n${texts.join("\n\n")}\n`);
}

/**
 * Where a file of the package that is none of the command line's lies, seen from dist/cli; nothing for the others, which are bundled.
 * @param {string} file
 */
function packageFile(file) {
  const [within, generated] = [relative(join(root, "ts"), file), relative(join(root, "pkg"), file)];
  if (!generated.startsWith("..")) return { path: `../../pkg/${generated}`, external: true };
  return within.startsWith("..") || within.startsWith("cli/") ? undefined : { path: `../${within}`, external: true };
}

/** @param {string} name of a package */
function licenceOf(name) {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (license !== "MIT" && license !== "ISC") throw new Error(`${name} is under ${license}; is that one to bundle? see ${relative(root, import.meta.filename)}`);
  return `── ${name} ${version}, ${license} ──\n\n${file === undefined ? `Under the terms of the ${license} licence.` : readFileSync(join(folder, file), "utf8").trim()}`;
}
