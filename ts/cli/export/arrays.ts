/**
 * What NumPy and SciPy are given: which arrays a content is, in a `.npy` file or an `.npz` archive.
 *
 * | content | `.npy` | `.npz` |
 * |---|---|---|
 * | a dense Item | the array | `data` |
 * | dense Items | `[n, …shape]` | `data` the same, `anchors` |
 * | a ragged Item, rows of one | | `row_offsets`, `values` |
 * | a row of one | `[cells, …inner shape]` | `data` the same |
 * | ragged Items | | `row_offsets` through all of them, `values`, `item_offsets` into the rows, `anchors` |
 * | a sparse Item, rows of one | | as `scipy.sparse.save_npz` writes them |
 * | sparse Items | | the same, one Item below the other, and `anchors` |
 * | scalar values | the values | `values`, `anchors` |
 *
 * Offsets and anchors are `uint64`, indices of sparse matrices `int64`, as SciPy has them. Elements are in the byte order of this host and in C
 * order, whatever is stored.
 */
import type { AnyTypedArray, DType } from "../../codec/dtype.js";
import { bytesPerElement } from "../../codec/dtype.js";
import { descrOf } from "../../codec/npy-header.js";
import { elementsOf } from "../../codec/values.js";
import { DreamDbError } from "../../errors.js";
import type { Content, CsrContent, DenseContent, RaggedContent, ScalarBatch, ScalarContent } from "./contents.js";
import { onlyOf } from "./contents.js";
import { type Member, memberOf, writeNpy, writeNpz } from "./npy.js";
import type { Sink } from "../manners/files.js";
import { Spool } from "./spool.js";

/** Elements of a text array that are made at a time. */
const TEXT_PIECE = 1 << 18;
/** The largest index that SciPy has. */
const MOST_COLUMNS = (1n << 63n) - 1n;
/** NumPy's name of bytes of that length. */
const CSR: Member = { name: "format", descr: "|S3", shape: [], bytes: 3, pieces: () => [new TextEncoder().encode("csr")] };

/** Writes one array. */
export async function npy(content: Content, sink: Sink): Promise<void> {
  if (content.family === "dense") return await writeNpy(denseMember(content), sink);
  if (content.family === "scalar") return await writeNpy(await scalarMember(content, await onlyOf(content)), sink);
  if (content.family === "ragged" && content.rows?.single === true) return await writeNpy(await rowMember(content), sink);
  throw new DreamDbError("Internal", `no .npy is made of what is ${content.family}`);
}

/**
 * Writes an archive.
 *
 * @param room a folder for what must wait
 */
export async function npz(content: Content, sink: Sink, room: string): Promise<void> {
  const spools: Spool[] = [];
  const spool = (): Spool => {
    const made = new Spool(room);
    spools.push(made);
    return made;
  };
  try {
    await writeNpz(await membersOf(content, spool), sink);
  } finally {
    for (const each of spools) await each.remove();
  }
}

async function membersOf(content: Content, spool: () => Spool): Promise<Member[]> {
  switch (content.family) {
    case "dense":
      return content.many ? denseMembers(content, spool()) : [denseMember(content)];
    case "ragged":
      return content.rows?.single === true ? [await rowMember(content)] : await raggedMembers(content, spool);
    case "csr":
      return await csrMembers(content, spool);
    case "scalar": {
      const batch = await onlyOf(content);
      const values = await scalarMember(content, batch);
      return content.many ? [values, memberOf("anchors", batch?.anchors as AnyTypedArray, "u64")] : [values];
    }
    default:
      throw new DreamDbError("Internal", `no .npz is made of what is ${content.family}`);
  }
}

function denseMember({ dtype, shape, many, count, batches }: DenseContent): Member {
  return {
    name: "data",
    descr: descrOf(dtype),
    shape: many ? [count, ...shape] : shape,
    bytes: count * elementsOf(shape) * bytesPerElement(dtype),
    async *pieces() {
      for await (const { data } of batches()) yield data;
    },
  };
}

/** The anchors come with the elements, and so behind them. */
function denseMembers(content: DenseContent, anchors: Spool): Member[] {
  const data = denseMember({
    ...content,
    async *batches() {
      for await (const batch of content.batches()) {
        if (batch.anchors !== undefined) await anchors.write(batch.anchors);
        yield batch;
      }
    },
  });
  return [data, { name: "anchors", descr: descrOf("u64"), shape: [content.count], bytes: 8 * content.count, pieces: () => anchors.pieces() }];
}

async function rowMember(content: RaggedContent): Promise<Member> {
  const row = await onlyOf(content);
  if (row === undefined) throw new DreamDbError("Internal", "a row was read and is not there");
  return memberOf("data", row.values, content.dtype, [row.rowOffsets.at(-1) ?? 0n, ...content.innerShape]);
}

