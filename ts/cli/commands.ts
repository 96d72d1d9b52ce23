/** All commands, in the order in which the help has them. */
import { audit } from "./commands/audit.js";
import { bench } from "./commands/bench.js";
import { doctor } from "./commands/doctor.js";
import { get } from "./commands/get.js";
import { id } from "./commands/id.js";
import { importCommand } from "./commands/import.js";
import { ls } from "./commands/ls.js";
import { outboard } from "./commands/outboard.js";
import { pack } from "./commands/pack.js";
import { serve } from "./commands/serve.js";
import { show } from "./commands/show.js";
import { tag } from "./commands/tag.js";
import { unpack } from "./commands/unpack.js";
import { vectors } from "./commands/vectors.js";
import { verify } from "./commands/verify.js";
import { view } from "./commands/view.js";
import type { AnyCommand } from "./program.js";

export const commands: readonly AnyCommand[] = [ls, show, get, importCommand, audit, view, serve, doctor, bench, verify, id, tag, pack, unpack, outboard, vectors];
