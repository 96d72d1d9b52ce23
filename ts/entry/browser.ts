/**
 * Browsers, and every host without an entry of its own: nothing at import; the first asynchronous call fetches the file.
 *
 * The address is written in the form that bundlers recognise and copy the file for. Where one does not, or a server answers with
 * something else, the inline copy serves. What starts the core, and the parts behind the doors to datasets, are fetched beside the file.
 */
import { part } from "../part.js";
import { setLoader } from "../wasm.js";

const address = (): URL => new URL("../../pkg/dreamdb_arrays_bg.wasm", import.meta.url);

setLoader(async (given) => {
  const answer = given === undefined ? asked() : undefined;
  const { glue, fetchOrInline, loaderOf } = await part(() => import("../wasm-start.js"));
  return loaderOf(glue, () => fetchOrInline(address, () => import("../wasm-inline.js"), answer))(given);
});

/** The file's answer, on its way while the code that looks at it is. */
function asked(): Promise<Response> | undefined {
  try {
    const answer = fetch(address());
    // Whoever looks at it is told; if that never comes, nobody is.
    answer.catch(() => undefined);
    return answer;
  } catch {
    // In a bundle without `import.meta` even naming the address fails, which is told later.
    return undefined;
  }
}

export * from "../surface.js";
export * from "../doors.js";
