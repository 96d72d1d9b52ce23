/** Track Objects as a writer emits them, and how they get more entries: in the object itself, or in pages where their array would take more than 1 MiB. */
import type { CoreBinding } from "../../../pkg/dreamdb_arrays.js";
import { addressBytesOf } from "../../codec/hash.js";
import { placeOf } from "../../dataset/keys.js";
import { DreamDbError } from "../../errors.js";
import { call } from "../../wasm.js";
import { bytes, type Item, list, map, placeUnder, text, uint } from "../cbor.js";
import type { NewEntries } from "../store-items.js";
import { arrayBytes, encoded, newRows, readRows } from "./encoding.js";
import { merged, type Pool, reach, refuseRepeats, type Rows, sorted, startOf } from "./rows.js";
import { type IndexOptions, type Root, Tree } from "./tree.js";

/** Bytes that the array of entries may take in a Track; one that would take more goes into pages. */
const INLINE_BYTES = 1 << 20;

/** A Track with new entries. */
export interface GrownTrack {
  readonly track: Uint8Array;
  readonly start: bigint;
  readonly end: bigint;
  /** Pages that are new, each behind those that it lists. */
  readonly pages: Tree["made"];
}

/** A Track Object. */
export function trackObject(modality: string, timeline: string, [start, end]: readonly [bigint, bigint], index: Item): Uint8Array {
  const coverage = list([uint(start), uint(end)]);
  return map({ coverage, modality: text(modality), timeline: bytes(addressBytesOf(timeline)), object_index: index });
}

/**
 * A Track with more entries. The coverage of an index that is no tree is that of its entries, whatever the Track said; that of a tree is widened. Elements of
 * entries that this version does not know are kept. Costs O(n log n) for n entries of such an index, or of the pages on the way.
 *
 * @param track the Track Object that the binding names
 * @param read reads a page of its index; none is asked for twice
 * @throws {DreamDbError} `RepeatedAnchor` of array Items; `InvalidArgument` for columns of different lengths, an unknown form, or the anchor 2^64 − 1;
 * `UnsupportedIndex` for a Track to which no Items are added; the codes of Tracks and pages; those of `read`
 */
export async function grownTrack(binding: CoreBinding, track: Uint8Array, entries: NewEntries, read: IndexOptions["read"]): Promise<GrownTrack> {
  const { modality, timeline, start, end } = binding;
  const { array: isArray, trackKind } = call((core) => core.parseModality(modality));
  const isEvent = isArray && trackKind === "event";
  if (!isEvent && trackKind !== "continuous") {
    throw new DreamDbError("UnsupportedIndex", `a Track of modality \`${modality}\` gets no Items by anchors`, { subject: modality });
  }
  const index = call((core) => core.decodeTrack(track, modality, timeline, start, end));
  const pool: Pool = [];
  const added = sorted(newRows(entries, pool, isArray, isEvent));
  if (isArray) refuseRepeats(added);
  const of = { modality, place: placeOf(binding), isArray, isEvent, pool, read };
  const grown = (coverage: readonly [bigint, bigint], item: Item, pages: GrownTrack["pages"] = []): GrownTrack => {
    return { track: trackObject(modality, timeline, coverage, item), start: coverage[0], end: coverage[1], pages };
  };
  if (index.form === "paged") {
    if (added.byteLength === 0) return grown([start, end], treeItem(index));
    const tree = new Tree(of, index);
    const root = await tree.grow(added);
    const [first, last] = extentOf(added);
    const isWider = index.items > 0n;
    return grown([isWider && start < first ? start : first, isWider && end > last ? end : last], treeItem(root), tree.made);
  }
  const rows = merged(readRows(track, placeUnder(track, "object_index") ?? 0, pool, isEvent), added, isArray);
  const coverage = rows.byteLength === 0 ? ([start, end] as const) : extentOf(rows);
  const size = arrayBytes(rows, isEvent, INLINE_BYTES);
  if (size <= INLINE_BYTES) return grown(coverage, encoded(rows, pool, isEvent, size));
  const tree = new Tree(of);
  return grown(coverage, treeItem(tree.build(rows)), tree.made);
}

/** From the start of the first row to the end of all. */
const extentOf = (rows: Rows): readonly [bigint, bigint] => [startOf(rows), reach(rows)];

/** What stands in a Track in place of entries. */
function treeItem({ root, fanout, pages, items, height }: Root): Item {
  return map({
    form: text("paged"),
    root: bytes(addressBytesOf(root)),
    fanout: uint(fanout),
    page_count: uint(pages),
    total_items: uint(items),
    tree_height: uint(height),
  });
}
