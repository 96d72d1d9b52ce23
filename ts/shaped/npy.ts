/** Arrays as `.npy` files, byte for byte as NumPy writes them. Reading them is the core's matter (0025 §7). */
import type { DType } from "../codec/dtype.js";
import { allocate, shapedArgument } from "./arguments.js";
import type { Shaped } from "./types.js";

/** What NumPy calls each dtype; one byte has no order. */
const DESCR: { readonly [D in DType]: string } = {
  f32: "<f4", f64: "<f8", i8: "|i1", i16: "<i2", i32: "<i4", i64: "<i8", u8: "|u1", u16: "<u2", u32: "<u4", u64: "<u8",
};

/** The header's length, with all before it, is a multiple of this, so that files can be mapped into memory. */
const ALIGNMENT = 64;

/** Digits of the extent along which a file may grow, for which NumPy leaves room behind the header. */
const GROWTH_DIGITS = 21;

/**
 * A `.npy` file with the array, as NumPy's `save` writes it: for downloads, and for a server that has Python.
 *
 * The elements keep their bits and their order; `fortran_order` says so. Takes every array of the helpers here; a ragged array's `values` go with
 * a shape of your own. Costs a copy of the data.
 *
 * @returns format 1.0; 2.0 for a header of 64 KiB or more, which takes thousands of axes
 * @throws {DreamDbError} `InvalidArgument` for anything but a shaped array; `TooLarge` for more than a buffer of this runtime holds
 */
export function toNpy(array: Shaped): Uint8Array<ArrayBuffer> {
  const dtype = shapedArgument(array);
  const { data } = array;
  const header = headerOf(dtype, array);
  const file = new Uint8Array(allocate(header.length + data.byteLength, "the file"));
  for (let at = 0; at < header.length; at++) file[at] = header.charCodeAt(at);
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), header.length);
  return file;
}

/** All that comes before the elements, a character for each byte. */
function headerOf(dtype: DType, { shape, order }: Shaped): string {
  // An array that lies in both orders, such as any of one axis, is in C order for NumPy.
  const fortran = order === "f" && !shape.includes(0) && shape.filter((extent) => extent > 1).length > 1;
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const dictionary = `{'descr': '${DESCR[dtype]}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${tuple}, }`;
  const growing = fortran ? shape.at(-1) : shape[0];
  const text = growing === undefined ? dictionary : dictionary + " ".repeat(GROWTH_DIGITS - String(growing).length);

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
