/**
 * Fields that a manifest gets, as the wire has them: modality, schema entry, and what describes the index of a scalar column. Their tags are made and judged
 * by the core. What callers may declare is declare.ts's matter.
 */
import { refused } from "../../codec/arguments.js";
import { modalityOf, parseModality, type TrackKind } from "../../codec/item-type.js";
import type { ScalarType } from "../../dataset/scalar-values.js";
import { DreamDbError } from "../../errors.js";
import { bool, type Item, map, text, uint, type Values } from "../cbor.js";
import { SCALAR_TYPES, scalarTag, treeAlgorithm } from "./scalar-types.js";

/** A field that a manifest is to have. */
export interface NewField {
  readonly name: string;
  /** Kind of its Track. */
  readonly kind: TrackKind;
  /** Modality of its Track. */
  readonly modality: string;
  /** Its entry of the schema. */
  readonly schema: Item;
  /** The type of its Items, if they are arrays. */
  readonly itemType?: Item;
  /** What describes its index, an object to be stored, if it is a scalar column. */
  readonly descriptor?: Uint8Array;
}

/** Most Items that a field may ask to be packed together: the reference reserves room for as many with every append. */
const MOST_PACK_ITEMS = 1n << 20n;

/**
 * A field of arrays (0025 §2), of a type that `encodeItemType` gave. A Constant belongs to no row, and is not to be required of any.
 *
 * @throws {DreamDbError} `InvalidModality` if the tag would be too long
 */
export function arrayField(name: string, required: boolean, kind: TrackKind, itemType: Item): NewField {
  const modality = modalityOf(itemType, kind);
  const { objectKind = "" } = parseModality(modality);
  return { ...field("array", name, required, modality, { item_type: itemType, track_kind: text(kind), object_kind: text(objectKind) }), itemType };
}

/**
 * A field of media (0022 §4). Fewer than two `packItems` mean no packs; with a `chunkSize`, in bytes, every Item is cut, and none packed.
 *
 * @throws {DreamDbError} those of `parseModality` for the tag; `InvalidSegment` for a capital letter, which tags may have; `InvalidArgument` for a
 * `chunkSize` of 0 or more than 2^20 `packItems`
 */
export function mediaField(name: string, required: boolean, media: string, mime: string, packItems?: bigint, chunkSize?: bigint): NewField {
  const optional = (value: bigint | undefined): Item | undefined => (value === undefined ? undefined : uint(value));
  const made = field(media, name, required, `${media}.${mime}`, { mime: text(mime), chunk_size: optional(chunkSize), pack_items: optional(packItems) });
  if (/[A-Z]/.test(mime)) throw new DreamDbError("InvalidSegment", "the paths of its objects hold `mime`, and have no capital letters", { subject: "mime" });
  if (packItems !== undefined && packItems > MOST_PACK_ITEMS) throw refused("packItems", "at most 2^20: larger packs exhaust the memory of other writers", packItems);
  if (chunkSize === 0n) throw refused("chunkSize", "at least one byte", chunkSize);
  return made;
}

/**
 * A scalar column.
 *
 * @throws {DreamDbError} `InvalidSegment` for a name that has more than small letters, digits and `_`, since paths of its objects hold it;
 * `InvalidArgument` for another type of values; `ModalityTooLong`
 */
export function scalarField(name: string, required: boolean, type: string): NewField {
  if (!/^[a-z0-9_]*$/.test(name)) throw new DreamDbError("InvalidSegment", "names of scalar columns have only a-z, 0-9 and _", { subject: name });
  if (!isScalarType(type)) throw refused("type", `one of ${SCALAR_TYPES.join(", ")}`, type);
  const algorithm = treeAlgorithm(type);
  const descriptor = map({
    metric: text(algorithm === undefined ? "categorical" : "ordinal"),
    params: map({ version: uint(1), ...(algorithm === undefined ? { cardinality_limit: uint(65_536) } : { leaf_fanout: uint(4096), internal_fanout: uint(256) }) }),
    algorithm: text(algorithm ?? "dreamdb.bitmap-categorical"),
    field_name: text(name),
  });
  return { ...field("scalar", name, required, scalarTag(type, name), { value_type: text(type) }), descriptor };
}

const isScalarType = (type: string): type is ScalarType => SCALAR_TYPES.includes(type);

/** A field of any kind; its tag is judged here. */
function field(kind: string, name: string, required: boolean, modality: string, more: Values): NewField {
  const { trackKind = "event" } = parseModality(modality);
  return { name, kind: trackKind, modality, schema: map({ kind: text(kind), name: text(name), required: bool(required), ...more }) };
}
