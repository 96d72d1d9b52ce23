/** `.npy` files and `.npz` archives of them, written as they come: only what they begin with must be known before. */
import type { AnyTypedArray, DType } from "../../codec/dtype.js";
import { descrOf, npyHeaderOf } from "../../codec/npy-header.js";
import { DreamDbError } from "../../errors.js";
import type { Sink } from "../manners/files.js";
import { Zip, ZipPassThrough } from "../vendor.js";

/** An array whose elements come in pieces, in C order and of this host's byte order, which is the little-endian one. */
export interface Member {
  readonly name: string;
  /** What NumPy calls its elements: `<f4`. */
  readonly descr: string;
  readonly shape: readonly (number | bigint)[];
  /** Bytes of all elements. */
  readonly bytes: number;
  pieces(): AsyncIterable<ArrayBufferView> | Iterable<ArrayBufferView>;
}

/** What an archive and its parts may be long at most: lengths and places have 32 bits there, and the largest one means something else. */
const ZIP_BYTES = 0xffff_fffe;
/** Bytes around a member, beside twice its name: two headers and a descriptor, generously. */
const AROUND = 128;

/** An array that is there already. */
export function memberOf(name: string, data: AnyTypedArray, dtype: DType, shape: readonly (number | bigint)[] = [data.length]): Member {
  return { name, descr: descrOf(dtype), shape, bytes: data.byteLength, pieces: () => [data] };
}

/** A file of one array. */
export async function writeNpy(member: Member, sink: Sink): Promise<void> {
  for await (const piece of fileOf(member)) await sink.write(piece);
}

/**
 * An archive of arrays, not compressed, as NumPy's `savez` does it; the same bytes for the same arrays.
 *
 * @throws {DreamDbError} `TooLarge` before anything is written: of 4 GiB and more there would be no archive that everyone reads
 */
export async function writeNpz(members: readonly Member[], sink: Sink): Promise<void> {
  const size = members.reduce((sum, { name, bytes, descr, shape }) => sum + bytes + npyHeaderOf(descr, false, shape).length + AROUND + 2 * name.length, 0);
  if (size > ZIP_BYTES) {
    const message = `the archive would have ${size} bytes, and .npz takes less than 4 GiB; .npy has no limit`;
    throw new DreamDbError("TooLarge", message, { expected: `at most ${ZIP_BYTES}`, actual: String(size) });
  }
  // It calls back at once, and knows nothing of those who cannot take more: what it gave is written before it is given more.
  let waiting: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, piece) => {
    if (error !== null) failure = error;
    else waiting.push(piece);
  });
  const write = async (): Promise<void> => {
    if (failure !== undefined) throw failure;
    const pieces = waiting;
    waiting = [];
    for (const piece of pieces) if (piece.byteLength > 0) await sink.write(piece);
  };
  for (const member of members) {
    const file = new ZipPassThrough(`${member.name}.npy`);
    // The first day that an archive can tell: the same arrays make the same file.
    file.mtime = new Date(1980, 0, 1);
    zip.add(file);
    for await (const piece of fileOf(member)) {
      file.push(piece);
      await write();
    }
    file.push(new Uint8Array(0), true);
    await write();
  }
  zip.end();
  await write();
}

async function* fileOf({ name, descr, shape, bytes, pieces }: Member): AsyncGenerator<Uint8Array, void, undefined> {
  yield npyHeaderOf(descr, false, shape);
  let written = 0;
  for await (const { buffer, byteOffset, byteLength } of pieces()) {
    yield new Uint8Array(buffer, byteOffset, byteLength);
    written += byteLength;
  }
  if (written !== bytes) throw new DreamDbError("Internal", `the array ${name} has ${written} bytes, its header says ${bytes}`);
}
