/**
 * Item types: the documents that declare what every Item of a typed-array Track is (0025 §3, §11), as plain objects.
 *
 * All rules are the core's; this file gives them types and the spelling of JavaScript. Extents are `bigint`, as they are u64 on the wire
 * and take part in the identity; what a read returns has a shape of numbers.
 */
import { call } from "../wasm.js";
import { DreamDbError } from "../errors.js";
import type { CoreItemType } from "../../pkg/dreamdb_arrays.js";
import { bytesArgument, extentsArgument, isBytes, kindOf, refused, textArgument } from "./arguments.js";
import type { DType } from "./dtype.js";
import type { U64 } from "./integers.js";

/** What the numbers mean: free text, compared byte for byte (0025 §3). `none` where nothing is said. */
export interface Semantics {
  /** What they are, such as `pose`. */
  readonly semanticType: string;
  /** In which units, such as `m`. */
  readonly units: string;
  /** In which frame of reference, such as `camera`. */
  readonly frame: string;
  /** What the axes are, such as `row,column`. */
  readonly axisOrder: string;
}

interface CommonType<D extends DType> extends Semantics {
  /** Of the family. */
  readonly version: 1;
  /** Of the elements. */
  readonly dtype: D;
  /** Byte order of the stored elements; offsets are big-endian always. */
  readonly endianness: "little" | "big";
  /** Of the codec. */
  readonly codecVersion: 1;
}

/** `dense-array` version 1: one shape for every Item (0025 §3). */
export interface DenseType<D extends DType = DType> extends CommonType<D> {
  /** Name of the family. */
  readonly family: "dense-array";
  /** Extents; empty for a scalar. */
  readonly shape: readonly bigint[];
  /** Order of the elements: `c` last axis fastest, `f` first axis fastest. */
  readonly layout: "c" | "f";
  /** How a payload holds them: the elements alone, or a NumPy file. */
  readonly codec: "raw" | "npy";
}

/** `ragged-array` version 1: rows of varying numbers of cells (0025 §11.1). */
export interface RaggedType<D extends DType = DType> extends CommonType<D> {
  /** Name of the family. */
  readonly family: "ragged-array";
  /** Extents of one cell; empty if a cell is one scalar. */
  readonly innerShape: readonly bigint[];
  /** Order of the elements of a cell. */
  readonly layout: "c";
  /** How a payload holds them. */
  readonly codec: "offsets-values";
}

/** `sparse-csr` version 1: a matrix in compressed sparse rows (0025 §11.2). */
export interface CsrType<D extends DType = DType> extends CommonType<D> {
  /** Name of the family. */
  readonly family: "sparse-csr";
  /** Rows and columns. */
  readonly shape: readonly [rows: bigint, columns: bigint];
  /** Order of the stored elements. */
  readonly layout: "c";
  /** How a payload holds them. */
  readonly codec: "raw";
  /** Of offsets and column indices. */
  readonly indexDtype: "u64";
}

/** A declared item type of any family. */
export type ItemType<D extends DType = DType> = DenseType<D> | RaggedType<D> | CsrType<D>;

/** Name of a family. */
export type Family = ItemType["family"];

/** What the anchors of a Track mean (0025 §4). */
export type TrackKind = "event" | "continuous" | "constant";

/** What {@link encodeItemType} takes: a type in which all that has a usual value may be left out. */
export interface ItemTypeInit extends Readonly<{ [Text in keyof Semantics]?: Semantics[Text] | undefined }> {
  /** `dense-array` unless said otherwise. */
  readonly family?: Family | undefined;
  /** Of the elements. */
  readonly dtype: DType;
  /** Extents of a dense or CSR type. */
  readonly shape?: readonly U64[] | undefined;
  /** Extents of a ragged type's cell. */
  readonly innerShape?: readonly U64[] | undefined;
  /** `little` unless said otherwise. */
  readonly endianness?: "little" | "big" | undefined;
  /** `c` unless said otherwise. */
  readonly layout?: "c" | "f" | undefined;
  /** The family's own unless said otherwise; `raw` of dense types. */
  readonly codec?: "raw" | "npy" | "offsets-values" | undefined;
}

/**
 * Canonical CBOR of an item type: what its identity hashes.
 *
 * Left out, the family is `dense-array`, the byte order `little`, the layout `c`, the codec the family's own (`raw` for dense) and each
 * text `none`, as the reference's writer has it.
 *
 * Keys that the family does not have are refused, not dropped.
 *
 * @throws {DreamDbError} the code of the first fault, as {@link decodeItemType}; `InvalidArgument` for extents that are no u64, texts
 * that are no text, and texts with half a surrogate pair, which would share one identity
 */
export function encodeItemType(init: ItemTypeInit): Uint8Array {
  if (typeof init !== "object" || init === null) throw refused("type", "its canonical CBOR as a Uint8Array, or an object", kindOf(init));
  const { family = "dense-array", dtype, endianness = "little", layout = "c" } = init;
  const { semanticType = "none", units = "none", frame = "none", axisOrder = "none" } = init;
  const ragged = family === "ragged-array";
  const given = ragged ? init.innerShape : init.shape;
  if (given === undefined) {
    const key = ragged ? "innerShape" : "shape";
    throw new DreamDbError("InvalidArgument", `an item type of family ${family} needs \`${key}\``, { subject: key });
  }
  const extents = BigUint64Array.from(extentsArgument(ragged ? "innerShape" : "shape", given));
  const { codec = ragged ? "offsets-values" : "raw" } = init;
  for (const [key, text] of Object.entries({ family, dtype, endianness, layout, codec, semanticType, units, frame, axisOrder })) {
    textArgument(key, text);
  }
  refuseOthers(init, ragged ? "innerShape" : "shape", family);
  return call((core) =>
    core.encodeItemType(family, dtype, extents, endianness, layout, codec, semanticType, units, frame, axisOrder),
  );
}

