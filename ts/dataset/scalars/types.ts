/** Types of scalar columns: their tags and indexes. */
import type { Core } from "../../wasm.js";
import type { ScalarType } from "../scalar-values.js";
import { refusal } from "./refusal.js";

/** The encoding in a tag, and the algorithm of the index. */
const TYPES: Readonly<Record<ScalarType, readonly [encoding: string, algorithm: string]>> = {
  categorical: ["cat", "dreamdb.bitmap-categorical"],
  bool: ["bool", "dreamdb.bitmap-categorical"],
  int: ["i64", "dreamdb.btree-int64"],
  float: ["f64", "dreamdb.btree-float64"],
  string: ["str", "dreamdb.btree-string"],
  timestamp: ["ts", "dreamdb.btree-int64"],
};

/** The algorithm of a type's index. */
export const algorithmOf = (type: ScalarType): string => TYPES[type][1];

/** Whether entries stand in the Track itself; of other types they are the leaves of a tree. */
export const isInline = (type: ScalarType): boolean => type === "categorical" || type === "bool";

/** Whether values are texts. */
export const isText = (type: ScalarType): boolean => type === "categorical" || type === "string";

/**
 * Refuses a tag that is not one of the type that the schema says.
 *
 * @throws as the core: `UnsupportedIndex` for a tag of an unknown type; `ScalarIndex` for one of another; the codes of tags
 */
export function checkType(core: Core, type: ScalarType, modality: string): void {
  const { encoding } = core.parseModality(modality);
  if (encoding === TYPES[type][0]) return;
  if (!Object.values(TYPES).some(([known]) => known === encoding)) {
    throw refusal(`modality \`${modality}\` is of a scalar type that this version does not know`, { subject: modality }, "UnsupportedIndex");
  }
  throw refusal(`values of type \`${type}\` do not belong to modality \`${modality}\``, { subject: type });
}
