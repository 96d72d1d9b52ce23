/** Types of scalar columns on the wire: what tags call them, and how their index is built. */
import type { ScalarType } from "../../dataset/scalar-values.js";

/** Per type the encoding of its tag, and the keys of its tree; without these, entries stand in the Track itself. */
const TYPES: Readonly<Record<ScalarType, readonly [encoding: string, tree?: string]>> = {
  categorical: ["cat"],
  bool: ["bool"],
  int: ["i64", "int64"],
  float: ["f64", "float64"],
  string: ["str", "string"],
  timestamp: ["ts", "int64"],
};

/** The names that schemas have for them. */
export const SCALAR_TYPES: readonly string[] = Object.keys(TYPES);

/** The tag of a column's Track. */
export const scalarTag = (type: ScalarType, field: string): string => `scalar.${TYPES[type][0]}.field=${field}`;

/** The algorithm of a column's tree; `undefined` if its entries stand in the Track itself. */
export function treeAlgorithm(type: ScalarType): string | undefined {
  const tree = TYPES[type][1];
  return tree && `dreamdb.btree-${tree}`;
}
