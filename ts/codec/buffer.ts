/** Memory for what is made here, of a size that the caller's data has. */
import { DreamDbError } from "../errors.js";

/**
 * A buffer of so many bytes.
 *
 * @param what stands in it, as the error says
 * @throws {DreamDbError} `TooLarge` if the runtime has no such buffer
 */
export function allocate(bytes: number, what: string): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes);
  } catch (cause) {
    throw new DreamDbError("TooLarge", `${what} takes ${bytes} bytes, which this runtime cannot hold in one buffer`, { actual: String(bytes), cause });
  }
}
