/** Typical reads of one field, each upon a dataset that was opened for it: nothing of one is in the memory of the next. */
import type { Dataset } from "../../dataset/dataset.js";
import { type ArrayFieldInfo, isArrayField, type MediaFieldInfo } from "../../dataset/fields.js";
import type { MediaField } from "../../dataset/media-field.js";
import type { Outcome } from "../../dataset/outcome.js";
import { isDreamDbError } from "../../errors.js";
import type { Stats } from "../../io/stats.js";
import { arrayFieldOf } from "../describe.js";
import { bytesText } from "../manners/numbers.js";

/** What one read took. */
export interface Measured {
  /** Name of the field; none for opening. */
  readonly field: string | undefined;
  readonly read: string;
  /** Items that came. */
  readonly items: number;
  readonly requests: number;
  readonly bytesWanted: number;
  readonly bytesFetched: number;
  readonly ms: number;
  /** What the plan had said, where there is one. */
  readonly planned?: { readonly requests: number; readonly bytes: number } | undefined;
  /** Why it was not done, or not as it is called. */
  readonly note?: string | undefined;
  /** Whether something went wrong. */
  readonly failed?: boolean;
}

/** How far the reads may go. */
export interface Limits {
  /** Bytes that are left. */
  bytes: number;
  /** Fires when the time is over, or on Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Items of the reads of many. */
const MANY = 100;
/** Items of a column. */
const COLUMN = 1000;

type Readable = ReturnType<typeof arrayFieldOf> | MediaField;
type Doing = (ds: Dataset) => Promise<{ readonly items: number; readonly failed?: string | undefined }>;

/** Measures the reads of one field; `open` gives a dataset of which nothing is in memory. */
export async function* readsOf(open: () => Promise<Dataset>, info: ArrayFieldInfo | MediaFieldInfo, limits: Limits, random: () => number): AsyncGenerator<Measured, void, undefined> {
  const { name } = info;
  const fieldOf = (ds: Dataset): Readable => (isArrayField(info) ? arrayFieldOf(ds, info) : ds.media(name));
  const { signal } = limits;
  let anchors = new BigUint64Array(0);
  const index = await measure(await open(), { field: name, read: "the index, all of it" }, limits, async (ds) => {
    anchors = await fieldOf(ds).anchors({ signal });
    return { items: 0 };
  });
  yield index;
  if (index.failed === true || anchors.length === 0) return;

  const pick = (count: number): bigint[] => {
    const positions = new Set<number>();
    while (positions.size < Math.min(count, anchors.length)) positions.add(Math.floor(random() * anchors.length));
    return Array.from(positions, (at) => anchors[at] ?? 0n);
  };
  const middle = Math.max(0, Math.floor((anchors.length - MANY) / 2));
  const one = pick(1);
  let itemBytes = 0;
  const many = (read: string, wanted: readonly bigint[]) => planned({ open, fieldOf, name, limits, itemBytes }, read, wanted, async (ds, some) => counted(await fieldOf(ds).readMany(some, { signal })));
  const single = await many("1 Item", one);
  itemBytes = single.items > 0 ? single.bytesWanted : 0;
  yield single;
  if (anchors.length > 1) {
    yield await many(`${Math.min(MANY, anchors.length)} Items at random`, pick(MANY));
    yield await many(`${Math.min(MANY, anchors.length)} neighbours`, [...anchors.subarray(middle, middle + MANY)]);
    const columned = [...anchors.subarray(0, COLUMN)];
    yield await planned({ open, fieldOf, name, limits, itemBytes }, `a column of ${columned.length}`, columned, async (ds, some) => {
      const [start = 0n, last = 0n] = [some[0], some.at(-1)];
      const column = await (fieldOf(ds) as MediaField).column({ start, end: last + 1n, signal });
      return { items: column.anchors.length };
    });
  }
  if (isArrayField(info) && info.family !== "dense-array") yield await rowOf(await open(), info, one[0] ?? 0n, limits);
}

/** Measures what `doing` does upon a dataset, whose counters tell the rest. */
export async function measure(ds: Dataset, what: Pick<Measured, "field" | "read" | "planned" | "note">, limits: Limits, doing: Doing): Promise<Measured> {
  const before = ds.stats();
  const start = performance.now();
  let [items, failure]: [number, string | undefined] = [0, undefined];
  try {
    const done = await doing(ds);
    [items, failure] = [done.items, done.failed];
  } catch (error) {
    if (limits.signal.aborted) failure = "stopped: the time was over";
    else if (isDreamDbError(error)) failure = `${error.code}: ${error.message}`;
    else throw error;
  }
  const ms = performance.now() - start;
  const took = sinceThen(before, ds.stats());
  limits.bytes -= took.bytesFetched;
  return { ...what, items, ms, ...took, ...(failure !== undefined && { note: failure, failed: !limits.signal.aborted }) };
}

function sinceThen(before: Stats, after: Stats): Pick<Measured, "requests" | "bytesWanted" | "bytesFetched"> {
  const { requests, bytesWanted, bytesFetched } = after;
  return { requests: requests - before.requests, bytesWanted: bytesWanted - before.bytesWanted, bytesFetched: bytesFetched - before.bytesFetched };
}

interface Planning {
  readonly open: () => Promise<Dataset>;
  readonly fieldOf: (ds: Dataset) => Readable;
  readonly name: string;
  readonly limits: Limits;
  /** Bytes to expect of an Item whose size no index tells. */
  readonly itemBytes: number;
}

/** A read of as many of the Items as the bytes that are left allow. */
async function planned(
  { open, fieldOf, name, limits, itemBytes }: Planning,
  read: string,
  wanted: readonly bigint[],
  doing: (ds: Dataset, some: readonly bigint[]) => ReturnType<Doing>,
): Promise<Measured> {
  const none = { field: name, read, items: 0, requests: 0, bytesWanted: 0, bytesFetched: 0, ms: 0 };
  if (limits.signal.aborted) return { ...none, note: "left out: the time was over" };
  const ds = await open();
  const field = fieldOf(ds);
  const { signal } = limits;
  // The plan brings the index, which is no part of this read.
  let some = wanted;
  let plan = await field.plan(some, { signal });
  const bytesOf = ({ bytes, unsized }: typeof plan) => bytes + unsized * itemBytes;
  while (bytesOf(plan) > limits.bytes && some.length > 1) {
    some = some.slice(0, Math.floor(some.length / 2));
    plan = await field.plan(some, { signal });
  }
  const bytes = bytesOf(plan);
  if (bytes > limits.bytes) return { ...none, note: `left out: it would take ${bytesText(bytes)}, and ${bytesText(Math.max(0, limits.bytes))} are left` };
  const fewer = some.length < wanted.length ? `only ${some.length} of them, for --max-bytes` : undefined;
  return measure(ds, { field: name, read, planned: { requests: plan.requests, bytes }, ...(fewer !== undefined && { note: fewer }) }, limits, (opened) => doing(opened, some));
}

function counted(outcomes: readonly Outcome<unknown>[]): { items: number; failed: string | undefined } {
  const failures = outcomes.filter((outcome) => outcome.status === "error");
  const [first] = failures;
  return {
    items: outcomes.filter(({ status }) => status === "value").length,
    failed: first === undefined ? undefined : `${failures.length} failed, the first with ${first.error.code}: ${first.error.message}`,
  };
}

/** The first row of an Item, without the rest of it. */
async function rowOf(ds: Dataset, info: ArrayFieldInfo, anchor: bigint, limits: Limits): Promise<Measured> {
  const { signal } = limits;
  const field = info.family === "ragged-array" ? ds.ragged(info.name) : ds.csr(info.name);
  await field.count({ signal });
  return measure(ds, { field: info.name, read: "the first row of an Item" }, limits, async () => {
    try {
      return { items: (await field.readRow(anchor, 0n, { signal })) === undefined ? 0 : 1 };
    } catch (error) {
      // An Item without rows is no failure of anybody's.
      if (isDreamDbError(error, "InvalidArgument")) return { items: 0 };
      throw error;
    }
  });
}
