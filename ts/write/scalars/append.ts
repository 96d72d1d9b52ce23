/**
 * Tracks of scalar columns with new rows: a pack of records, one for each value, and an index entry of each. Entries of categories and truth values stand in
 * the Track, those of other types in a tree.
 *
 * The core checks what is read, and knows how fields are declared; what is written is made here and not there, as it is loaded by those alone who write
 * scalars.
 */
import type { CoreBinding } from "../../../pkg/dreamdb_arrays.js";
import { addressBytesOf, addressOf } from "../../codec/hash.js";
import { indexPageKey, placeOf, recordKey, trackKey } from "../../dataset/keys.js";
import type { ScalarType } from "../../dataset/scalar-values.js";
import { DreamDbError } from "../../errors.js";
import { call } from "../../wasm.js";
import type { Base } from "../changes.js";
import { joined, type NewObject, withOutboard } from "../objects.js";
import type { EditedTrack } from "../tracks.js";
import { body, bytes, head, items, itemsUnder, map, text, uint } from "./cbor.js";
import { recordOf } from "./record.js";
import { keyOf, order, type ReadPage, type Row, Tree } from "./tree.js";
import { encodeValue, keyOfWord, wordOf } from "./values.js";

/** A Track with new rows, and its pack, which is to be stored before it. */
export interface GrownScalars {
  readonly track: EditedTrack;
  readonly packs: readonly NewObject[];
}

const ALGORITHMS: Readonly<Record<ScalarType, string>> = {
  categorical: "",
  bool: "",
  int: "dreamdb.btree-int64",
  float: "dreamdb.btree-float64",
  string: "dreamdb.btree-string",
  timestamp: "dreamdb.btree-int64",
};

const MAX_U64 = (1n << 64n) - 1n;

/**
 * A Track with new rows, whose values are as `scalarBytes` gives them. Costs the Track, and of a tree the pages in which the entries come to stand.
 *
 * What the column has at these anchors already is not looked at: of several values at one the greatest is read, as with the reference.
 *
 * @throws {DreamDbError} `RepeatedAnchor` for two new rows at one anchor; `InvalidArgument` for the anchor 2^64 − 1 and as `encodeValue`; the codes of the
 * index, the store's
 */
export async function appendedScalars(
  read: Base["read"],
  type: ScalarType,
  binding: CoreBinding,
  anchors: readonly bigint[],
  values: readonly Uint8Array[],
  signal: AbortSignal | undefined,
): Promise<GrownScalars> {
  const place = placeOf(binding);
  const { modality, timeline } = binding;
  const [first, last] = extentOf(anchors);
  const packed = recordsOf(type, anchors, values);
  const pack = withOutboard((address) => recordKey(place, address), packed.pack);
  const added = rowsOf(type, packed.records, addressBytesOf(pack.address));
  const object = await read({ key: trackKey(place, binding.track), address: binding.track }, signal);
  const root = call((core) => core.decodeScalarTrack(object, modality, timeline, binding.start, binding.end, type));
  const isEmpty = root.entries?.starts.length === 0;
  const start = isEmpty || first < binding.start ? first : binding.start;
  const end = isEmpty || last + 1n > binding.end ? last + 1n : binding.end;

  let index: Uint8Array;
  let pages: NewObject[] = [];
  if (ALGORITHMS[type] === "") {
    const rows = [...itemsUnder(object, "object_index").map(inlineRow), ...added].sort((a, b) => order(a.low, b.low));
    index = joined([head(4, rows.length), ...rows.map(({ entry }) => entry)]);
  } else {
    const page: ReadPage = async (address, level) => {
      const bytes = await read({ key: indexPageKey(place, address), address }, signal);
      return pageRows(type, bytes, modality, level);
    };
    const tree = new Tree(ALGORITHMS[type], page);
    const grown = await tree.grow(root.entries === undefined ? root : undefined, added);
    index = map({
      form: text("scalar-btree-v1"),
      root: bytes(addressBytesOf(grown.root)),
      page_count: uint(grown.pages),
      tree_height: uint(grown.height),
      total_entries: uint(grown.total),
    });
    pages = tree.made.map((made) => ({ key: indexPageKey(place, made.address), bytes: made.object }));
  }
  const coverage = joined([head(4, 2), uint(start), uint(end)]);
  const track = map({ coverage, modality: text(modality), timeline: bytes(addressBytesOf(timeline)), object_index: index });
  const address = addressOf(track);
  return { track: { address, start, end, objects: [...pages, { key: trackKey(place, address), bytes: track }] }, packs: pack.objects };
}

