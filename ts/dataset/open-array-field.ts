/**
 * The door without a manifest: a field of typed arrays over index entries that the caller has from elsewhere.
 *
 * For edge workers and the like, which answer for single Items and know where these lie. What a manifest would vouch for is the caller's to
 * know: that the entries are those of this type. Everything else is checked as in a dataset.
 */
import type { CoreEntries } from "../../pkg/dreamdb_arrays.js";
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { toU64, type U64 } from "../codec/integers.js";
import { bindModality, cborOf, decodeItemType, type ItemTypeInit, itemTypeId, modalityOf } from "../codec/item-type.js";
import type { DenseArray } from "../codec/values.js";
import { DreamDbError } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import type { Store } from "../store/types.js";
import { call as core, ready } from "../wasm.js";
import { ArrayField } from "./array-field.js";
import { CsrField } from "./csr-field.js";
import { startsOf } from "./entries.js";
import type { FieldAccess } from "./field.js";
import { arrayInfo } from "./bound-fields.js";
import type { ArrayFieldInfo } from "./fields.js";
import { RaggedField } from "./ragged-field.js";
import { type OpenOptions, readerOf } from "./reader-options.js";
import { Tombstones } from "./tombstones.js";
import { Track } from "./track.js";

/** An Item at an anchor, an object of its own at `<path>/<anchor in 16 hexadecimal digits>/<address>`. */
export interface EventEntry {
  /** Of the Item. */
  readonly anchor: U64;
  /** Of the Item. */
  readonly address: string;
}

/** An Item over an extent, an object of its own at `<path>/<bucket in 16 hexadecimal digits>/<address>`. */
export interface ContinuousEntry {
  /** Where the extent begins: the Item's anchor. */
  readonly start: U64;
  /** Where it ends, excluded. */
  readonly end: U64;
  /** The start, unless said otherwise. */
  readonly bucket?: U64 | undefined;
  /** Of the Item. */
  readonly address: string;
}

/** An Item by a FragmentEntry (0022 §3.3): an object of its own, or a span of a pack, at `<path>/0000000000000000/<address>`. */
export interface FragmentEntry {
  /** The Item's anchor. */
  readonly start: U64;
  /** The anchor after the start, unless said otherwise. */
  readonly end?: U64 | undefined;
  /** Bytes of the Item. */
  readonly size: U64;
  /** Of the Item, of its pack, or, if it is chunked, of the list of its chunks at `<path>/items/<address>`. */
  readonly address: string;
  /** Offset of the Item in its pack, below 2^32; only a packed Item has one. */
  readonly packOffset?: U64 | undefined;
  /** Whether `address` is that of a list of chunks. */
  readonly chunked?: boolean | undefined;
}

/** Where an Item of an array lies. */
export type ArrayEntry = EventEntry | ContinuousEntry | FragmentEntry;

/** What {@link openArrayField} is told. */
export interface ArrayFieldInit<T extends ItemTypeInit = ItemTypeInit> extends OpenOptions {
  /** The declared type, as canonical CBOR or as an object. */
  readonly itemType: T | Uint8Array;
  /** The modality tag, which must name the type; unless said, that of the type on Tracks of the kind that the entries are. */
  readonly modality?: string | undefined;
  /** All entries, of one form. Of a pack, those of all its Items: its length is that of all of them. */
  readonly entries: Iterable<ArrayEntry>;
  /** What the keys of the objects begin with, in datasets `<timeline>/<modality>`. */
  readonly path: string;
  /** What the field is called in errors; `array` unless said otherwise. */
  readonly name?: string | undefined;
}

/** The field of a type. */
export type FieldOf<T extends Pick<ItemTypeInit, "family" | "dtype">> = T["family"] extends "ragged-array"
  ? RaggedField<T["dtype"]>
  : T["family"] extends "sparse-csr"
    ? CsrField<T["dtype"]>
    : ArrayField<DenseArray<T["dtype"]>>;

/**
 * A field of typed arrays without a dataset: from index entries to Items, columns and rows.
 *
 * Costs no request: nothing is read until it is asked for. The entries become columns, with one sort if they are not in order.
 *
 * @param source as in `openDataset`
 * @throws {DreamDbError} `InvalidArgument`; the codes of the type and of its tag; `InvalidKindStorage` for a Constant; `Multihash`, `EntryExtent`,
 * `IntegerRange`, `RepeatedAnchor` for an entry; `WasmLoad`
 */
