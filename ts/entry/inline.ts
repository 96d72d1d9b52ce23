/** Any host: the code lies inside the JavaScript and is started at import. A third larger, but needs no file, server or permission. */
import { setLoader, startNow } from "../wasm.js";
import { wasmBase64 } from "../wasm-inline.js";
import { bytesOfBase64, inlineModule } from "../wasm-load.js";

setLoader(() => inlineModule(() => Promise.resolve({ wasmBase64 })));
startNow(() => bytesOfBase64(wasmBase64));

export * from "../api.js";
