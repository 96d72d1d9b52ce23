/** All commands, in the order in which the help has them. */
import { bench } from "./commands/bench.js";
import { doctor } from "./commands/doctor.js";
import { ls } from "./commands/ls.js";
import { serve } from "./commands/serve.js";
import { show } from "./commands/show.js";
import type { AnyCommand } from "./program.js";

export const commands: readonly AnyCommand[] = [ls, show, serve, doctor, bench];
