/** `show`: an Item as a person wants to see it. */
import type { ArrayValue } from "../../codec/values.js";
import type { Dataset } from "../../dataset/dataset.js";
import { isArrayField, isMediaField, isScalarField, type FieldInfo } from "../../dataset/fields.js";
import { DreamDbError } from "../../errors.js";
import { arrayFieldOf, familyText, fieldJson, meaningText, storageText, typeText } from "../describe.js";
import { fieldNamed, type Shown, shownArray, shownMedia, shownScalar, shownText } from "../item.js";
import { STATUS } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { jsonText } from "../manners/json.js";
import { command, u64Argument } from "../program.js";
import { openSource, sourceOf } from "../source.js";
import { Option } from "../vendor.js";

interface Options {
  readonly json?: boolean;
  readonly hex?: boolean;
  readonly ref?: string;
}

export const show = command<[string, string, string | undefined], Options>({
  usage: "show <source> <field> [anchor]",
  summary: "show an Item",
  description:
    "Shows what a field declares and one of its Items: shape, statistics, values at the corners, lengths of rows, non-zeros by row, an image's type and size. " +
    "Without an anchor, its first Item, or a Constant's value. Floats are written with the fewest digits that read back the same.",
  args: { source: "URL of the dataset's root, a folder, or a file: URL", field: "name of the field", anchor: "of the Item; the first one unless given" },
  options: [
    new Option("--ref <ref>", "name of a Ref, or address of a manifest"),
    new Option("--hex", "the exact bits of the values instead of decimals"),
    new Option("--json", "one JSON document; integers of 64 bits are decimal strings"),
  ],
  reads: true,
  examples: ["show ./episode pose", "show https://data.example.org/episodes hits 1700000000033333333", "show ./episode pose --hex"],
  async run(context, [given, name, anchorText], { json, hex, ref }) {
    const { output, signal } = context;
    const ds = await openSource(await sourceOf(given, context), ref, context, signal);
    const info = fieldNamed(ds, name);
    const anchor = anchorText === undefined ? undefined : u64Argument("the anchor", anchorText);
    const shown = await itemOf(ds, info, anchor, { signal, hex: hex === true });
    if (json === true) {
      await output.line(jsonText({ field: fieldJson(info), ...shown.json }, 2));
      return STATUS.ok;
    }
    const { bold, dim } = output.colours;
    const about = [familyText(info), typeText(info), storageText(info), meaningText(info)].filter((text) => text !== "").map(inert);
    await output.line(`${bold(inert(info.name))}  ${about.join("  ")}`);
    await output.line(...shown.lines.map(([what, text]) => (what === "" ? text : `${dim(what.padEnd(12))} ${text}`)));
    return STATUS.ok;
  },
});

interface Wanted {
  readonly signal: AbortSignal;
  readonly hex: boolean;
}

async function itemOf(ds: Dataset, info: FieldInfo, asked: bigint | undefined, { signal, hex }: Wanted): Promise<Shown> {
  const { name } = info;
  if (info.trackKind === "constant") {
    if (asked !== undefined) throw new DreamDbError("WrongKind", `field ${JSON.stringify(name)} is a Constant: it has no anchors`, { field: name });
    const value = await ds.constant(name).read({ signal });
    if (value === undefined) throw new DreamDbError("NotFound", `field ${JSON.stringify(name)} was never written`, { field: name });
    return value.family === "text" ? shownText(value) : shownArray(value, hex);
  }
  if (isScalarField(info)) {
    const field = ds.scalar(name);
    const anchor = asked ?? (await field.anchors({ signal })).at(0);
    const value = anchor === undefined ? undefined : await field.read(anchor, { signal });
    if (anchor === undefined || value === undefined) throw nothingAt(name, anchor);
    return shownScalar(anchor, value);
  }
  if (isMediaField(info)) {
    const field = ds.media(name);
    const anchor = asked ?? (await firstOf(field, signal));
    const item = anchor === undefined ? undefined : await field.read(anchor, { signal });
    if (item === undefined) throw nothingAt(name, anchor);
    return shownMedia(item);
  }
  if (!isArrayField(info)) throw new DreamDbError("Unsupported", `fields of kind ${info.kind} cannot be read`, { field: name });
  const field = arrayFieldOf(ds, info);
  const anchor = asked ?? (await firstOf(field, signal));
  const item: (ArrayValue & { readonly anchor?: bigint; readonly verified: string }) | undefined = anchor === undefined ? undefined : await field.read(anchor, { signal });
  if (item === undefined) throw nothingAt(name, anchor);
  return shownArray(item, hex);
}

/** The first anchor whose row was not deleted. */
async function firstOf(
  field: { batches(options: { batchSize: number; signal: AbortSignal }): AsyncIterable<{ readonly anchors: BigUint64Array }> },
  signal: AbortSignal,
): Promise<bigint | undefined> {
  for await (const { anchors } of field.batches({ batchSize: 1, signal })) return anchors[0];
  return undefined;
}

function nothingAt(field: string, anchor: bigint | undefined): DreamDbError {
  const message = anchor === undefined ? `field ${JSON.stringify(field)} has no Items` : `field ${JSON.stringify(field)} has no Item at anchor ${anchor}, or its row was deleted`;
  return new DreamDbError("NotFound", message, { field, anchor });
}
