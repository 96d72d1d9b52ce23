/**
 * Browsers, and every host without an entry of its own: nothing at import; the first asynchronous call fetches the file.
 *
 * The address is written in the form that bundlers recognise and copy the file for. Where one does not, or a server answers with
 * something else, the inline copy serves. The parts behind the doors to datasets are fetched beside it, when one is first opened.
 */
import { setLoader } from "../wasm.js";
import { fetchOrInline } from "../wasm-load.js";

setLoader(() =>
  fetchOrInline(
    () => new URL("../../pkg/dreamdb_arrays_bg.wasm", import.meta.url),
    () => import("../wasm-inline.js"),
  ),
);

export * from "../surface.js";
export * from "../doors.js";
