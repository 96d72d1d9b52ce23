/**
 * Items as CSV (RFC 4180, lines end with a line feed): a line of names, then the anchor first on each line; there is none of a Constant.
 *
 * A dense Item is a line, its elements are columns, named by the field and their index: `pose[0,1]`. A cell of a ragged Item is a line, and so is
 * a stored element of a sparse one, with their row and column. Texts are quoted, so that an empty one is told from none.
 */
import { elementsOf, stridesOf } from "../../codec/values.js";
import { DreamDbError } from "../../errors.js";
import type { Sink } from "../manners/files.js";
import { elementText, numberText } from "../manners/numbers.js";
import type { Content, CsrContent, DenseContent, RaggedContent, ScalarContent } from "./contents.js";
import { TextWriter } from "./text.js";

/** Writes CSV; `clean` makes texts harmless where a terminal shows them. */
export async function csv(content: Content, sink: Sink, clean: (text: string) => string): Promise<void> {
  const out = new TextWriter(sink);
  const name = clean(content.field);
  switch (content.family) {
    case "dense":
      await dense(content, out, name);
      break;
    case "ragged":
      await ragged(content, out, name);
      break;
    case "csr":
      await csr(content, out, name);
      break;
    case "scalar":
      await scalar(content, out, name, clean);
      break;
    default:
      throw new DreamDbError("Internal", `no .csv is made of what is ${content.family}`);
  }
  await out.flush();
}

async function dense({ dtype, shape, anchored, batches }: DenseContent, out: TextWriter, name: string): Promise<void> {
  const size = elementsOf(shape);
  await line(out, anchored ? "anchor" : undefined, size, namesOf(name, shape));
  for await (const { anchors, count, data } of batches()) {
    for (let item = 0; item < count; item++) {
      await line(out, anchors?.[item]?.toString(), size, (at) => elementText(data[item * size + at] ?? 0, dtype));
    }
  }
}

async function ragged({ dtype, innerShape, rows, anchored, batches }: RaggedContent, out: TextWriter, name: string): Promise<void> {
  const size = elementsOf(innerShape);
  await line(out, anchored ? "anchor,row" : "row", size, namesOf(name, innerShape));
  for await (const { anchors, count, itemOffsets, rowOffsets, values } of batches()) {
    for (let item = 0; item < count; item++) {
      const first = Number(itemOffsets[item] ?? 0n);
      for (let row = first; row < Number(itemOffsets[item + 1] ?? 0n); row++) {
        const front = `${anchors === undefined ? "" : `${anchors[item]},`}${(rows?.start ?? 0n) + BigInt(row - first)}`;
        for (let cell = Number(rowOffsets[row] ?? 0n); cell < Number(rowOffsets[row + 1] ?? 0n); cell++) {
          await line(out, front, size, (at) => elementText(values[cell * size + at] ?? 0, dtype));
        }
      }
    }
  }
}

async function csr({ dtype, rows, anchored, batches }: CsrContent, out: TextWriter, name: string): Promise<void> {
  out.add(`${anchored ? "anchor," : ""}row,column,${quotedIfNeeded(name)}\n`);
  for await (const { anchors, items } of batches()) {
    for (const [item, { rowOffsets, columnIndices, values }] of items.entries()) {
      const anchor = anchors === undefined ? "" : `${anchors[item]},`;
      for (let row = 0; row + 1 < rowOffsets.length; row++) {
        const front = `${anchor}${(rows?.start ?? 0n) + BigInt(row)},`;
        for (let at = Number(rowOffsets[row] ?? 0n); at < Number(rowOffsets[row + 1] ?? 0n); at++) {
          out.add(`${front}${columnIndices[at]},${elementText(values[at] ?? 0, dtype)}\n`);
          if (out.isFull) await out.flush();
        }
      }
    }
  }
}

async function scalar({ batches }: ScalarContent, out: TextWriter, name: string, clean: (text: string) => string): Promise<void> {
  out.add(`anchor,${quotedIfNeeded(name)}\n`);
  for await (const { anchors, values } of batches()) {
    for (const [at, value] of values.entries()) {
      const text = typeof value === "string" ? quoted(clean(value)) : typeof value === "number" ? numberText(value) : String(value);
      out.add(`${anchors?.[at]},${text}\n`);
      if (out.isFull) await out.flush();
    }
  }
}

/** One line: what it begins with, then so many cells. */
async function line(out: TextWriter, front: string | undefined, size: number, cell: (at: number) => string): Promise<void> {
  let text = front ?? "";
  for (let at = 0; at < size; at++) {
    text += at > 0 || front !== undefined ? `,${cell(at)}` : cell(at);
    if (at % 4096 === 4095) {
      out.add(text);
      text = "";
      if (out.isFull) await out.flush();
    }
  }
  out.add(`${text}\n`);
  if (out.isFull) await out.flush();
}

/** Names of the columns of an array's elements in C order. */
function namesOf(name: string, shape: readonly number[]): (at: number) => string {
  const steps = stridesOf(shape, "c");
  if (shape.length === 0) return () => quotedIfNeeded(name);
  return (at) => quotedIfNeeded(`${name}[${steps.map((step, axis) => Math.floor(at / step) % (shape[axis] ?? 1)).join(",")}]`);
}

function quotedIfNeeded(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
