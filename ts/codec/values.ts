/** What array Items are in JavaScript: TypedArrays with the shape that gives them meaning. How bytes become these is payload.ts's matter. */
import type { DType, DTypeArrays } from "./dtype.js";

/** A dense array (0025 §3): `data[Σ index[i] · strides[i]]` is the element at `index`. `S` is its shape, as far as it is known to the compiler. */
export interface DenseArray<D extends DType = DType, S extends readonly number[] = number[]> {
  /** Name of the family. */
  readonly family: "dense-array";
  /** Of the elements. */
  readonly dtype: D;
  /** All elements, in the order in which they are stored. */
  readonly data: DTypeArrays[D];
  /** Extents; empty for a scalar. */
  readonly shape: S;
  /** Elements between neighbours along each axis. */
  readonly strides: { [A in keyof S]: number };
  /** Layout of `data`: `c` last axis fastest, `f` first axis fastest. */
  readonly order: "c" | "f";
}

/** A ragged array (0025 §11.1): row `i` is the cells from `rowOffsets[i]` to `rowOffsets[i + 1]`. */
export interface RaggedArray<D extends DType = DType, S extends readonly number[] = number[]> {
  /** Name of the family. */
  readonly family: "ragged-array";
  /** The same, as 0025 §14.1 calls it. */
  readonly kind: "ragged-array";
  /** Of the elements. */
  readonly dtype: D;
  /** Number of rows + 1 offsets into the cells. */
  readonly rowOffsets: BigUint64Array<ArrayBuffer>;
  /** The cells, each the elements of `innerShape` in C order. */
  readonly values: DTypeArrays[D];
  /** Extents of one cell; empty if a cell is one scalar. */
  readonly innerShape: S;
}

/** A sparse matrix (0025 §11.2): row `i` has the stored elements from `rowOffsets[i]` to `rowOffsets[i + 1]`. */
export interface CsrArray<D extends DType = DType> {
  /** Name of the family. */
  readonly family: "sparse-csr";
  /** The same, as 0025 §14.1 calls it. */
  readonly kind: "sparse-csr";
  /** Of the elements. */
  readonly dtype: D;
  /** Rows and columns, which may exceed what a number holds. */
  readonly shape: readonly [rows: bigint, columns: bigint];
  /** Number of rows + 1 offsets into the stored elements. */
  readonly rowOffsets: BigUint64Array<ArrayBuffer>;
  /** Column of each stored element, strictly increasing within a row. */
  readonly columnIndices: BigUint64Array<ArrayBuffer>;
  /** The stored elements; stored zeros are among them. */
  readonly values: DTypeArrays[D];
}

/** The value of an array Item of any family. */
export type ArrayValue<D extends DType = DType> = DenseArray<D> | RaggedArray<D> | CsrArray<D>;

/** Elements of an array of that shape. */
export function elementsOf(shape: readonly number[]): number {
  // Extents before a zero may multiply to Infinity.
  return shape.includes(0) ? 0 : shape.reduce((product, extent) => product * extent, 1);
}

/** Elements between neighbours along each axis of a contiguous array. */
export function stridesOf(shape: readonly number[], order: "c" | "f"): number[] {
  const strides = shape.map(() => 1);
  const axes = shape.map((_, axis) => (order === "c" ? shape.length - 1 - axis : axis));
  let step = 1;
  for (const axis of axes) {
    strides[axis] = step;
    step *= shape[axis] ?? 1;
  }
  return strides;
}
