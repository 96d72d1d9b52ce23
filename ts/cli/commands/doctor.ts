/** `doctor`: whether a host can be read from pages, Node and workers, and what to change if not. */
import { examine } from "../doctor/examine.js";
import { READERS } from "../doctor/findings.js";
import { reportJson, reportText } from "../doctor/report.js";
import { STATUS, UsageError } from "../manners/failures.js";
import { jsonText } from "../manners/json.js";
import { command } from "../program.js";
import { refsOf, sourceOf, versionOf } from "../source.js";
import { InvalidArgumentError, Option } from "../vendor.js";

interface Options {
  readonly json?: boolean;
  readonly origin: string;
  readonly speed: boolean;
}

/** Milliseconds of silence that are enough for a look, unless said otherwise. */
const SILENT_MS = 10_000;

export const doctor = command<[string, string | undefined], Options>({
  usage: "doctor <url> [ref]",
  summary: "say whether a host can be read, and what to change",
  description:
    "Asks a host for a dataset's objects, as a browser page, Node and a worker at the edge would, and says in plain words whether they can read: ranges and " +
    "their exact lengths, CORS, exposed headers and preflights, compression, redirects, keys with = and @, HTTP version, ETags, absent objects, outboards, and " +
    "the speed of one request and of fifty at once, or of --concurrency. Each finding comes with what to change on nginx, in a bucket's settings or in CloudFront. Some ninety " +
    "requests. Ends with 0 if all three can read and no fault was found, 1 if one was, 3 if the host cannot be reached.",
  args: { url: "URL of the dataset's root", ref: "name of a Ref, or address of a manifest; `main` unless given" },
  options: [
    new Option("--origin <origin>", "of the page that would read").argParser(originArgument).default("https://page.example"),
    new Option("--no-speed", "do not measure: some forty requests, few of them at once"),
    new Option("--json", "one JSON document"),
  ],
  reads: true,
  examples: ["doctor https://data.example.org/episodes", "doctor https://data.example.org/episodes main --origin https://app.example", "doctor https://data.example.org/episodes --no-speed --json > report.json"],
  async run(context, [given, ref], { json, origin, speed }) {
    const { output, signal, verify, timeout, concurrency } = context;
    const source = await sourceOf(given, context);
    const { url } = source;
    if (url === undefined) throw new UsageError("doctor looks at hosts, and that is a folder", "`serve` makes a host of it; `audit` looks at what is in it");
    const refs = ref === undefined ? await refsOf(source, signal) : undefined;
    const chosen = ref ?? (refs?.length === 1 ? refs[0] : undefined);
    const silentMs = timeout === undefined ? SILENT_MS : timeout * 1000;
    output.say(`looking at ${source.shown} …`);
    const report = await examine({ ...source, url }, versionOf(chosen), { verify, origin, silentMs, signal, speed, concurrency });
    if (json === true) await output.line(jsonText({ source: source.shown, ref: chosen ?? "main", ...reportJson(report) }, 2));
    else await output.line(reportText(report, output.colours));
    const sound = READERS.every((reader) => report.verdicts[reader].can) && report.findings.every(({ level }) => level !== "fail");
    return sound ? STATUS.ok : STATUS.found;
  },
});

function originArgument(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin === "null" || !/^https?:/.test(origin)) throw new InvalidArgumentError("It must be an origin like https://app.example.");
  return origin;
}
