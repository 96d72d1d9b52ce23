/** The built program while it runs: a server, until it is told to stop. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { MAIN } from "./program.js";

/** A server of the program's. */
export interface Running {
  /** The URL that it wrote. */
  readonly url: string;
  /** What it has said so far. */
  said(): string;
  /** Ends it as Ctrl-C does; its status. */
  stop(): Promise<number | null>;
}

/** Starts `serve`, as {@link running}. */
export async function serving(...args: readonly string[]): Promise<Running> {
  return await running(["serve", "--port", "0", ...args]);
}

/** Starts a command that serves, and resolves when it has written its URL. It is gone when the test is over. `main` is the program, unless it is the built one. */
export async function running(args: readonly string[], main = MAIN, env = process.env): Promise<Running> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [main, ...args], { stdio: "pipe", env });
  const ended = once(child, "close") as Promise<[number | null]>;
  let [out, err] = ["", ""];
  child.stderr.on("data", (piece: Buffer) => (err += piece.toString()));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (piece: Buffer) => {
      out += piece.toString();
      if (out.includes("\n")) resolve(out.split("\n")[0] ?? "");
    });
    child.on("close", (status) => reject(new Error(`${args.join(" ")} ended with ${status}: ${err}`)));
  });
  return {
    url,
    said: () => err,
    async stop() {
      child.kill("SIGINT");
      return (await ended)[0];
    },
  };
}
