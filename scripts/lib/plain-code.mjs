/**
 * The package's JavaScript without its comments, which nobody needs twice: what callers have to know stands in the declarations beside it, and what
 * maintainers have to, in the sources. Names and structure stay, so that stacks and debuggers show code that can be read.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Rewrite what tsc made. Marks that bundlers go by (`@__PURE__`) stay.
 * @param {string} dist
 */
export async function stripComments(dist) {
  const { transform } = await import("esbuild");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  for (const file of files) {
    const path = join(dist, file);
    const { code } = await transform(readFileSync(path, "utf8"), { format: "esm", target: "es2022", charset: "utf8", legalComments: "none" });
    writeFileSync(path, code);
  }
}
