/** Types and values as the package takes them. */
import type { AnyTypedArray, ArrayInit, DType, ItemTypeInit } from "dreamdb-arrays";
import { typedView } from "../../../ts/codec/dtype.js";
import type { DeclaredType } from "./model.js";
import { type ArrayBits, bytesOf } from "./values.js";

/** A declared type. */
export function typeInit(type: DeclaredType): ItemTypeInit & { readonly dtype: DType } {
  if (type.family === "ragged-array") return { ...type, innerShape: type.innerShape.map(BigInt) };
  return { ...type, shape: type.shape.map(BigInt) };
}

/** Elements, as they lie in memory. */
export function elementsOf(dtype: DType, text: string): AnyTypedArray {
  return typedView(dtype, bytesOf(text));
}

function u64sOf(text: string): BigUint64Array {
  return new BigUint64Array(bytesOf(text).buffer);
}

/** A value of a typed array: in C order, whatever order is declared. */
export function arrayInit(bits: ArrayBits): ArrayInit {
  const { family, dtype } = bits;
  switch (family) {
    case "dense-array":
      return { data: elementsOf(dtype, bits.data), shape: bits.shape.map(BigInt), order: "c" };
    case "ragged-array":
      return { kind: family, rowOffsets: u64sOf(bits.rowOffsets), values: elementsOf(dtype, bits.values) };
    case "sparse-csr":
      return { kind: family, rowOffsets: u64sOf(bits.rowOffsets), columnIndices: u64sOf(bits.columnIndices), values: elementsOf(dtype, bits.values) };
  }
}

