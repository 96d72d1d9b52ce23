/** Parts of the package that a page loads when they are first needed; what stands in them, and when that is, is said by who loads them. */
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
      `a part of dreamdb-arrays could not be loaded (${reason}): serve its files beside the first one, of the same build. ` +
      "Load the page anew; in a service worker, import dreamdb-arrays/inline";
    throw new DreamDbError("PartLoad", message, { cause });
  }
}
