/**
 * Two projects over one set of tests: Node, and a real Chromium.
 *
 * A test imports the package by its name and gets the sources, by the entry of the host it runs in:
 *
 *   *.test.ts      tests/unit, tests/conformance, tests/http, tests/hosts: Node
 *   *.any.test.ts  the same folders: Node and Chromium; nothing of Node's may be imported
 *   tests/browser  Chromium
 */
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumArgs, findChromium } from "./scripts/lib/chromium.mjs";

const folders = "tests/{unit,conformance,http,hosts}";
const executablePath = findChromium();

/** What "dreamdb-arrays" and its subpaths mean to tests, given the entry of their host. */
function alias(entry: "node" | "browser") {
  const source = (path: string) => new URL(`./ts/${path}.ts`, import.meta.url).pathname;
  return [
    { find: /^dreamdb-arrays$/, replacement: source(`entry/${entry}`) },
    { find: /^dreamdb-arrays\/(inline|slim)$/, replacement: source("entry/$1") },
    { find: /^dreamdb-arrays\/fs$/, replacement: source("store/fs") },
  ];
}

export default defineConfig({
  // The dependency cache of the browser project; the default lies in node_modules, which set-up may replace.
  cacheDir: ".tools/vite",
  test: {
    globalSetup: ["tests/support/server.setup.ts"],
    projects: [
      {
        extends: true,
        resolve: { alias: alias("node") },
        test: {
          name: "node",
          include: [`${folders}/**/*.test.ts`],
          environment: "node",
        },
      },
      {
        extends: true,
        resolve: { alias: alias("browser") },
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts", `${folders}/**/*.any.test.ts`],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: "chromium" }],
            provider: playwright({
              launchOptions: { args: chromiumArgs, ...(executablePath === undefined ? {} : { executablePath }) },
            }),
          },
        },
      },
    ],
  },
});
