/** Fields in the words of a person: what is declared of them, and nothing else. */
import { type ArrayFieldInfo, type FieldInfo, isArrayField, isMediaField, isScalarField, type Semantics } from "dreamdb-arrays";
import { visible } from "./visible.js";

/** What a field holds: `dense-array`, `image`, `scalar`. */
export function familyText(info: FieldInfo): string {
  return isArrayField(info) ? info.family : info.kind;
}

/** `f32 [4, 4]`, `f32 rows of [3]`, `png`, `int`. */
export function typeText(info: FieldInfo): string {
  if (isArrayField(info)) {
    if (info.family === "ragged-array") return `${info.dtype} rows${info.innerShape?.length ? ` of ${shapeText(info.innerShape)}` : ""}`;
    return `${info.dtype} ${shapeText(info.shape ?? [])}`;
  }
  if (isMediaField(info)) return info.mime;
  if (isScalarField(info)) return info.valueType;
  return info.kind === "constant" ? "text" : "";
}

/** `[4, 4]`. */
export function shapeText(shape: readonly (bigint | number)[]): string {
  return `[${shape.join(", ")}]`;
}

/** Kind of Track and how its Items are stored: `event/unbucketed`. */
export function storageText(info: FieldInfo): string {
  return isArrayField(info) && info.objectKind !== "constant" ? `${info.trackKind}/${info.objectKind}` : info.trackKind;
}

/** What was declared of the meaning of the numbers, by its name in the type document; what says `none` says nothing. */
export function meaning(info: FieldInfo): readonly (readonly [name: keyof Semantics, text: string])[] {
  if (!isArrayField(info)) return [];
  const { type } = info;
  return (["semanticType", "units", "frame", "axisOrder"] as const).flatMap((name) => (type[name] === "none" ? [] : [[name, type[name]] as const]));
}

/** Units as they stand behind a number, with a space before; nothing where none are declared. */
export function unitsText(info: FieldInfo): string {
  const units = isArrayField(info) ? info.type.units : "none";
  return units === "none" ? "" : ` ${visible(units)}`;
}

/**
 * A name for each axis: the declared axis order, where it names as many as there are; else their numbers. Of a ragged array those of a cell.
 *
 * An axis order is free text; one that is a list by commas, as the specification writes it, is read as such a list.
 */
export function axisNames(info: ArrayFieldInfo): readonly string[] {
  if (info.family === "ragged-array") return raggedNames(info).inner;
  const rank = (info.shape ?? []).length;
  return listed(info, rank) ?? numbered(rank);
}

/** Names of what a ragged array counts along: rows, cells of a row, and the axes of a cell. */
export interface RaggedNames {
  readonly row: string;
  readonly cell: string;
  readonly inner: readonly string[];
}

/**
 * The same of a ragged array. The specification does not say whether an axis order begins with the rows; how many it names does: the axes of a cell, which are
 * the declared extents, or two more, the outermost first. Of any other number nothing is known.
 */
export function raggedNames(info: ArrayFieldInfo): RaggedNames {
  const rank = (info.innerShape ?? []).length;
  const [row = "row", cell = "cell", ...inner] = listed(info, rank + 2) ?? [];
  return { row, cell, inner: inner.length > 0 ? inner : (listed(info, rank) ?? numbered(rank)) };
}

/** The declared names, if they are so many. */
function listed({ type }: ArrayFieldInfo, count: number): string[] | undefined {
  const names = type.axisOrder === "none" ? [] : type.axisOrder.split(",").map((name) => visible(name.trim()));
  return names.length === count && names.every((name) => name !== "") ? names : undefined;
}

function numbered(rank: number): string[] {
  return Array.from({ length: rank }, (_, axis) => `axis ${axis}`);
}

/** The whole type document as JSON, extents as digits however large. */
export function documentText(info: ArrayFieldInfo): string {
  return exactJson(info.type);
}

/** JSON in which a bigint is its digits, however many: extents are u64, which numbers of JavaScript are not. What is `undefined` is left out. */
export function exactJson(value: unknown, indent = ""): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${isList ? "" : `${JSON.stringify(name)}: `}${exactJson(part, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  return parts.length === 0 ? `${open}${close}` : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
