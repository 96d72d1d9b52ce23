/** The part that reads scalar columns: loaded when one is first read, as most pages have none. */
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";
import { Shared } from "../io/shared.js";
import { part } from "../part.js";
import { throwIfAborted } from "../store/abort.js";
import { scoped } from "../store/scope.js";
import { call } from "../wasm.js";
import { findAnchor, lowerBound } from "./entries.js";
import { indexPageKey, recordKey, scalarIndexKey, trackKey } from "./keys.js";
import type * as Reading from "./scalars/reader.js";

/** What the part is handed. */
export const host = { call, Refusal: DreamDbError, Shared, withContext, throwIfAborted, scoped, findAnchor, lowerBound, trackKey, indexPageKey, scalarIndexKey, recordKey };

let given: typeof Reading | undefined;

/** Gives it to hosts that may not import at run time. */
export function provideScalarReader(reading: typeof Reading): void {
  given = reading;
}

/**
 * The part.
 *
 * @throws {DreamDbError} `PartLoad`
 */
export async function scalarReading(): Promise<typeof Reading> {
  return given ?? (await part(() => import("./scalars/reader.js")));
}