export async function openArrayField<const T extends ItemTypeInit>(source: string | URL | Store, init: ArrayFieldInit<T>): Promise<FieldOf<T>> {
  const { name = "array", path, itemType } = init;
  textArgument("path", path);
  textArgument("name", name);
  const objects = readerOf(source, init);
  await ready();
  const typeCbor = cborOf(itemType);
  const entries = entriesOf(init.entries);
  const said = init.modality;
  const modality = said ?? modalityOf(typeCbor, entries.form === "event" ? "event" : "continuous");
  const trackKind = bindModality(modality, typeCbor);
  if (trackKind === "constant") throw new DreamDbError("InvalidKindStorage", "a Constant has no entries with anchors", { subject: modality });
  if ((trackKind === "event") !== (entries.form === "event") && startsOf(entries).length > 0) {
    throw refused("modality", `that of a Track with ${entries.form} entries`, `one of kind ${trackKind}`);
  }
  const type = decodeItemType(typeCbor);
  const starts = startsOf(entries);
  const coverage = { start: starts.at(0) ?? 0n, end: (starts.at(-1) ?? 0n) + 1n };
  const objectKind = trackKind === "event" ? "unbucketed" : "time-batch";
  const info = arrayInfo({ name, modality, trackKind, coverage }, { type, typeCbor, itemId: itemTypeId(typeCbor), objectKind });
  return fieldOf(info, accessOf(objects, info, path, entries)) as FieldOf<T>;
}

function fieldOf(info: ArrayFieldInfo, access: FieldAccess): ArrayField | RaggedField | CsrField {
  if (info.family === "ragged-array") return new RaggedField(info, access);
  return info.family === "sparse-csr" ? new CsrField(info, access) : new ArrayField(info, access);
}

function accessOf(objects: ObjectReader, { name, modality, trackKind, coverage }: ArrayFieldInfo, path: string, entries: CoreEntries): FieldAccess {
  const binding = { field: name, kind: trackKind, track: "", start: coverage.start, end: coverage.end, modality, timeline: "" };
  const track = new Track(objects, binding, path, { form: "entries", part: { entries, isWhole: true } });
  return { objects, track, tombstones: new Tombstones(objects, undefined) };
}

/** Elements of entries, by what they are called in columns. */
interface Elements {
  readonly form: "event" | "continuous" | "fragments";
  readonly start: bigint;
  readonly end: bigint;
  /** Bucket or size. */
  readonly third: bigint;
  readonly address: string;
  readonly fragment: number;
  readonly offset: bigint;
}

/** Forms of fragments, as the core numbers them. */
const FORM = { single: 0, chunked: 1, packed: 2 } as const;

const MAX_U32 = 0xffff_ffffn;

function entriesOf(given: Iterable<ArrayEntry>): CoreEntries {
  const all = Array.from(given, elementsOf);
  const form = all[0]?.form ?? "event";
  const other = all.findIndex((entry) => entry.form !== form);
  if (other >= 0) throw refused(`entries[${other}]`, `an entry of the form ${form}, as the first one is`, `one of the form ${all[other]?.form ?? ""}`);
  const addresses = new Uint8Array(33 * all.length);
  for (const [at, { address }] of all.entries()) addresses.set(core((functions) => functions.addressBytes(address)), 33 * at);
  const numbers = (of: (entry: Elements) => bigint, isThere: boolean) => BigUint64Array.from(isThere ? all.map(of) : []);
  const [hasExtent, isMedia] = [form !== "event", form === "fragments"];
  const starts = numbers(({ start }) => start, true);
  const [ends, thirds] = [numbers(({ end }) => end, hasExtent), numbers(({ third }) => third, hasExtent)];
  const forms = Uint8Array.from(isMedia ? all.map(({ fragment }) => fragment) : []);
  const offsets = Uint32Array.from(isMedia ? all.map(({ offset }) => Number(offset)) : []);
  return core((functions) => functions.givenEntries(starts, ends, thirds, addresses, forms, offsets));
}

function elementsOf(entry: ArrayEntry, at: number): Elements {
  const what = (key: string): string => `\`${key}\` of entries[${at}]`;
  if (typeof entry !== "object" || entry === null) throw refused(`entries[${at}]`, "an index entry", kindOf(entry));
  const address = textArgument(what("address"), entry.address);
  const none = { third: 0n, fragment: FORM.single, offset: 0n };
  if ("anchor" in entry) {
    const anchor = toU64(what("anchor"), entry.anchor);
    return { ...none, form: "event", start: anchor, end: 0n, address };
  }
  const start = toU64(what("start"), entry.start);
  const end = entry.end === undefined ? start + 1n : toU64(what("end"), entry.end);
  if (!("size" in entry)) {
    const third = "bucket" in entry && entry.bucket !== undefined ? toU64(what("bucket"), entry.bucket) : start;
    return { ...none, form: "continuous", start, end, third, address };
  }
  const { packOffset, chunked = false } = entry;
  const third = toU64(what("size"), entry.size);
  if (packOffset === undefined) return { form: "fragments", start, end, third, address, fragment: chunked ? FORM.chunked : FORM.single, offset: 0n };
  if (chunked) throw refused(`entries[${at}]`, "chunked or in a pack", "both");
  const offset = toU64(what("packOffset"), packOffset);
  if (offset > MAX_U32) {
    const message = `${what("packOffset")} is ${offset}, which does not fit in 32 bits`;
    throw new DreamDbError("IntegerRange", message, { expected: String(MAX_U32), actual: String(offset) });
  }
  return { form: "fragments", start, end, third, address, fragment: FORM.packed, offset };
}
