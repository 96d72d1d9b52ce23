/**
 * The command lines of the documentation: each example of every `--help`, of README.md and of docs/cli.md is run as it stands there, by a shell, in a
 * folder that has what they speak of. Only the address of the dataset is another.
 */
import { spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveDirectory, type StaticServer } from "../../ts/cli/server/serve.js";
import { commands } from "../../dist/cli/commands.js";
import { filesOfExamples } from "./support/example-files.js";
import { fixture, MAIN } from "./support/program.js";

/** What the documentation calls the host of datasets: here a server of the folder. */
const HOST = "https://data.example.org/";
/** Commands that run until they are stopped, and what they say when they are ready. */
const ENDLESS: Readonly<Record<string, RegExp>> = { serve: /http:\/\/\S+/, view: /http:\/\/\S+/ };

let folder: string;
let path: string;
let server: StaticServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dreamdb-examples-"));
  const bin = join(folder, ".bin");
  await mkdir(bin);
  for (const [name, line] of [
    ["dreamdb-arrays", `exec "${process.execPath}" "${MAIN}" "$@"`],
    // What npx does with a package that is installed.
    ["npx", 'exec "$@"'],
  ] as const) {
    await writeFile(join(bin, name), `#!/bin/sh\n${line}\n`);
    await chmod(join(bin, name), 0o755);
  }
  path = bin + delimiter + (process.env["PATH"] ?? "");
  for (const name of ["episode", "episodes"]) await cp(fixture("episode"), join(folder, name), { recursive: true });
  await filesOfExamples(folder);
  server = await serveDirectory(folder, { writable: true });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a line to its end, or until it says that it is ready. */
async function shell(line: string): Promise<{ status: number | null; out: string; err: string }> {
  const endless = ENDLESS[/^(?:npx )?dreamdb-arrays (\S+)/.exec(line)?.[1] ?? ""];
  // A group of its own: the shell's children end with it.
  const child = spawn("bash", ["-o", "pipefail", "-c", line.replaceAll(HOST, `${server.url}/`)], {
    cwd: folder,
    env: { PATH: path, HOME: process.env["HOME"] ?? "", LANG: "C.UTF-8" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let [out, err] = ["", ""];
  const stop = () => {
    if (endless?.test(out + err) === true && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
  };
  child.stdout.on("data", (piece: Buffer) => {
    out += piece.toString("latin1");
    stop();
  });
  child.stderr.on("data", (piece: Buffer) => {
    err += piece.toString();
    stop();
  });
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { status: endless !== undefined && (status === 130 || status === null) ? 0 : status, out, err };
}

/** Lines of the blocks of shell in a document, those that are commands. */
async function linesOf(document: string): Promise<string[]> {
  const text = await readFile(new URL(`../../${document}`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  return blocks.flatMap((block) => block.split("\n").filter((line) => line.startsWith("npx dreamdb-arrays ")));
}

describe.each(commands)("help of $usage", ({ examples }) => {
  test("has examples", () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  // One after another: some go on with what others made.
  test.each(examples)("%s", async (example) => {
    const { status, out, err } = await shell(`dreamdb-arrays ${example}`);
    expect([status, err], `${out.slice(-2000)}${err}`).toEqual([0, expect.anything()]);
  });
});

describe.each(["README.md", "docs/cli.md"])("%s", (document) => {
  test("its command lines", async () => {
    const lines = await linesOf(document);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const { status, out, err } = await shell(line.replace(/ +#.*$/, ""));
      expect([line, status], `${out.slice(-2000)}${err}`).toEqual([line, 0]);
    }
  });
});
