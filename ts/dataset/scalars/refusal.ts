/** What is refused here: thrown as the core throws what it refuses, so that `call()` of wasm.ts makes the same errors of both. */
import type { ErrorCode, ErrorDetails } from "../../errors.js";

/** An error to throw within `call()`. */
export function refusal(message: string, details: Pick<ErrorDetails, "subject" | "expected" | "actual"> = {}, code: ErrorCode = "ScalarIndex"): Error {
  return Object.assign(new Error(message), details, { code });
}
