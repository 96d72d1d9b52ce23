/**
 * Which views there are, and which of them a declaration offers. A person may choose any that can show such Items at all; none is chosen by looking at
 * values.
 */
import { type FieldInfo, isArrayField, isMediaField, isScalarField } from "dreamdb-arrays";

/** Names of the views, as the address bar has them. */
export const VIEWS = ["lines", "heatmap", "points", "trajectory", "media", "rows", "spy", "labels", "text", "table"] as const;

/** Name of a view. */
export type ViewName = (typeof VIEWS)[number];

/** What a view is called, and what it is for. */
export const TITLES: Readonly<Record<ViewName, readonly [title: string, purpose: string]>> = {
  lines: ["Lines", "Elements over a window of anchors"],
  heatmap: ["Heat map", "Two axes of one Item"],
  points: ["3-D points", "Rows of three numbers as points, or a mesh"],
  trajectory: ["Trajectory", "4×4 matrices as axes along their way"],
  media: ["Media", "The Item as it is, an image above all"],
  rows: ["Rows", "Rows of one ragged Item, and how long they are"],
  spy: ["Spy plot", "Where a sparse matrix has stored elements"],
  labels: ["Labels", "Scalar values along the anchors"],
  text: ["Text", "A text Constant"],
  table: ["Table", "Exact values"],
};

/** What may be shown of a field: first what its declaration offers, the best of it in front, then what is possible besides. */
export interface Offer {
  readonly offered: readonly ViewName[];
  readonly possible: readonly ViewName[];
}

/** The views of a field. Both lists are empty for kinds that cannot be read. */
export function viewsOf(info: FieldInfo): Offer {
  if (isMediaField(info)) return { offered: ["media"], possible: [] };
  if (isScalarField(info)) return info.valueType === "int" || info.valueType === "float" ? { offered: ["lines", "table"], possible: ["labels"] } : { offered: ["labels", "table"], possible: [] };
  if (!isArrayField(info)) return { offered: info.kind === "constant" ? ["text"] : [], possible: [] };
  if (info.family === "ragged-array") return isTriple(info.innerShape ?? []) ? { offered: ["rows", "points", "table"], possible: [] } : { offered: ["rows", "table"], possible: [] };
  if (info.family === "sparse-csr") return { offered: ["spy", "table"], possible: [] };
  const shape = info.shape ?? [];
  const isConstant = info.trackKind === "constant";
  const overTime: ViewName[] = isConstant ? [] : ["lines"];
  if (shape.length < 2) return { offered: [...overTime, "table"], possible: shape.length === 1 ? ["heatmap"] : [] };
  if (shape.length > 2) return { offered: ["heatmap", "table"], possible: isTriple(shape) ? [...overTime, "points"] : overTime };
  if (isTriple(shape)) return { offered: ["points", "heatmap", "table"], possible: overTime };
  if (shape[0] === 4n && shape[1] === 4n) return { offered: isConstant ? ["heatmap", "table"] : ["trajectory", "heatmap", "table"], possible: isConstant ? ["trajectory"] : overTime };
  return { offered: ["heatmap", "table"], possible: overTime };
}

/** The view to show: the one that was asked for, if it can be; else the first that is offered. */
export function viewFor(info: FieldInfo, asked: string | undefined): ViewName | undefined {
  const { offered, possible } = viewsOf(info);
  return [...offered, ...possible].find((name) => name === asked) ?? offered[0];
}

function isTriple(shape: readonly bigint[]): boolean {
  return shape.at(-1) === 3n;
}
