/** Many Items, some hundreds at a time: so many promises are held, whatever the number of Items is. */
import { handled } from "../../io/pump.js";
import { type Selection, slice } from "../selection.js";

/** Items that are read together: enough that those of one pack share requests. */
const WINDOW = 2048;

/** Windows that are read at once, so that the requests do not run dry between two of them. */
const AT_ONCE = 2;

/** Reads Items window by window. Rejects with the first failure; then no further window is begun. */
export async function inWindows(selection: Selection, read: (window: Selection, from: number) => Promise<void>): Promise<void> {
  const running: Promise<void>[] = [];
  for (let from = 0; from < selection.anchors.length; from += WINDOW) {
    // It is awaited below, but another may fail before.
    running.push(handled(read(slice(selection, from, from + WINDOW), from)));
    if (running.length === AT_ONCE) await running.shift();
  }
  for (const reading of running) await reading;
}
