/** Windows of anchors, as callers give them. */
import { toU64, type U64 } from "../codec/integers.js";
import type { ItemReadOptions } from "./field.js";

/** A window of anchors. */
export interface WindowOptions extends ItemReadOptions {
  /** First anchor; 0 unless said otherwise. */
  readonly start?: U64 | undefined;
  /** Anchor after the last; there is no limit unless one is said. */
  readonly end?: U64 | undefined;
}

/** A window as it is used. */
export interface Window {
  readonly start: bigint;
  readonly end: bigint | undefined;
}

/**
 * The window that the options say.
 *
 * @throws {DreamDbError} `InvalidArgument` for bounds that are no u64
 */
export function windowOf({ start = 0n, end }: WindowOptions): Window {
  return { start: toU64("start", start), end: end === undefined ? undefined : toU64("end", end) };
}
