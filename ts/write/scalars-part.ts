/** What writes scalar columns, loaded when one is first written to: most writers have none. */
import { part } from "../part.js";

type Scalars = typeof import("./scalars/append.js");

let loading: Promise<Scalars> | undefined;

/** Gives it to those who may not import at run time. */
export function provideScalars(scalars: Scalars): void {
  loading = Promise.resolve(scalars);
}

/**
 * What writes scalar columns.
 *
 * @throws {DreamDbError} `PartLoad`
 */
export async function scalarWriter(): Promise<Scalars> {
  loading ??= part(() => import("./scalars/append.js"));
  try {
    return await loading;
  } catch (error) {
    // The next write tries again.
    loading = undefined;
    throw error;
  }
}
