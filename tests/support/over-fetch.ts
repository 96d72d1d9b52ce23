/** The package as Node's entry gives it, but with requests sent by `fetch`. */

import { setTransport } from "../../ts/store/transport.js";

export * from "../../ts/entry/node.js";

setTransport(undefined);
