/** The built command line as a program of its own, as people run it: what it writes, and how it ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The program's file. */
export const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** The folder of a fixture's dataset. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}/data`, import.meta.url));

/** How a run ended. */
export interface Ended {
  /** Exit status; `null` for a program that a signal ended. */
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** What a run is given beside its arguments. */
export interface Around {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Milliseconds after which it is killed. */
  readonly timeout?: number;
}

/** Runs the program to its end. Colours and terminals of whoever runs the tests play no part. */
export async function cli(args: readonly string[], { cwd, env, input, timeout = 60_000 }: Around = {}): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...plainEnv(), ...env }, stdio: "pipe", timeout, killSignal: "SIGKILL" });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => out.push(piece));
  child.stderr.on("data", (piece: Buffer) => err.push(piece));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [status] = (await once(child, "close")) as [number | null];
  return { status, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() };
}

/** What a run wrote, of one that must end well and without a word beside its data. */
export async function output(args: readonly string[], around: Around = {}): Promise<string> {
  const { status, stdout, stderr } = await cli(args, around);
  if (status !== 0 || stderr !== "") throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout.toString();
}

/** As {@link output}, read as JSON. */
export async function json(args: readonly string[], around: Around = {}): Promise<unknown> {
  return JSON.parse(await output(args, around));
}

/** Runs the program in a pseudo-terminal; everything that the terminal got, with its escape sequences. */
export async function inTerminal(args: readonly string[], { env, timeout = 60_000, interruptAt }: Around & { readonly interruptAt?: RegExp } = {}): Promise<{ status: number | null; text: string }> {
  const script = fileURLToPath(new URL("terminal.py", import.meta.url));
  const child = spawn("python3", [script, process.execPath, MAIN, ...args], { env: { ...plainEnv(), TERM: "xterm", ...env }, stdio: "pipe", timeout, killSignal: "SIGKILL" });
  let text = "";
  let interrupted = false;
  child.stdout.on("data", (piece: Buffer) => {
    text += piece.toString();
    if (interruptAt !== undefined && !interrupted && interruptAt.test(text)) {
      interrupted = true;
      // Ctrl-C, as a keyboard sends it: the terminal makes a signal of it.
      child.stdin.write("\u0003");
    }
  });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, text };
}

function plainEnv(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), LANG: "C.UTF-8" };
}
