/**
 * What the field is to be: what the files say (dtype, shape, byte order, layout, media type) and what the person says (meaning, codec, packs); and whether a
 * field that is there is that.
 *
 * Of a field that is there, what was not said is what it declares. A new field is optional: a dataset is filled one field after another.
 */
import { encodeItemType, type ItemTypeInit } from "../../codec/item-type.js";
import { type FieldInfo, isArrayField, isMediaField } from "../../dataset/fields.js";
import { DreamDbError } from "../../errors.js";
import type { FieldDeclaration } from "../../write/schema.js";
import { advised, UsageError } from "../manners/failures.js";
import type { Input } from "./inputs.js";

/** What a person says of the field. */
export interface Said {
  readonly semantic?: string;
  readonly units?: string;
  readonly frame?: string;
  readonly axes?: string;
  readonly codec?: "raw" | "npy";
  readonly endianness?: "little" | "big";
  readonly layout?: "c" | "f";
  readonly packItems?: number;
  readonly chunkSize?: number;
  readonly stacked?: boolean;
}

/** Images that share a pack, unless said otherwise; packs are of some 2 MiB, too. */
const PACK_ITEMS = 256;

/** Options of arrays and of images, by what they say. */
const OF_ARRAYS = ["semantic", "units", "frame", "axes", "codec", "endianness", "layout", "stacked"] as const;
const OF_IMAGES = ["packItems", "chunkSize"] as const;

/** What the options are called. */
const NAMES = { packItems: "pack-items", chunkSize: "chunk-size" } as const;

/**
 * The field that holds these files.
 *
 * @throws {UsageError} for files of several kinds, and options of another kind; {DreamDbError} `WrongDtype`, `ShapeMismatch` with the name of a file that differs
 * from the first; the codes of item types
 */
export function declarationOf(inputs: readonly Input[], said: Said): FieldDeclaration {
  const [first] = inputs;
  if (first === undefined) throw new UsageError("there is nothing to import");
  const other = inputs.find(({ npy, mime }) => (npy === undefined) !== (first.npy === undefined) || mime !== first.mime);
  if (other !== undefined) throw new UsageError(`${first.path} is ${kindOf(first)}, and ${other.path} ${kindOf(other)}`, "a field holds one kind: import them into two fields");
  refuseOptions(said, first.npy === undefined ? OF_ARRAYS : OF_IMAGES, first.npy === undefined ? "images" : "arrays");
  if (first.npy === undefined) {
    const { packItems, chunkSize } = said;
    if (packItems !== undefined && chunkSize !== undefined) throw new UsageError("--pack-items and --chunk-size do not go together: Items of a pack are not cut");
    return { kind: "image", mime: first.mime ?? "", required: false, ...(chunkSize === undefined ? { packItems: packItems ?? PACK_ITEMS } : { chunkSize }) };
  }
  const { dtype } = first.npy;
  const shape = itemShape(first, said);
  for (const input of inputs) {
    const own = itemShape(input, said);
    if (input.npy?.dtype !== dtype) throw differing("WrongDtype", input, String(input.npy?.dtype), first, dtype);
    if (own.join() !== shape.join()) throw differing("ShapeMismatch", input, `[${own.join(", ")}]`, first, `[${shape.join(", ")}]`);
  }
  const all = <T>(of: (input: Input) => T, value: T) => inputs.every((input) => of(input) === value);
  const type: ItemTypeInit = {
    dtype,
    shape,
    endianness: said.endianness ?? (all(({ npy }) => npy?.endianness, "big") ? "big" : "little"),
    layout: said.layout ?? (said.stacked !== true && all(({ npy }) => npy?.order, "f") ? "f" : "c"),
    codec: said.codec ?? "raw",
    semanticType: said.semantic,
    units: said.units,
    frame: said.frame,
    axisOrder: said.axes,
  };
  // Refused now, if it is no type, and not when the dataset is already there.
  encodeItemType(type);
  return { ...type, kind: "array", required: false };
}

