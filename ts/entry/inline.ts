/** Any host: the code lies inside the JavaScript and is started at import. A third larger, but needs no file, server or permission. */
import * as glue from "../../pkg/dreamdb_arrays.js";
import { setLoader, startNow } from "../wasm.js";
import { wasmBase64 } from "../wasm-inline.js";
import * as scalars from "../write/scalars/append.js";
import { provideScalars } from "../write/scalars-part.js";
import { bytesOfBase64, inlineModule, loaderOf } from "../wasm-load.js";

setLoader(loaderOf(glue, () => inlineModule(() => Promise.resolve({ wasmBase64 }))));
startNow(() => ({ glue, module: new WebAssembly.Module(bytesOfBase64(wasmBase64)) }));
provideScalars(scalars);

export * from "../api.js";
