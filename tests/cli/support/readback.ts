/** Exporting many files by few processes, and holding them against a sidecar by NumPy, SciPy, csv and json of Python. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { findReference } from "../../../scripts/lib/reference.mjs";

/** How a run of many ended. */
export interface Ran {
  readonly args: readonly string[];
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A file and what is in it. */
export interface Exported {
  /** Path of the sidecar that says so. */
  readonly sidecar: string;
  readonly path: string;
  readonly format: string;
  readonly ref: string;
  readonly field: string;
  /** Of one Item; digits, as all anchors here. */
  readonly anchor?: string;
  readonly start?: string;
  readonly end?: string;
  readonly row?: number;
  readonly rows?: readonly [number, number];
  /** Where values do not tell. */
  readonly family?: string;
  /** Columns of a sparse field whose sidecar does not say. */
  readonly columns?: number | undefined;
  /** Type of a scalar column whose sidecar does not say. */
  readonly type?: string | undefined;
}

/** Runs the built program so often, in one process. */
export async function many(runs: readonly (readonly string[])[]): Promise<Ran[]> {
  const answer = await answered(process.execPath, [fileURLToPath(new URL("many.mjs", import.meta.url))], runs);
  return (answer as (Omit<Ran, "stdout"> & { stdout: string })[]).map((ran) => ({ ...ran, stdout: Buffer.from(ran.stdout, "base64") }));
}

/** Has Python read files back: of each how many values were compared, or what differs. */
export async function readBack(files: readonly Exported[]): Promise<(number | string)[]> {
  return (await answered(python(), [fileURLToPath(new URL("readback.py", import.meta.url))], files)) as (number | string)[];
}

/** Runs a program of Python with the reference's libraries; what it says. */
export async function inPython(program: string, ...args: string[]): Promise<unknown> {
  return await answered(python(), ["-c", program, ...args], undefined);
}

function python(): string {
  const found = findReference();
  if (found === undefined) throw new Error("Python with NumPy and SciPy is not set up");
  return found;
}

async function answered(program: string, args: readonly string[], input: unknown): Promise<unknown> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(input ?? null));
  return JSON.parse(await text(child.stdout)) as unknown;
}
