/** Reads chosen at random, each checked against what the reference says: by themselves, many at once, by rows, whole columns, in batches. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FieldInfo, isArrayField, isDreamDbError, isMediaField, type openDataset } from "dreamdb-arrays";
import { cellsOf } from "../../scripts/lib/dataset-check/columns.mjs";
import { arrayDifference, bytesDifference, cStrides, itemsOf } from "../../scripts/lib/dataset-check/sidecar.mjs";
import type { Random } from "../interop/support/random.js";
import { type ArrayFact, type BytesFact, type PartsFact, rowsOf, type Sidecar } from "./sidecar.js";

type Dataset = Awaited<ReturnType<typeof openDataset>>;
type Fact = ArrayFact | PartsFact | BytesFact;

/** What the reference reads back of one version, by field and anchor. */
export interface Truth {
  readonly ref: string;
  readonly fields: ReadonlyMap<string, ReadonlyMap<bigint, Fact>>;
}

/** A field to be read, and what it has. */
interface Subject {
  readonly ds: Dataset;
  readonly info: FieldInfo;
  readonly facts: ReadonlyMap<bigint, Fact>;
  readonly anchors: readonly bigint[];
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Says what is wrong; `undefined` if nothing is. A refusal rejects. */
type Reading = (subject: Subject) => Promise<string | undefined>;

/** The first version of a fixture. */
export function truthOf(fixtures: string, name: string): Truth {
  const sidecar = JSON.parse(readFileSync(join(fixtures, name, "expected.json"), "utf8")) as Sidecar;
  const [ref, facts] = Object.entries(sidecar.refs)[0] ?? [];
  if (ref === undefined || facts === undefined) throw new Error(`${name} has no versions`);
  const fields = Object.entries(facts.fields).map(([field, fact]) => [field, new Map((itemsOf(fact) ?? []).map(({ anchor, value }) => [anchor, value as Fact]))] as const);
  return { ref, fields: new Map(fields) };
}

/** Bytes that had the digest of their fact: hashing them again and again would take most of the time. */
const known = new WeakMap<BytesFact, Uint8Array>();

function bytesAreWrong(bytes: unknown, fact: BytesFact): string | undefined {
  const right = known.get(fact);
  if (right !== undefined) return bytes instanceof Uint8Array && Buffer.compare(right, bytes) === 0 ? undefined : "other bytes than before";
  const wrong = bytesDifference(bytes, fact);
  if (wrong === undefined && bytes instanceof Uint8Array) known.set(fact, bytes.slice());
  return wrong;
}

function difference(value: unknown, fact: Fact | undefined): string | undefined {
  if (fact === undefined) return value === undefined ? undefined : "a value where there is none";
  if (value === undefined) return "nothing where there is a value";
  if ("len" in fact) return bytesAreWrong(value instanceof Uint8Array ? value : (value as { bytes?: unknown }).bytes, fact);
  return arrayDifference(value, fact);
}

function fieldOf({ ds, info }: Subject) {
  if (isMediaField(info)) return ds.media(info.name);
  if (!isArrayField(info) || info.family === "dense-array") return ds.array(info.name);
  return info.family === "ragged-array" ? ds.ragged(info.name) : ds.csr(info.name);
}

/** One Item, now and then one that there is not. */
const one: Reading = async (subject) => {
  const { anchors, facts, random, signal } = subject;
  const anchor = random.chance(0.05) ? (anchors.at(-1) ?? 0n) + 1n : random.pick(anchors);
  return difference(await fieldOf(subject).read(anchor, { signal }), facts.get(anchor));
};

/** All Items in one call: a failure is its Item's alone, and never absence. */
const many: Reading = async (subject) => {
  const outcomes = await fieldOf(subject).readMany(subject.anchors, { signal: subject.signal });
  if (outcomes.length !== subject.anchors.length) return `${outcomes.length} outcomes instead of ${subject.anchors.length}`;
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === "error") {
      if (!isDreamDbError(outcome.error)) return `an error of another kind: ${String(outcome.error)}`;
    } else if (outcome.status !== "value") return `${outcome.status} where there is a value`;
    else {
      const wrong = difference(outcome.value, subject.facts.get(subject.anchors[at] ?? -1n));
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
};

/** The values of a window, each in its place and none missing. */
function windowIsWrong({ anchors, facts }: Subject, start: bigint, cells: readonly { anchor: bigint; value: unknown }[]): string | undefined {
  const expected = anchors.filter((anchor) => anchor >= start);
  if (cells.length !== expected.length) return `${cells.length} Items instead of ${expected.length}`;
  for (const [at, { anchor, value }] of cells.entries()) {
    if (anchor !== expected[at]) return `the anchor ${anchor} instead of ${expected[at]}`;
    const wrong = difference(value, facts.get(anchor));
    if (wrong !== undefined) return `at ${anchor}: ${wrong}`;
  }
  return undefined;
}

/** Rows of the dataset, one by one. */
const rows: Reading = async (subject) => {
  const { ds, info, anchors, random, signal } = subject;
  const [start, cells] = [random.pick(anchors), []] as [bigint, { anchor: bigint; value: unknown }[]];
  for await (const { anchor, values } of ds.rows({ fields: [info.name], start, signal })) cells.push({ anchor, value: values[info.name] });
  return windowIsWrong(subject, start, cells);
};

const column: Reading = async (subject) => {
  const start = subject.random.pick(subject.anchors);
  return windowIsWrong(subject, start, cellsOf(subject.info, await fieldOf(subject).column({ start, signal: subject.signal })));
};

const batches: Reading = async (subject) => {
  const { info, anchors, random, signal } = subject;
  const [start, cells] = [random.pick(anchors), []] as [bigint, { anchor: bigint; value: unknown }[]];
  for await (const batch of fieldOf(subject).batches({ start, batchSize: random.integer(1, 5), signal })) cells.push(...cellsOf(info, batch));
  return windowIsWrong(subject, start, cells);
};

/** Whether an Item has rows that can be read without the rest. */
const isRowed = (info: FieldInfo) => isArrayField(info) && info.family !== "dense-array";

/** A stretch of C order as it would be read by itself. */
const dense = (dtype: string, data: unknown, shape: readonly number[]) => ({ family: "dense-array", dtype, data, shape, strides: cStrides(shape) });

/** A single row of a ragged or sparse Item. */
const row: Reading = async ({ ds, info, facts, anchors, random, signal }) => {
  const anchor = random.pick(anchors);
  const fact = facts.get(anchor) as PartsFact;
  const count = fact.row_offsets.values.length - 1;
  if (count === 0) return undefined;
  const at = random.integer(0, count - 1);
  const expected = rowsOf(fact, at, at + 1);
  if (expected.column_indices === undefined) {
    const read = await ds.ragged(info.name).readRow(anchor, at, { signal });
    return read === undefined ? "no row" : arrayDifference(dense(read.dtype, read.data, read.shape), expected.values);
  }
  const read = await ds.csr(info.name).readRow(anchor, at, { signal });
  if (read === undefined) return "no row";
  const columns = arrayDifference(dense("u64", read.columnIndices, [read.columnIndices.length]), expected.column_indices);
  return columns ?? arrayDifference(dense(read.dtype, read.values, [read.values.length]), expected.values);
};

/** Adjacent rows, perhaps none. */
const someRows: Reading = async (subject) => {
  const { ds, info, facts, anchors, random, signal } = subject;
  const anchor = random.pick(anchors);
  const fact = facts.get(anchor) as PartsFact;
  const count = fact.row_offsets.values.length - 1;
  const start = random.integer(0, count);
  const end = random.integer(start, count);
  const field = fact.column_indices === undefined ? ds.ragged(info.name) : ds.csr(info.name);
  const read = await field.readRows(anchor, { start, end }, { signal });
  if (read?.rowCount !== BigInt(count)) return `an Item of ${read?.rowCount} rows instead of ${count}`;
  return difference(read, rowsOf(fact, start, end));
};

const READINGS = { one, many, rows, column, batches, row, someRows } as const satisfies Record<string, Reading>;

/** A way to read. */
export type Way = keyof typeof READINGS;

/** All of them. */
export const WAYS = Object.keys(READINGS) as readonly Way[];

const OF_ANY: readonly Way[] = ["one", "one", "one", "one", "many", "rows", "column", "batches"];
const OF_ROWED: readonly Way[] = [...OF_ANY, "row", "row", "row", "someRows"];

/** What will be read, and by which way. */
export interface Choice {
  readonly field: string;
  readonly way: Way;
  /** Says what is wrong; `undefined` if nothing is. A refusal rejects. */
  read(signal: AbortSignal): Promise<string | undefined>;
}

/** Chooses a read of a dataset whose truth is known. */
export function nextRead(ds: Dataset, { fields }: Truth, random: Random): Choice {
  const info = random.pick(ds.fields.filter((info) => (isArrayField(info) || isMediaField(info)) && (fields.get(info.name)?.size ?? 0) > 0));
  const facts = fields.get(info.name) ?? new Map<bigint, Fact>();
  const way = random.pick(isRowed(info) ? OF_ROWED : OF_ANY);
  return { field: info.name, way, read: (signal) => READINGS[way]({ ds, info, facts, anchors: [...facts.keys()], random, signal }) };
}
