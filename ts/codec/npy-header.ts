/**
 * Headers of `.npy` files, byte for byte as NumPy writes them. Reading them is the core's matter (0025 §7).
 *
 * Which arrays are in Fortran order is the caller's to say: NumPy calls an array of one axis C-ordered, a type that declares layout `f` does not.
 */
import { bytesPerElement, type DType } from "./dtype.js";

/** The header's length, with all before it, is a multiple of this, so that files can be mapped into memory. */
const ALIGNMENT = 64;

/** Digits of the extent along which a file may grow, for which NumPy leaves room behind the header. */
const GROWTH_DIGITS = 21;

/** What a header says. */
export interface NpyHeader {
  readonly dtype: DType;
  readonly endianness: "little" | "big";
  readonly fortran: boolean;
  readonly shape: readonly (number | bigint)[];
}

/** All that comes before the elements: format 1.0; 2.0 for a header of 64 KiB or more, which takes thousands of axes. */
export function npyHeader({ dtype, endianness, fortran, shape }: NpyHeader): Uint8Array<ArrayBuffer> {
  return npyHeaderOf(descrOf(dtype, endianness), fortran, shape);
}

/** What NumPy calls a dtype: `<f4`, the order, the kind and the bytes; one byte has no order. */
export function descrOf(dtype: DType, endianness: "little" | "big" = "little"): string {
  const width = bytesPerElement(dtype);
  return `${width === 1 ? "|" : endianness === "big" ? ">" : "<"}${dtype.charAt(0)}${width}`;
}

/** As {@link npyHeader}, of elements that have only NumPy's name: texts and truth values. */
export function npyHeaderOf(descr: string, fortran: boolean, shape: NpyHeader["shape"]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(padded(textOf(descr, fortran, shape)), (character) => character.charCodeAt(0));
}

function textOf(descr: string, fortran: boolean, shape: NpyHeader["shape"]): string {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const dictionary = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${tuple}, }`;
  const growing = fortran ? shape.at(-1) : shape[0];
  return growing === undefined ? dictionary : dictionary + " ".repeat(GROWTH_DIGITS - String(growing).length);
}

/** The whole front, a character for each byte. */
function padded(text: string): string {
  for (const [version, lengthBytes] of [["\x01\0", 2], ["\x02\0", 4]] as const) {
    const before = 8 + lengthBytes;
    const padding = ALIGNMENT - ((before + text.length + 1) % ALIGNMENT);
    const length = text.length + padding + 1;
    if (length < 2 ** (8 * lengthBytes)) {
      const digits = Array.from({ length: lengthBytes }, (_, at) => String.fromCharCode(Math.floor(length / 2 ** (8 * at)) % 256));
      return `\x93NUMPY${version}${digits.join("")}${text}${" ".repeat(padding)}\n`;
    }
  }
  throw new RangeError("no shape has four billion axes");
}
