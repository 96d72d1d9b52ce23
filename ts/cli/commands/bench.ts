/** `bench`: what typical reads of one's own data cost from where one stands. */
import { isArrayField, isMediaField } from "../../dataset/fields.js";
import { type Measured, readsOf } from "../bench/reads.js";
import { fieldNamed } from "../item.js";
import { STATUS, UsageError } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { jsonText } from "../manners/json.js";
import { bytesText, countText, durationText } from "../manners/numbers.js";
import type { Output } from "../manners/output.js";
import { command, wholeNumber } from "../program.js";
import { openSource, sourceOf } from "../source.js";
import { Option } from "../vendor.js";

interface Options {
  readonly ref?: string;
  readonly field?: string;
  readonly maxBytes: number;
  readonly seconds: number;
  readonly json?: boolean;
}

/** Fields that are looked at, if none was named. */
const FIELDS = 4;
/** So that two runs read the same Items. */
const SEED = 20_251_130;

export const bench = command<[string], Options>({
  usage: "bench <source>",
  summary: "measure typical reads of your own data",
  description:
    "Measures what typical reads cost from here: opening, the index, one Item, a hundred at random (always the same ones), a hundred neighbours, a column of up to a " +
    "thousand, and a row of a ragged or sparse Item; for each the requests, bytes wanted and fetched, amplification (fetched ÷ wanted), time and Items a " +
    "second. Each read begins with an empty memory; connections and the host's caches stay warm. Nothing is written.",
  args: { source: "URL of the dataset's root, a folder, or a file: URL" },
  options: [
    new Option("--ref <ref>", "name of a Ref, or address of a manifest"),
    new Option("--field <name>", `this field alone; otherwise the first ${FIELDS} of arrays and media`),
    new Option("--max-bytes <n>", "to fetch in all, as far as it is known before").argParser(wholeNumber(1)).default(64_000_000),
    new Option("--seconds <n>", "to take in all").argParser(wholeNumber(1)).default(60),
    new Option("--json", "one JSON document"),
  ],
  reads: true,
  examples: ["bench https://data.example.org/episodes", "bench ./episode --field image --json", "bench https://data.example.org/episodes --verify available --max-bytes 10000000"],
  async run(context, [given], { ref, field, maxBytes, seconds, json }) {
    const { output } = context;
    const source = await sourceOf(given, context);
    const timeOver = AbortSignal.timeout(seconds * 1000);
    const signal = AbortSignal.any([context.signal, timeOver]);
    const limits = { bytes: maxBytes, signal };
    const bar = context.progress();
    const start = performance.now();
    const ds = await openSource(source, ref, context, signal);
    const { requests, bytesWanted, bytesFetched } = ds.stats();
    limits.bytes -= bytesFetched;
    const measured: Measured[] = [{ field: undefined, read: "open", items: 0, requests, bytesWanted, bytesFetched, ms: performance.now() - start }];
    const named = field === undefined ? ds.fields : [fieldNamed(ds, field)];
    const readable = named.filter((info) => info.trackKind !== "constant").filter((info) => isArrayField(info) || isMediaField(info));
    if (field !== undefined && readable.length === 0) throw new UsageError(`field ${JSON.stringify(field)} is no field of arrays or media with anchors`, "`ls SOURCE` shows which are");
    const chosen = readable.slice(0, FIELDS);
    if (chosen.length < readable.length) output.say(`the first ${FIELDS} of ${readable.length} fields; --field chooses another`);
    const random = randomFrom(SEED);
    try {
      for (const info of chosen) {
        for await (const one of readsOf(() => openSource(source, ref, context, signal), info, limits, random)) {
          context.signal.throwIfAborted();
          measured.push(one);
          bar.at({ done: measured.length, total: undefined, what: inert(`${info.name}: ${one.read}`) });
        }
      }
    } catch (error) {
      if (!timeOver.aborted || context.signal.aborted) throw error;
    }
    bar.stop();
    if (timeOver.aborted) output.say(`stopped after ${seconds} s; --seconds gives it more`);
    if (json === true) await output.line(jsonText({ source: source.shown, ref: ref ?? "main", verify: context.verify, reads: measured.map(asJson) }, 2));
    else await output.line(asTable(measured, output));
    return measured.some(({ failed }) => failed === true) ? STATUS.found : STATUS.ok;
  },
});

const ratio = ({ bytesFetched, bytesWanted }: Measured): number | undefined => (bytesWanted === 0 ? undefined : bytesFetched / bytesWanted);
const rate = ({ items, ms }: Measured): number | undefined => (items === 0 || ms === 0 ? undefined : (items / ms) * 1000);

function asJson(measured: Measured) {
  const { planned, ms, failed, note, ...rest } = measured;
  return { ...rest, amplification: ratio(measured), ms, itemsPerSecond: rate(measured), planned: planned === undefined ? undefined : { ...planned }, note, failed: failed === true };
}

function asTable(all: readonly Measured[], output: Output): string {
  const head = ["field", "read", ">Items", ">requests", ">wanted", ">fetched", ">amplification", ">time", ">Items/s", ""];
  const rows = all.map((one) => {
    const [amplification, speed] = [ratio(one), rate(one)];
    const done = one.requests > 0 || one.items > 0 || one.ms > 0;
    const numbers = done
      ? [
          one.items === 0 ? "" : countText(one.items),
          countText(one.requests),
          one.bytesWanted === 0 ? "" : bytesText(one.bytesWanted),
          bytesText(one.bytesFetched),
          amplification === undefined ? "" : amplification.toFixed(2),
          one.ms < 10 ? `${one.ms.toFixed(1)} ms` : durationText(one.ms),
          speed === undefined ? "" : countText(Math.round(speed)),
        ]
      : ["", "", "", "", "", "", ""];
    return [inert(one.field ?? ""), one.read, ...numbers, inert(one.note ?? "")];
  });
  return output.table(head, rows);
}

/** The same numbers for the same seed, from 0 up to 1: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
