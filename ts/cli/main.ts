/** The command line's entry. */
import { init } from "../entry/node.js";
import { commands } from "./commands.js";
import { run } from "./program.js";

// The entry has started the core and chosen how requests are sent; if it could not, this says why.
await init();
// Set, not called: what was written to a pipe still has to leave.
process.exitCode = await run(commands, process.argv.slice(2), process);
