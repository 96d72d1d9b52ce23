/** The reference implementation and NumPy, asked from tests of the command line: a Python program gets JSON and answers with JSON. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { findReference } from "../../../scripts/lib/reference.mjs";

/** Runs a Python program, which finds what it is given as `given`; what it prints last is JSON. */
export async function python(program: string, given: unknown = null): Promise<unknown> {
  const interpreter = findReference();
  if (interpreter === undefined) throw new Error("the reference implementation is missing: npm run setup");
  const child = spawn(interpreter, ["-c", `import json, sys\ngiven = json.load(sys.stdin)\n${program}`], { stdio: "pipe" });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => out.push(piece));
  child.stderr.on("data", (piece: Buffer) => err.push(piece));
  child.stdin.end(JSON.stringify(given));
  const [status] = (await once(child, "close")) as [number | null];
  if (status !== 0) throw new Error(`Python ended with ${status}: ${Buffer.concat(err).toString()}`);
  return JSON.parse(Buffer.concat(out).toString()) as unknown;
}
