/**
 * 64-bit unsigned integers as arguments: anchors, extents, row numbers.
 *
 * What is u64 on the wire is a `bigint` in results. As an argument a safe integer does as well; anything else is refused before it
 * reaches the core, because a rounded anchor would name another Item.
 */
import { DreamDbError } from "../errors.js";

/** A u64 as an argument: a bigint, or an integer that a number holds exactly. */
export type U64 = bigint | number;

const MAX_U64 = (1n << 64n) - 1n;

/**
 * `value` as a bigint from 0 to 2^64 − 1.
 *
 * @throws {DreamDbError} `InvalidArgument` for a fraction, NaN, a number beyond 2^53 − 1, a negative or larger value, or another type
 */
export function toU64(what: string, value: U64): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === "bigint" && value >= 0n && value <= MAX_U64) return value;
  // Not every object can be made a text.
  const shown = typeof value === "bigint" ? `${value}n` : Object(value) === value ? "an object" : String(value);
  const message = `${what} must be a bigint from 0 to 2^64 − 1, or a non-negative integer up to 2^53 − 1; it is ${shown}`;
  throw new DreamDbError("InvalidArgument", message, { subject: what, actual: shown });
}

/** As {@link toU64}, of what may be left out. */
export function optionalU64(what: string, value: U64 | undefined): bigint | undefined {
  return value === undefined ? undefined : toU64(what, value);
}

/**
 * `value` as a number.
 *
 * @throws {DreamDbError} `TooLarge` beyond 2^53 − 1
 */
export function toNumber(what: string, value: bigint): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new DreamDbError("TooLarge", `${what} is ${value}, more than a JavaScript number holds exactly`, { actual: String(value) });
}
