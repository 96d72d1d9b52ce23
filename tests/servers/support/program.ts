/** Starting a server of its own for a run of tests: free ports, a temporary folder, readiness, the log, and an end that is sure. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const KEEPER = fileURLToPath(new URL("keeper.mjs", import.meta.url));
const READY_MS = 60_000;
const LOG_LINES = 40;

/** A server that runs. */
export interface Program {
  /** Process id of the server. */
  readonly pid: number;
  /** The end of what it printed. */
  log(): Promise<string>;
  /** Resolves when it has ended and its folder is gone. */
  stop(): Promise<void>;
}

/** How to start a server. */
export interface ProgramPlan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** An empty folder or one with its settings; removed at the end. */
  readonly folder: string;
  /** Whether it takes requests; asked until it says so. What it throws means no. */
  readonly ready: () => Promise<boolean>;
}

/** Start a server and wait until it is ready. Rejects with the end of its log. */
export async function startProgram({ name, command, args, folder, ready }: ProgramPlan): Promise<Program> {
  const keeper = spawn(process.execPath, [KEEPER, folder, command, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const said = listen(keeper);
  const log = async () => (await readFile(join(folder, "log"), "utf8").catch(() => "")).trimEnd().split("\n").slice(-LOG_LINES).join("\n");
  const stop = async () => {
    if (keeper.exitCode !== null || keeper.signalCode !== null) return;
    const gone = once(keeper, "exit");
    keeper.stdin.end();
    await gone;
  };
  const fail = async (what: string): Promise<never> => {
    const tail = await log();
    await stop();
    throw new Error(`${name} ${what}; its log ends with\n${tail}`);
  };

  // Not before it has said its id.
  for (const start = performance.now(); !/^started/m.test(said()) || !(await ready().catch(() => false)); ) {
    const ended = /^ended (.*)$/m.exec(said())?.[1];
    if (ended !== undefined) await fail(`ended with ${ended} before it was ready`);
    if (performance.now() - start > READY_MS) await fail(`was not ready after ${READY_MS / 1000} s`);
    await sleep(50);
  }
  return { pid: Number(/^started (\d+)$/m.exec(said())?.[1]), log, stop };
}

function listen(child: ChildProcess): () => string {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (more: string) => (text += more));
  return () => text;
}

/** Ports of 127.0.0.1 that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** Start something on new ports, once more if somebody took one of them meanwhile. */
export async function onFreePorts<T>(count: number, start: (ports: number[]) => Promise<T>): Promise<T> {
  try {
    return await start(await freePorts(count));
  } catch (error) {
    if (!/address already in use/i.test(String(error))) throw error;
    return await start(await freePorts(count));
  }
}
