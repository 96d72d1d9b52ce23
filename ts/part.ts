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
      `a part of dreamdb-arrays could not be loaded (${reason}): its files must be served beside the first one, and be of the same build. ` +
      "Try again or load the page anew; in a service worker, import dreamdb-arrays/inline";
    throw new DreamDbError("PartLoad", message, { cause });
  }
}
