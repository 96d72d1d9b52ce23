/** All that starts the core, as one part for pages to load: the glue, and what fetches and compiles. */
export * as glue from "../pkg/dreamdb_arrays.js";
export { fetchOrInline, loaderOf } from "./wasm-load.js";
