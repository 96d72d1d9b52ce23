/** Parts of the package that a page or a process loads when they are first needed; what stands in them, and when that is, is said by who loads them. */
import { DreamDbError } from "./errors.js";

/**
 * What `load` imports.
 *
 * @throws {DreamDbError} `PartLoad`
 */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message =
      `a part of dreamdb-arrays could not be loaded (${reason}): its files must all be there, of one build. ` +
      "Load the page or start the process anew; in a service worker, import dreamdb-arrays/inline";
    throw new DreamDbError("PartLoad", message, { cause });
  }
}
