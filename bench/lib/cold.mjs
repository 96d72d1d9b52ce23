/**
 * Cold starts: from before the import to the first decoded array, in a new process and in a page that has nothing in its cache.
 *
 * WebAssembly is fetched or read, and compiled, within the time. Packages without it begin at once; that is what they are better at.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codec } from "dreamdb-arrays";
import { build } from "esbuild";
import { parquetWriteBuffer } from "hyparquet-writer";
import { root } from "../../scripts/lib/paths.mjs";
import { inProcess } from "./child.mjs";
import { FORMS } from "./cold-process.mjs";
import { launchChromium } from "./chromium.mjs";
import { MemoryServer } from "./memory-server.mjs";
import { Turns } from "./turns.mjs";
import { zarrMetadata } from "./zarr.mjs";

const PROCESS = new URL("cold-process.mjs", import.meta.url).href;

/** What each does first, of 64 bytes that are there already: a module of which the names are asked for when it runs. */
const FIRSTS = {
  ours: `import { codec, init } from "dreamdb-arrays"; await init();
    export const first = (bytes) => codec.decode({ family: "dense-array", dtype: "f32", shape: [4, 4] }, bytes.raw).data;`,
  zarrita: `import * as zarr from "zarrita";
    export const first = async (bytes) => {
      const store = new Map([["/zarr.json", bytes.zarr], ["/c.0.0", bytes.raw]]);
      return (await zarr.get(await zarr.open.v3(store, { kind: "array" }))).data;
    };`,
  hyparquet: `import { parquetRead } from "hyparquet";
    export const first = (bytes) => new Promise((resolve, reject) => parquetRead({ file: bytes.parquet.buffer, onChunk: ({ columnData }) => resolve(columnData) }).catch(reject));`,
  npyjs: `import { parse } from "npyjs"; export const first = (bytes) => parse(bytes.npy.buffer).data;`,
  "hash-wasm": `import { blake3 } from "hash-wasm"; export const first = async (bytes) => ({ length: 16, hash: await blake3(bytes.raw) });`,
};

/** The same in the page: what a bundler that knows of the file makes of it, and the copy inside the JavaScript. */
const OURS_SLIM = `import wasm from "dreamdb-arrays/dreamdb_arrays_bg.wasm"; import { codec, init } from "dreamdb-arrays/slim"; await init(new URL(wasm, import.meta.url));
    export const first = (bytes) => codec.decode({ family: "dense-array", dtype: "f32", shape: [4, 4] }, bytes.raw).data;`;
const OURS_INLINE = FIRSTS.ours.replace('"dreamdb-arrays"', '"dreamdb-arrays/inline"');

/**
 * @param {import("./topic.mjs").Context} context
 * @returns {Promise<import("./topic.mjs").Topic>}
 */
export async function cold({ quick, folder: home, atEnd }) {
  const folder = join(home, "cold");
  mkdirSync(folder, { recursive: true });
  writeFirst(folder);
  const inNode = Object.entries(FIRSTS).map(([name, source]) => {
    // Below the repository, where packages are found.
    const path = join(root, ".tools", "bench", `${name}.mjs`);
    mkdirSync(join(root, ".tools", "bench"), { recursive: true });
    writeFileSync(path, source);
    return /** @type {const} */ ([name, async () => Number(await inProcess(PROCESS, [path, folder]))]);
  });
  const page = await pages(folder, atEnd);
  const rounds = quick ? { least: 2, most: 3, budgetMs: 1000, warmUps: 1 } : { least: 9, most: 25, budgetMs: 10_000, warmUps: 1 };
  const start = { count: 1, per: /** @type {const} */ ("call"), rounds };
  return {
    title: "Cold starts, to the first array",
    measurements: [
      { ...start, name: "in Node", turns: new Turns(Object.fromEntries(inNode)), budgets: [{ side: "zarrita", limit: 2.5, gate: 5, what: "ratio" }] },
      { ...start, name: "in Chromium", turns: new Turns(page), budgets: [{ side: "hash-wasm", limit: 3, gate: 6, what: "ratio" }] },
    ],
  };
}

/**
 * The 64 bytes in every form.
 * @param {string} folder
 */
function writeFirst(folder) {
  const numbers = Float32Array.from({ length: 16 }, (_, at) => at);
  writeFileSync(join(folder, "raw"), new Uint8Array(numbers.buffer));
  writeFileSync(join(folder, "npy"), codec.encodeNpy({ family: "dense-array", dtype: "f32", shape: [4, 4] }, numbers));
  writeFileSync(join(folder, "parquet"), new Uint8Array(parquetWriteBuffer({ columnData: [{ name: "a", data: numbers, type: "FLOAT" }], codec: "UNCOMPRESSED" })));
  writeFileSync(join(folder, "zarr"), JSON.stringify(zarrMetadata({ dtype: "f32", shape: [4, 4], chunk: [4, 4] })));
}

/**
 * What runs in pages, each time in a browser context of its own.
 * @param {string} folder
 * @param {import("./topic.mjs").Context["atEnd"]} atEnd
 */
async function pages(folder, atEnd) {
  const { ours: _, ...others } = FIRSTS;
  const sources = { ours: OURS_SLIM, "ours, inline": OURS_INLINE, ...others };
  for (const [name, contents] of Object.entries(sources)) {
    const options = /** @type {const} */ ({ bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", logLevel: "error" });
    await build({ ...options, stdin: { contents, resolveDir: root }, loader: { ".wasm": "file" }, outfile: join(folder, `${name}.js`) });
  }
  const server = await MemoryServer.start(folder);
  atEnd(() => server.close());
  const browser = await launchChromium();
  atEnd(() => browser.close());
  return Object.fromEntries(
    Object.keys(sources).map((name) => {
      const script = `(async () => {
        const bytes = {};
        for (const form of ${JSON.stringify(FORMS)}) bytes[form] = new Uint8Array(await (await fetch("/" + form)).arrayBuffer());
        const start = performance.now();
        const { first } = await import(${JSON.stringify(`/${name}.js`)});
        const { length } = await first(bytes);
        return length === 16 ? performance.now() - start : NaN;
      })()`;
      return [name, async () => inContext(browser, server.url, script)];
    }),
  );
}

/**
 * @param {import("playwright").Browser} browser
 * @param {string} url
 * @param {string} script
 */
async function inContext(browser, url, script) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    return Number(await page.evaluate(script));
  } finally {
    await context.close();
  }
}