/**
 * Refuses a field that is there and is not what the files need, or not what was said.
 *
 * @throws {UsageError}; {DreamDbError} `WrongKind`, `WrongFamily`, `WrongDtype`, `WrongShape`
 */
export function requireSame(info: FieldInfo, declaration: FieldDeclaration, said: Said): void {
  const refuse = (code: "WrongKind" | "WrongFamily" | "WrongDtype" | "WrongShape", what: string, held: string, given: string) =>
    advised(new DreamDbError(code, `field ${JSON.stringify(info.name)} has ${what} ${held}, and the files ${given}`, { field: info.name, expected: held, actual: given }), "choose another --field");
  if (info.trackKind === "constant") throw refuse("WrongKind", "one value for the whole dataset, as a", "Constant", "have one for each anchor");
  if (declaration.kind === "array") {
    if (!isArrayField(info) || info.family !== "dense-array") throw refuse("WrongFamily", "Items of the kind", isArrayField(info) ? info.family : info.kind, "hold dense arrays");
    const shape = Array.from(declaration.shape ?? [], Number);
    if (info.dtype !== declaration.dtype) throw refuse("WrongDtype", "the dtype", info.dtype, declaration.dtype);
    if ((info.shape ?? []).join() !== shape.join()) throw refuse("WrongShape", "the shape", `[${(info.shape ?? []).join(", ")}]`, `[${shape.join(", ")}]`);
    const { semanticType, units, frame, axisOrder, codec, endianness, layout } = info.type;
    requireSaid(info.name, said, { semantic: semanticType, units, frame, axes: axisOrder, codec, endianness, layout });
    return;
  }
  if (!isMediaField(info) || info.kind !== declaration.kind) throw refuse("WrongFamily", "Items of the kind", info.kind, `are of the kind ${declaration.kind}`);
  // Both spellings are in use.
  if (info.mime.replace(/^jpg$/, "jpeg") !== declaration.mime) throw refuse("WrongFamily", "Items of the type", info.mime, `are of the type ${declaration.mime}`);
  const { packItems, chunkSize } = info;
  requireSaid(info.name, said, { packItems: Number(packItems ?? 1n), chunkSize: chunkSize === undefined ? "none" : Number(chunkSize) });
}

/** The shape of each Item of a file. */
export function itemShape({ path, npy }: Input, { stacked = false }: Said): readonly number[] {
  const shape = npy?.shape ?? [];
  if (!stacked) return shape;
  if (shape.length === 0) throw new UsageError(`${path} holds a single number, which has no first axis for --stacked`);
  if (npy?.order === "f" && shape.length > 1) {
    throw new UsageError(`${path} is in Fortran order, in which the elements of its first axis lie apart`, "save np.ascontiguousarray(a) to import it with --stacked");
  }
  return shape.slice(1);
}

function refuseOptions(said: Said, names: readonly (keyof Said)[], what: string): void {
  const given = names.find((name) => said[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${optionOf(given)} says nothing of ${what}`);
}

function requireSaid(field: string, said: Said, declared: Partial<Record<keyof Said, string | number>>): void {
  for (const [name, held] of Object.entries(declared) as [keyof Said, string | number][]) {
    const given = said[name];
    if (given === undefined || given === held) continue;
    throw new UsageError(`--${optionOf(name)} ${String(given)}: field ${JSON.stringify(field)} is there and declares ${JSON.stringify(held)}`, "a type never changes: leave the option out, or choose another --field");
  }
}

function optionOf(name: keyof Said): string {
  return name === "packItems" || name === "chunkSize" ? NAMES[name] : name;
}

function kindOf({ npy, mime }: Input): string {
  return npy === undefined ? `a ${mime} image` : "an array";
}

function differing(code: "WrongDtype" | "ShapeMismatch", input: Input, actual: string, first: Input, expected: string): DreamDbError {
  const what = code === "WrongDtype" ? "elements of dtype" : "Items of shape";
  const error = new DreamDbError(code, `${input.path} has ${what} ${actual}, and ${first.path} ${expected}`, { subject: input.path, expected, actual });
  return advised(error, "a field holds arrays of one type: import them into two fields");
}
