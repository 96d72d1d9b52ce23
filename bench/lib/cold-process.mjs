/** One cold start, in a process that has loaded nothing else: see cold.mjs, which says what. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain } from "../../scripts/lib/paths.mjs";

/** What 64 bytes lie in, each in a file of its name. */
export const FORMS = /** @type {const} */ (["raw", "npy", "parquet", "zarr"]);

if (isMain(import.meta.url)) {
  const [, , path = "", folder = ""] = process.argv;
  const bytes = Object.fromEntries(FORMS.map((form) => [form, new Uint8Array(readFileSync(join(folder, form)))]));
  const start = performance.now();
  const { first } = await import(path);
  const { length } = await first(bytes);
  process.send?.(length === 16 ? performance.now() - start : Number.NaN);
  process.disconnect();
}
