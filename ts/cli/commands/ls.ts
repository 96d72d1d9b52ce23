/** `ls`: which Refs and fields a source has. */
import type { Dataset } from "../../dataset/dataset.js";
import { codecText, type Extent, extentOf, familyText, fieldJson, meaningText, storageText, typeText } from "../describe.js";
import { STATUS } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { type Json, jsonText } from "../manners/json.js";
import { bytesText, countText } from "../manners/numbers.js";
import { command, type Context } from "../program.js";
import { openSource, refsOf, sourceOf } from "../source.js";
import { Option } from "../vendor.js";

interface Options {
  readonly json?: boolean;
}

export const ls = command<[string, string | undefined], Options>({
  usage: "ls <source> [ref]",
  summary: "list Refs and fields",
  description:
    "Lists the Refs of a source, where it can tell them, and the fields of one version: what they hold, how it is stored, how many Items there are, where " +
    "their anchors lie, and what the numbers mean. Items are counted by the indexes; no Item is read.",
  args: { source: "URL of the dataset's root, a folder, or a file: URL", ref: "name of a Ref, or address of a manifest; `main` unless given" },
  options: [new Option("--json", "one JSON document; integers of 64 bits are decimal strings")],
  reads: true,
  examples: ["ls https://data.example.org/episodes", "ls ./episode main", "ls ./episode --json > episode.json"],
  async run(context, [given, ref], { json }) {
    const { output, signal } = context;
    const source = await sourceOf(given, context);
    const refs = await refsOf(source, signal);
    const ds = await openSource(source, chosen(ref, refs), context, signal);
    const extents = await Promise.all(ds.fields.map((info) => extentOf(ds, info, signal)));
    if (json === true) await output.line(jsonText(asJson(source.shown, chosen(ref, refs), refs, ds, extents), 2));
    else await output.write(asText(context, ref, refs, ds, extents));
    return STATUS.ok;
  },
});

/** The only Ref that there is, if none was asked for and `main` is not among them. */
function chosen(ref: string | undefined, refs: readonly string[] | undefined): string | undefined {
  return ref ?? (refs?.length === 1 && refs[0] !== "main" ? refs[0] : undefined);
}

function asJson(source: string, ref: string | undefined, refs: readonly string[] | undefined, ds: Dataset, extents: readonly Extent[]): Json {
  const { address, timestamp, writer, parents, timelines, deletions, notes } = ds.manifest;
  return {
    source,
    refs: refs === undefined ? null : [...refs],
    ref: ref ?? "main",
    manifest: { address, timestamp, writer, parents: [...parents], timelines: [...timelines], deletions, notes: Object.fromEntries(notes) },
    fields: ds.fields.map((info, at) => {
      const { count, window, bytes } = extents[at] ?? { count: undefined, window: undefined, bytes: undefined };
      return { ...fieldJson(info), count, start: window?.[0], end: window?.[1], bytes };
    }),
  };
}

function asText({ output }: Context, ref: string | undefined, refs: readonly string[] | undefined, ds: Dataset, extents: readonly Extent[]): string {
  const { bold, dim } = output.colours;
  const { address, timestamp, writer, deletions, notes } = ds.manifest;
  const lines: string[] = [];
  if (refs !== undefined) lines.push(`${bold("Refs")}  ${refs.map(inert).join("  ") || "none"}`, "");
  lines.push(`${bold(inert(ref ?? "main"))}  ${address}`);
  lines.push(dim(`written ${new Date(Number(timestamp / 1_000_000n)).toISOString()} by ${inert(writer.split(";")[0] ?? "")}${deletions ? "; rows were deleted" : ""}`));
  for (const [key, text] of notes) lines.push(dim(`${inert(key.replace(/^dreamdb\./, ""))}: ${inert(text)}`));
  const rows = ds.fields.map((info, at) => {
    const { count, window, bytes } = extents[at] ?? { count: undefined, window: undefined, bytes: undefined };
    return [
      inert(info.name),
      familyText(info),
      inert(typeText(info)),
      codecText(info),
      storageText(info),
      count === undefined ? "" : countText(count),
      window === undefined ? "" : `${window[0]} … ${window[1]}`,
      bytes === undefined ? "" : bytesText(bytes),
      inert(meaningText(info)),
    ];
  });
  const head = ["field", "holds", "type", "codec", "Track", ">Items", "anchors", ">bytes", "meaning"];
  lines.push("", output.table(head, rows));
  return `${lines.join("\n")}\n`;
}
