/** Cloudflare Workers and others on workerd: the file is imported as a module, since nothing there may be compiled at run time. */
import module from "../../pkg/dreamdb_arrays_bg.wasm";
import { setLoader, startNow } from "../wasm.js";

setLoader(() => Promise.resolve(module));
startNow(() => module);

export * from "../api.js";
