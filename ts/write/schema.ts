/**
 * Schemas: the fields that a dataset is to have, as a writer declares them. What a declaration comes to on the wire is declare.ts's matter.
 *
 * Nothing is filled in that decides how Items are read: dtype, shape, byte order and codec are said, or the usual ones that `codec.encodeItemType`
 * names. A field without `required: false` must have a value in every row, as with the reference.
 */
import { refused, textArgument } from "../codec/arguments.js";
import type { U64 } from "../codec/integers.js";
import type { ItemTypeInit } from "../codec/item-type.js";
import type { ScalarType } from "../dataset/scalar-values.js";

interface CommonDeclaration {
  /** Whether every row must have a value; `true` unless said otherwise. */
  readonly required?: boolean | undefined;
}

/** A field of typed arrays of any family (0025). */
export interface ArrayDeclaration extends CommonDeclaration, ItemTypeInit {
  /** Tells it from other fields. */
  readonly kind: "array";
  /** What its anchors mean; `event` unless said otherwise. */
  readonly trackKind?: "event" | "continuous" | undefined;
}

/** A field of images, audio or video. */
export interface MediaDeclaration extends CommonDeclaration {
  /** Which media they are. */
  readonly kind: "image" | "audio" | "video";
  /** Media subtype as the tag spells it: `png`, `jpeg`, segments of `[a-z0-9_]`. */
  readonly mime: string;
  /** Items that share an object, at most (0022 §4); each has its own unless said otherwise. */
  readonly packItems?: U64 | undefined;
  /** Bytes of the chunks into which each Item is cut; goes before `packItems`. */
  readonly chunkSize?: U64 | undefined;
}

/** A scalar column: labels, truth values, numbers, texts or times. */
export interface ScalarDeclaration extends CommonDeclaration {
  /** Tells it from other fields. */
  readonly kind: "scalar";
  /** Type of the values: `categorical` for texts of which there are few, `string` for others; integers and times are i64. */
  readonly type: ScalarType;
}

/** What a field is to hold. */
export type FieldDeclaration = ArrayDeclaration | MediaDeclaration | ScalarDeclaration;

/** An array field's declaration without what its method of {@link Schema} says. */
type Declared<T extends CommonDeclaration> = Omit<T, "kind" | "family">;

/** The fields of a dataset that is to be made. */
export class Schema {
  readonly #fields = new Map<string, FieldDeclaration>();

  /** @throws {DreamDbError} `InvalidArgument` */
  constructor(fields: Readonly<Record<string, FieldDeclaration>> = {}) {
    if (typeof fields !== "object" || fields === null) throw refused("fields", "declarations", fields);
    for (const [name, declaration] of Object.entries(fields)) this.field(name, declaration);
  }

  /** The fields, by name. */
  get fields(): ReadonlyMap<string, FieldDeclaration> {
    return this.#fields;
  }

  /**
   * Adds a field of any kind. What its type declares is checked when a dataset is made.
   *
   * @throws {DreamDbError} `InvalidArgument` for a name that is there already, and for no declaration
   */
  field(name: string, declaration: FieldDeclaration): this {
    textArgument("name", name);
    if (typeof declaration !== "object" || declaration === null) throw refused(`fields.${name}`, "a declaration", declaration);
    if (this.#fields.has(name)) throw refused("name", "that of no other field", JSON.stringify(name));
    this.#fields.set(name, { ...declaration });
    return this;
  }

  /** Adds a field of dense arrays: `{ dtype, shape, … }`. As {@link field}. */
  array(name: string, type: Declared<ArrayDeclaration>): this {
    return this.field(name, { ...type, kind: "array", family: "dense-array" });
  }

  /** Adds a field of ragged arrays: `{ dtype, innerShape, … }`. As {@link field}. */
  ragged(name: string, type: Declared<ArrayDeclaration>): this {
    return this.field(name, { ...type, kind: "array", family: "ragged-array" });
  }

  /** Adds a field of sparse matrices: `{ dtype, shape, … }`. As {@link field}. */
  csr(name: string, type: Declared<ArrayDeclaration>): this {
    return this.field(name, { ...type, kind: "array", family: "sparse-csr" });
  }

  /** Adds a scalar column: `{ type }`. Its name has nothing but `[a-z0-9_]`, as keys of its objects hold it. As {@link field}. */
  scalar(name: string, scalar: Declared<ScalarDeclaration>): this {
    return this.field(name, { ...scalar, kind: "scalar" });
  }

  /** Adds a field of images. As {@link field}. */
  image(name: string, media: Declared<MediaDeclaration>): this {
    return this.field(name, { ...media, kind: "image" });
  }

  /** Adds a field of audio. As {@link field}. */
  audio(name: string, media: Declared<MediaDeclaration>): this {
    return this.field(name, { ...media, kind: "audio" });
  }

  /** Adds a field of video. As {@link field}. */
  video(name: string, media: Declared<MediaDeclaration>): this {
    return this.field(name, { ...media, kind: "video" });
  }
}
