/** How a command ends: statuses, and errors as one line with code, cause and next step. */
import { type DreamDbError, type ErrorCode, isDreamDbError } from "../../errors.js";
import { inert } from "./inert.js";

/** Exit statuses, as `--help` and docs/cli.md have them. */
export const STATUS = {
  /** Done, and nothing wrong was found. */
  ok: 0,
  /** Done, and something is wrong with what was looked at: an audit's faults, a file that is not what its address says. */
  found: 1,
  /** The command line itself is wrong. Nothing was done. */
  usage: 2,
  /** It could not be done; the line on standard error says why. */
  failed: 3,
  /** Stopped by Ctrl-C or SIGTERM, as shells count it. */
  interrupted: 130,
} as const;

/** How a command ended. */
export type Status = (typeof STATUS)[keyof typeof STATUS];

/** The command line asks for what there is not, or what does not go together; `next` says what would. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly next: string | undefined;

  constructor(message: string, next?: string) {
    super(message);
    this.next = next;
  }
}

/** What to do next, by code; codes that are not here speak of damaged or foreign data. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  NotFound: "check the source and the Ref; `ls SOURCE` shows what is there",
  Forbidden: "sign in, or pass credentials with --header",
  Network: "see that the host is up and its name right; `doctor URL` looks at it; --timeout and --concurrency may help a weak line",
  Timeout: "try again, or with a longer --timeout",
  HttpStatus: "`doctor URL` looks at the host; of a busy one, try again later",
  RangeIgnored: "`doctor URL` says what this host does with ranges",
  RangeMismatch: "`doctor URL` says what this host does with ranges",
  CompressedPartial: "turn compression off for the dataset; `doctor URL` says how",
  FileSystem: "see that the path, or the address to listen on, is there, free and permitted",
  NoSuchField: "`ls SOURCE` shows the fields",
  WrongFamily: "`ls SOURCE` shows what the fields hold",
  WrongKind: "`ls SOURCE` shows which fields are Constants",
  HashMismatch: "the bytes were changed after they were written: fetch them from another copy; `audit` finds all of them",
  TooLarge: "choose fewer rows with --start and --end",
  RefConflict: "run the command again",
  RefExists: "choose another name, or write to the Ref that is there",
  RefName: "give a Ref's name, or a manifest's address of 53 characters",
  DeletedAnchor: "choose other anchors",
  InvalidArgument: "see --help",
  Internal: "please report it, with what was read",
};

const advice = new WeakMap<Error, string>();

/** An error with a next step of its own, where that of its code would lead astray. */
export function advised(error: DreamDbError, next: string): DreamDbError {
  advice.set(error, next);
  return error;
}

/** What to do about an error. */
function nextStep(error: DreamDbError): string {
  return advice.get(error) ?? NEXT[error.code] ?? "`audit SOURCE` looks at every Item; docs/troubleshooting.md has an entry for each code";
}

/** An error as lines for standard error: one, or with `verbose` all that is known. */
export function failureText(error: unknown, verbose: boolean): string {
  if (error instanceof UsageError) return `usage: ${inert(error.message)}${error.next === undefined ? "" : `; ${error.next}`}`;
  if (isDreamDbError(error)) {
    const line = `${error.code}: ${inert(error.message)}; next: ${nextStep(error)}`;
    if (!verbose) return line;
    const { name: _, code: __, message: ___, ...details } = error.toJSON();
    return [line, ...Object.entries(details).map(([key, value]) => `  ${key}: ${inert(String(value))}`), ...framesOf(error)].join("\n");
  }
  const system = error as NodeJS.ErrnoException;
  const code = system.code ?? "Error";
  // Node has its codes in front of its messages as well.
  const what = (error instanceof Error ? error.message : String(error)).replace(`${code}: `, "");
  const line = `${code}: ${inert(what)}${verbose ? "" : "; next: --verbose shows the rest"}`;
  return verbose ? [line, ...framesOf(error)].join("\n") : line;
}

function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack.split("\n").filter((line) => /^\s+at /.test(line)).map((line) => inert(line.trimEnd()).replace(/^/, ""));
}
