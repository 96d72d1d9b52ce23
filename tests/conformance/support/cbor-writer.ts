/** CBOR by hand, for what tests build around an input; the writer is that with which the command line puts vectors to the package. */
export { array, bytes, concat, head, map, text, TRUE, uint } from "../../../ts/cli/vectors/cbor.js";

/** The value false. */
export const FALSE = Uint8Array.of(0xf4);
