/** What a caller may ask of an array field when opening it: checked at run time, known at compile time. */
import { extentsArgument } from "../codec/arguments.js";
import type { DType } from "../codec/dtype.js";
import type { U64 } from "../codec/integers.js";
import type { Family } from "../codec/item-type.js";
import { DreamDbError } from "../errors.js";
import type { ArrayFieldInfo } from "./fields.js";

/** What the field must be; anything else is refused. */
export interface Narrow<D extends DType = DType, S extends readonly U64[] = readonly U64[]> {
  /** The dtype that the field must have, which the type of its values then follows. */
  readonly dtype?: D;
  /** The extents that the field must have; of a ragged field those of its cells. The type of a dense value's shape follows them. */
  readonly shape?: S;
}

/** The shape of values whose extents were asked for: of that rank, and of those extents where they are literals. */
export type ShapeOf<S extends readonly U64[]> = { -readonly [A in keyof S]: S[A] extends number ? S[A] : number };

/**
 * Refuse a field that is not what the caller asked for.
 *
 * @throws {DreamDbError} `WrongFamily`, `WrongDtype`, `WrongShape`, `InvalidArgument` for a shape that is none
 */
export function checkNarrow(info: ArrayFieldInfo, family: Family | undefined, { dtype, shape }: Narrow): void {
  const field = info.name;
  const refuse = (code: "WrongFamily" | "WrongDtype" | "WrongShape", what: string, expected: string, actual: string) =>
    new DreamDbError(code, `field ${JSON.stringify(field)} has the ${what} ${actual}, not ${expected}`, { field, expected, actual });

  if (family !== undefined && family !== info.family) throw refuse("WrongFamily", "family", family, info.family);
  if (dtype !== undefined && dtype !== info.dtype) throw refuse("WrongDtype", "dtype", dtype, info.dtype);
  if (shape === undefined) return;
  const expected = extentsArgument("shape", shape).join("×");
  const actual = (info.shape ?? info.innerShape ?? []).join("×");
  if (expected !== actual) throw refuse("WrongShape", "shape", expected, actual);
}