/** What a type of every family may say, and what the families that say more have besides. */
const KEYS = ["family", "dtype", "endianness", "layout", "codec", "semanticType", "units", "frame", "axisOrder"];
const CONSTANT_KEYS: Readonly<Record<string, unknown>> = { version: 1, codecVersion: 1, indexDtype: "u64" };

/** Refuse what would be dropped: a misspelt key, or another version, would otherwise get the identity of a type that lacks it. */
function refuseOthers(init: ItemTypeInit, extents: "shape" | "innerShape", family: string): void {
  for (const [key, value] of Object.entries(init)) {
    if (value === undefined || key === extents || KEYS.includes(key)) continue;
    const own = Object.hasOwn(CONSTANT_KEYS, key) && (key !== "indexDtype" || family === "sparse-csr");
    if (own && value === CONSTANT_KEYS[key]) continue;
    const message = own ? `\`${key}\` must be ${String(CONSTANT_KEYS[key])}` : `an item type of family ${family} has no \`${key}\``;
    throw new DreamDbError(own ? "InvalidValue" : "UnknownField", message, { subject: key });
  }
}

/**
 * The type that canonical CBOR bytes declare.
 *
 * @throws {DreamDbError} `NotAMap`, `NonStringKey`, `DuplicateField`, `MissingField`, `UnknownField`, `FieldType`, `InvalidValue`,
 * `UnsupportedDtype`, `ShapeOverflow`; `Cbor` for bytes that are not CBOR or not the canonical encoding; `InvalidArgument` for anything
 * but a Uint8Array
 */
export function decodeItemType(cbor: Uint8Array): ItemType {
  bytesArgument("cbor", cbor);
  return itemTypeOf(call((core) => core.decodeItemType(cbor)));
}

/**
 * Identity of a type: the address of its canonical CBOR, 53 characters of base32 (0025 §3.1).
 *
 * @throws {DreamDbError} as {@link decodeItemType} or {@link encodeItemType}
 */
export function itemTypeId(type: Uint8Array | ItemTypeInit): string {
  const cbor = cborOf(type);
  return call((core) => core.itemTypeId(cbor));
}

/**
 * The modality tag of a type on Tracks of a kind (0025 §4).
 *
 * @throws {DreamDbError} as {@link itemTypeId}; `InvalidModality` for a tag over 256 bytes; `InvalidArgument` for an unknown kind
 */
export function modalityOf(type: Uint8Array | ItemTypeInit, kind: TrackKind): string {
  const cbor = cborOf(type);
  textArgument("kind", kind);
  return call((core) => core.modalityOf(cbor, kind));
}

/**
 * Check that a tag names a type, by projection and identity, and give the Track kind it stands for (0025 §3.2, §4).
 *
 * @throws {DreamDbError} the grammar's codes; `InvalidModality`, `InvalidParameters`, `ProjectionMismatch`, `Multihash`,
 * `IdentityMismatch`, `InvalidKindStorage`; as {@link itemTypeId}
 */
export function bindModality(tag: string, type: Uint8Array | ItemTypeInit): TrackKind {
  textArgument("tag", tag);
  const cbor = cborOf(type);
  return call((core) => core.bindModality(tag, cbor)) as TrackKind;
}

/** What a modality tag says, as far as its grammar goes. */
export interface ParsedModality {
  /** The class: `array`, `image`, … */
  readonly class: string;
  /** The segment after the class; an array's dtype, an image's format. */
  readonly encoding: string;
  /** Whether it is a typed-array tag. */
  readonly array: boolean;
  /** Kind of Track; absent for classes that this package does not read. */
  readonly trackKind?: TrackKind;
  /** Storage as an array's tag spells it, `time_batch` for one. */
  readonly storage?: string;
  /** The same as an `ObjectKind` spells it, `time-batch` for one (0025 §4.0). */
  readonly objectKind?: string;
}

/**
 * Check a tag's grammar.
 *
 * @throws {DreamDbError} `EmptyModality`, `ModalityTooLong`, `EmptySegment`, `MissingEncoding`, `InvalidSegment`,
 * `InvalidParameterValue`, `EmptyParameterKey`, `AmbiguousNamespace`, `UserDefinedRequiresReverseDns`, `ReservedClass`;
 * `UnresolvedModality` for an array tag without a known kind and storage; `InvalidArgument` for anything but a string
 */
export function parseModality(tag: string): ParsedModality {
  textArgument("tag", tag);
  return call((core) => core.parseModality(tag)) as ParsedModality;
}

/** Canonical CBOR of a type given either way. */
export function cborOf(type: Uint8Array | ItemTypeInit): Uint8Array {
  return isBytes(type) ? bytesArgument("type", type) : encodeItemType(type);
}

/** The core's object under its public type: same keys, literal types. */
export function itemTypeOf(type: CoreItemType): ItemType {
  return type as ItemType;
}