/** The records of one value. */
interface ValueRecord {
  readonly value: Uint8Array;
  /** The value as it was given. */
  readonly given: Uint8Array;
  readonly anchors: readonly bigint[];
  readonly offset: number;
  readonly length: number;
}

/** A pack of the records of all values, ascending by their encodings. */
function recordsOf(type: ScalarType, anchors: readonly bigint[], values: readonly Uint8Array[]): { pack: Uint8Array; records: ValueRecord[] } {
  const byValue = new Map<string, { value: Uint8Array; given: Uint8Array; anchors: bigint[] }>();
  for (const [at, given] of values.entries()) {
    const value = encodeValue(type, given);
    const key = keyOf(value);
    const group = byValue.get(key) ?? { value, given, anchors: [] };
    byValue.set(key, group);
    group.anchors.push(anchors[at] ?? 0n);
  }
  const parts: Uint8Array[] = [];
  let offset = 0;
  const records = [...byValue]
    .sort(([a], [b]) => order(a, b))
    .map(([, group]) => {
      const own = [...BigUint64Array.from(group.anchors).sort()];
      const record = recordOf(own);
      parts.push(record);
      offset += record.byteLength;
      return { ...group, anchors: own, offset: offset - record.byteLength, length: record.byteLength };
    });
  return { pack: joined(parts), records };
}

/** Index entries of new records. */
function rowsOf(type: ScalarType, records: readonly ValueRecord[], pack: Uint8Array): Row[] {
  return records.map(({ value, given, anchors, offset, length }) => {
    const ends = [uint(anchors[0] ?? 0n), uint((anchors.at(-1) ?? 0n) + 1n)];
    const entry = joined([head(4, 6), bytes(value), ...ends, bytes(pack), uint(offset), uint(length)]);
    return ALGORITHMS[type] === "" ? inlineRow(entry) : leafRow(keyOf(type === "string" ? given : keyOfWord(type, wordOf(given))), entry);
  });
}

const leafRow = (key: string, entry: Uint8Array): Row => ({ low: key, high: key, entry });

/** An entry that stands in a Track, ordered by value and start, both of which are spelled in order. */
function inlineRow(entry: Uint8Array): Row {
  const [value, start] = items(entry);
  return leafRow(keyOf(joined([body(value ?? entry), start ?? entry])), entry);
}

/** The rows of a page. */
function pageRows(type: ScalarType, page: Uint8Array, modality: string, level: number): Row[] {
  const { entries } = call((core) => core.decodeScalarPage(page, modality, type, BigInt(level)));
  const utf8 = new TextEncoder();
  return itemsUnder(page, "entries").map((entry, at) => {
    if (entries !== undefined) return leafRow(keyOf(entries.texts === undefined ? keyOfWord(type, entries.words?.[at] ?? 0n) : utf8.encode(entries.texts[at])), entry);
    const [low = entry, high = entry] = items(entry);
    return { low: keyOf(body(low)), high: keyOf(body(high)), entry };
  });
}

/** From the first anchor to the last. */
function extentOf(anchors: readonly bigint[]): [first: bigint, last: bigint] {
  const sorted = BigUint64Array.from(anchors).sort();
  const repeated = sorted.find((anchor, at) => sorted[at + 1] === anchor);
  if (repeated !== undefined) {
    throw new DreamDbError("RepeatedAnchor", `two rows of one scalar column cannot be at one anchor, ${repeated}`, { subject: String(repeated), anchor: repeated });
  }
  const [first = 0n, last = 0n] = [sorted[0], sorted.at(-1)];
  if (last === MAX_U64) throw new DreamDbError("InvalidArgument", "no row can be at anchor 2^64 − 1: its extent could not end", { anchor: last });
  return [first, last];
}
