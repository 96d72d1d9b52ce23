/**
 * Tracks of scalar columns with new rows: a pack of records, one for each value, and an index entry of each. Entries of categories and truth values stand in
 * the Track, those of other types in a tree.
 *
 * What is read is decoded as readers decode it, and only then taken apart; how columns are declared is the matter of manifests/fields.ts.
 */
import type { CoreBinding } from "../../../pkg/dreamdb_arrays.js";
import type { ScalarPage } from "../../dataset/scalars/index-objects.js";
import type { ScalarType } from "../../dataset/scalar-values.js";
import { body, bytes, head, items, itemsUnder, joined, map, text, uint } from "../cbor.js";
import type { Host } from "./host.js";
import { recordOf } from "./record.js";
import { keyOf, order, type ReadPage, type Row, Tree } from "./tree.js";
import { encodeValue, keyOfWord, wordOf } from "./values.js";

/** What is to be stored: the pack before all that points to it. */
export interface GrownScalars {
  readonly pack: Uint8Array;
  readonly pages: readonly { readonly address: string; readonly object: Uint8Array }[];
  readonly track: Uint8Array;
  readonly start: bigint;
  readonly end: bigint;
}

const MAX_U64 = (1n << 64n) - 1n;

/**
 * A Track with new rows. Costs the Track, and of a tree the pages in which the entries come to stand.
 *
 * What the column has at these anchors already is not looked at: of several values at one the greatest is read, as with the reference.
 *
 * @throws {DreamDbError} `RepeatedAnchor` for two new rows at one anchor; `InvalidArgument` for the anchor 2^64 − 1 and as `encodeValue`; the codes of the
 * index, the store's
 */
export async function appendedScalars(
  host: Host,
  type: ScalarType,
  binding: CoreBinding,
  anchors: readonly bigint[],
  values: readonly unknown[],
): Promise<GrownScalars> {
  const { modality, timeline, start: from, end: to } = binding;
  const [first, last] = extentOf(anchors, host);
  const { pack, records } = recordsOf(type, anchors, values, host);
  const added = rowsOf(type, records, host.addressBytesOf(host.addressOf(pack)), host);
  const object = await host.track();
  const root = host.call((core) => host.decodeScalarTrack(core, object, binding, type));
  const isEmpty = root.entries?.starts.length === 0;
  const start = isEmpty || first < from ? first : from;
  const end = isEmpty || last >= to ? last + 1n : to;

  let index: Uint8Array;
  let pages: GrownScalars["pages"] = [];
  if (host.algorithm === undefined) {
    const rows = [...itemsUnder(object, "object_index").map(inlineRow), ...added].sort((a, b) => order(a.low, b.low));
    index = joined([head(4, rows.length), ...rows.map(({ entry }) => entry)]);
  } else {
    const read: ReadPage = async (address, level) => {
      const page = await host.page(address);
      return pageRows(type, page, host.call((core) => host.decodeScalarPage(core, page, modality, type, BigInt(level))));
    };
    const tree = new Tree(host, host.algorithm, read);
    const grown = await tree.grow(root.entries === undefined ? root : undefined, added);
    index = map({
      form: text("scalar-btree-v1"),
      root: bytes(host.addressBytesOf(grown.root)),
      page_count: uint(grown.pages),
      tree_height: uint(grown.height),
      total_entries: uint(grown.total),
    });
    pages = tree.made;
  }
  const coverage = joined([head(4, 2), uint(start), uint(end)]);
  const track = map({ coverage, modality: text(modality), timeline: bytes(host.addressBytesOf(timeline)), object_index: index });
  return { pack, pages, track, start, end };
}

/** The records of one value. */
interface ValueRecord {
  readonly value: Uint8Array;
  /** The value as it was given. */
  readonly given: unknown;
  readonly anchors: readonly bigint[];
  readonly offset: number;
  readonly length: number;
}

/** A pack of the records of all values, ascending by their encodings. */
function recordsOf(type: ScalarType, anchors: readonly bigint[], values: readonly unknown[], host: Host): { pack: Uint8Array; records: ValueRecord[] } {
  const byValue = new Map<string, { value: Uint8Array; given: unknown; anchors: bigint[] }>();
  for (const [at, given] of values.entries()) {
    const value = encodeValue(type, given, host);
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
function rowsOf(type: ScalarType, records: readonly ValueRecord[], pack: Uint8Array, { algorithm }: Host): Row[] {
  return records.map(({ value, given, anchors, offset, length }) => {
    const ends = [uint(anchors[0] ?? 0n), uint((anchors.at(-1) ?? 0n) + 1n)];
    const entry = joined([head(4, 6), bytes(value), ...ends, bytes(pack), uint(offset), uint(length)]);
    return algorithm === undefined ? inlineRow(entry) : leafRow(keyOf(type === "string" ? body(value) : keyOfWord(type, wordOf(type, given))), entry);
  });
}

const leafRow = (key: string, entry: Uint8Array): Row => ({ low: key, high: key, entry });

/** An entry that stands in a Track, ordered by value and start, both of which are spelled in order. */
function inlineRow(entry: Uint8Array): Row {
  const [value, start] = items(entry);
  return leafRow(keyOf(joined([body(value ?? entry), start ?? entry])), entry);
}

/** The rows of a page. */
function pageRows(type: ScalarType, page: Uint8Array, { entries }: ScalarPage): Row[] {
  const utf8 = new TextEncoder();
  return itemsUnder(page, "entries").map((entry, at) => {
    if (entries !== undefined) return leafRow(keyOf(entries.texts === undefined ? keyOfWord(type, entries.words?.[at] ?? 0n) : utf8.encode(entries.texts[at])), entry);
    const [low = entry, high = entry] = items(entry);
    return { low: keyOf(body(low)), high: keyOf(body(high)), entry };
  });
}

/** From the first anchor to the last. */
function extentOf(anchors: readonly bigint[], { Refusal }: Host): [first: bigint, last: bigint] {
  const sorted = BigUint64Array.from(anchors).sort();
  const repeated = sorted.find((anchor, at) => sorted[at + 1] === anchor);
  if (repeated !== undefined) {
    throw new Refusal("RepeatedAnchor", `two rows of one scalar column cannot be at one anchor, ${repeated}`, { subject: String(repeated), anchor: repeated });
  }
  const [first = 0n, last = 0n] = [sorted[0], sorted.at(-1)];
  if (last === MAX_U64) throw new Refusal("InvalidArgument", "no row can be at anchor 2^64 − 1: its extent could not end", { anchor: last });
  return [first, last];
}
