/** The leash on which servers of tests run: they end with whoever started them, however that went, and a start that fails says why. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { makeTempDir } from "../support/temp-dir.js";
import { startProgram } from "./support/program.js";

const KEEPER = fileURLToPath(new URL("support/keeper.mjs", import.meta.url));
/** A server that does not listen to requests to end. */
const STUBBORN = ["-e", 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000); console.log("up")'];

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts a keeper with the stubborn server, out of a process of its own, and tells the server's id. */
async function startElsewhere(folder: string): Promise<{ readonly parent: ChildProcess; readonly pid: number }> {
  const args = JSON.stringify([KEEPER, folder, process.execPath, ...STUBBORN]);
  const script = `require("node:child_process").spawn(process.execPath, ${args}, { stdio: ["pipe", "inherit", "inherit"] }); setInterval(() => undefined, 1000)`;
  const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  let said = "";
  parent.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 20_000 }).toMatch(/^started \d+\n/);
  return { parent, pid: Number(/\d+/.exec(said)?.[0]) };
}

test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)("a server ends when the run that started it is ended by %s", async (signal) => {
  const folder = await makeTempDir();
  const { parent, pid } = await startElsewhere(folder);
  expect(runs(pid)).toBe(true);
  parent.kill(signal);
  await expect.poll(() => runs(pid), { timeout: 20_000 }).toBe(false);
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
});

test("a server that is stopped is gone when that resolves, and so is its folder", async () => {
  const folder = await makeTempDir();
  const program = await startProgram({ name: "test", command: process.execPath, args: STUBBORN, folder, ready: async () => true });
  await expect.poll(() => program.log(), { timeout: 20_000 }).toBe("up");
  expect(runs(program.pid)).toBe(true);
  await program.stop();
  expect(runs(program.pid)).toBe(false);
  expect(existsSync(folder)).toBe(false);
  await program.stop();
});

test("a server that ends at once is told with its log", async () => {
  const folder = await makeTempDir();
  const args = ["-e", 'console.error("no luck"); process.exit(3)'];
  const start = startProgram({ name: "test", command: process.execPath, args, folder, ready: async () => false });
  await expect(start).rejects.toThrow(/test ended with 3 before it was ready; its log ends with\nno luck/);
  expect(existsSync(folder)).toBe(false);
});

test("so is a program that does not exist", async () => {
  const folder = await makeTempDir();
  const start = startProgram({ name: "test", command: "/no/such/program", args: [], folder, ready: async () => false });
  await expect(start).rejects.toThrow(/test ended with .*ENOENT/);
});
