/** All commands, in the order in which the help has them. */
import { audit } from "./commands/audit.js";
import { ls } from "./commands/ls.js";
import { show } from "./commands/show.js";
import type { AnyCommand } from "./program.js";

export const commands: readonly AnyCommand[] = [ls, show, audit];
