/**
 * Projects over one set of tests, Node and a real Chromium, and the same two for tests against real servers.
 *
 * A test imports the package by its name and gets the sources, by the entry of the host it runs in:
 *
 *   *.test.ts      tests/unit, tests/write, tests/conformance, tests/http, tests/hosts: Node
 *                  those of tests/http for every host once more by Node's `fetch`, as `/inline` and `/slim` read there
 *   *.any.test.ts  the same folders: Node and Chromium; nothing of Node's may be imported
 *   tests/browser  Chromium
 *   tests/interop  Node, beside the reference implementation in Python
 *   tests/cli      Node: the built command line as a program of its own
 *   tests/viewer   Node, which drives a Chromium that shows the built page
 *   tests/servers  both kinds of files, and `browser` in it; SeaweedFS and nginx run meanwhile, which no other test waits for
 */
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import type { BrowserConfigOptions } from "vitest/node";
import { chromiumArgs, findChromium } from "./scripts/lib/chromium.mjs";

const folders = "tests/{unit,write,conformance,http,hosts}";
const executablePath = findChromium();

/** What "dreamdb-arrays" and its subpaths mean to tests, given the entry of their host; and the `fetch` of that host for HTTP/2. */
function alias(entry: "node" | "browser", main = `ts/entry/${entry}`) {
  const source = (path: string) => new URL(`./ts/${path}.ts`, import.meta.url).pathname;
  return [
    { find: /^dreamdb-arrays$/, replacement: new URL(`./${main}.ts`, import.meta.url).pathname },
    { find: /^dreamdb-arrays\/(inline|slim)$/, replacement: source("entry/$1") },
    { find: /^dreamdb-arrays\/fs$/, replacement: source("store/fs") },
    { find: /^h2-fetch$/, replacement: new URL(`./tests/support/h2-fetch.${entry}.ts`, import.meta.url).pathname },
  ];
}

/** Chromium, headless; for one project each, as vitest writes into it. */
function browser(): BrowserConfigOptions {
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    instances: [{ browser: "chromium" }],
    provider: playwright({
      launchOptions: { args: chromiumArgs, ...(executablePath === undefined ? {} : { executablePath }) },
    }),
  };
}

/** Tests there wait for signatures to expire. */
const servers = { globalSetup: ["tests/servers/support/setup.ts"], testTimeout: 30_000 };

export default defineConfig({
  // The dependency cache of the browser project; the default lies in node_modules, which set-up may replace.
  cacheDir: ".tools/vite",
  test: {
    globalSetup: ["tests/support/server.setup.ts"],
    // Far more than any test takes: a machine with much to do must not make one fail.
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        resolve: { alias: alias("node") },
        test: {
          name: "node",
          include: [`${folders}/**/*.test.ts`],
          environment: "node",
          provide: { transport: "sockets" },
        },
      },
      {
        extends: true,
        resolve: { alias: alias("node", "tests/support/over-fetch") },
        test: {
          name: "node-fetch",
          include: ["tests/http/**/*.any.test.ts", "tests/http/refusals.test.ts"],
          environment: "node",
          provide: { transport: "fetch" },
        },
      },
      {
        extends: true,
        resolve: { alias: alias("browser") },
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts", `${folders}/**/*.any.test.ts`],
          browser: browser(),
          provide: { transport: "fetch" },
        },
      },
      {
        extends: true,
        resolve: { alias: alias("node") },
        test: {
          name: "interop",
          include: ["tests/interop/*.test.ts"],
          environment: "node",
        },
      },
      {
        extends: true,
        resolve: { alias: alias("node") },
        test: {
          name: "cli",
          include: ["tests/cli/*.test.ts"],
          environment: "node",
        },
      },
      {
        extends: true,
        resolve: { alias: alias("node") },
        test: {
          name: "viewer",
          include: ["tests/viewer/*.test.ts"],
          environment: "node",
          testTimeout: 60_000,
          // What a page shows is waited for, however busy the machine is.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        resolve: { alias: alias("node") },
        test: {
          ...servers,
          name: "servers",
          include: ["tests/servers/*.test.ts"],
          environment: "node",
        },
      },
      {
        extends: true,
        resolve: { alias: alias("browser") },
        // Found only when a test imports them, they would make the page load anew in the middle of the run.
        optimizeDeps: { include: ["@noble/hashes/blake3.js", "@noble/hashes/utils.js", "aws4fetch"] },
        test: {
          ...servers,
          name: "servers-browser",
          include: ["tests/servers/browser/**/*.test.ts", "tests/servers/*.any.test.ts"],
          browser: browser(),
        },
      },
    ],
  },
});
