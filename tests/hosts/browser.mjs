/** Chromium: the package by a plain module script under several kinds of server, and built by Vite. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withPage } from "./page.mjs";

/** @typedef {import("./runtimes.mjs").Context} Context */
/** @typedef {import("./runtimes.mjs").Host} Host */

const TIMEOUT = 60_000;

/**
 * Open a page that leaves the result of the scenario in `globalThis.outcome`.
 * @param {string} url
 * @returns {Promise<string>} what was done; throws what the page threw
 */
async function visit(url) {
  const outcome = await withPage(url, async (page) => {
    // Asked for again and again from outside: what waits inside the page is evaluated there, which a policy may forbid.
    /** @type {{ done?: string, error?: string } | undefined} */
    let outcome;
    for (const end = Date.now() + TIMEOUT; outcome === undefined && Date.now() < end; ) {
      outcome = await page.evaluate("globalThis.outcome");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (outcome === undefined) throw new Error("the page left no result");
    return outcome;
  });
  if (outcome.done === undefined) throw new Error(outcome.error);
  return outcome.done;
}

/**
 * The script of a page.
 * @param {Context} context
 */
function pageScript(context) {
  const env = `{ ready: "init", fixtures: ${JSON.stringify(`${context.origin}/fixtures`)} }`;
  return (
    `import * as api from "dreamdb-arrays";\nimport { scenario } from "./scenario.mjs";\n` +
    `const describe = (error) => \`\${error.code ?? error.name}: \${error.message} (\${error.actual ?? ""})\`;\n` +
    `scenario(api, ${env}).then((done) => ({ done }), (error) => ({ error: describe(error) })).then((outcome) => { globalThis.outcome = outcome; });\n`
  );
}

/**
 * Visit the page without a bundler, under one of the server's prefixes.
 * @param {Context} context
 * @param {string} prefix
 */
async function plainPage(context, prefix) {
  await writeFile(join(context.project, "page.mjs"), pageScript(context));
  const map = JSON.stringify({ imports: { "dreamdb-arrays": "./node_modules/dreamdb-arrays/dist/entry/browser.js" } });
  await writeFile(
    join(context.project, "page.html"),
    `<!doctype html><meta charset="utf-8"><title>dreamdb-arrays</title>\n<script type="importmap">${map}</script>\n<script type="module" src="./page.mjs"></script>\n`,
  );
  const from = context.requests.length;
  const done = await visit(`${context.origin}/${prefix}/page.html`);
  return { done, asked: context.requests.slice(from) };
}

/** @param {string[]} asked */
const fetchedInline = (asked) => asked.some((path) => path.includes("wasm-inline"));

/**
 * Loading by fetch: one request for the file, none for the inline copy.
 * @param {Context} context
 * @param {string} prefix
 */
async function byFetch(context, prefix) {
  const { done, asked } = await plainPage(context, prefix);
  const files = asked.filter((path) => path.endsWith(".wasm"));
  if (files.length !== 1 || fetchedInline(asked)) throw new Error(`one request for the .wasm file was expected, seen: ${asked.join(" ")}`);
  return done;
}

/**
 * Loading by the inline copy, because the server has something else in the file's place.
 * @param {Context} context
 * @param {string} prefix
 */
async function byInline(context, prefix) {
  const { done, asked } = await plainPage(context, prefix);
  if (!fetchedInline(asked)) throw new Error(`the inline copy was expected to be asked for, seen: ${asked.join(" ")}`);
  return done;
}

/** @param {Context} context */
async function refused(context) {
  const message = await plainPage(context, "policy").then(
    () => "no error",
    (/** @type {Error} */ error) => error.message,
  );
  if (!message.startsWith("WasmLoad: ") || !message.includes("script-src needs 'wasm-unsafe-eval'")) {
    throw new Error(`expected WasmLoad with the missing policy word, got ${message}`);
  }
  return "a named error";
}

/** @param {Context} context */
async function vite(context) {
  const source = join(context.project, "vite");
  await mkdir(source, { recursive: true });
  await writeFile(join(source, "main.mjs"), pageScript(context).replace("./scenario.mjs", "../scenario.mjs"));
  await writeFile(join(source, "index.html"), '<!doctype html><meta charset="utf-8"><title>Vite</title>\n<script type="module" src="./main.mjs"></script>\n');
  const { build } = await import("vite");
  const outDir = join(context.project, "vite-out");
  await build({ root: source, base: "./", configFile: false, logLevel: "error", build: { outDir, emptyOutDir: true } });
  const files = await readdir(outDir, { recursive: true });
  const wasm = files.filter((file) => file.endsWith(".wasm"));
  if (wasm.length !== 1) throw new Error(`Vite put out ${wasm.length} .wasm files: ${files.join(" ")}`);
  const from = context.requests.length;
  const done = await visit(`${context.origin}/plain/vite-out/index.html`);
  if (fetchedInline(context.requests.slice(from))) throw new Error("the inline copy was loaded though the .wasm file was there");
  return done;
}

/** @type {Host[]} */
export const browserHosts = [
  { name: "Chromium, plain module script", run: (context) => byFetch(context, "plain") },
  { name: "Chromium, .wasm with a wrong MIME type", run: (context) => byFetch(context, "octets") },
  { name: "Chromium, an HTML page in place of the .wasm", run: (context) => byInline(context, "html") },
  { name: "Chromium, 404 in place of the .wasm", run: (context) => byInline(context, "missing") },
  { name: "Chromium, a policy with 'wasm-unsafe-eval'", run: (context) => byFetch(context, "allowed") },
  { name: "Chromium, a policy without it", run: refused },
  { name: "Chromium, built by Vite", run: vite },
];
