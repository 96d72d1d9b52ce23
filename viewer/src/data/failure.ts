/** What to say of a failure: its code, its own words, and what docs/troubleshooting.md knows of the code. */
import { type DreamDbError, type ErrorCode, isDreamDbError } from "dreamdb-arrays";

/** A failure as it is shown. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Facts that the error carries: field, anchor, key, status and the like. */
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** What is known of a code. */
export interface Advice {
  readonly meaning: string;
  readonly cause: string;
  readonly todo: string;
}

/** Failures of transfers, which are the host's matter more often than not. */
const OF_HOSTS: ReadonlySet<string> = new Set<ErrorCode>([
  "Network", "HttpStatus", "Timeout", "Forbidden", "NotFound", "RefBody", "BodyLength", "RangeIgnored", "RangeMismatch", "MultipartPartial", "CompressedPartial",
]);

/** The command that looks at the host from outside a browser, for failures that it may explain; `source` as the address has it. */
export function doctorCommand(code: string, source: string | undefined, page: string): string | undefined {
  if (!OF_HOSTS.has(code) || source === undefined || !URL.canParse(source, page)) return undefined;
  const { href, protocol } = new URL(source, page);
  // What a shell would take for the end of the quotes is written as URLs may have it.
  return /^https?:$/.test(protocol) ? `npx dreamdb-arrays doctor '${href.replaceAll("'", "%27")}'` : undefined;
}

const FACTS = ["field", "anchor", "key", "url", "status", "expected", "actual"] as const satisfies readonly (keyof DreamDbError)[];

/** Any thrown value, as it is shown. */
export function failureOf(error: unknown): Failure {
  if (!isDreamDbError(error)) {
    return { code: error instanceof Error ? error.name : "Error", message: error instanceof Error ? error.message : String(error), facts: [] };
  }
  const facts = FACTS.flatMap((name) => {
    const value = error[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { code: error.code, message: error.message, facts };
}

let table: Promise<ReadonlyMap<string, Advice>> | undefined;

/** What is known of a code; loaded when the first failure is shown. Of folders that were picked other things are true than of hosts. */
export async function adviceOn(code: string, isOfFolder: boolean): Promise<Advice | undefined> {
  table ??= import("../../../docs/troubleshooting.md?raw").then(({ default: text }) => adviceTable(text));
  const advice = (await table).get(code);
  return advice === undefined || !isOfFolder ? advice : { ...advice, ...OF_FOLDERS[code] };
}

const OF_FOLDERS: Readonly<Record<string, Advice>> = {
  NotFound: {
    meaning: "The folder has no such file.",
    cause: "The folder that was picked is one above the dataset's root or one below it, or has no such Ref; a file was moved or deleted.",
    todo: "Pick the root: the folder with refs and manifests in it. Compare key with what is there.",
  },
  Forbidden: {
    meaning: "The browser does not let this page read the folder.",
    cause: "Nobody allowed it, or the browser took it back, as it does when a page was long out of sight.",
    todo: "Try again, and allow it when the browser asks; if it does not ask, pick the folder again.",
  },
  FileSystem: {
    meaning: "A file of the folder cannot be read.",
    cause: "It changed or vanished since the folder was picked.",
    todo: "Pick the folder again.",
  },
} satisfies Partial<Record<ErrorCode, Advice>>;

/** The rows of the document's tables by their code; `As above.` is spelt out. */
export function adviceTable(document: string): ReadonlyMap<string, Advice> {
  const rows = new Map<string, Advice>();
  let above: Advice = { meaning: "", cause: "", todo: "" };
  for (const line of document.split("\n")) {
    const [, code, meaning = "", cause = "", todo = ""] = /^\| `(\w+)` \| (.*?) \|(.*?)\| (.*?) \|$/.exec(line) ?? [];
    if (code === undefined) continue;
    const spelt = (text: string, before: string): string => {
      const isAll = /^as above\.?$/i.test(text);
      return isAll ? before : plain(text.replace(/as above\.?/i, before.charAt(0).toLowerCase() + before.slice(1)));
    };
    above = { meaning: plain(meaning), cause: spelt(cause.trim(), above.cause), todo: spelt(todo, above.todo) };
    rows.set(code, above);
  }
  return rows;
}

/** Markdown's links and code marks as plain words. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");
}
