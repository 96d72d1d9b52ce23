/**
 * The doors to datasets, for browsers and Node: the same functions as behind them, whose code is loaded when one is first used, beside the WebAssembly core.
 *
 * What decodes payloads or shows a start screen pays for no reader, and what reads pays for no writer. Edge workers are one file, and
 * service workers may not import at run time: for them, and for `dreamdb-arrays/inline` and Deno, which takes that, api.ts has the functions themselves. What the functions do is said there, not here.
 */
import type { openDataset as openDatasetNow } from "./dataset/open.js";
import type { openArrayField as openArrayFieldNow } from "./dataset/open-array-field.js";
import { part } from "./part.js";
import { ready } from "./wasm.js";
import type { Dataset as Version } from "./dataset/dataset.js";
import type { Dataset as DatasetNow } from "./write/door.js";

/** As in {@link openDatasetNow | dataset/open.ts}; rejects with `PartLoad` as well. */
export const openDataset: typeof openDatasetNow = async (...given) => (await behind(() => import("./dataset/doors.js"))).openDataset(...given);

/** As in {@link openArrayFieldNow | dataset/open-array-field.ts}; rejects with `PartLoad` as well. */
export const openArrayField: typeof openArrayFieldNow = async (...given) =>
  (await behind(() => import("./dataset/doors.js"))).openArrayField(...given);

/** One version of a dataset, as a type; as a value the doors for writers. */
export type Dataset = Version;

/** As in {@link DatasetNow | write/door.ts}; rejects with `PartLoad` as well. */
export const Dataset: typeof DatasetNow = /* @__PURE__ */ Object.freeze({
  create: async (...given: Parameters<typeof DatasetNow.create>) => (await behind(() => import("./write/door.js"))).createDataset(...given),
  open: async (...given: Parameters<typeof DatasetNow.open>) => (await behind(() => import("./write/door.js"))).openWritable(...given),
});

async function behind<T>(load: () => Promise<T>): Promise<T> {
  // The core is on its way meanwhile. Whoever needs it waits for it, and is told what is wrong.
  ready().catch(() => undefined);
  return part(load);
}
