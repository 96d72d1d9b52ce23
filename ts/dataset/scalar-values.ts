/** What the values of scalar columns are in JavaScript, one by one and as columns. */
import type { Verified } from "../io/verifier.js";

/** A value, by the type that the schema declares: integers and timestamps are i64. */
export interface ScalarValues {
  /** A label. */
  categorical: string;
  /** A truth value. */
  bool: boolean;
  /** A signed integer of 64 bits. */
  int: bigint;
  /** A number of 64 bits. */
  float: number;
  /** A text. */
  string: string;
  /** Signed integers of 64 bits, in the unit of time that the writer counts in. */
  timestamp: bigint;
}

/** Types of scalar columns, by their wire names. */
export type ScalarType = keyof ScalarValues;

/** Values of many rows. */
export interface ScalarArrays {
  /** Labels. */
  categorical: string[];
  /** 0 or 1. */
  bool: Uint8Array<ArrayBuffer>;
  /** Signed integers of 64 bits. */
  int: BigInt64Array<ArrayBuffer>;
  /** Numbers of 64 bits. */
  float: Float64Array<ArrayBuffer>;
  /** Texts. */
  string: string[];
  /** Signed integers of 64 bits, in the unit of time that the writer counts in. */
  timestamp: BigInt64Array<ArrayBuffer>;
}

interface Column<T extends ScalarType> {
  readonly valueType: T;
  /** Anchors of the rows, strictly ascending. */
  readonly anchors: BigUint64Array<ArrayBuffer>;
  /** Their values. */
  readonly values: ScalarArrays[T];
  /** The least that was checked of any of the records that were read. */
  readonly verified: Verified;
}

/** The categories of a categorical column: all of its index, in its order, whether or not a row of the column has them. */
export interface Categories {
  /** For each row the position of its value in `categories`. */
  readonly codes: Uint32Array<ArrayBuffer>;
  /** The labels. */
  readonly categories: readonly string[];
}

/** Rows of a scalar column. */
export type ScalarColumn<T extends ScalarType = ScalarType> = T extends "categorical" ? Column<T> & Categories : Column<T>;
