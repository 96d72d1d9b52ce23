/** Cloudflare Workers and others on workerd: the file is imported as a module, since nothing there may be compiled at run time. */
import * as glue from "../../pkg/dreamdb_arrays.js";
import module from "../../pkg/dreamdb_arrays_bg.wasm";
import { provideScalarReader } from "../dataset/scalars-part.js";
import * as reading from "../dataset/scalars/reader.js";
import { setLoader, startNow } from "../wasm.js";
import { loaderOf } from "../wasm-load.js";

setLoader(loaderOf(glue, () => Promise.resolve(module)));
startNow(() => ({ glue, module }));
provideScalarReader(reading);

export * from "../api.js";
