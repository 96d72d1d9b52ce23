/** `unpack`: the Items of a pack as files again, after the pack was held against its address. */
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { DreamDbError } from "../../errors.js";
import { advised, STATUS } from "../manners/failures.js";
import { writeWhole } from "../manners/files.js";
import { inert } from "../manners/inert.js";
import { bytesText, countText } from "../manners/numbers.js";
import { command } from "../program.js";
import { entriesInFile, type PackedEntry } from "../tools/entries.js";
import { addressOfFile } from "../tools/files.js";
import { Option } from "../vendor.js";

interface Options {
  readonly output: string;
}

/** Bytes that are copied at a time. */
const PIECE = 1 << 20;

/** Names that are one file in a folder and nothing else, on any system. */
// oxlint-disable-next-line no-control-regex -- these are what is refused
const PLAIN = /^(?!\.{1,2}$)[^/\\:\u0000-\u001f\u007f]{1,255}$/;

export const unpack = command<[string, string], Options>({
  usage: "unpack <pack> <entries>",
  summary: "the Items of a pack as files",
  description:
    "Writes each Item of a pack to a file: by the name in the index entries that `pack` printed, or else <anchor>.bin. The whole pack is first held against the address that all entries " +
    "must name, and every entry against the pack's length; nothing is written if any is wrong. Files that are there are replaced. Packs of any size.",
  args: { pack: "the pack", entries: "JSON file with the index entries; - for standard input" },
  options: [new Option("-o, --output <dir>", "folder for the files, made if it is not there").default(".", "the current one")],
  examples: ["unpack frames.pack entries.json -o frames"],
  async run(context, [path, entriesPath], { output: folder }) {
    const { output, signal } = context;
    const entries = await entriesInFile(entriesPath, signal);
    const names = namesOf(entries);
    const bar = context.progress();
    const { address, bytes } = await addressOfFile(path, signal, (done) => bar.at({ done, total: undefined, bytes: done, what: "hashing" }));
    bar.stop();
    for (const [at, entry] of entries.entries()) judge(path, entry, at, address, BigInt(bytes));
    await mkdir(folder, { recursive: true });
    const file = await open(path);
    try {
      for (const [at, { packOffset, size }] of entries.entries()) {
        signal.throwIfAborted();
        await writeWhole(join(folder, names[at] ?? ""), async (sink) => {
          for (let done = 0n; done < size; ) {
            signal.throwIfAborted();
            const piece = new Uint8Array(Number(size - done < PIECE ? size - done : PIECE));
            const { bytesRead } = await file.read(piece, 0, piece.byteLength, Number(packOffset + done));
            if (bytesRead === 0) throw new DreamDbError("BodyLength", `${path} became shorter while it was read`, { subject: path });
            await sink.write(piece.subarray(0, bytesRead));
            done += BigInt(bytesRead);
          }
        });
        bar.at({ done: at + 1, total: entries.length, what: "unpacking" });
      }
    } finally {
      await file.close();
      bar.stop();
    }
    output.say(`${countText(entries.length)} Items of ${bytesText(bytes)} are in ${inert(folder)}`);
    return STATUS.ok;
  },
});

function judge(path: string, { packOffset, size, address: said }: PackedEntry, at: number, address: string, length: bigint): void {
  if (said !== address) {
    const error = new DreamDbError("HashMismatch", `entry ${at} is of the pack ${said}, and ${path} is ${address}`, { subject: path, expected: said, actual: address });
    throw advised(error, "take the pack that the entries are of, or fetch it anew");
  }
  if (packOffset + size <= length) return;
  const message = `entry ${at} ends at byte ${packOffset + size} of a pack of ${length}`;
  throw advised(new DreamDbError("PackSliceOutOfBounds", message, { subject: path, expected: String(length), actual: String(packOffset + size) }), "the entries are not those of this pack");
}

/** Names of the files, each a plain one, and no two the same: entries may come from anybody. */
function namesOf(entries: readonly PackedEntry[]): string[] {
  const names = entries.map(({ file, start }) => file ?? `${start}.bin`);
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    const twice = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (PLAIN.test(name) && !twice) continue;
    const message = twice ? `two entries are to be written to ${JSON.stringify(name)}` : `entry ${at} is to be written to ${JSON.stringify(name)}, which is no plain name of a file`;
    throw advised(new DreamDbError("InvalidArgument", message, { subject: name }), "leave `file` out of the entries: the anchors are the names then");
  }
  return names;
}
