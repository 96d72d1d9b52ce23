/** `pack`: files as the Items of one pack, with its outboard and the index entries, for those who keep entries themselves. */
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { packOf } from "../../codec/pack.js";
import { fragmentKey } from "../../dataset/keys.js";
import { outboardKey } from "../../io/outboards.js";
import { STATUS, UsageError } from "../manners/failures.js";
import { writeWhole } from "../manners/files.js";
import { inert } from "../manners/inert.js";
import { jsonText } from "../manners/json.js";
import { bytesText } from "../manners/numbers.js";
import { command } from "../program.js";
import { ANCHOR_OPTIONS, type AnchorOptions, anchorsOf } from "../tools/anchors.js";
import { sizeOf, tooLarge, WHOLE, wholeFile } from "../tools/files.js";
import { Option } from "../vendor.js";

interface Options extends AnchorOptions {
  readonly path?: string;
}

export const pack = command<[string, string[]], Options>({
  usage: "pack <out> <files...>",
  summary: "files as one pack, with outboard and index entries",
  description:
    "Puts files one after another into one pack (Spec 0022 §3), in the given order, writes the pack and the Bao outboard that proves ranges of it, and prints the index entries as " +
    "a JSON list: start, end, size, address, packOffset, which is what openArrayField takes once the integers, decimal strings here, are bigints, and the name of the file. " +
    "The pack is <out>, the outboard <out>.obao; with --path, <out> is the folder of a store, in which both lie where readers look for them. Files in all up to 1 GiB.",
  args: { out: "file to write, or with --path a folder", files: "the Items" },
  options: [...ANCHOR_OPTIONS, new Option("--path <path>", "write <out>/<path>/0000000000000000/ADDRESS and <out>/bao-outboard/ADDRESS")],
  examples: ["pack frames.pack 1000.png 2000.png > entries.json", "pack frames.pack frames/*.png --start 0 --step 33333333 > entries.json", "pack ./store part.bin --start 0 --path parts > parts.json"],
  async run({ output, signal }, [out, files], { path, ...anchoring }) {
    if (path !== undefined && path.split("/").some((part) => part === "" || part === "." || part === "..")) {
      throw new UsageError(`--path is what keys begin with, such as a/b, not ${JSON.stringify(path)}`);
    }
    const { anchors, from } = anchorsOf(files, anchoring);
    output.say(`anchors are from ${from}`);
    const sizes = await Promise.all(files.map(sizeOf));
    const all = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
    if (all > WHOLE) throw tooLarge("what is to be packed", all);
    const items = [];
    for (const [at, file] of files.entries()) items.push({ anchor: anchors[at] ?? 0n, bytes: await wholeFile(file, signal) });
    const { body, address, outboard, entries } = packOf(items);
    const [target, proof] = path === undefined ? [out, `${out}.obao`] : [join(out, fragmentKey(path, address)), join(out, outboardKey(address))];
    for (const file of [proof, target]) await mkdir(dirname(file), { recursive: true });
    // The outboard gets its name once the pack has its own: a pack that cannot be had leaves neither.
    await writeWhole(proof, async (sink) => {
      await sink.write(outboard);
      await writeWhole(target, (own) => own.write(body));
    });
    output.say(`${inert(target)}, ${bytesText(body.byteLength)}, and its outboard ${inert(proof)}, ${bytesText(outboard.byteLength)}`);
    await output.line(jsonText(entries.map((entry, at) => ({ ...entry, file: basename(files[at] ?? "") })), 2));
    return STATUS.ok;
  },
});
