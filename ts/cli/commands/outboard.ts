/** `outboard`: the Bao outboard of a file, which proves ranges of it, as datasets have them. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { outboardKey } from "../../io/outboards.js";
import { call } from "../../wasm.js";
import { STATUS, UsageError } from "../manners/failures.js";
import { writeWhole } from "../manners/files.js";
import { inert } from "../manners/inert.js";
import { bytesText } from "../manners/numbers.js";
import { command } from "../program.js";
import { wholeFile } from "../tools/files.js";
import { Option } from "../vendor.js";

interface Options {
  readonly output?: string;
  readonly store?: string;
}

export const outboard = command<[string], Options>({
  usage: "outboard <file>",
  summary: "write the outboard that proves ranges of a file",
  description:
    "Writes the Bao outboard of a file, as datasets have it at bao-outboard/ADDRESS: the file's length in 8 bytes, least significant first, then the tree's nodes of 64 bytes each, over chunks " +
    "of 1 KiB, a node before those below it. Prints the file's address. The outboard goes to <file>.obao unless said otherwise. Files up to 1 GiB.",
  args: { file: "the file; - for standard input" },
  options: [new Option("-o, --output <file>", "file to write"), new Option("--store <dir>", "write <dir>/bao-outboard/ADDRESS").conflicts("output")],
  examples: ["outboard frames.pack", "outboard part.bin --store ./store"],
  async run({ output, signal }, [path], { output: target, store }) {
    if (path === "-" && target === undefined && store === undefined) throw new UsageError("standard input has no name", "give --output or --store");
    const bytes = await wholeFile(path, signal);
    const { address, bytes: made } = call((core) => core.makeOutboard(bytes));
    const file = target ?? (store === undefined ? `${path}.obao` : join(store, outboardKey(address)));
    if (store !== undefined) await mkdir(dirname(file), { recursive: true });
    await writeWhole(file, (sink) => sink.write(made));
    output.say(`${inert(file)}, ${bytesText(made.byteLength)}`);
    await output.line(address);
    return STATUS.ok;
  },
});
