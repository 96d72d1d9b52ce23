/** Workers as their own tools bundle them: one module of code, and the .wasm file beside it, compiled by the host. */
import { readFile, readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";

/**
 * The modules of a Worker, its entry first, for miniflare.
 * @param {string} project folder of the packed package
 * @param {string} file in it
 */
export async function bundleWorker(project, file) {
  const { build } = await import("esbuild");
  const name = basename(file, extname(file));
  const out = join(project, `bundled-${name}`);
  await build({
    absWorkingDir: project,
    entryPoints: [file],
    outdir: out,
    bundle: true,
    format: "esm",
    conditions: ["workerd"],
    loader: { ".wasm": "copy" },
    logLevel: "error",
  });
  const files = await readdir(out);
  const modules = await Promise.all(
    files.map(async (name) =>
      name.endsWith(".wasm")
        ? { type: /** @type {const} */ ("CompiledWasm"), path: name, contents: await readFile(join(out, name)) }
        : { type: /** @type {const} */ ("ESModule"), path: name, contents: await readFile(join(out, name), "utf8") },
    ),
  );
  return modules.sort((a, b) => Number(b.path === `${name}.js`) - Number(a.path === `${name}.js`));
}
