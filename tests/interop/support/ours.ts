/** The package at work on datasets in folders, and on servers that take conditional PUTs. */
import { Dataset, type FieldDeclaration, httpStore, type ItemInit, Schema, type WritableDataset, type WritableStore } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import type { ConstantSpec, FieldSpec, RowSpec } from "./model.js";
import { arrayInit, elementsOf, typeInit } from "./typed.js";
import { base64, type Bits, bytesOf } from "./values.js";
import type { Implementation, Writer } from "./writer.js";

function declarationOf(field: FieldSpec): FieldDeclaration {
  if (field.kind !== "array") {
    const { name: _, ...media } = field;
    return media;
  }
  const { kind, required, trackKind, type } = field;
  return { kind, required, trackKind, ...typeInit(type) };
}

function itemOf(value: Bits): ItemInit {
  return "bytes" in value ? bytesOf(value.bytes) : arrayInit(value);
}

/** A field may be called anything, `__proto__` included. */
function byName<T>(pairs: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(pairs) as Record<string, T>;
}

/** A column of the rows: one TypedArray if all of them have dense values, else a list. */
function columnOf(rows: readonly RowSpec[], name: string) {
  const values = rows.map((row) => row.values.find(([field]) => field === name)?.[1]);
  const dense = values.flatMap((value) => (value !== undefined && "family" in value && value.family === "dense-array" ? [value] : []));
  const [first] = dense;
  if (first === undefined || dense.length < rows.length) return values.map((value) => (value === undefined ? undefined : itemOf(value)));
  return elementsOf(first.dtype, base64(Buffer.concat(dense.map(({ data }) => bytesOf(data)))));
}

/** A dataset. Every other append is made of columns. */
class OurDataset implements Writer {
  readonly #dataset: WritableDataset;
  #appends = 0;

  constructor(dataset: WritableDataset) {
    this.#dataset = dataset;
  }

  async append(rows: readonly RowSpec[]): Promise<void> {
    this.#appends++;
    if (this.#appends % 2 === 1) {
      await this.#dataset.append(rows.map(({ anchor, values }) => ({ anchor, values: byName(values.map(([name, value]) => [name, itemOf(value)] as const)) })));
      return;
    }
    const names = [...new Set(rows.flatMap(({ values }) => values.map(([name]) => name)))];
    const anchors = BigUint64Array.from(rows, ({ anchor }) => anchor);
    await this.#dataset.appendColumns({ anchors, fields: byName(names.map((name) => [name, columnOf(rows, name)] as const)) });
  }

  async addArrayConstant({ name, type, value }: ConstantSpec): Promise<void> {
    await this.#dataset.addArrayConstant(name, typeInit(type), arrayInit(value));
  }

  async addField(field: FieldSpec): Promise<void> {
    await this.#dataset.addField(field.name, declarationOf(field));
  }

  async delete(anchors: readonly bigint[], reason?: string): Promise<void> {
    await this.#dataset.delete(anchors, reason);
  }

  async branch(name: string): Promise<Writer> {
    return new OurDataset(await this.#dataset.branch(name));
  }

  async snapshot(label: string): Promise<void> {
    await this.#dataset.snapshot(label);
  }
}

/** The store of a folder or an http URL. Tests need no power cut to be survived. */
export function storeOf(place: string): WritableStore {
  return place.startsWith("http:") ? httpStore(place) : fsStore(place, { durable: false });
}

/** The package. */
export const ours: Implementation = {
  async create(place, ref, fields, nonce) {
    const schema = new Schema();
    for (const field of fields) schema.field(field.name, declarationOf(field));
    return new OurDataset(await Dataset.create(storeOf(place), ref, schema, { nonce }));
  },
  open: async (place, ref) => new OurDataset(await Dataset.open(storeOf(place), ref)),
};
