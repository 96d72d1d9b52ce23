/** `get`: what a field holds, as files that other programs read. Formats are the matter of export/. */
import { contentOf } from "../export/read.js";
import type { RowsOf } from "../export/contents.js";
import { type Format, FORMATS, formatFor, isBinary } from "../export/formats.js";
import { placeOf, write } from "../export/write.js";
import { fieldNamed } from "../item.js";
import { STATUS, UsageError } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { bytesText, countText } from "../manners/numbers.js";
import { command, u64Argument } from "../program.js";
import { openSource, sourceOf } from "../source.js";
import { Option } from "../vendor.js";

interface Options {
  readonly ref?: string;
  readonly start?: string;
  readonly end?: string;
  readonly row?: string;
  readonly rows?: string;
  readonly output?: string;
  readonly format?: Format;
}

export const get = command<[string, string, string | undefined], Options>({
  usage: "get <source> <field> [anchor]",
  summary: "export an Item, a window or a whole field",
  description:
    "Writes what a field holds: one Item, the Items from --start to --end, or, with neither, all of them; of a Constant its value. A file is whole or not there, " +
    "and the memory that it takes does not grow with it.\n\n" +
    "  raw    bytes as they are: an image, a text, the stored payload of an array\n" +
    "  npy    for numpy.load: an array, [n, …shape] of many, scalar values\n" +
    "  npz    for numpy.load: data, anchors; row_offsets, values, item_offsets;\n" +
    "         sparse as scipy.sparse.load_npz reads it, many one below the other\n" +
    "  csv    a line an Item; of ragged and sparse ones a line a stored element\n" +
    '  json   {"anchor": …, "value": …}, a list of many; 64-bit integers as strings\n' +
    "  jsonl  the same, a line an Item\n\n" +
    "Elements are little-endian and in C order, whatever is stored; all but raw bytes read back to the same values in NumPy and SciPy.",
  args: {
    source: "URL of the dataset's root, a folder, or a file: URL",
    field: "name of the field",
    anchor: "of one Item; many unless given",
  },
  options: [
    new Option("--ref <ref>", "name of a Ref, or address of a manifest"),
    new Option("--start <anchor>", "the first anchor"),
    new Option("--end <anchor>", "the anchor after the last"),
    new Option("--row <n>", "one row of a ragged or sparse Item, from 0; nothing else of it is fetched").conflicts("rows"),
    new Option("--rows <a:b>", "rows from a up to b, the latter excluded"),
    new Option("-o, --output <file>", "where to; a folder (FOLDER/) gets a file for each Item; - is standard output").default(undefined, "standard output"),
    new Option("--format <format>", "by the file's name unless given; without a file raw for media and texts, json for the rest").choices(FORMATS),
  ],
  reads: true,
  examples: [
    "get ./episode pose 1700000000033333333",
    "get https://data.example.org/episodes pose -o pose.npy",
    "get ./episode image 1700000000033333333 -o frame.png",
    "get ./episode image -o pictures/",
    "get ./episode hits 1700000000033333333 --row 2 --format csv",
    "get ./episode force --start 1700000000000000000 --end 1700000000200000000 --format jsonl > force.jsonl",
  ],
  async run(context, [given, name, anchorText], options) {
    const { output, signal } = context;
    const asked = askedOf(anchorText, options);
    const place = await placeOf(options.output);
    const ds = await openSource(await sourceOf(given, context), options.ref, context, signal);
    const info = fieldNamed(ds, name);
    const format = formatFor(info, { asked, format: options.format, target: place.target, file: options.output });
    if (place.target === "stdout" && output.isTerminal && isBinary(format, info)) {
      throw new UsageError(`${format === "raw" ? "bytes" : `.${format}`} would be written to the terminal`, "name a file with -o, or send it through a pipe");
    }
    // A bar between lines of data would be neither.
    const bar = place.target === "stdout" && output.isTerminal ? undefined : context.progress();
    let [done, bytes, total] = [0, 0, undefined as number | undefined];
    const told = (items: number, more: number): void => {
      done += items;
      bytes += more;
      bar?.at({ done, total, bytes });
    };
    const content = await contentOf(ds, info, { ...asked, raw: format === "raw" }, { signal, told });
    total = content.count;
    await write(content, format, place, output);
    bar?.stop();
    const where = asked.start === undefined && asked.end === undefined ? "" : " in this window";
    const what = content.count === 0 ? `no Items${where}` : `${countText(content.count)} ${content.count === 1 ? "Item" : "Items"}${bytes > 0 ? `, ${bytesText(bytes)}` : ""}`;
    if (place.target !== "stdout") output.say(`${what} → ${inert(place.path)}`);
    else if (content.count === 0) output.say(what);
    return STATUS.ok;
  },
});

/** @throws {UsageError} */
function askedOf(anchorText: string | undefined, { start: startText, end: endText, row, rows }: Options) {
  const anchor = anchorText === undefined ? undefined : u64Argument("the anchor", anchorText);
  const start = startText === undefined ? undefined : u64Argument("--start", startText);
  const end = endText === undefined ? undefined : u64Argument("--end", endText);
  if (anchor !== undefined && (start !== undefined || end !== undefined)) throw new UsageError("an anchor is one Item, --start and --end are many", "give the one or the others");
  if (start !== undefined && end !== undefined && start > end) throw new UsageError(`--start ${start} lies behind --end ${end}`);
  const range = row !== undefined ? oneRow(row) : rows === undefined ? undefined : rangeOf(rows);
  if (range !== undefined && anchor === undefined) throw new UsageError("rows are those of one Item", "give its anchor");
  return { anchor, start, end, rows: range };
}

function oneRow(text: string): RowsOf {
  const start = u64Argument("--row", text);
  if (start === 0xffff_ffff_ffff_ffffn) throw new UsageError("no Item has a row 2^64 - 1");
  return { start, end: start + 1n, single: true };
}

function rangeOf(text: string): RowsOf {
  const [from, to] = /^(\d+):(\d+)$/.exec(text)?.slice(1) ?? [];
  if (from === undefined || to === undefined) throw new UsageError(`--rows takes a range such as 3:7, not ${JSON.stringify(text)}`);
  const [start, end] = [u64Argument("the first row", from), u64Argument("the row after the last", to)];
  if (start > end) throw new UsageError(`the rows ${text} end before they start`);
  return { start, end, single: false };
}
