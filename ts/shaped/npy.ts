/** Arrays as `.npy` files, byte for byte as NumPy writes them. */
import { allocate } from "../codec/buffer.js";
import { npyHeader } from "../codec/npy-header.js";
import { shapedArgument } from "./arguments.js";
import type { Shaped } from "./types.js";

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
  const { data, shape, order } = array;
  // An array that lies in both orders, such as any of one axis, is in C order for NumPy.
  const fortran = order === "f" && !shape.includes(0) && shape.filter((extent) => extent > 1).length > 1;
  const header = npyHeader({ dtype, endianness: "little", fortran, shape });
  const file = new Uint8Array(allocate(header.length + data.byteLength, "the file"));
  file.set(header);
  file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), header.length);
  return file;
}
