/**
 * Columns of dense Items: each is put into its place in the column as it comes, and checked and turned there.
 *
 * Items that are objects of their own are checked in runs, one crossing into the core for each run, and no array is made per Item.
 */
import { refused, kindOf } from "../../codec/arguments.js";
import { bytesPerElement, type DType, type DTypeArrays, TYPED_ARRAYS, typedView } from "../../codec/dtype.js";
import type { DenseType } from "../../codec/item-type.js";
import { toNumber } from "../../codec/integers.js";
import { toCOrder } from "../../codec/order.js";
import { locateValues, swapValues } from "../../codec/payload.js";
import { stridesOf } from "../../codec/values.js";
import { type Call, newCall } from "../../io/call.js";
import { pump } from "../../io/pump.js";
import type { Verified } from "../../io/verifier.js";
import { withContext } from "../../error-context.js";
import { throwIfAborted } from "../../store/abort.js";
import { addressBytesAt, addressesAt } from "../entries.js";
import type { FieldAccess } from "../field.js";
import type { ArrayFieldInfo } from "../fields.js";
import { bucketOf, ItemBytes, type ObjectEntries } from "../item-bytes.js";
import { itemKey } from "../keys.js";
import { type Selection, slice } from "../selection.js";
import { type ColumnOptions, type DenseColumn, least, mostBytes, Teller, tooLarge } from "./columns.js";
import { inWindows } from "./windows.js";

/** Bytes of a run of Items, about: what crosses into the core at a time. */
const RUN_BYTES = 1 << 16;

/** Items of a run at most. */
const RUN_ITEMS = 1024;

/** Options of a dense column. */
export interface DenseColumnOptions<D extends DType = DType> extends ColumnOptions {
  /** Where to put the values, instead of a new array: of the field's dtype, and long enough. What a failed read leaves there means nothing. */
  readonly out?: DTypeArrays[D] | undefined;
}

/** Where a column's Items are put, and what is done with them there. */
class Filling {
  readonly #type: DenseType;
  readonly #shape: readonly number[];
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly itemBytes: number;
  readonly runItems: number;

  constructor(type: DenseType, shape: readonly number[], itemBytes: number, bytes: Uint8Array<ArrayBuffer>) {
    this.#type = type;
    this.#shape = shape;
    this.#bytes = bytes;
    this.itemBytes = itemBytes;
    this.runItems = Math.max(1, Math.min(RUN_ITEMS, Math.floor(RUN_BYTES / Math.max(1, itemBytes))));
  }

  /** Puts the values of an Item into its place. */
  put(at: number, values: Uint8Array): void {
    this.#bytes.set(values, at * this.itemBytes);
  }

  /** Places of the Items from `from` up to `to`. */
  places(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(from * this.itemBytes, to * this.itemBytes);
  }