async function raggedMembers({ dtype, innerShape, many, batches }: RaggedContent, spool: () => Spool): Promise<Member[]> {
  const [values, rowOffsets, itemOffsets, anchors] = [spool(), spool(), spool(), spool()];
  let [rows, cells] = [0n, 0n];
  await rowOffsets.write(BigUint64Array.of(0n));
  await itemOffsets.write(BigUint64Array.of(0n));
  for await (const batch of batches()) {
    await values.write(batch.values);
    await rowOffsets.write(moved(batch.rowOffsets, cells));
    await itemOffsets.write(moved(batch.itemOffsets, rows));
    if (batch.anchors !== undefined) await anchors.write(batch.anchors);
    rows += batch.itemOffsets.at(-1) ?? 0n;
    cells += batch.rowOffsets.at(-1) ?? 0n;
  }
  const own = [spooled("row_offsets", "u64", rowOffsets), spooled("values", dtype, values, [cells, ...innerShape])];
  return many ? [...own, spooled("item_offsets", "u64", itemOffsets), spooled("anchors", "u64", anchors)] : own;
}

/**
 * @throws {DreamDbError} `Unsupported` for columns beyond what SciPy counts
 */
async function csrMembers({ field, dtype, shape, many, count, batches }: CsrContent, spool: () => Spool): Promise<Member[]> {
  const [rows, columns] = shape;
  if (columns > MOST_COLUMNS) {
    const message = `field ${JSON.stringify(field)} has ${columns} columns; the indices of SciPy end at 2^63 - 1, and .csv and .json have all of them`;
    throw new DreamDbError("Unsupported", message, { field });
  }
  const [indices, indptr, data, anchors] = [spool(), spool(), spool(), spool()];
  let stored = 0n;
  await indptr.write(BigUint64Array.of(0n));
  for await (const batch of batches()) {
    for (const { columnIndices, rowOffsets, values } of batch.items) {
      await indices.write(columnIndices);
      await indptr.write(moved(rowOffsets, stored));
      await data.write(values);
      stored += rowOffsets.at(-1) ?? 0n;
    }
    if (batch.anchors !== undefined) await anchors.write(batch.anchors);
  }
  const height = many ? BigInt(count) * rows : rows;
  const own = [
    // None of them has the bit that tells the two apart.
    spooled("indices", "i64", indices),
    spooled("indptr", "i64", indptr),
    CSR,
    memberOf("shape", BigInt64Array.of(height, columns), "i64"),
    spooled("data", dtype, data),
  ];
  return many ? [...own, spooled("anchors", "u64", anchors)] : own;
}

/** The ends of rows or of Items, moved behind those that came before; the first offset is where those ended. */
function moved(offsets: BigUint64Array, by: bigint): BigUint64Array {
  const ends = offsets.slice(1);
  if (by > 0n) for (let at = 0; at < ends.length; at++) ends[at] = (ends[at] ?? 0n) + by;
  return ends;
}

function spooled(name: string, dtype: DType, spool: Spool, shape: readonly (number | bigint)[] = [spool.bytes / bytesPerElement(dtype)]): Member {
  return { name, descr: descrOf(dtype), shape, bytes: spool.bytes, pieces: () => spool.pieces() };
}

async function scalarMember({ field, valueType, many, count }: ScalarContent, batch: ScalarBatch | undefined): Promise<Member> {
  const values = batch?.values ?? [];
  const shape = many ? [count] : [];
  switch (valueType) {
    case "int":
    case "timestamp":
      return memberOf("values", BigInt64Array.from(values as bigint[]), "i64", shape);
    case "float":
      return memberOf("values", Float64Array.from(values as number[]), "f64", shape);
    case "bool":
      return { ...memberOf("values", Uint8Array.from(values as boolean[], Number), "u8", shape), descr: "|b1" };
    default:
      return textMember(field, values as string[], shape);
  }
}

/**
 * Texts as NumPy has them: as many characters of four bytes for each as the longest one has.
 *
 * @throws {DreamDbError} `Unsupported` for a text with zeros at its end, which NumPy would take for none
 */
function textMember(field: string, texts: readonly string[], shape: readonly number[]): Member {
  if (texts.some((text) => text.endsWith("\0"))) {
    throw new DreamDbError("Unsupported", `field ${JSON.stringify(field)} has a text that ends with U+0000, which NumPy's texts lose; .json and .csv keep it`, { field });
  }
  const width = texts.reduce((most, text) => Math.max(most, pointsOf(text)), 1);
  return {
    name: "values",
    descr: `<U${width}`,
    shape,
    bytes: 4 * width * texts.length,
    *pieces() {
      const batch = Math.max(1, Math.floor(TEXT_PIECE / width));
      for (let from = 0; from < texts.length; from += batch) {
        const some = texts.slice(from, from + batch);
        const points = new Uint32Array(some.length * width);
        for (const [at, text] of some.entries()) {
          let place = at * width;
          for (const char of text) points[place++] = char.codePointAt(0) ?? 0;
        }
        yield points;
      }
    },
  };
}

function pointsOf(text: string): number {
  let points = 0;
  for (const _ of text) points += 1;
  return points;
}
