/**
 * Where words and data go: data to standard output, all of it and no faster than it is taken; talk to standard error. A reader that closes the pipe
 * ends the program quietly.
 */
import { once } from "node:events";
import { colours as picocolors, Table } from "../vendor.js";

/** Thrown when nobody reads standard output any more. */
export class PipeClosed extends Error {
  override readonly name = "PipeClosed";
}

/** Colours, or none: decided by the terminal, `NO_COLOR` and `FORCE_COLOR`. */
export type Colours = ReturnType<typeof picocolors.createColors>;

/** The two streams of a program. */
export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Words and data of one command. */
export class Output {
  /** Colours of standard output. */
  readonly colours: Colours;
  /** Columns of the terminal; `undefined` where there is none, and nothing may be cut. */
  readonly width: number | undefined;
  /** Whether a person looks at standard output. */
  readonly isTerminal: boolean;
  readonly #streams: Streams;
  readonly #quiet: boolean;
  #closed: Error | undefined;

  constructor(streams: Streams, { quiet = false }: { readonly quiet?: boolean | undefined } = {}) {
    this.#streams = streams;
    this.#quiet = quiet;
    const { stdout, stderr } = streams;
    this.colours = picocolors.createColors(hasColours(stdout));
    this.width = stdout.isTTY ? stdout.columns : undefined;
    this.isTerminal = stdout.isTTY;
    stdout.on("error", (error: NodeJS.ErrnoException) => {
      this.#closed = error.code === "EPIPE" ? new PipeClosed() : error;
    });
    // Nobody hears talk that cannot be written.
    stderr.on("error", () => undefined);
  }

  /** Writes data, and resolves when the reader can take more. */
  async write(data: string | Uint8Array): Promise<void> {
    if (this.#closed) throw this.#closed;
    const { stdout } = this.#streams;
    if (!stdout.write(data)) {
      // Whichever comes first; the listeners for the other one must not stay.
      const over = new AbortController();
      const { signal } = over;
      await Promise.race([once(stdout, "drain", { signal }), once(stdout, "close", { signal })]).catch(() => undefined);
      over.abort();
    }
    if (this.#closed) throw this.#closed as Error;
  }

  /** Writes lines of text. */
  async line(...lines: string[]): Promise<void> {
    await this.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** Resolves when all that was written has left the program. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#streams.stdout.write("", () => resolve());
    });
    if (this.#closed) throw this.#closed;
  }

  /** Says something beside the data, unless the user wants quiet. */
  say(text: string): void {
    if (!this.#quiet) this.#streams.stderr.write(`${text}\n`);
  }

  /** Says why the program failed; also to those who want quiet. */
  complain(text: string): void {
    this.#streams.stderr.write(`${text}\n`);
  }

  /** A table without lines around its cells; columns whose name begins with `>` are set to the right. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const none = { top: "", "top-mid": "", "top-left": "", "top-right": "", bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" };
    const inner = { left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "  " };
    const table = new Table({
      chars: { ...none, ...inner },
      style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
      colAligns: head.map((name) => (name.startsWith(">") ? "right" : "left")),
    });
    table.push(head.map((name) => this.colours.bold(name.replace(/^>/, ""))), ...rows.map((row) => [...row]));
    return table
      .toString()
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n");
  }
}

/** Whether a stream takes colours: https://no-color.org, and `FORCE_COLOR` as other programs have it. */
export function hasColours(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0";
  return stream.isTTY && TERM !== "dumb";
}
