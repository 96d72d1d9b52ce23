/** Any host, for those who bring the code themselves: `init()` takes it, and nothing is fetched or held. */
import * as glue from "../../pkg/dreamdb_arrays.js";
import { provideScalarReader } from "../dataset/scalars-part.js";
import * as reading from "../dataset/scalars/reader.js";
import { DreamDbError } from "../errors.js";
import { setLastLoader } from "../wasm.js";
import { loaderOf } from "../wasm-load.js";

setLastLoader(
  loaderOf(glue, () => {
    const message = "this entry loads nothing by itself: first call init() with the WebAssembly module, its bytes, a Response or a URL";
    return Promise.reject(new DreamDbError("WasmNotReady", message));
  }),
);

provideScalarReader(reading);

export * from "../api.js";
