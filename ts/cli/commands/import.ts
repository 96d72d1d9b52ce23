/**
 * `import`: `.npy` files and images into a field of a new or existing dataset.
 *
 * Everything that can be refused is refused before anything is stored: files are looked at, anchors made, the field declared. Then Items are written commit by
 * commit, so that a run that was stopped, however that was, is gone on with by the same command.
 */
import { basename, extname, resolve } from "node:path";
import { Schema } from "../../write/schema.js";
import { createDataset, openWritable } from "../../write/door.js";
import type { FieldDeclaration } from "../../write/schema.js";
import type { WritableDataset } from "../../write/writable-dataset.js";
import { DreamDbError, isDreamDbError } from "../../errors.js";
import { declarationOf, requireSame, type Said } from "../import/declaration.js";
import { type Inputs, inputsOf } from "../import/inputs.js";
import { Items } from "../import/items.js";
import { importItems } from "../import/write.js";
import { advised, STATUS, UsageError } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { jsonText } from "../manners/json.js";
import { bytesText, countText, durationText } from "../manners/numbers.js";
import { command, type Context, wholeNumber } from "../program.js";
import { type Source, sourceOf } from "../source.js";
import { ANCHOR_OPTIONS, type Anchors, anchorsOf, type AnchorOptions, counted } from "../tools/anchors.js";
import { Option } from "../vendor.js";

interface Options extends Said, AnchorOptions {
  readonly ref: string;
  readonly field?: string;
  readonly batch?: number;
  readonly json?: boolean;
}

export const importCommand = command<[string, string[]], Options>({
  usage: "import <dest> <files...>",
  summary: ".npy files and images into a dataset",
  description:
    "Writes .npy files, or png, jpeg, webp or gif images, into one field of a dataset, which is made if it is not there, as the field is. dtype, shape, byte order and layout are those of the " +
    "files; files that differ from the first are refused by name before anything is stored.\n\n" +
    "A folder stands for the files right within it, in the order of their names, in which numbers count as numbers. The field is called as --field says, or as the one folder or the " +
    "one file that was named. Anchors are given by --start and --step; without them, if all files are named by whole numbers, these are the anchors. They are never guessed.\n\n" +
    "Items are written some at a time, each time all or none, with a few times 64 MiB in memory. After Ctrl-C or a crash the same command goes on: what is there at the same anchor with " +
    "the same content is passed over; where there is another Item, the import ends with RepeatedAnchor. A new field is optional, so that other fields may be imported at the same anchors.",
  args: { dest: "folder, file: URL, or URL of an object store that takes conditional PUTs", files: ".npy files or images, or folders of them" },
  options: [
    new Option("--field <name>", "name of the field; that of the only folder or file unless given"),
    ...ANCHOR_OPTIONS,
    new Option("--stacked", "each element of a file's first axis is an Item; such files may be larger than memory"),
    new Option("--semantic <text>", "what the numbers are, such as pose"),
    new Option("--units <text>", "in which units they are, such as m"),
    new Option("--frame <text>", "in which frame of reference, such as camera"),
    new Option("--axes <text>", "what the axes are, such as row,column"),
    new Option("--codec <codec>", "how arrays are stored: their elements alone, raw unless given, or as NumPy files").choices(["raw", "npy"]),
    new Option("--endianness <order>", "byte order that is stored; that of the files unless given, little if they differ").choices(["little", "big"]),
    new Option("--layout <order>", "order that is stored, c or f; that of the files unless given, c if they differ").choices(["c", "f"]),
    new Option("--pack-items <n>", "images that share an object, at most; 256 unless given, in packs of some 2 MiB; 1 for none").argParser(wholeNumber(1)),
    new Option("--chunk-size <bytes>", "cut each image into chunks of so many bytes instead").argParser(wholeNumber(1)),
    new Option("--ref <name>", "Ref to write to").default("main"),
    new Option("--batch <n>", "Items of a commit at most; 4096 unless given, or 64 MiB").argParser(wholeNumber(1)),
    new Option("--json", "one JSON document; integers of 64 bits are decimal strings"),
  ],
  reads: true,
  examples: [
    "import ./robot poses/ --field pose --semantic pose --units m --frame camera --start 0 --step 33333333",
    "import ./robot depth/1000.npy depth/2000.npy --field depth --units mm",
    "import ./robot frames/ --field image --pack-items 64",
    "import https://data.example.org/robot imu.npy --stacked --start 1700000000000000000 --step 5000000 --header 'Authorization: Bearer TOKEN'",
  ],
  async run(context, [given, named], options) {
    const start = performance.now();
    const { output, signal } = context;
    const looking = context.progress();
    const found = await inputsOf(named, looking, signal);
    looking.stop();
    if (found.left.length > 0) output.say(`left out: ${countText(found.left.length)} ${found.left.length === 1 ? "file that is" : "files that are"} neither .npy nor image, such as ${inert(found.left[0] ?? "")}`);
    const field = fieldName(options, named, found);
    const declaration = declarationOf(found.inputs, options);
    const items = new Items(found.inputs, options);
    const { anchors, from } = anchorsFor(found, items, options);
    const source = await sourceOf(given, context, { make: true });
    const ds = await opened(source, field, declaration, context, options);
    const window = items.count === 0 ? "" : `, ${anchors[0]} … ${anchors.at(-1)}`;
    output.say(`${countText(items.count)} ${items.count === 1 ? "Item" : "Items"} of ${bytesText(items.bytes)}; anchors are from ${from}${window}`);
    const progress = context.progress();
    const ends = () => output.say("stopped; the same command goes on from here");
    signal.addEventListener("abort", ends);
    try {
      const { stored, present, commits } = await importItems({ ds, field, items, anchors, commitItems: options.batch, output, progress, signal });
      progress.stop();
      const { address } = ds.current.manifest;
      if (options.json === true) {
        await output.line(jsonText({ dest: source.shown, ref: options.ref, field, stored, present, commits, bytes: items.bytes, start: anchors[0], end: anchors.at(-1), manifest: address }, 2));
      } else {
        const before = present === 0 ? "" : `, ${countText(present)} were there already`;
        await output.line(`${countText(stored)} stored${before}; field ${inert(field)} of ${inert(options.ref)} at ${address}, in ${durationText(performance.now() - start)}`);
      }
      return STATUS.ok;
    } finally {
      signal.removeEventListener("abort", ends);
      await items.close();
    }
  },
});

