/** Builds the page from its sources and the built package: `node scripts/viewer-build.mjs`. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path("."),
  // The page can be put into any folder of any host.
  base: "./",
  cacheDir: path("../.tools/vite-viewer"),
  resolve: {
    alias: [
      { find: /^dreamdb-arrays$/, replacement: path("../dist/entry/browser.js") },
      // For hosts whose bundlers lose the file; this build has it.
      { find: /^\.\.\/wasm-inline\.js$/, replacement: path("no-inline.ts") },
    ],
  },
  build: {
    outDir: path("dist"),
    emptyOutDir: true,
    target: "es2022",
    // The policy of the page allows no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "licences.md" },
  },
});
