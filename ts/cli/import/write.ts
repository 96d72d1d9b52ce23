/**
 * Items into a field, some at a time, each time all of them or none.
 *
 * Where one commit ends and the next begins follows from the Items and the options alone, not from what is there already: a run that goes on after another
 * was killed makes the commits, packs among them, that one run would have made. What is there already is not trusted but compared: arrays by the address
 * that their payload would have, which costs no request; media by their bytes.
 */
import { addressOf } from "../../codec/hash.js";
import { type ArrayInit, encodePayload } from "../../codec/encode.js";
import type { Dataset } from "../../dataset/dataset.js";
import { addressAt } from "../../dataset/entries.js";
import { type ArrayFieldInfo, type FieldInfo, isArrayField, isMediaField } from "../../dataset/fields.js";
import { DreamDbError, isDreamDbError } from "../../errors.js";
import type { ItemInit } from "../../write/items.js";
import type { AppendOptions, Commit, WritableDataset } from "../../write/writable-dataset.js";
import { advised } from "../manners/failures.js";
import type { Output } from "../manners/output.js";
import type { Progress } from "../manners/progress.js";
import type { Items } from "./items.js";

/** Bytes of a commit at most, unless one Item has more; so much is in memory, twice. */
const COMMIT_BYTES = 64 << 20;
/** Items of a commit at most, unless said otherwise. */
const COMMIT_ITEMS = 4096;
/** Bytes of a pack to aim at: a good size for object stores. */
const PACK_BYTES = 2 << 20;

/** What is imported, and how. */
export interface Work {
  readonly ds: WritableDataset;
  readonly field: string;
  readonly items: Items;
  readonly anchors: BigUint64Array;
  /** Items of a commit at most. */
  readonly commitItems?: number | undefined;
  readonly output: Output;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface Imported {
  /** Items that were stored. */
  readonly stored: number;
  /** Items that were there already. */
  readonly present: number;
  /** Commits that were made. */
  readonly commits: number;
}

/**
 * Imports all Items.
 *
 * @throws {DreamDbError} `RepeatedAnchor` where another Item is already; the codes of appends; the abort reason
 */
export async function importItems(work: Work): Promise<Imported> {
  const { ds, field, items, anchors, signal, progress } = work;
  // What this run writes itself lies at other anchors.
  const before = ds.current;
  const info = fieldOf(before, field);
  const limit = work.commitItems ?? commitItems(info);
  let [stored, present, commits, bytes] = [0, 0, 0, 0];
  for (let first = 0; first < items.count; ) {
    signal.throwIfAborted();
    const end = endOfCommit(items, first, limit);
    const there = await presentIn(before, info, anchors.subarray(first, end), signal);
    const rows = [];
    for (let at = first; at < end; at++) {
      signal.throwIfAborted();
      const anchor = anchors[at] ?? 0n;
      const value = await items.read(at);
      const known = there.get(anchor);
      if (known === undefined) rows.push({ anchor, values: { [field]: value } });
      else if (known === contentOf(info, value)) present += 1;
      else throw taken(field, anchor, items.nameOf(at));
      bytes += items.sizeOf(at);
      progress.at({ done: stored + present + rows.length, total: items.count, bytes, what: field });
    }
    if (rows.length > 0) {
      await appended(work, rows);
      stored += rows.length;
      commits += 1;
    }
    first = end;
  }
  return { stored, present, commits };
}

/** Whole packs, as many as there is room for. */
function commitItems(info: FieldInfo): number {
  const packItems = isMediaField(info) ? Number(info.packItems ?? 1n) : 1;
  return Math.max(1, Math.floor(COMMIT_ITEMS / packItems)) * packItems;
}

function endOfCommit(items: Items, first: number, limit: number): number {
  let bytes = 0;
  let end = first;
  while (end < items.count && end - first < limit) {
    bytes += items.sizeOf(end);
    if (end > first && bytes > COMMIT_BYTES) break;
    end += 1;
  }
  return end;
}

/** A manifest holds the history of some 1,400 appends; when it is full, a new one begins. */
async function appended({ ds, signal, output }: Work, rows: readonly { readonly anchor: bigint; readonly values: Readonly<Record<string, ItemInit>> }[]): Promise<Commit> {
  const options: AppendOptions = { signal, targetPackBytes: PACK_BYTES };
  try {
    return await ds.append(rows, options);
  } catch (error) {
    if (!isDreamDbError(error, "ManifestFull")) throw error;
    output.say("the manifest's history is full: from here on it begins anew, and versions before are no longer named by those after");
    return await ds.append(rows, { ...options, forgetLineage: true });
  }
}

/** The addresses of what is at these anchors already, deleted rows left out. */
async function presentIn(ds: Dataset, info: FieldInfo, anchors: BigUint64Array, signal: AbortSignal): Promise<Map<bigint, string>> {
  const found = new Map<bigint, string>();
  const wanted = new Set(anchors);
  const [start, end] = extremes(anchors);
  const field = isArrayField(info) ? ds.array(info.name) : ds.media(info.name);
  const read: bigint[] = [];
  for await (const { anchors: own, parts, partOf, positions } of field.scan({ start, end: end + 1n }, signal)) {
    for (const [at, anchor] of own.entries()) {
      const entries = parts[partOf[at] ?? 0]?.entries;
      if (!wanted.has(anchor) || entries === undefined) continue;
      if (entries.form === "fragments") read.push(anchor);
      else found.set(anchor, addressAt(entries.addresses, positions[at] ?? 0));
    }
  }
  for (const outcome of read.length === 0 ? [] : await ds.media(info.name).readMany(read, { signal })) {
    if (outcome.status === "error") throw outcome.error;
    if (outcome.status === "value") found.set(outcome.value.anchor, addressOf(outcome.value.bytes));
  }
  return found;
}

/** The address that an Item's payload would have. */
function contentOf(info: FieldInfo, value: ItemInit): string {
  if (value instanceof Uint8Array) return addressOf(value);
  const { type, typeCbor } = info as ArrayFieldInfo;
  return addressOf(encodePayload({ type, cbor: typeCbor }, value as ArrayInit));
}

function fieldOf(ds: Dataset, name: string): FieldInfo {
  const info = ds.fields.find((field) => field.name === name);
  if (info === undefined) throw new DreamDbError("NoSuchField", `the dataset has no field ${JSON.stringify(name)}`, { field: name });
  return info;
}

function extremes(anchors: BigUint64Array): [least: bigint, most: bigint] {
  let [least, most] = [anchors[0] ?? 0n, anchors[0] ?? 0n];
  for (const anchor of anchors) {
    if (anchor < least) least = anchor;
    if (anchor > most) most = anchor;
  }
  return [least, most];
}

function taken(field: string, anchor: bigint, name: string): DreamDbError {
  const error = new DreamDbError("RepeatedAnchor", `${name}: field ${JSON.stringify(field)} has another Item at anchor ${anchor}`, { field, anchor, subject: name });
  return advised(error, "Items are never replaced: choose other anchors, or another --field");
}
