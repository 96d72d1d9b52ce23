/**
 * Shaped arrays: what the helpers beside this file take and give, as types. What a payload becomes is codec/values.ts's matter.
 *
 * `data`, `shape`, `strides` mean what they mean to scijs/ndarray and to zarrita, so a value goes there as it is. Everything here lies
 * without gaps: `strides` follow from `shape` and `order`, and the helpers go by these two.
 */
import type { AnyTypedArray, DType } from "../codec/dtype.js";
import type { U64 } from "../codec/integers.js";

/** A TypedArray of any dtype, over memory of any kind. */
export type ElementArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

/** What the helpers need to know of an array: a dense value, a row, a column, or one that you made. */
export interface Shaped<A extends ElementArray = ElementArray, S extends readonly number[] = readonly number[]> {
  /** All elements and no others, in the order in which they are stored. */
  readonly data: A;
  /** Extents; empty for a scalar. */
  readonly shape: S;
  /** Layout of `data`: `c` last axis fastest, `f` first axis fastest. */
  readonly order: "c" | "f";
}

/** A shaped array with its strides: `data[Σ index[i] · strides[i]]` is the element at `index`. */
export interface ShapedArray<A extends ElementArray = AnyTypedArray, S extends readonly number[] = number[]> extends Shaped<A, S> {
  /** Elements between neighbours along each axis. */
  readonly strides: { [Axis in keyof S]: number };
}

/** An element: a bigint for 64-bit integers, otherwise a number. Given a TypedArray or the name of a dtype. */
export type Element<A extends ElementArray | DType> = A extends BigInt64Array | BigUint64Array | "i64" | "u64" ? bigint : number;

/** An index into an array of that shape: a number for each axis. */
export type IndexOf<S extends readonly number[]> = { readonly [Axis in keyof S]: U64 };

/** The shape without its first axis. */
export type RowShape<S extends readonly number[]> = S extends readonly [number, ...infer Rest extends readonly number[]] ? Rest : number[];

/** Lists within lists, as deep as the shape; of any depth if the rank is not known to the compiler. */
export type Nested<E, S extends readonly number[] = readonly number[]> = S extends readonly []
  ? E
  : S extends readonly [number, ...infer Rest extends readonly number[]]
    ? Nested<E, Rest>[]
    : E | NestedList<E>;

/** A list of elements or of lists. */
type NestedList<E> = (E | NestedList<E>)[];
