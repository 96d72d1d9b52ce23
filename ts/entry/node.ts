/**
 * Node, and Bun: the file beside this module is read at import, so that synchronous functions work at once.
 *
 * In a bundle of one file there is none; the copy inside the bundle then serves, from the first asynchronous call on. Nothing awaits
 * at the top level, so that `require()` works too.
 */
import { readFileSync } from "node:fs";
import { setLoader, startNow } from "../wasm.js";
import { inlineModule } from "../wasm-load.js";

setLoader(() => inlineModule(() => import("../wasm-inline.js")));
startNow(() => readFileSync(new URL("../../pkg/dreamdb_arrays_bg.wasm", import.meta.url)));

export * from "../api.js";
