/**
 * The program: which commands there are, what all of them take, and how each is run. What a command does stands in commands/; how it speaks in
 * manners/.
 */
import type { Command as CommandOf } from "commander";
import { VERSION } from "../version.js";
import { failureText, STATUS, type Status, UsageError } from "./manners/failures.js";
import { Interrupted, interruptible } from "./manners/interrupt.js";
import { Output, PipeClosed, type Streams } from "./manners/output.js";
import { type Progress, progressOn } from "./manners/progress.js";
import type { SourceOptions } from "./source.js";
import { Command, CommanderError, InvalidArgumentError, Option } from "./vendor.js";

/** What a command works with. */
export interface Context extends SourceOptions {
  readonly output: Output;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /** A bar, where one is wanted. */
  progress(): Progress;
}

/** Options that every command has. */
interface MannerOptions {
  readonly quiet?: boolean;
  readonly progress?: boolean;
  readonly verbose?: boolean;
}

/** What a command does: given its context, its arguments and its options. Resolves with how it ended. */
export type Deed<A extends readonly unknown[], O> = (context: Context, args: A, options: O) => Promise<Status>;

/** One command: its name, its help, its arguments and options, and what it does. */
export interface CommandSpec<A extends readonly (string | readonly string[] | undefined)[], O> {
  /** Its name and arguments: `get <source> <field> [anchor]`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What it does, for its own help. */
  readonly description: string;
  /** What its arguments are, by their names. */
  readonly args: Readonly<Record<string, string>>;
  /** Its own options. */
  readonly options?: readonly Option[];
  /** Whether it reads a source, and so takes the options of reading. */
  readonly reads?: boolean;
  /** Command lines that work, without the program's name. */
  readonly examples: readonly string[];
  readonly run: Deed<A, O>;
}

/** A command of any kind. */
// oxlint-disable-next-line typescript/no-explicit-any -- commands differ in arguments and options, which commander passes untyped
export type AnyCommand = CommandSpec<any, any>;

/** The name by which people call the program. */
export const PROGRAM = "dreamdb-arrays";

/** Checks and types a command's description. */
export function command<A extends readonly (string | readonly string[] | undefined)[], O>(spec: CommandSpec<A, O>): CommandSpec<A, O> {
  return spec;
}

/** Reads a whole number of at least `least` out of an option. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least)) throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
    return value;
  };
}

/**
 * An anchor or a row as a person types it: an integer of 64 bits.
 *
 * @throws {UsageError}
 */
export function u64Argument(what: string, text: string): bigint {
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
  if (value >= 0n && value <= 0xffff_ffff_ffff_ffffn) return value;
  throw new UsageError(`${what} must be a whole number below 2^64, not ${JSON.stringify(text)}`);
}

/**
 * Runs a command line to its end.
 *
 * @param argv without the program itself
 * @returns the exit status
 */
export async function run(commands: readonly AnyCommand[], argv: readonly string[], streams: Streams): Promise<Status> {
  let status: Status = STATUS.ok;
  const program = programOf(commands, streams, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return status;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has said what is wrong, or shown the help that was asked for.
    return error.exitCode === 0 ? STATUS.ok : STATUS.usage;
  }
}

/** The program with all of its commands; `ended` is told how the one that ran did. */
export function programOf(commands: readonly AnyCommand[], streams: Streams, ended: (status: Status) => void): CommandOf {
  const program = new Command(PROGRAM);
  program
    .description("Look at, check, convert and serve DreamDB datasets of typed arrays and packed Items.")
    .version(VERSION)
    .showHelpAfterError(`(${PROGRAM} --help, or the command's --help, shows what there is)`)
    .configureOutput({ writeOut: (text) => streams.stdout.write(text), writeErr: (text) => streams.stderr.write(text) })
    .exitOverride()
    .addHelpText(
      "after",
      "\nA SOURCE is the URL of a dataset's root, a folder, or a file: URL. Data go to standard output, everything else to standard error.\n" +
        "Exit status: 0 done, 1 something is wrong with what was looked at, 2 wrong command line, 3 failed, 130 stopped.",
    );
  for (const spec of commands) add(program, spec, streams, ended);
  return program;
}

function add(program: CommandOf, spec: AnyCommand, streams: Streams, ended: (status: Status) => void): void {
  const [name = "", ...names] = spec.usage.split(" ");
  const own = program.command(name).summary(spec.summary).description(spec.description);
  for (const argument of names) own.argument(argument, spec.args[argument.replace(/[<>[\].]/g, "")] ?? "");
  for (const option of spec.options ?? []) own.addOption(option);
  if (spec.reads === true) {
    own
      .addOption(new Option("--verify <policy>", "how much is checked against addresses").choices(["always", "available", "never"]).default("always"))
      .addOption(new Option("--concurrency <n>", "requests in flight at most").argParser(wholeNumber(1)))
      .addOption(new Option("--header <name: value>", "added to each request; may be repeated").argParser((text: string, all: string[]) => [...all, text]).default([], "none"))
      .addOption(new Option("--timeout <seconds>", "without any byte, after which a request is given up").argParser(wholeNumber(1)));
  }
  own
    .option("-q, --quiet", "say nothing but data and errors")
    .option("--no-progress", "show no bar")
    .option("-v, --verbose", "after an error, show all that is known of it")
    .addHelpText("after", `\nExamples:\n${spec.examples.map((example) => `  ${PROGRAM} ${example}`).join("\n")}`)
    .action(async (...given: unknown[]) => {
      const args = given.slice(0, -2);
      const options = own.opts<MannerOptions & SourceOptions>();
      ended(await perform(spec, args, options, streams));
    });
}

async function perform(spec: AnyCommand, args: unknown[], options: MannerOptions & SourceOptions, streams: Streams): Promise<Status> {
  const output = new Output(streams, { quiet: options.quiet });
  const bars: Progress[] = [];
  const progress = () => {
    const bar = progressOn(streams.stderr, options.quiet !== true && options.progress !== false);
    bars.push(bar);
    return bar;
  };
  const { verify, concurrency, header, timeout } = options;
  try {
    const status = await interruptible(async (signal) => {
      const context: Context = { output, signal, progress, verify, concurrency, header, timeout };
      const done = await spec.run(context, args, options);
      await output.flush();
      return done;
    });
    return status;
  } catch (error) {
    for (const bar of bars) bar.stop();
    if (error instanceof PipeClosed) return STATUS.ok;
    if (error instanceof Interrupted) return STATUS.interrupted;
    output.complain(`${PROGRAM}: ${failureText(error, options.verbose === true)}`);
    return error instanceof UsageError ? STATUS.usage : STATUS.failed;
  } finally {
    for (const bar of bars) bar.stop();
  }
}
