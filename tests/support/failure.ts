/** Awaits a rejection and hands out its error, typed, so that a test can look at every fact in it. */

import { isDreamDbError, type DreamDbError, type ErrorCode } from "../../ts/errors.js";

/** The error of a read that must fail with `code`. Anything else fails the test, with the surprise as its cause. */
export async function expectFailure(read: Promise<unknown>, ...codes: ErrorCode[]): Promise<DreamDbError> {
  let result: unknown;
  try {
    result = await read;
  } catch (error) {
    if (isDreamDbError(error, ...codes)) return error;
    throw new Error(`expected ${codes.join(" or ")}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`expected ${codes.join(" or ")}, but the read gave ${String(result)}`);
}

/** What a promise rejects with, whatever it is. */
export async function expectRejection(read: Promise<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await read;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, but the read gave ${String(result)}`);
}

/** What a synchronous call throws, as a typed error. */
export function expectThrown(call: () => unknown, ...codes: ErrorCode[]): DreamDbError {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    if (isDreamDbError(error, ...codes)) return error;
    throw new Error(`expected ${codes.join(" or ")}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`expected ${codes.join(" or ")}, but the call gave ${String(result)}`);
}
