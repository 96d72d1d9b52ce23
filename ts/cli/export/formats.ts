/** Formats: what files of each are called, which of them a field has, and which is meant. */
import { type FieldInfo, isArrayField, isMediaField, isScalarField } from "../../dataset/fields.js";
import { UsageError } from "../manners/failures.js";
import type { Asked } from "./read.js";

/** All formats. */
export const FORMATS = ["raw", "npy", "npz", "csv", "json", "jsonl"] as const;

/** A format. */
export type Format = (typeof FORMATS)[number];

/** Where it goes. */
export type Target = "stdout" | "file" | "folder";

/** What is to be written. */
export interface Wish {
  readonly asked: Omit<Asked, "raw">;
  /** By `--format`. */
  readonly format: Format | undefined;
  readonly target: Target;
  /** The file's name. */
  readonly file: string | undefined;
}

const EXTENSIONS: Readonly<Record<string, Format>> = { npy: "npy", npz: "npz", csv: "csv", json: "json", jsonl: "jsonl", ndjson: "jsonl", bin: "raw", raw: "raw" };

/** Formats that a terminal cannot show. */
export function isBinary(format: Format, info: FieldInfo): boolean {
  return format === "npy" || format === "npz" || (format === "raw" && !isText(info));
}

/**
 * The format that is meant: by `--format`, by the file's name, or what the field is without either.
 *
 * @throws {UsageError} for one that the field does not have, with what it has
 */
export function formatFor(info: FieldInfo, wish: Wish): Format {
  const format = wish.format ?? named(info, wish) ?? usual(info, wish);
  const refusal = refused(info, wish, format);
  if (refusal !== undefined) throw new UsageError(`field ${JSON.stringify(info.name)}: ${refusal[0]}`, refusal[1]);
  return format;
}

/** By the end of the file's name. */
function named(info: FieldInfo, { target, file = "" }: Wish): Format | undefined {
  if (target !== "file") return undefined;
  const extension = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase() ?? "";
  const found = EXTENSIONS[extension];
  // A text that is JSON is that file.
  if (isText(info) && extension === info.modality.split(".").at(-1)) return "raw";
  // Media have names of their own, and a text Constant is any text.
  if (isMediaField(info) || isText(info)) return found ?? "raw";
  if (found !== undefined) return found;
  throw new UsageError(`the name ${JSON.stringify(file)} does not say which format is meant`, `end it with ${FORMATS.slice(1).map((format) => `.${format}`).join(", ")} or .bin, or give --format`);
}

/** Where nothing is said. */
function usual(info: FieldInfo, { target }: Wish): Format {
  if (isMediaField(info) || isText(info)) return "raw";
  if (target === "folder" && isArrayField(info)) return info.family === "dense-array" ? "npy" : "npz";
  return "json";
}

type Refusal = readonly [what: string, next: string];

function refused(info: FieldInfo, { asked, target }: Wish, format: Format): Refusal | undefined {
  const one = asked.anchor !== undefined || info.trackKind === "constant";
  if (target === "folder" && (one || isScalarField(info) || isText(info))) return ["a folder takes an Item a file, and this is one thing", "name a file"];
  if (target === "folder" && format === "jsonl") return [".jsonl holds many Items, a folder a file for each", "give --format json, or name a file"];
  if (asked.rows !== undefined && (!isArrayField(info) || info.family === "dense-array")) return ["only ragged and sparse Items have rows to get", "leave out --row and --rows"];
  if (isArrayField(info)) return refusedArray(info.family, asked, target, format, one);
  if (isScalarField(info)) return format === "raw" ? ["scalar values have no payloads of their own", "they are got as .npy, .npz, .csv, .json or .jsonl"] : undefined;
  if (isMediaField(info)) {
    if (format === "npy" || format === "npz" || format === "csv") return [`${info.kind} bytes are no array`, "they are got as they are with --format raw, or as .json and .jsonl"];
    return format === "raw" && !one && target !== "folder" ? ["many Items are many files", "give an anchor, or a folder: -o FOLDER/"] : undefined;
  }
  if (isText(info) && format !== "raw" && format !== "json" && format !== "jsonl") return ["a text is no array", "it is got with --format raw or json"];
  return undefined;
}

function refusedArray(family: string, { rows }: Wish["asked"], target: Target, format: Format, one: boolean): Refusal | undefined {
  if (format === "raw") {
    if (rows !== undefined) return ["a payload is a whole Item", "leave out --row and --rows, or choose another format"];
    return !one && target !== "folder" ? ["many payloads are many files", "give an anchor, or a folder: -o FOLDER/"] : undefined;
  }
  if (format !== "npy" || family === "dense-array") return undefined;
  if (family === "sparse-csr") return ["a sparse matrix is no single array", "it is got as .npz, which scipy.sparse.load_npz reads"];
  return rows?.single === true ? undefined : ["a ragged array is no single array", "it is got as .npz, and one row of it, with --row, as .npy"];
}

function isText(info: FieldInfo): boolean {
  return info.kind === "constant";
}
