/** Any host: the code lies inside the JavaScript and is started at import. Somewhat larger, but needs no file, server or permission. */
import * as glue from "../../pkg/dreamdb_arrays.js";
import { provideScalarReader } from "../dataset/scalars-part.js";
import * as reading from "../dataset/scalars/reader.js";
import { setLoader, startNow } from "../wasm.js";
import { wasmText } from "../wasm-inline.js";
import { bytesOfText, inlineModule, loaderOf } from "../wasm-load.js";
import * as scalars from "../write/scalars/append.js";
import { provideScalars } from "../write/scalars-part.js";

setLoader(loaderOf(glue, () => inlineModule(() => Promise.resolve({ wasmText }))));
startNow(() => ({ glue, module: new WebAssembly.Module(bytesOfText(wasmText)) }));
provideScalarReader(reading);
provideScalars(scalars);

export * from "../api.js";
