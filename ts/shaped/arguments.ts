/** Arguments of the helpers, looked at before use: users of plain JavaScript pass what no compiler saw. */
import { kindOf, refused } from "../codec/arguments.js";
import { TYPED_ARRAYS, type DType } from "../codec/dtype.js";
import { toU64, type U64 } from "../codec/integers.js";
import { type CsrArray, elementsOf, type RaggedArray } from "../codec/values.js";
import { DreamDbError } from "../errors.js";
import type { ElementArray, Shaped } from "./types.js";

/** Names of the TypedArrays that hold a dtype, which are the same in each realm. */
const DTYPES: ReadonlyMap<string, DType> = new Map((Object.keys(TYPED_ARRAYS) as DType[]).map((dtype) => [TYPED_ARRAYS[dtype].name, dtype]));

/** Which of the values an argument is, as far as a value says so itself. */
export function isRagged(value: unknown): value is RaggedArray {
  return familyOf(value) === "ragged-array";
}

/** As {@link isRagged}. */
export function isCsr(value: unknown): value is CsrArray {
  return familyOf(value) === "sparse-csr";
}

/**
 * The dtype of a shaped array that is one: its data are a TypedArray of as many elements as its shape says.
 *
 * @throws {DreamDbError} `InvalidArgument`
 */
export function shapedArgument(array: Shaped): DType {
  const { data, shape, order } = fieldsOf(array);
  const dtype = ArrayBuffer.isView(data) ? DTYPES.get(kindOf(data)) : undefined;
  if (dtype === undefined) throw refused("data", "a TypedArray of a dtype", kindOf(data));
  if (!Array.isArray(shape) || !shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0)) {
    throw refused("shape", "an array of extents", Array.isArray(shape) ? `[${shape.join(", ")}]` : kindOf(shape));
  }
  if (order !== "c" && order !== "f") throw refused("order", '"c" or "f"', typeof order === "string" ? JSON.stringify(order) : kindOf(order));
  const elements = elementsOf(shape as number[]);
  const { length } = data as ElementArray;
  if (length !== elements) throw refused("data", `the ${elements} elements of shape [${shape.join(", ")}]`, `${length} elements`);
  return dtype;
}

/**
 * An index along an axis as a number.
 *
 * @throws {DreamDbError} `InvalidArgument` for an index that the axis does not have, or that is no U64
 */
export function indexArgument(what: string, index: U64, extent: U64): number {
  // The usual case first: `at` is called once for each element.
  if (typeof index === "number" && Number.isSafeInteger(index) && index >= 0 && index < extent) return index;
  const at = toU64(what, index);
  if (at < extent) return Number(at);
  const message = `${what} is ${at}, and there are ${extent}`;
  throw new DreamDbError("InvalidArgument", message, { subject: what, expected: `less than ${extent}`, actual: String(at) });
}

/** The error of an index with too few or too many numbers. */
export function wrongRank(rank: number, given: number): DreamDbError {
  const message = `the array has ${rank} ${rank === 1 ? "axis" : "axes"}, and the index ${given} ${given === 1 ? "number" : "numbers"}`;
  return new DreamDbError("InvalidArgument", message, { subject: "index", expected: String(rank), actual: String(given) });
}

function familyOf(value: unknown): unknown {
  return (value as { readonly family?: unknown } | null | undefined)?.family;
}

/** What has data, at least. */
export function fieldsOf(array: unknown): { readonly data?: unknown; readonly shape?: unknown; readonly order?: unknown } {
  if (typeof array === "object" && array !== null && "data" in array) return array;
  const family = familyOf(array);
  throw refused("array", "a shaped array { data, shape, order }", typeof family === "string" ? family : kindOf(array));
}
