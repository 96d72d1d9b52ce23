/** Ctrl-C: requests are stopped, half-written files are removed, and the program ends as one that was interrupted. */
import { rmSync } from "node:fs";

/** Thrown by what was stopped. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** What is undone if the program is stopped: files that are not whole yet. */
const unfinished = new Set<string>();

/** Marks a file as half-written until {@link finished}. */
export function unfinishedFile(path: string): void {
  unfinished.add(path);
}

/** The file is whole, or gone. */
export function finished(path: string): void {
  unfinished.delete(path);
}

/** Removes what is half-written. */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
  unfinished.clear();
}

/** Runs `work` with a signal that fires on Ctrl-C; a second Ctrl-C ends the program at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) {
      removeUnfinished();
      process.exit(130);
    }
    controller.abort(new Interrupted("stopped"));
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, stop);
    removeUnfinished();
  }
}
