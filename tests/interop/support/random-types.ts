/** Random item types, values of them, and media: all that the format allows, the odd more often than it is met. */
import type { DType } from "dreamdb-arrays";
import type { DeclaredType, MediaSpec } from "./model.js";
import type { Random } from "./random.js";
import { type ArrayBits, base64, type MediaBits, u64s, WIDTHS } from "./values.js";

const DTYPES = Object.keys(WIDTHS) as DType[];
const TEXTS = ["none", "none", "none", "", "m", "é", "e\u0301", "m/s²", "日本語", "🙂", "a\nb", "\0", "row,column", "world frame"];
const COLUMNS = ["0", "1", "2", "7", "9", "300", "4294967296", "18446744073709551615"];
/** Elements that are easily lost: NaNs with payloads, quiet and signalling, both zeros, infinities, subnormals; and the ends of the integers. */
const SPECIAL: Readonly<Record<number, readonly bigint[]>> = {
  1: [0n, 1n, 0x7fn, 0x80n, 0xffn],
  2: [0n, 1n, 0x7fffn, 0x8000n, 0xffffn],
  4: [0n, 1n, 0x7fa00001n, 0xffc12345n, 0x80000000n, 0x7f800000n, 0xff800000n, 0x7f7fffffn, 0x7fffffffn, 0xffffffffn],
  8: [
    0n, 1n, 0x7ff4000000000001n, 0xfff8dead0000beefn, 0x8000000000000000n, 0x7ff0000000000000n, 0xfff0000000000000n, 0x7fefffffffffffffn,
    0x7fffffffffffffffn, 0xffffffffffffffffn, 0x0020000000000001n,
  ],
};

/** Extents whose product is bounded. */
function extents(random: Random, most: number, elements: number): string[] {
  const rank = random.integer(0, most);
  const zero = random.chance(0.1);
  let left = elements;
  const found = Array.from({ length: rank }, () => {
    const extent = random.integer(1, Math.max(1, Math.min(left, random.chance(0.1) ? left : 4)));
    left = Math.floor(left / extent);
    return extent;
  });
  if (zero && rank > 0) found[random.integer(0, rank - 1)] = 0;
  return found.map(String);
}

export function randomType(random: Random): DeclaredType {
  const text = () => random.pick(TEXTS);
  const common = {
    dtype: random.pick(DTYPES),
    endianness: random.pick(["little", "big"] as const),
    semanticType: text(), units: text(), frame: text(), axisOrder: text(),
  };
  const family = random.pick(["dense-array", "dense-array", "ragged-array", "sparse-csr"] as const);
  switch (family) {
    case "dense-array": {
      const shape = extents(random, 4, random.chance(0.15) ? 2000 : 60);
      // The reference's Python cannot write `.npy` Items of rank 0: its header says `(1,)`.
      const codec = random.pick(shape.length === 0 ? (["raw"] as const) : (["raw", "npy"] as const));
      return { family, ...common, shape, layout: random.pick(["c", "f"] as const), codec };
    }
    case "ragged-array":
      return { family, ...common, innerShape: extents(random, 3, 12), layout: "c", codec: "offsets-values" };
    case "sparse-csr":
      return { family, ...common, shape: [String(random.integer(0, 6)), random.pick(COLUMNS)], layout: "c", codec: "raw" };
  }
}

/** Elements; any bits are an element of every dtype. */
function elements(random: Random, dtype: DType, count: number): string {
  const width = WIDTHS[dtype];
  const bytes = random.bytes(count * width);
  const special = SPECIAL[width] ?? [];
  for (let at = 0; at < count; at++) {
    if (!random.chance(0.3)) continue;
    const bits = random.pick(special);
    for (let byte = 0; byte < width; byte++) bytes[at * width + byte] = Number((bits >> BigInt(8 * byte)) & 255n);
  }
  return base64(bytes);
}

function product(extents: readonly string[]): number {
  return extents.reduce((product, extent) => product * Number(extent), 1);
}

/** Offsets of rows with these lengths. */
function offsetsOf(lengths: readonly number[]): bigint[] {
  let end = 0n;
  return [0n, ...lengths.map((length) => (end += BigInt(length)))];
}

export function randomValue(random: Random, type: DeclaredType): ArrayBits {
  const { family, dtype } = type;
  switch (family) {
    case "dense-array":
      return { family, dtype, shape: type.shape, data: elements(random, dtype, product(type.shape)) };
    case "ragged-array": {
      const most = random.pick([0, 4, 4, 40]);
      const lengths = Array.from({ length: random.integer(0, 6) }, () => (random.chance(0.3) ? 0 : random.integer(0, most)));
      const cells = lengths.reduce((sum, length) => sum + length, 0);
      const values = elements(random, dtype, cells * product(type.innerShape));
      return { family, dtype, innerShape: type.innerShape, rowOffsets: u64s(offsetsOf(lengths)), values };
    }
    case "sparse-csr": {
      const rows = Array.from({ length: Number(type.shape[0]) }, () => columns(random, BigInt(type.shape[1])));
      const all = rows.flat();
      const rowOffsets = u64s(offsetsOf(rows.map(({ length }) => length)));
      return { family, dtype, rowOffsets, columnIndices: u64s(all), values: elements(random, dtype, all.length) };
    }
  }
}

/** Columns of a row's stored elements, ascending. */
function columns(random: Random, width: bigint): bigint[] {
  if (width === 0n || random.chance(0.3)) return [];
  const chosen = Array.from({ length: random.integer(0, 5) }, () => (random.chance(0.2) ? width - 1n : random.u64() % width));
  return [...new Set(chosen)].sort((a, b) => (a < b ? -1 : 1));
}

/** An image or the like: opaque bytes, now and then none, some over more than one chunk of a proof; of few chunks, if it is stored in such. */
export function randomMedia(random: Random, { chunkSize = Infinity }: MediaSpec): MediaBits {
  const length = random.pick([0, 1, 3, random.integer(0, 200), random.integer(0, 200), random.integer(900, 5000)]);
  return { bytes: base64(random.bytes(Math.min(length, 9 * chunkSize))) };
}
