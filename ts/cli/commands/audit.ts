/**
 * `audit`: every stored Item of a version read and checked, and what is wrong with which.
 *
 * What is checked is the library's matter; here it is counted, shown while it goes on, and told. A manifest that is missing or is not what its address
 * says is a fault as well, since that is what was looked at; a host that does not answer is none.
 */
import { countOf } from "../describe.js";
import type { Dataset } from "../../dataset/dataset.js";
import type { Audit, Fault } from "../../dataset/audit.js";
import { isArrayField, isMediaField, isScalarField } from "../../dataset/fields.js";
import { type DreamDbError, type ErrorCode, isDreamDbError } from "../../errors.js";
import { STATUS } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { type Json, jsonText } from "../manners/json.js";
import { bytesText, countText, durationText } from "../manners/numbers.js";
import { command, type Context } from "../program.js";
import { openSource, sourceOf } from "../source.js";
import { Option } from "../vendor.js";

interface Options {
  readonly ref?: string;
  readonly json?: boolean;
}

/** What a fault is of: absent parts are those of the version itself. */
type Found = Pick<Fault, "code" | "error"> & Partial<Pick<Fault, "field" | "anchor">>;

/** What says nothing of the dataset, but of the way to it. */
const OF_THE_WAY: readonly ErrorCode[] = ["Network", "Timeout", "Forbidden", "HttpStatus", "FileSystem", "Aborted", "RequestBudget", "ResolveFailed"];

/** Rows that are set as one table; of very many the columns may then differ in width. */
const TABLE_ROWS = 2000;

export const audit = command<[string, string[]], Options>({
  usage: "audit <source> [fields...]",
  summary: "check every Item",
  description:
    "Reads every stored Item of all fields, or of those that are named, those of deleted rows included, and checks it: its address, its length, headers, offsets and " +
    "columns, and the index against what it counts. A fault is noted, and the audit goes on. Ends with 1 if there was any fault. " +
    "Costs every object of the fields once; a few Items are in memory at a time. With `--verify never`, addresses are left out.",
  args: { source: "URL of the dataset's root, a folder, or a file: URL", fields: "names of the fields; all that can be read unless given" },
  options: [
    new Option("--ref <ref>", "name of a Ref, or address of a manifest; `main` unless given"),
    new Option("--json", "one JSON document; integers of 64 bits are decimal strings"),
  ],
  reads: true,
  examples: ["audit ./episode", "audit https://data.example.org/episodes pose image", "audit ./episode --json > faults.json"],
  async run(context, [given, fields], { ref, json }) {
    const start = performance.now();
    const source = await sourceOf(given, context);
    let found: Audit = { items: 0, bytes: 0, faults: [], fields: [] };
    let faults: readonly Found[];
    let version: string | undefined;
    try {
      const ds = await openSource(source, ref, context, context.signal);
      version = ds.manifest.address;
      found = await audited(ds, fields, context);
      faults = found.faults;
    } catch (error) {
      if (!isOfTheManifest(error)) throw error;
      faults = [{ code: error.code, error }];
    }
    const ms = performance.now() - start;
    if (json === true) await context.output.line(jsonText(asJson({ source: source.shown, ref: ref ?? "main", version, verify: context.verify, ms }, found, faults), 2));
    else await tell(context, found, faults, ms);
    return faults.length === 0 ? STATUS.ok : STATUS.found;
  },
});

async function audited(ds: Dataset, asked: readonly string[], context: Context): Promise<Audit> {
  const { signal, output } = context;
  const readable = ds.fields.filter((info) => info.trackKind === "constant" || isArrayField(info) || isMediaField(info) || isScalarField(info));
  for (const { name, kind } of asked.length > 0 ? [] : ds.fields.filter((info) => !readable.includes(info))) {
    output.say(`field ${inert(name)} is left out: what is of kind ${inert(kind)} cannot be read`);
  }
  const names = asked.length > 0 ? [...new Set(asked)] : readable.map(({ name }) => name);
  // What an index that cannot be read would have counted is told by the audit itself.
  const counts = await Promise.all(ds.fields.filter(({ name }) => names.includes(name)).map(async (info) => (await countOf(ds, info, signal)?.catch(() => 0)) ?? 0));
  signal.throwIfAborted();
  const total = counts.reduce((sum, count) => sum + count, 0);
  const bar = context.progress();
  let before = { field: "", items: 0, bytes: 0 };
  let now = before;
  try {
    return await ds.audit(names, {
      signal,
      onProgress({ field, items, bytes }) {
        if (field !== now.field) before = { field, items: before.items + now.items, bytes: before.bytes + now.bytes };
        now = { field, items, bytes };
        bar.at({ done: before.items + items, total: Math.max(total, before.items + items), bytes: before.bytes + bytes, what: inert(field) });
      },
    });
  } finally {
    bar.stop();
  }
}

/** Whether it is the version itself that is missing or wrong. */
function isOfTheManifest(error: unknown): error is DreamDbError {
  return isDreamDbError(error) && error.key?.startsWith("manifests/") === true && !OF_THE_WAY.includes(error.code);
}

function asJson(about: { source: string; ref: string; version: string | undefined; verify: string; ms: number }, found: Audit, faults: readonly Found[]): Json {
  const { source, ref, version, verify, ms } = about;
  return {
    source,
    ref,
    manifest: version,
    verify,
    items: found.items,
    bytes: found.bytes,
    milliseconds: Math.round(ms),
    fields: found.fields.map((field) => ({ field: field.field, items: field.items, bytes: field.bytes, faults: field.faults.length })),
    faults: faults.map(({ field, anchor, code, error }) => {
      const { message, key, expected, actual } = error;
      return { field, anchor, code, message, key, expected, actual };
    }),
  };
}

async function tell({ output, verify }: Context, found: Audit, faults: readonly Found[], ms: number): Promise<void> {
  const { bold, red, green } = output.colours;
  if (found.fields.length > 0) {
    const rows = found.fields.map(({ field, items, bytes, faults: own }) => [inert(field), countText(items), bytesText(bytes), own.length === 0 ? "none" : countText(own.length)]);
    await output.line(output.table(["field", ">Items", ">bytes", ">faults"], rows), "");
  }
  for (let from = 0; from < faults.length; from += TABLE_ROWS) {
    const rows = faults.slice(from, from + TABLE_ROWS).map(({ field, anchor, code, error }) => [inert(field ?? ""), anchor === undefined ? "" : String(anchor), red(code), inert(error.message)]);
    await output.line(output.table(["field", ">anchor", "code", "what is wrong"], rows), "");
  }
  const looked = `${countText(found.items)} ${found.items === 1 ? "Item" : "Items"}, ${bytesText(found.bytes)}, in ${durationText(ms)}`;
  const unchecked = verify === "always" ? "" : `; addresses were ${verify === "never" ? "not checked" : "checked where that was possible"}`;
  const verdict = faults.length === 0 ? green("no faults") : red(`${countText(faults.length)} ${faults.length === 1 ? "fault" : "faults"}`);
  await output.line(`${bold(verdict)} in ${looked}${unchecked}`);
}
