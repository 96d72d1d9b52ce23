/** What elements are like: least, greatest, mean, and how many are none. */
import type { AnyTypedArray } from "dreamdb-arrays";

/** Of the finite elements; and how many there are of the others. */
export interface Statistics {
  readonly count: number;
  readonly least: number | bigint | undefined;
  readonly greatest: number | bigint | undefined;
  /** As a double; of 64-bit integers that of their exact sum. */
  readonly mean: number | undefined;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
}

/** One pass over the elements. */
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
  return { count: data.length, least, greatest, mean: data.length === 0 ? undefined : Number(sum) / data.length, nan: 0, infinite: 0, zeros };
}

function ofNumbers(data: Exclude<AnyTypedArray, BigInt64Array | BigUint64Array>): Statistics {
  let [least, greatest] = [Infinity, -Infinity];
  let [mean, finite, nan, zeros] = [0, 0, 0, 0];
  for (const value of data) {
    if (value - value === 0) {
      finite += 1;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      if (value === 0) zeros += 1;
      // Each divided first: a sum, or a difference, of finite doubles need not be finite.
      mean += value / finite - mean / finite;
    } else if (Number.isNaN(value)) nan += 1;
  }
  const isEmpty = finite === 0;
  return {
    count: data.length,
    least: isEmpty ? undefined : least,
    greatest: isEmpty ? undefined : greatest,
    mean: isEmpty ? undefined : mean,
    nan,
    infinite: data.length - finite - nan,
    zeros,
  };
}
