/** Chromium: the package by a plain module script under several kinds of server. What bundlers make of it: bundlers.mjs. */
import { writeFile } from "node:fs/promises";
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
export async function visit(url) {
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
export function pageScript(context) {
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
async function neither(context) {
  const message = await plainPage(context, "neither").then(
    () => "no error",
    (/** @type {Error} */ error) => error.message,
  );
  for (const part of ["WasmLoad: got an HTML page, not WebAssembly, from ", "dreamdb-arrays/inline", "The inline copy failed too: ", "(status 200, text/html, first bytes 3c 21 64 6f)"]) {
    if (!message.includes(part)) throw new Error(`expected WasmLoad with ${part}, got ${message}`);
  }
  return "a named error";
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
async function partial(context) {
  const message = await plainPage(context, "partial").then(
    () => "no error",
    (/** @type {Error} */ error) => error.message,
  );
  if (!message.startsWith("PartLoad: a part of dreamdb-arrays could not be loaded (") || !message.includes("dist/dataset/doors.js")) {
    throw new Error(`expected PartLoad with the file, got ${message}`);
  }
  return "a named error";
}

/** @type {Host[]} */
export const browserHosts = [
  { name: "Chromium, plain module script", run: (context) => byFetch(context, "plain") },
  { name: "Chromium, .wasm with a wrong MIME type", run: (context) => byFetch(context, "octets") },
  { name: "Chromium, an HTML page in place of the .wasm", run: (context) => byInline(context, "html") },
  { name: "Chromium, 404 in place of the .wasm", run: (context) => byInline(context, "missing") },
  { name: "Chromium, an HTML page in place of the .wasm and of the inline copy", run: neither },
  { name: "Chromium, without the files behind the doors", run: partial },
  { name: "Chromium, a policy with 'wasm-unsafe-eval'", run: (context) => byFetch(context, "allowed") },
  { name: "Chromium, a policy without it", run: refused },
];