/** The field's name: as it was said, or that of the one thing that was named. A number is an anchor and no name. */
function fieldName({ field }: Options, named: readonly string[], { folder }: Inputs): string {
  if (field !== undefined) return field;
  const only = named.length === 1 ? resolve(named[0] ?? "") : undefined;
  const name = folder !== undefined ? basename(resolve(folder)) : only === undefined ? "" : basename(only, extname(only));
  if (name === "" || /^\d+$/.test(name)) throw new UsageError("which field? what was named gives it no name", "give --field");
  return name;
}

function anchorsFor({ inputs }: Inputs, items: Items, options: Options): Anchors {
  const { start, step } = options;
  if (options.stacked !== true) return anchorsOf(inputs.map(({ path }) => path), options);
  if (start === undefined) throw new UsageError("which anchors? the Items of a stack have no names", "give --start, and --step");
  return counted(items.count, start, step);
}

/** The dataset with the field: as they are, if they are there. */
async function opened(source: Source, field: string, declaration: FieldDeclaration, context: Context, options: Options): Promise<WritableDataset> {
  const { signal, output, verify, concurrency } = context;
  const { store, shown } = source;
  let ds: WritableDataset;
  try {
    ds = await openWritable(store, options.ref, { verify, concurrency, signal });
  } catch (error) {
    // Only a Ref that is not there makes a new dataset; one whose manifest is missing is damaged.
    if (!isDreamDbError(error, "NotFound") || error.key !== `refs/${options.ref}`) throw error;
    ds = await createDataset(store, options.ref, new Schema({ [field]: declaration }), { verify, concurrency, signal });
    output.say(`made a new dataset, ${inert(shown)}, with field ${inert(field)}`);
    return ds;
  }
  const fields = ds.current.fields;
  const needed = fields.find((info) => info.name !== field && info.required === true && info.trackKind !== "constant");
  if (needed !== undefined) {
    const message = `each row must have a value for field ${JSON.stringify(needed.name)}, which is required; import writes one field alone`;
    throw advised(new DreamDbError("MissingValue", message, { field: needed.name }), "write whole rows with the package's Dataset.append, or choose another --ref");
  }
  const info = fields.find(({ name }) => name === field);
  if (info !== undefined) {
    requireSame(info, declaration, options);
    return ds;
  }
  await ds.addField(field, declaration, { signal });
  output.say(`added field ${inert(field)}`);
  return ds;
}
