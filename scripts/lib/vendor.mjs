/**
 * The libraries of the command line as one file of the package, with their licences beside it: so the package declares no dependency, and who uses it
 * as a library installs none.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./paths.mjs";

/** What stands on top of the bundle: some of what is bundled is CommonJS and asks for Node's own modules. */
const BANNER = 'import { createRequire as requireOf } from "node:module";\nconst require = requireOf(import.meta.url);';

/**
 * Replace what tsc made of ts/cli/vendor.ts.
 * @param {string} dist
 */
export async function bundleVendor(dist) {
  const esbuild = await import("esbuild");
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["ts/cli/vendor.ts"],
    outfile: join(dist, "cli/vendor.js"),
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    banner: { js: BANNER },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const names = new Set(Object.keys(metafile.inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = [...names].sort().map(licenceOf);
  writeFileSync(join(dist, "cli/vendor-licences.txt"), `What dist/cli/vendor.js holds of others, and under which terms.\n\n${texts.join("\n\n")}\n`);
}

/** @param {string} name of a package */
function licenceOf(name) {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (license !== "MIT" && license !== "ISC") throw new Error(`${name} is under ${license}; is that one to bundle? see ${relative(root, import.meta.filename)}`);
  return `── ${name} ${version}, ${license} ──\n\n${file === undefined ? `Under the terms of the ${license} licence.` : readFileSync(join(folder, file), "utf8").trim()}`;
}
