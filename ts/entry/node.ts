/**
 * Node, and Bun: the file beside this module is read at import, so that synchronous functions work at once.
 *
 * In a bundle of one file there is none; the copy inside the bundle then serves, from the first asynchronous call on. Nothing awaits
 * at the top level, so that `require()` works too.
 *
 * The reader and the writer, half of all modules, stand behind the doors as in browsers: a process that only decodes starts in half the time.
 *
 * Requests go through a client of our own over Node's sockets, loaded with the first of them. Bun, and Deno running a bundle made for Node, keep their `fetch`.
 */
import { readFileSync } from "node:fs";
import * as glue from "../../pkg/dreamdb_arrays.js";
import { setTransport } from "../store/transport.js";
import { setLoader, startNow } from "../wasm.js";
import { inlineModule, loaderOf } from "../wasm-load.js";

setLoader(loaderOf(glue, () => inlineModule(() => import("../wasm-inline.js"))));
startNow(() => ({ glue, module: new WebAssembly.Module(readFileSync(new URL("../../pkg/dreamdb_arrays_bg.wasm", import.meta.url))) }));

if (!("bun" in process.versions || "deno" in process.versions)) {
  setTransport(async (url, init, ending) => {
    const { nodeTransport } = await import("../store/node/transport.js");
    setTransport(nodeTransport);
    return await nodeTransport(url, init, ending);
  });
}

export * from "../surface.js";
export * from "../doors.js";
