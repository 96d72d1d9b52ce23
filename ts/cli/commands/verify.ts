/** `verify`: whether a file is what its address says. */
import { addressBytesOf } from "../../codec/hash.js";
import { STATUS, UsageError } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { jsonText } from "../manners/json.js";
import { bytesText } from "../manners/numbers.js";
import { command } from "../program.js";
import { addressOfFile, shownPath, sizeOf } from "../tools/files.js";
import { Option } from "../vendor.js";
import { isDreamDbError } from "../../errors.js";

interface Options {
  readonly json?: boolean;
}

export const verify = command<[string, string | undefined], Options>({
  usage: "verify <file> [address]",
  summary: "hold a file against its address",
  description:
    "Hashes a file of any size with BLAKE3 and says whether its address is the one that is given; without one, whether it is that of the file's own name, as objects of a " +
    "dataset are named. Ends with 0 if it is, with 1 if not, and prints the address that it has either way.",
  args: { file: "the file; - for standard input", address: "53 characters of base32; the file's name unless given" },
  options: [new Option("--json", "one JSON document")],
  examples: ["verify part.bin dyqybq7uufy5ia7jjrtauqaosljctscepsc6oxur6mdr7ypapkyng", "verify ./episode/manifests/d3auyupdfpmmhyd5pz7syc4ecrs2skebvycc5zde5cp5lwku7o7ya", "verify - dyqybq7uufy5ia7jjrtauqaosljctscepsc6oxur6mdr7ypapkyng < part.bin"],
  async run(context, [path, given], { json }) {
    const { output, signal } = context;
    const expected = given ?? nameOf(path);
    requireAddress(expected, given === undefined);
    const total = await sizeOf(path);
    const bar = context.progress();
    const { address, bytes } = await addressOfFile(path, signal, (done) => bar.at({ done, total, bytes: done, what: "hashing" }));
    bar.stop();
    const same = address === expected;
    if (json === true) await output.line(jsonText({ file: path, bytes, address, expected, same }, 2));
    else {
      const { green, red } = output.colours;
      const shown = inert(shownPath(path));
      await output.line(same ? `${green("right")}  ${shown}, ${bytesText(bytes)}, is what ${address} says` : `${red("wrong")}  ${shown}, ${bytesText(bytes)}, is ${address}, not ${expected}`);
    }
    return same ? STATUS.ok : STATUS.found;
  },
});

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? "";
}

function requireAddress(text: string, fromName: boolean): void {
  try {
    addressBytesOf(text);
  } catch (error) {
    if (!isDreamDbError(error)) throw error;
    if (fromName) throw new UsageError(`the file's name, ${JSON.stringify(text)}, is no address`, "give the address that it is to have");
    throw new UsageError(`${JSON.stringify(text)} is no address: ${error.message}`);
  }
}
