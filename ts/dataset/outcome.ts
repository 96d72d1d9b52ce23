/** What became of one anchor of many: a failure of one Item is not that of the others. */
import { withContext } from "../error-context.js";
import { DreamDbError, isDreamDbError } from "../errors.js";
import { throwIfAborted } from "../store/abort.js";

/** The outcome of reading one anchor. */
export type Outcome<T> = {
  /** The anchor that was asked for. */
  readonly anchor: bigint;
} & (
  | {
      /** There is an Item, and it was read. */
      readonly status: "value";
      /** What it holds. */
      readonly value: T;
    }
  | {
      /** The Track has no Item there. */
      readonly status: "absent";
    }
  | {
      /** There was one, its row was deleted. */
      readonly status: "deleted";
    }
  | {
      /** Reading it failed; never taken for absence. */
      readonly status: "error";
      /** Why. */
      readonly error: DreamDbError;
    }
);

/** Waits for all; each becomes an outcome, and only the caller's own cancellation ends them together. */
export async function outcomes<T extends object>(
  field: string,
  anchors: readonly bigint[],
  reads: readonly Promise<T | "absent" | "deleted">[],
  signal: AbortSignal | undefined,
): Promise<Outcome<T>[]> {
  const settled = await Promise.allSettled(reads);
  return settled.map((read, at): Outcome<T> => {
    const anchor = anchors[at] ?? 0n;
    if (read.status === "fulfilled") {
      const { value } = read;
      return typeof value === "string" ? { anchor, status: value } : { anchor, status: "value", value };
    }
    throwIfAborted(signal);
    return { anchor, status: "error", error: withContext(typed(read.reason), { field, anchor }) as DreamDbError };
  });
}

/** Errors that a caller's store or hook made are told like those of ours. */
function typed(cause: unknown): DreamDbError {
  if (isDreamDbError(cause)) return cause;
  return new DreamDbError("Network", `the store failed with an error of its own: ${String(cause)}`, { cause });
}
