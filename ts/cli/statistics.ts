/** What an array's numbers are like: least and greatest, mean, and how many are none. */
import type { AnyTypedArray } from "../codec/dtype.js";

/** Of the finite elements, and how many there are of the others. */
export interface Statistics {
  readonly count: number;
  readonly least: number | bigint | undefined;
  readonly greatest: number | bigint | undefined;
  /** Rounded to a double. */
  readonly mean: number | undefined;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
}

/** One pass over the elements. The mean of integers of 64 bits is of their exact sum, that of others moves along, so that no sum overflows. */
export function statisticsOf(data: AnyTypedArray): Statistics {
  return data instanceof BigInt64Array || data instanceof BigUint64Array ? ofBigints(data) : ofNumbers(data);
}

function ofBigints(data: BigInt64Array | BigUint64Array): Statistics {
  let [least, greatest] = [data[0], data[0]];
  let [sum, zeros] = [0n, 0];
  for (const value of data) {
    if (least === undefined || value < least) least = value;
    if (greatest === undefined || value > greatest) greatest = value;
    if (value === 0n) zeros += 1;
    sum += value;
  }
  const mean = data.length === 0 ? undefined : Number(sum) / data.length;
  return { count: data.length, least, greatest, mean, nan: 0, infinite: 0, zeros };
}

function ofNumbers(data: Exclude<AnyTypedArray, BigInt64Array | BigUint64Array>): Statistics {
  let [least, greatest]: (number | undefined)[] = [];
  let [mean, finite, nan, infinite, zeros] = [0, 0, 0, 0, 0];
  for (const value of data) {
    if (Number.isNaN(value)) nan += 1;
    else if (!Number.isFinite(value)) infinite += 1;
    else {
      finite += 1;
      if (least === undefined || value < least) least = value;
      if (greatest === undefined || value > greatest) greatest = value;
      if (value === 0) zeros += 1;
      // Divided first: the difference of two finite doubles may not be finite.
      mean += value / finite - mean / finite;
    }
  }
  return { count: data.length, least, greatest, mean: finite === 0 ? undefined : mean, nan, infinite, zeros };
}
