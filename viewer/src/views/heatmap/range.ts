/** Values as places between the ends of a range of colours; what is not finite is none of them. */
import type { AnyTypedArray } from "dreamdb-arrays";

/** Ends of a range; of 64-bit integers exactly. */
export interface Range {
  readonly least: number | bigint;
  readonly greatest: number | bigint;
}

/** Place of a value: 0 … 255 within the range, clamped to its ends. */
export type Placing = (value: number | bigint) => number;

/** The least and the greatest finite value; `undefined` if there is none. */
export function finiteRange(data: AnyTypedArray): Range | undefined {
  let least: number | bigint | undefined;
  let greatest: number | bigint | undefined;
  for (const value of data) {
    if (typeof value === "number" && value - value !== 0) continue;
    if (least === undefined || value < least) least = value;
    if (greatest === undefined || value > greatest) greatest = value;
  }
  return least === undefined || greatest === undefined ? undefined : { least, greatest };
}

/** How many elements are not finite. */
export function oddOnes(data: AnyTypedArray): { readonly nan: number; readonly above: number; readonly below: number } {
  let [nan, above, below] = [0, 0, 0];
  if (data instanceof Float32Array || data instanceof Float64Array) {
    for (const value of data) {
      if (value - value === 0) continue;
      if (value === Infinity) above += 1;
      else if (value === -Infinity) below += 1;
      else nan += 1;
    }
  }
  return { nan, above, below };
}

/** A range that a person typed; `undefined` unless both ends are numbers and the first is below the second. */
export function typedRange(least: string | undefined, greatest: string | undefined): Range | undefined {
  const [from, to] = [Number(least ?? "x"), Number(greatest ?? "x")];
  if ((least ?? "").trim() === "" || (greatest ?? "").trim() === "") return undefined;
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? { least: from, greatest: to } : undefined;
}

/** Where finite values stand in a range. All are in the middle of one without extent. */
export function placing({ least, greatest }: Range): Placing {
  if (typeof least === "bigint" && typeof greatest === "bigint") {
    const span = Number(greatest - least);
    // Only differences become doubles: neighbours beyond 2^53 stay apart.
    return (value) => (span === 0 ? 128 : clamped(Number((typeof value === "bigint" ? value : BigInt(Math.round(value))) - least) / span));
  }
  const from = Number(least);
  // Halved, since the difference of two doubles need not be one.
  const span = Number(greatest) / 2 - from / 2;
  return (value) => (span === 0 ? 128 : clamped((Number(value) / 2 - from / 2) / span));
}

function clamped(part: number): number {
  return part <= 0 ? 0 : part >= 1 ? 255 : Math.round(part * 255);
}
