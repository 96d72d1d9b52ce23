/** What a manifest says of each field: everything declared, nothing guessed. How that is made of a manifest is bound-fields.ts's matter. */
import type { ItemType, TrackKind } from "../codec/item-type.js";
import type { ScalarType } from "./scalar-values.js";

const SCALAR_TYPES: ReadonlySet<string> = new Set<ScalarType>(["categorical", "bool", "int", "float", "string", "timestamp"]);

/** What is said of every field. */
export interface CommonInfo {
  /** Name of the field. */
  readonly name: string;
  /** Whether every row must have a value; absent where the schema does not say. */
  readonly required?: boolean;
  /** Modality tag of the field's Track. */
  readonly modality: string;
  /** Kind of the field's Track. */
  readonly trackKind: TrackKind;
  /** Extent of the anchors, half-open. A field that was never written says [0, 1), a Constant [0, 2^64 − 1). */
  readonly coverage: {
    /** The first anchor. */
    readonly start: bigint;
    /** The anchor after the last. */
    readonly end: bigint;
  };
}

/** A field of typed arrays (0025). */
export interface ArrayFieldInfo<T extends ItemType = ItemType> extends CommonInfo {
  /** Tells it from other fields. */
  readonly kind: "array";
  /** Family of the type. */
  readonly family: T["family"];
  /** Of the elements. */
  readonly dtype: T["dtype"];
  /** Extents of a dense or CSR field. */
  readonly shape?: readonly bigint[];
  /** Extents of a ragged field's cell. */
  readonly innerShape?: readonly bigint[];
  /** The whole declared type. */
  readonly type: T;
  /** Canonical CBOR of the type: a copy at each access. */
  readonly typeCbor: Uint8Array;
  /** Identity of the type: the address of its canonical CBOR. */
  readonly itemId: string;
  /** How Items are stored, by its wire name. */
  readonly objectKind: "unbucketed" | "time-batch" | "constant";
}

/** A field of images, audio or video: opaque bytes of a declared type (0022). */
export interface MediaFieldInfo extends CommonInfo {
  /** Which media they are. */
  readonly kind: "image" | "audio" | "video";
  /** Media subtype as the schema spells it, for example `png`. */
  readonly mime: string;
  /** Items per pack, if the writer packs. */
  readonly packItems?: bigint;
  /** Bytes per chunk, if the writer chunks. */
  readonly chunkSize?: bigint;
}

/** A field with one text for the whole dataset, such as `title.text`. */
export interface TextConstantInfo extends CommonInfo {
  /** Tells it from other fields. */
  readonly kind: "constant";
}

/** A field of scalar values. */
export interface ScalarFieldInfo<T extends ScalarType = ScalarType> extends CommonInfo {
  /** Tells it from other fields. */
  readonly kind: "scalar";
  /** Type of the values. */
  readonly valueType: T;
}

/** A field of a kind that can be listed but not read. */
export interface OtherFieldInfo extends CommonInfo {
  /** Another kind of the schema. */
  readonly kind: string & {};
}

/** What a manifest says of a field. */
export type FieldInfo = ArrayFieldInfo | MediaFieldInfo | ScalarFieldInfo | TextConstantInfo | OtherFieldInfo;

/** Whether a field holds typed arrays. */
export function isArrayField(info: FieldInfo): info is ArrayFieldInfo {
  return info.kind === "array";
}

/** Whether a field holds media. */
export function isMediaField(info: FieldInfo): info is MediaFieldInfo {
  return info.kind === "image" || info.kind === "audio" || info.kind === "video";
}

/** Whether an array field's Items are of a family. */
export function isFamily<F extends ItemType["family"]>(info: ArrayFieldInfo, family: F): info is ArrayFieldInfo<Extract<ItemType, { family: F }>> {
  return info.family === family;
}

/** Whether a field holds scalar values of a type that this version knows. */
export function isScalarField(info: FieldInfo): info is ScalarFieldInfo {
  return info.kind === "scalar" && "valueType" in info && SCALAR_TYPES.has(info.valueType);
}
