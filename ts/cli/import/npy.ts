/**
 * `.npy` files to be imported: what their headers say, and the elements of all or part of them.
 *
 * The header is taken apart here, as nothing is declared yet that it could be held against; then the core judges the file as it would a payload of codec
 * `npy` of that very type (0025 §7), length included.
 */
import type { FileHandle } from "node:fs/promises";
import { bytesPerElement, type DType, typedView } from "../../codec/dtype.js";
import type { ShapedInit } from "../../codec/encode.js";
import { encodeItemType } from "../../codec/item-type.js";
import { swapValues } from "../../codec/payload.js";
import { DreamDbError, isDreamDbError } from "../../errors.js";
import { call } from "../../wasm.js";
import { advised } from "../manners/failures.js";

/** What a file holds. */
export interface Npy {
  readonly dtype: DType;
  readonly endianness: "little" | "big";
  readonly order: "c" | "f";
  readonly shape: readonly number[];
  /** Where the elements begin. */
  readonly offset: number;
}

/** What every file begins with. */
const MAGIC = "\u0093NUMPY";

const DTYPES: Readonly<Record<string, DType>> = { f4: "f32", f8: "f64", i1: "i8", i2: "i16", i4: "i32", i8: "i64", u1: "u8", u2: "u16", u4: "u32", u8: "u64" };

/** NumPy's other kinds of elements, by name, and what to make of them. */
const OTHERS: readonly (readonly [RegExp, string, string])[] = [
  [/^f2$/, "float16", `a.astype("f4")`],
  [/^f/, "longdouble", `a.astype("f8")`],
  [/^c/, "complex numbers", "the real and the imaginary part as two fields"],
  [/^b1$/, "bool", `a.astype("u1")`],
  [/^O/, "Python objects", "arrays of one dtype"],
  [/^[SU]/, "text", "another kind of field"],
  [/^[Mm]8/, "times", `a.astype("i8")`],
  [/^V/, "records", "each part as a field of its own"],
];

/** Whether a file begins as `.npy` files do. */
export function isNpy(front: Uint8Array): boolean {
  return latin1(front.subarray(0, MAGIC.length)) === MAGIC;
}

/** Bytes of the front of a file that {@link npyOf} needs. */
export function npyFrontBytes(): number {
  return call((core) => core.payloadPrefixBytes());
}

/**
 * What a `.npy` file holds.
 *
 * @param front its first bytes, all that the core can need
 * @param size bytes of the whole file
 * @throws {DreamDbError} `InvalidNpyHeader`, `UnsupportedDtype`, `PayloadLength`, `CodecHeaderMismatch`, each with the file's name
 */
export function npyOf(path: string, front: Uint8Array, size: number): Npy {
  const view = new DataView(front.buffer, front.byteOffset, front.byteLength);
  const wide = (front[6] ?? 0) > 1;
  const begin = wide ? 12 : 10;
  const length = front.byteLength < begin ? Infinity : wide ? view.getUint32(8, true) : view.getUint16(8, true);
  if (begin + length > front.byteLength) throw invalid(path, "its header does not end");
  const text = latin1(front.subarray(begin, begin + length));
  const descr = /['"]descr['"]\s*:\s*(?:['"]([^'"]*)['"]|(\[))/.exec(text);
  const fortran = /['"]fortran_order['"]\s*:\s*(True|False)/.exec(text)?.[1];
  const tuple = /['"]shape['"]\s*:\s*\(([\dL,\s]*)\)/.exec(text)?.[1];
  if (descr === null || fortran === undefined || tuple === undefined) throw invalid(path, "its header lacks descr, fortran_order or shape");
  const [dtype, endianness] = elementsOf(path, descr[2] === undefined ? (descr[1] ?? "") : "|V");
  const shape = tuple.split(",").map((part) => part.replace("L", "").trim()).filter((part) => part !== "").map(Number);
  const order = fortran === "True" ? "f" : "c";
  const cbor = encodeItemType({ dtype, endianness, layout: order, shape, codec: "npy" });
  try {
    const { values } = call((core) => core.locateParts(cbor, front, BigInt(size)));
    return { dtype, endianness, order, shape, offset: Number(values.offset) };
  } catch (error) {
    if (!isDreamDbError(error)) throw error;
    const { code, message, expected, actual } = error;
    throw advised(new DreamDbError(code, `${path}: ${message}`, { subject: path, expected, actual, cause: error }), "the file is cut short or damaged: write it anew with np.save");
  }
}

/**
 * Elements of a file: `count` of them from element `first` on, in the file's own order, as the host has them.
 *
 * @throws {DreamDbError} `PayloadLength` for a file that became shorter
 */
export async function elementsIn(file: FileHandle, path: string, { dtype, endianness, offset }: Npy, first: number, count: number): Promise<ShapedInit["data"]> {
  const width = bytesPerElement(dtype);
  const bytes = new Uint8Array(count * width);
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.byteLength - done, offset + first * width + done);
    if (bytesRead === 0) throw new DreamDbError("PayloadLength", `${path} became shorter while it was read`, { subject: path });
    done += bytesRead;
  }
  if (endianness === "big") swapValues(bytes, width);
  return typedView(dtype, bytes);
}

function elementsOf(path: string, descr: string): [DType, "little" | "big"] {
  const kind = descr.replace(/^[<>|=]/, "");
  const dtype = Object.hasOwn(DTYPES, kind) ? DTYPES[kind] : undefined;
  if (dtype !== undefined) return [dtype, descr.startsWith(">") ? "big" : "little"];
  const [, name = "elements of an unknown kind", instead = "arrays of one of these"] = OTHERS.find(([pattern]) => pattern.test(kind)) ?? [];
  const error = new DreamDbError("UnsupportedDtype", `${path} holds ${name} (${descr}); a dtype is one of ${Object.values(DTYPES).join(", ")}`, { subject: path, actual: descr });
  throw advised(error, `save ${instead}`);
}

function invalid(path: string, what: string): DreamDbError {
  return advised(new DreamDbError("InvalidNpyHeader", `${path}: ${what}`, { subject: path }), "write the file anew with np.save");
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
