/**
 * Items as JSON: `{"anchor": …, "value": …}` each, a list of them, or a line for each; of a Constant only the value.
 *
 * Dense values are lists within lists; a ragged Item is the list of its rows; a sparse one has its four parts by their names in 0025. Media are
 * base64. Integers of 64 bits are decimal strings, and so are NaN and infinities; all other numbers have the fewest digits that read back the same.
 */
import type { AnyTypedArray, DType } from "../../codec/dtype.js";
import { elementsOf, stridesOf } from "../../codec/values.js";
import { DreamDbError } from "../../errors.js";
import { type Json, jsonText, nestedJson, elementJson } from "../manners/json.js";
import type { Sink } from "../manners/files.js";
import { type BytesContent, type Content, type CsrContent, type DenseContent, raggedAt, type RaggedContent, type ScalarContent } from "./contents.js";
import { TextWriter } from "./text.js";

/** Lists that may be made of nothing: an extent is declared in a few bytes, a list takes many. */
const MOST_EMPTY = 1 << 20;

/** Writes JSON: one document, or with `lines` a line for each Item. */
export async function json(content: Content, sink: Sink, lines: boolean): Promise<void> {
  const out = new TextWriter(sink);
  const listed = content.many && !lines;
  let items = 0;
  const begin = (anchor: bigint | undefined, about: Record<string, Json> = {}): void => {
    if (listed) out.add(items === 0 ? "[\n" : ",\n");
    items += 1;
    const front = jsonText({ anchor, ...about }).slice(0, -1);
    out.add(front === "{" ? front : `${front},`);
  };
  const end = async (): Promise<void> => {
    out.add(listed ? "}" : "}\n");
    if (out.isFull) await out.flush();
  };
  await WRITERS[content.family](content as never, { out, begin, end });
  if (listed) out.add(items === 0 ? "[]\n" : "\n]\n");
  await out.flush();
}

interface Writing {
  readonly out: TextWriter;
  /** Begins an Item. */
  begin(anchor: bigint | undefined, about?: Record<string, Json>): void;
  end(): Promise<void>;
}

const WRITERS = { dense, ragged, csr, scalar, bytes, text };

async function dense({ dtype, shape, batches }: DenseContent, { out, begin, end }: Writing): Promise<void> {
  const size = elementsOf(shape);
  for await (const { anchors, count, data } of batches()) {
    for (let at = 0; at < count; at++) {
      begin(anchors?.[at]);
      out.add('"value":');
      await nested(out, data.subarray(at * size, (at + 1) * size), dtype, shape);
      await end();
    }
  }
}

async function ragged({ dtype, innerShape, rows, batches }: RaggedContent, { out, begin, end }: Writing): Promise<void> {
  const cell = elementsOf(innerShape);
  for await (const batch of batches()) {
    for (let at = 0; at < batch.count; at++) {
      const { anchors, rowOffsets, values } = raggedAt(batch, at, innerShape);
      begin(anchors?.[0], aboutRows(rows));
      out.add(rows?.single === true ? '"value":' : '"value":[');
      for (let row = 0; row + 1 < rowOffsets.length; row++) {
        if (row > 0) out.add(",");
        const [from, to] = [Number(rowOffsets[row] ?? 0n), Number(rowOffsets[row + 1] ?? 0n)];
        await nested(out, values.subarray(from * cell, to * cell), dtype, [to - from, ...innerShape]);
      }
      if (rows?.single !== true) out.add("]");
      await end();
    }
  }
}

async function csr({ dtype, shape, rows, batches }: CsrContent, { out, begin, end }: Writing): Promise<void> {
  for await (const { anchors, items } of batches()) {
    for (const [at, { rowOffsets, columnIndices, values }] of items.entries()) {
      begin(anchors?.[at], aboutRows(rows));
      out.add(`"value":{"shape":${jsonText([...shape])}`);
      const parts = [["row_offsets", rowOffsets, "u64"], ["column_indices", columnIndices, "u64"], ["values", values, dtype]] as const;
      for (const [name, part, type] of parts) {
        out.add(`,"${name}":`);
        await nested(out, part, type, [part.length]);
      }
      out.add("}");
      await end();
    }
  }
}

async function scalar({ batches }: ScalarContent, { out, begin, end }: Writing): Promise<void> {
  for await (const { anchors, values } of batches()) {
    for (const [at, value] of values.entries()) {
      begin(anchors?.[at]);
      out.add(`"value":${jsonText(value)}`);
      await end();
    }
  }
}

async function bytes({ mime, batches }: BytesContent, { out, begin, end }: Writing): Promise<void> {
  for await (const { anchors, items } of batches()) {
    for (const [at, item] of items.entries()) {
      begin(anchors?.[at], { mime, bytes: item.byteLength });
      out.add('"base64":"');
      // Whole groups of three bytes, so that the pieces join.
      for (let from = 0; from < item.byteLength; from += 48 * 1024) {
        out.add(Buffer.from(item.buffer, item.byteOffset + from, Math.min(48 * 1024, item.byteLength - from)).toString("base64"));
        if (out.isFull) await out.flush();
      }
      out.add('"');
      await end();
    }
  }
}

async function text(content: { readonly text: string }, { out, begin, end }: Writing): Promise<void> {
  begin(undefined);
  out.add(`"value":${jsonText(content.text)}`);
  await end();
}

/** Which rows of an Item these are. */
function aboutRows(rows: RaggedContent["rows"]): Record<string, Json> {
  if (rows === undefined) return {};
  return rows.single ? { row: rows.start } : { rows: [rows.start, rows.end] };
}

/** Elements in C order as lists within lists. */
async function nested(out: TextWriter, data: AnyTypedArray, dtype: DType, shape: readonly number[]): Promise<void> {
  if (data.length === 0) {
    refuseEmpty(shape);
    out.add(nestedJson(data, dtype, shape, stridesOf(shape, "c")));
    return;
  }
  const sizes = stridesOf(shape, "c").map((step, axis) => step * (shape[axis] ?? 1));
  const innermost = sizes.at(-1) ?? Infinity;
  let text = "[".repeat(sizes.length);
  for (let at = 0; at < data.length; at++) {
    if (at > 0 && at % innermost === 0) {
      const closed = sizes.filter((size) => at % size === 0).length;
      text += `${"]".repeat(closed)},${"[".repeat(closed)}`;
    } else if (at > 0) text += ",";
    text += elementJson(data[at] ?? 0, dtype);
    if (at % 4096 === 4095) {
      out.add(text);
      text = "";
      if (out.isFull) await out.flush();
    }
  }
  out.add(text + "]".repeat(sizes.length));
}

/** @throws {DreamDbError} `TooLarge` */
function refuseEmpty(shape: readonly number[]): void {
  const zero = shape.indexOf(0);
  const lists = shape.slice(0, Math.max(0, zero)).reduce((product, extent) => product * extent, 1);
  if (lists <= MOST_EMPTY) return;
  const message = `an array of shape [${shape.join(", ")}] has no elements, and would be ${lists} empty lists; .npy has it`;
  throw new DreamDbError("TooLarge", message, { expected: `at most ${MOST_EMPTY}`, actual: String(lists) });
}
