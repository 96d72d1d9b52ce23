/**
 * Locks on files, for those who look at a file and then replace it: among all programs of a machine, the reference's among them.
 *
 * The reference takes `flock(2)`, which the kernel gives back when a program is killed. Node cannot call it; so a lock is held by what can:
 * Deno itself, the `O_EXLOCK` of BSD and macOS, or on Linux the program `flock`, a child that ends with us. Where none of these is, a file that
 * names its holder stands for the lock, and is taken over when the holder is gone.
 */

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { DreamDbError } from "../errors.js";
import { throwIfAborted } from "./abort.js";
import { sleep } from "./scope.js";

/** Gives a lock back. */
type Release = () => Promise<void> | void;

/** Milliseconds between two looks at a lock that another holds by a file. */
const POLL_MS = 20;
/** Milliseconds after which the file of a holder that cannot be asked (another machine's) counts as left behind. */
const STALE_MS = 60_000;

/** Who waits for which lock in this program: a lock of the system does not hold within one. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other program that asks for the same lock does its own.
 *
 * @param path of the lock file, whose folder is there; it is made, and stays
 * @throws what `work` throws; the abort reason; the system's errors
 */
export async function withLock<T>(path: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve();
  const mine = before.then(async () => {
    throwIfAborted(signal);
    const release = await acquire(path, signal);
    try {
      return await work();
    } finally {
      await release();
    }
  });
  const settled = mine.then(
    () => undefined,
    () => undefined,
  );
  queues.set(path, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(path) === settled) queues.delete(path);
  }
}

async function acquire(path: string, signal: AbortSignal | undefined): Promise<Release> {
  const deno = (globalThis as { readonly Deno?: DenoFiles }).Deno;
  if (deno) return await lockByDeno(deno, path);
  const exclusive = (fs.constants as { readonly O_EXLOCK?: number }).O_EXLOCK;
  if (exclusive !== undefined) {
    const handle = await fs.promises.open(path, fs.constants.O_RDWR | fs.constants.O_CREAT | exclusive);
    return () => handle.close();
  }
  if (process.platform === "linux") {
    const release = await lockByChild(path, signal);
    if (release !== undefined) return release;
  }
  return await lockByFile(`${path}.held`, signal);
}

/** The part of Deno that is used. */
interface DenoFiles {
  open(path: string, options: object): Promise<{ lock(exclusive: boolean): Promise<void>; close(): void }>;
}

async function lockByDeno(deno: DenoFiles, path: string): Promise<Release> {
  const file = await deno.open(path, { read: true, write: true, create: true });
  try {
    await file.lock(true);
    return () => file.close();
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * A child that says when it has the lock, and keeps it until its standard input ends: when we let it, or when we are no more. It is in a group of
 * its own, so that what a terminal sends to stop us does not take the lock from under our feet.
 *
 * `undefined` where there is no such program.
 */
async function lockByChild(path: string, signal: AbortSignal | undefined): Promise<Release | undefined> {
  const child = spawn("flock", ["-x", path, "sh", "-c", "echo; cat"], { stdio: ["pipe", "pipe", "ignore"], detached: true });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const held = new Promise<boolean>((resolve) => {
    child.stdout.once("data", () => resolve(true));
    void ended.then(() => resolve(false));
  });
  const giveUp = (): void => {
    child.stdin.end();
    child.kill("SIGKILL");
  };
  signal?.addEventListener("abort", giveUp, { once: true });
  // A child that dies first breaks the pipe; that it is gone is known otherwise.
  child.stdin.on("error", () => undefined);
  const got = await held;
  signal?.removeEventListener("abort", giveUp);
  throwIfAborted(signal);
  if (!got) return undefined;
  return async () => {
    child.stdin.end();
    await ended;
  };
}

/** A file that only one can make, with who made it. */
async function lockByFile(path: string, signal: AbortSignal | undefined): Promise<Release> {
  const mine = JSON.stringify({ host: hostname(), pid: process.pid, since: Date.now() });
  for (;;) {
    throwIfAborted(signal);
    try {
      await fs.promises.writeFile(path, mine, { flag: "wx" });
      return () => fs.promises.rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    await takeOver(path);
    await sleep(POLL_MS, signal);
  }
}

/** Removes the file of a holder that is gone: by a name of its own first, so that of two who see it only one removes it. */
async function takeOver(path: string): Promise<void> {
  const text = await fs.promises.readFile(path, "utf8").catch(() => undefined);
  if (text === undefined || !isLeftBehind(text)) return;
  const aside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await fs.promises.rename(path, aside);
    const moved = await fs.promises.readFile(aside, "utf8");
    // Another took it over, and holds it now: it gets its lock back, unless a third has come in between, which only a stale one allows.
    if (moved !== text) await fs.promises.link(aside, path).catch(() => undefined);
    await fs.promises.rm(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function isLeftBehind(text: string): boolean {
  let holder: { readonly host?: unknown; readonly pid?: unknown; readonly since?: unknown };
  try {
    holder = JSON.parse(text) as typeof holder;
  } catch {
    // It is being written.
    return false;
  }
  const { host, pid, since } = holder;
  if (host !== hostname() || typeof pid !== "number") return typeof since !== "number" || Date.now() - since > STALE_MS;
  // After a restart another program may have our number.
  if (pid === process.pid) return typeof since === "number" && since < performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** The error of a lock that cannot be had. */
export function lockFailure(path: string, key: string, cause: unknown): DreamDbError {
  const denied = ["EACCES", "EPERM", "EROFS"].includes((cause as NodeJS.ErrnoException).code ?? "");
  return new DreamDbError(denied ? "Forbidden" : "FileSystem", `cannot lock ${path}: ${String(cause)}`, { key, subject: path, cause });
}
