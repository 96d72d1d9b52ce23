/** Values as payloads, element by element: what a writer does, as plainly as it can be said. */
import { concat } from "../support/cbor-writer.js";
import type { Document } from "./documents.js";

/** Big-endian bytes of 64-bit integers. */
export function u64s(values: readonly (bigint | number)[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach((value, at) => view.setBigUint64(8 * at, BigInt(value)));
  return new Uint8Array(view.buffer);
}

/** Elements, each little-endian, in the declared byte order. */
function inOrder({ endianness }: Document, elements: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat(...elements.map((element) => (endianness === "big" ? element.toReversed() : element)));
}

/** A dense Item of elements given in C order. */
export function denseItem(document: Document, elements: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const shape = document.extents.map(Number);
  const body = inOrder(document, document.layout === "f" ? inFortranOrder(elements, shape) : elements);
  return document.codec === "npy" ? concat(npyHeader(document), body) : body;
}

/** Elements that lie last axis fastest, first axis fastest. */
function inFortranOrder<T>(elements: readonly T[], shape: readonly number[]): T[] {
  const stored: T[] = [];
  elements.forEach((element, at) => {
    let [rest, place] = [at, 0];
    const index = shape.map(() => 0);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const extent = shape[axis] ?? 1;
      index[axis] = rest % extent;
      rest = (rest - (index[axis] ?? 0)) / extent;
    }
    for (let axis = shape.length - 1; axis >= 0; axis--) place = place * (shape[axis] ?? 1) + (index[axis] ?? 0);
    stored[place] = element;
  });
  return stored;
}

/** A header as NumPy writes it, version 1. */
function npyHeader({ dtype, elementSize, endianness, extents, layout }: Document): Uint8Array {
  const sign = elementSize === 1 ? "|" : endianness === "little" ? "<" : ">";
  const shape = extents.length === 1 ? `(${extents[0]},)` : `(${extents.join(", ")})`;
  const order = layout === "f" ? "True" : "False";
  const dictionary = `{'descr': '${sign}${dtype.slice(0, 1)}${elementSize}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
  const padded = `${dictionary}${" ".repeat(63 - ((10 + dictionary.length) % 64))}\n`;
  const length = Uint8Array.of(padded.length & 255, padded.length >> 8);
  return concat(Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0), length, new TextEncoder().encode(padded));
}

const MAGIC_VERSION = Uint8Array.of(0, 0, 0, 1);

function offsetsOf(rowLengths: readonly number[]): number[] {
  const offsets = [0];
  for (const length of rowLengths) offsets.push((offsets.at(-1) ?? 0) + length);
  return offsets;
}

/** A ragged Item: cells of all rows one after another, each the elements of the inner shape in C order. */
export function raggedItem(document: Document, rowLengths: readonly number[], elements: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const offsets = offsetsOf(rowLengths);
  const header = u64s([rowLengths.length, offsets.at(-1) ?? 0]);
  return concat(new TextEncoder().encode("RAG1"), MAGIC_VERSION, header, u64s(offsets), inOrder(document, elements));
}

/** A CSR Item: the columns of each row, ascending, and an element for each of them. */
export function csrItem(document: Document, rows: readonly (readonly bigint[])[], elements: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const columns = rows.flat();
  const header = u64s([...document.extents, columns.length]);
  const offsets = u64s(offsetsOf(rows.map((row) => row.length)));
  return concat(new TextEncoder().encode("CSR1"), MAGIC_VERSION, header, offsets, u64s(columns), inOrder(document, elements));
}