  /** Makes of the stored elements in those places what the column has. */
  settle(from: number, to: number): void {
    const { dtype, endianness, layout } = this.#type;
    const [places, width] = [this.places(from, to), bytesPerElement(dtype)];
    if (endianness === "big") swapValues(places, width);
    if (layout === "c" || this.#shape.length < 2 || places.byteLength === 0) return;
    const stored = new Uint8Array(this.itemBytes);
    for (let at = 0; at < places.byteLength; at += this.itemBytes) {
      const place = places.subarray(at, at + this.itemBytes);
      stored.set(place);
      toCOrder(stored, place, width, this.#shape);
    }
  }
}

/** The column of these Items. */
export async function denseColumn<D extends DType>(
  info: ArrayFieldInfo<DenseType>,
  access: FieldAccess,
  selection: Selection,
  options: DenseColumnOptions<D>,
): Promise<DenseColumn<D>> {
  const { type } = info;
  const dtype = type.dtype as D;
  const count = selection.anchors.length;
  const limit = mostBytes(options);
  const width = bytesPerElement(dtype);
  const itemSize = type.shape.reduce((product, extent) => product * extent, BigInt(width));
  if (itemSize * BigInt(count) > limit) throw tooLarge(itemSize * BigInt(count), limit);
  const itemBytes = toNumber("the size of an Item", itemSize);
  const itemShape = type.shape.map((extent) => toNumber("an extent of the declared shape", extent));
  const data = room(dtype, (itemBytes / width) * count, options.out);
  const filling = new Filling(type, itemShape, itemBytes, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const call = newCall(options.signal);
  const teller = new Teller(count, options);
  let verified: Verified = "object";
  const runs = partRuns(selection);
  // Pages may be small: so many of them at once that the requests do not run dry.
  await pump(runs.length, access.objects.width, async (number) => {
    const run = runs[number];
    if (run === undefined) return;
    const { entries } = run.part;
    const isPlain = entries.form !== "fragments" && type.codec === "raw";
    const read = await (isPlain ? readObjects(info, access, run, entries, filling, call, teller) : readItems(info, access, run, filling, call, teller));
    verified = least(verified, read);
  });
  const shape = [count, ...itemShape];
  return { family: "dense-array", dtype, anchors: selection.anchors, data, shape, strides: stridesOf(shape, "c"), order: "c", verified, type };
}

/** A run of a column's Items that lie in one part of the index. */
interface PartRun {
  readonly part: Selection["parts"][number];
  readonly items: Selection;
  /** Number of the first of them in the column. */
  readonly first: number;
}

function partRuns(selection: Selection): PartRun[] {
  const { partOf, parts } = selection;
  const runs: PartRun[] = [];
  for (let from = 0, to = 0; from < partOf.length; from = to) {
    while (to < partOf.length && partOf[to] === partOf[from]) to++;
    const part = parts[partOf[from] ?? 0];
    if (part !== undefined) runs.push({ part, items: slice(selection, from, to), first: from });
  }
  return runs;
}

/** Raw Items that are objects of their own. */
async function readObjects(
  info: ArrayFieldInfo<DenseType>,
  { objects, track: { place } }: FieldAccess,
  { items, first }: PartRun,
  entries: ObjectEntries,
  filling: Filling,
  call: Call,
  teller: Teller,
): Promise<Verified> {
  const count = items.anchors.length;
  const { itemBytes, runItems } = filling;
  const left = Uint32Array.from({ length: Math.ceil(count / runItems) }, (_, run) => Math.min(runItems, count - run * runItems));
  const names = new Array<string[] | undefined>(left.length);
  /** Where each Item of a run ends. */
  const ends = Uint32Array.from({ length: Math.min(count, runItems) }, (_, at) => (at + 1) * itemBytes);
  const key = (at: number): string => {
    const run = Math.floor(at / runItems);
    const texts = (names[run] ??= addressesAt(entries.addresses, items.positions.subarray(run * runItems, (run + 1) * runItems)));
    return itemKey(place, bucketOf(entries, items.positions[at] ?? 0), texts[at - run * runItems] ?? "");
  };
  let verified: Verified = "object";
  /** Checks the objects from `from` up to `to`, which lie one after another. */
  const check = (from: number, to: number, own: Uint32Array, bytes: Uint8Array): void => {
    let last = from;
    try {
      const addresses = addressBytesAt(entries.addresses, items.positions.subarray(from, to));
      const name = (at: number): string => key((last = from + at));
      verified = least(verified, objects.check(name, addresses, own, bytes));
    } catch (error) {
      throw withContext(error, { anchor: items.anchors[last] });
    }
  };
  const settle = (run: number): void => {
    const [from, to] = [run * runItems, Math.min(count, (run + 1) * runItems)];
    const places = filling.places(first + from, first + to);
    check(from, to, ends.subarray(0, to - from), places);
    filling.settle(first + from, first + to);
    names[run] = undefined;
    teller.done(to - from, places.byteLength);
  };
  const take = (at: number, body: Uint8Array): void => {
    if (body.byteLength !== itemBytes) {
      // What is wrong with its bytes comes before what is wrong with their number.
      check(at, at + 1, Uint32Array.of(body.byteLength), body);
      locateValues({ type: info.type, cbor: info.typeCbor }, new Uint8Array(body));
    }
    filling.put(first + at, body);
    const run = Math.floor(at / runItems);
    left[run] = (left[run] ?? 0) - 1;
    if (left[run] === 0) settle(run);
  };
  const taken = (at: number, body: Uint8Array | undefined, failure: unknown): void => {
    try {
      // The column may have failed meanwhile, and its memory be the caller's again.
      throwIfAborted(call.signal);
      if (body === undefined) throw failure;
      take(at, body);
    } catch (error) {
      throw withContext(error, { anchor: items.anchors[at], key: key(at) });
    }
  };
  await objects.each(key, count, itemBytes, taken, call);
  return verified;
}

/** Items with headers, and those of packs: each is checked by itself, and its values are copied. */
async function readItems(
  info: ArrayFieldInfo<DenseType>,
  { objects, track: { place } }: FieldAccess,
  { items, first }: PartRun,
  filling: Filling,
  call: Call,
  teller: Teller,
): Promise<Verified> {
  const declared = { type: info.type, cbor: info.typeCbor };
  const reader = new ItemBytes(objects, place);
  let verified: Verified = "object";
  await inWindows(items, async (window, from) => {
    await reader.readAll(window, call, (at, read) => {
      throwIfAborted(call.signal);
      verified = least(verified, read.verified);
      filling.put(first + from + at, locateValues(declared, read.bytes));
    });
    throwIfAborted(call.signal);
    filling.settle(first + from, first + from + window.anchors.length);
    teller.done(window.anchors.length, window.anchors.length * filling.itemBytes);
  });
  return verified;
}

/** An array for so many elements, or the front of the caller's. */
function room<D extends DType>(dtype: D, elements: number, out: DTypeArrays[D] | undefined): DTypeArrays[D] {
  const array = TYPED_ARRAYS[dtype];
  const bytes = elements * bytesPerElement(dtype);
  if (out === undefined) return typedView(dtype, new Uint8Array(bytes));
  if (Object.prototype.toString.call(out) !== `[object ${array.name}]`) throw refused("out", `a ${array.name}, as the field has ${dtype}`, kindOf(out));
  if (out.length < elements) throw refused("out", `at least ${elements} elements long`, `${out.length}`);
  return new array(out.buffer, out.byteOffset, elements);
}
