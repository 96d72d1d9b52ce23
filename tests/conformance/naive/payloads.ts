/** Payloads: every offset, column and element read one by one (0025 §6, §7, §11). */
import type { DecodedPayload } from "../../../ts/conformance/implementation.js";
import { type Document, byteLength } from "./documents.js";
import { npyBody } from "./npy.js";
import { Refusal } from "./refusal.js";

/** The parts of a payload, or its first fault. */
export function decodePayload(document: Document, data: Uint8Array): DecodedPayload {
  return document.family === "dense-array" ? dense(document, data) : structured(document, data);
}

function dense(document: Document, data: Uint8Array): DecodedPayload {
  const { extents, elementSize, layout } = document;
  const body = document.codec === "npy" ? npyBody(document, data) : data;
  if (BigInt(body.byteLength) !== byteLength(extents, elementSize)) throw new Refusal("PayloadLength");
  const stored = elementsOf(document, body);
  const elements = layout === "f" ? inCOrder(stored, extents.map(Number)) : stored;
  return { shape: extents, ...joined(document, elements) };
}

/** Elements that lie first axis fastest, last axis fastest. */
function inCOrder<T>(stored: readonly T[], shape: readonly number[]): T[] {
  return stored.map((_, at) => {
    const index = shape.map(() => 0);
    let rest = at;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const extent = shape[axis] ?? 1;
      index[axis] = rest % extent;
      rest = Math.floor(rest / extent);
    }
    const place = shape.reduceRight((sum, extent, axis) => sum * extent + (index[axis] ?? 0), 0);
    return stored[place] as T;
  });
}

function structured(document: Document, data: Uint8Array): DecodedPayload {
  const { family, extents, elementSize } = document;
  const sparse = family === "sparse-csr";
  const magic = [...new TextEncoder().encode(sparse ? "CSR1" : "RAG1"), 0, 0, 0, 1];
  if (!magic.every((byte, at) => data[at] === byte)) throw new Refusal("PayloadHeader");
  if (data.byteLength < 24) throw new Refusal("PayloadLength");
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const rows = view.getBigUint64(8);
  if (sparse && (rows !== extents[0] || view.getBigUint64(16) !== extents[1])) throw new Refusal("ShapeMismatch");
  if (sparse && data.byteLength < 32) throw new Refusal("PayloadLength");
  const start = sparse ? 32 : 24;
  const count = view.getBigUint64(start - 8);
  const cell = sparse ? BigInt(elementSize + 8) : byteLength(extents, elementSize);
  if (BigInt(start) + 8n * (rows + 1n) + count * cell !== BigInt(data.byteLength)) throw new Refusal("PayloadLength");

  const table = (from: number, length: number) => Array.from({ length }, (_, at) => view.getBigUint64(from + 8 * at));
  const offsets = table(start, Number(rows) + 1);
  const last = offsets.at(-1);
  if (offsets[0] !== 0n || (sparse && last !== count)) throw new Refusal("OffsetTerminal");
  if (offsets.some((offset, at) => at > 0 && offset < (offsets[at - 1] ?? 0n))) throw new Refusal("OffsetOrder");
  if (last !== count) throw new Refusal("OffsetTerminal");
  const at = start + 8 * offsets.length;
  if (!sparse) return { shape: [count, ...extents], rowOffsets: offsets, ...joined(document, elementsOf(document, data.subarray(at))) };

  const columns = table(at, Number(count));
  for (const [row, first] of offsets.slice(0, -1).entries()) {
    for (let index = Number(first); index < Number(offsets[row + 1]); index++) {
      const column = columns[index] ?? 0n;
      if (column >= (extents[1] ?? 0n)) throw new Refusal("ColumnBounds");
      if (index > Number(first) && column <= (columns[index - 1] ?? 0n)) throw new Refusal("ColumnOrder");
    }
  }
  const elements = elementsOf(document, data.subarray(at + 8 * columns.length));
  return { shape: [count], rowOffsets: offsets, columnIndices: columns, ...joined(document, elements) };
}

/** Each element's bytes, little-endian. */
function elementsOf({ elementSize, endianness }: Document, body: Uint8Array): Uint8Array[] {
  return Array.from({ length: body.byteLength / elementSize }, (_, at) => {
    const element = body.slice(at * elementSize, (at + 1) * elementSize);
    return endianness === "big" ? element.toReversed() : element;
  });
}

function joined({ dtype, elementSize }: Document, elements: readonly Uint8Array[]): Pick<DecodedPayload, "values" | "bits"> {
  const bits = new Uint8Array(elements.length * elementSize);
  elements.forEach((element, at) => bits.set(element, at * elementSize));
  const view = new DataView(bits.buffer);
  return { values: elements.map((_, at) => valueAt(view, dtype, at * elementSize)), bits };
}

function valueAt(view: DataView, dtype: string, at: number): number | bigint {
  const readers: { readonly [dtype: string]: () => number | bigint } = {
    f32: () => view.getFloat32(at, true),
    f64: () => view.getFloat64(at, true),
    i8: () => view.getInt8(at),
    i16: () => view.getInt16(at, true),
    i32: () => view.getInt32(at, true),
    i64: () => view.getBigInt64(at, true),
    u8: () => view.getUint8(at),
    u16: () => view.getUint16(at, true),
    u32: () => view.getUint32(at, true),
    u64: () => view.getBigUint64(at, true),
  };
  const read = readers[dtype];
  if (read === undefined) throw new Error(`no dtype ${dtype}`);
  return read();
}
