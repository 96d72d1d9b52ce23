/** `vectors`: conformance vectors, one's own or those of the package, put to the package. */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Report, runVectors } from "../../conformance/run.js";
import { type Vector, vectorsIn } from "../../conformance/vector.js";
import { DreamDbError } from "../../errors.js";
import { advised, STATUS, UsageError } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { jsonText } from "../manners/json.js";
import { countText } from "../manners/numbers.js";
import { command } from "../program.js";
import { shownPath, unreadable, wholeFile } from "../tools/files.js";
import { Option } from "../vendor.js";

interface Options {
  readonly json?: boolean;
}

/** A file, and whether it was found in a folder. */
interface Named {
  readonly path: string;
  readonly shown: string;
  readonly within: boolean;
}

/** What came of a file. */
interface FileReport {
  readonly file: string;
  readonly report: Report;
}

/** Where the package has its own vectors, from wherever in the package this came to lie; documents about them stand beside their folders. */
function ownFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, "vectors");
    if (existsSync(join(found, "README.md"))) return found;
    if (dirname(folder) === folder) throw new UsageError("the package's own vectors are not there", "name files");
  }
}

export const vectors = command<[string[]], Options>({
  usage: "vectors [files...]",
  summary: "put conformance vectors to this package",
  description:
    "Runs conformance vectors of Specs 0025 and 0022, as vectors/README.md of the package describes them, against the package itself: those in the files, or, without any, the package's own. " +
    "A file holds a vector, an array of them, or one a line; a folder stands for the .json and .jsonl files below it. Ends with 1 if a vector failed, or none was run. " +
    "To put them to another implementation, import dreamdb-arrays/conformance.",
  args: { files: "files or folders; - for standard input" },
  options: [new Option("--json", "one JSON document")],
  examples: ["vectors", "vectors mine.json", "vectors mine.json --json > passed.json"],
  async run(context, [named], { json }) {
    const { output, signal } = context;
    const files = await (named.length > 0 ? filesOf(named) : filesOf([ownFolder()], true));
    if (files.length === 0) throw new UsageError(`there is no .json or .jsonl file in ${named.join(", ")}`);
    // The implementation brings the writer along, which nothing else of the program needs.
    const { ours } = await import("../vectors/implementation.js");
    const bar = context.progress();
    const found: FileReport[] = [];
    for (const [at, { path, shown, within }] of files.entries()) {
      signal.throwIfAborted();
      bar.at({ done: at, total: files.length, what: inert(shown.slice(-40)) });
      const read = await vectorsOf(path, within, signal);
      if (read === undefined) output.say(`left out, as it holds no vectors: ${inert(shown)}`);
      else found.push({ file: shown, report: await runVectors(ours, { vectors: read, signal, subjects: true }) });
    }
    bar.stop();
    const sum = (of: (report: Report) => number) => found.reduce((total, { report }) => total + of(report), 0);
    const [passed, failed] = [sum((report) => report.passed), sum((report) => report.failed + report.notRun)];
    if (json === true) {
      const reports = found.map(({ file, report }) => ({ file, passed: report.passed, failed: report.failed, notRun: report.notRun, disagreements: report.disagreements.map((each) => ({ ...each })) }));
      await output.line(jsonText({ passed, failed, files: reports }, 2));
    } else {
      const { bold, red, green } = output.colours;
      const rows = found.map(({ file, report }) => [inert(file), countText(report.passed), report.failed + report.notRun === 0 ? "none" : red(countText(report.failed + report.notRun))]);
      await output.line(output.table(["file", ">passed", ">failed"], rows), "");
      for (const { file, report } of found) {
        for (const { id, operation, expected, actual } of report.disagreements) {
          await output.line(`${inert(file)}: ${bold(inert(id))} (${inert(operation)})`, `  expected ${inert(expected)}`, `  actual   ${inert(actual)}`, "");
        }
        for (const operation of report.notImplemented) await output.line(`${inert(file)}: the package has no ${inert(operation)}`, "");
      }
      await output.line(`${(failed === 0 ? green : String)(`${countText(passed)} passed`)}, ${(failed > 0 ? red : String)(`${countText(failed)} failed`)}`);
    }
    return failed > 0 || passed === 0 ? STATUS.found : STATUS.ok;
  },
});

async function filesOf(named: readonly string[], own = false): Promise<Named[]> {
  const found: Named[] = [];
  for (const path of named) {
    const isFolder = path !== "-" && (await stat(path).catch((error: unknown) => Promise.reject(unreadable(path, error)))).isDirectory();
    if (!isFolder) found.push({ path, shown: path, within: false });
    else {
      const names = (await readdir(path, { recursive: true })).filter((name) => /\.jsonl?$/.test(name)).sort();
      const below = own ? names.filter((name) => /[\\/]/.test(name) && !name.startsWith("tools")) : names;
      found.push(...below.map((name) => ({ path: join(path, name), shown: own ? join("vectors", name) : join(path, name), within: true })));
    }
  }
  return found;
}

/** The vectors of a file; of a folder's file that holds none, `undefined`. */
async function vectorsOf(path: string, within: boolean, signal: AbortSignal): Promise<Vector[] | undefined> {
  const { objectsIn } = await import("../vectors/json.js");
  try {
    return objectsIn(new TextDecoder().decode(await wholeFile(path, signal))).flatMap(vectorsIn);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    if (within) return undefined;
    throw advised(new DreamDbError("InvalidArgument", `${shownPath(path)}: ${error.message}`, { subject: path, cause: error }), "vectors/README.md of the package says what a vector is");
  }
}
