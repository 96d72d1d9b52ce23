/** Datasets: one version of one, as its manifest says it, and the doors to its fields. */
import type { CoreManifest } from "../../pkg/dreamdb_arrays.js";
import { kindOf } from "../codec/arguments.js";
import type { DType } from "../codec/dtype.js";
import type { U64 } from "../codec/integers.js";
import type { Family } from "../codec/item-type.js";
import { checkPayload } from "../codec/payload.js";
import type { ArrayValue, DenseArray } from "../codec/values.js";
import { DreamDbError } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import type { Stats } from "../io/stats.js";
import { ArrayField, type Item } from "./array-field.js";
import { type Audit, auditField, type AuditOptions, type FieldAudit, summed } from "./audit.js";
import { auditPlan, type Judge } from "./audit-plan.js";
import { type BoundField, boundFields } from "./bound-fields.js";
import type { ColumnOf } from "./column/columns.js";
import type { MediaColumn } from "./column/media.js";
import { decodeText, type TextConstant, TextConstantField } from "./constant-field.js";
import { CsrField } from "./csr-field.js";
import type { FieldAccess, ItemReadOptions } from "./field.js";
import { type ArrayFieldInfo, type FieldInfo, isArrayField, isMediaField, isScalarField, type TextConstantInfo } from "./fields.js";
import { type FieldAnchors, type Readable, readMany } from "./many.js";
import { MediaField, type MediaItem } from "./media-field.js";
import { checkNarrow, type Narrow, type ShapeOf } from "./narrow.js";
import type { Outcome } from "./outcome.js";
import { addPlans, emptyPlan, type ReadPlan } from "./plan.js";
import { type Batch, batchesOfRows, type OpenCursors, type Row, type RowOptions, rowsOf } from "./rows.js";
import { RaggedField } from "./ragged-field.js";
import { ScalarField } from "./scalar-field.js";
import type { ScalarColumn, ScalarType, ScalarValues } from "./scalar-values.js";
import { Tombstones } from "./tombstones.js";
import { Track } from "./track.js";
import { windowOf, type WindowOptions } from "./window.js";

/** What a manifest says of itself. */
export interface ManifestInfo {
  /** Its address: the root of trust of everything read from it. */
  readonly address: string;
  /** When it was written, in nanoseconds since the epoch. */
  readonly timestamp: bigint;
  /** Who wrote it: free text. */
  readonly writer: string;
  /** Addresses of the versions that it follows. */
  readonly parents: readonly string[];
  /** Addresses of its timelines. */
  readonly timelines: readonly string[];
  /** Form of its `tracks` container. */
  readonly tracksForm: string;
  /** Whether rows were deleted from it. */
  readonly deletions: boolean;
  /** Text entries of its registry, such as `dreamdb.description`. */
  readonly notes: ReadonlyMap<string, string>;
}

/** What a field with anchors has at one of them. */
export type ItemValue = Item<ArrayValue> | MediaItem | ScalarValues[ScalarType];

/** The column of a field of any kind. */
export type FieldColumn = ColumnOf<ArrayValue> | MediaColumn | ScalarColumn;

/** A Constant: a typed array's value, or a text. */
export interface ConstantField<V> {
  /** What is declared of it. */
  readonly info: FieldInfo;
  /** Its name. */
  readonly name: string;
  /** The value; `undefined` for a text that was declared and never written. */
  read(options?: ItemReadOptions): Promise<V | undefined>;
}

/** One version of a dataset. It never changes; opening the Ref again gives the newest one. */
export class Dataset {
  /** What its manifest says of itself. */
  readonly manifest: ManifestInfo;
  /** Address of the timeline on which the anchors lie. */
  readonly timeline: string;
  /** Every field with what is declared of it, in the schema's order. */
  readonly fields: readonly FieldInfo[];
  readonly #objects: ObjectReader;
  readonly #bound: ReadonlyMap<string, BoundField>;
  readonly #tombstones: Tombstones;
  readonly #tracks = new Map<string, Track>();
  /** Kept, as they keep their indexes. */
  readonly #scalars = new Map<string, ScalarField>();

  /** @internal Use `openDataset`. */
  constructor(objects: ObjectReader, address: string, manifest: CoreManifest) {
    const { timestamp, writer, parents, timelines, tracksForm, tombstones, notes, bindings } = manifest;
    const deletions = tombstones !== undefined;
    this.manifest = Object.freeze({
      address,
      timestamp,
      writer,
      parents,
      timelines,
      tracksForm,
      deletions,
      notes: new Map(notes),
    });
    this.timeline = timelines[0] ?? bindings[0]?.timeline ?? "";
    this.#objects = objects;
    this.#bound = boundFields(manifest);
    this.#tombstones = new Tombstones(objects, tombstones);
    this.fields = Object.freeze(Array.from(this.#bound.values(), ({ info }) => info));
  }

  /** What was fetched and checked since the dataset was opened, its opening included. */
  stats(): Stats {
    return this.#objects.stats();
  }

  /**
   * Anchors of the rows that were deleted, ascending: all, or those of a window. Costs the list of deletions, of a paged one the pages of the window;
   * nothing where nothing was deleted.
   *
   * @throws {DreamDbError} `InvalidArgument`; `Tombstones`, `HashMismatch`, the store's codes
   */
  async deletedAnchors(options: WindowOptions = {}): Promise<BigUint64Array<ArrayBuffer>> {
    const { start, end } = windowOf(options);
    // A copy: what is kept must not be changed.
    return new BigUint64Array(await this.#tombstones.within(this.timeline, start, end, options.signal));
  }

  /**
   * What reading these Items now would cost, told before any of them is asked for. Costs the Tracks' indexes, each once, of paged ones the
   * pages on the way.
   *
   * @throws {DreamDbError} `NoSuchField`; `WrongKind` for a Constant; `WrongFamily` for what is neither arrays nor media; `InvalidArgument`
   */
  async plan(wanted: FieldAnchors | readonly FieldAnchors[], options: ItemReadOptions = {}): Promise<ReadPlan> {
    const sum = emptyPlan();
    for (const { field, anchors } of "field" in wanted ? [wanted] : wanted) addPlans(sum, await this.#anchored(field).plan(anchors, options));
    return sum;
  }

  /**
   * Items of several fields in one call: for each field an outcome for each anchor, all in the caller's order; the failure of one is that of no
   * other. Costs the Tracks' indexes, each once, then what {@link plan} tells.
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`, `WrongKind`, `InvalidArgument`; `RequestBudget` before the first Item, if not enough
   * requests are left for all of them
   */
  async readMany(wanted: readonly FieldAnchors[], { signal }: ItemReadOptions = {}): Promise<Outcome<ItemValue>[][]> {
    return readMany((name) => this.#readable(name), wanted, (requests) => this.#objects.afford(requests), signal);
  }

  /**
   * The rows of a window, some at a time, as columns: the union of the fields' anchors, each column with those that its field has. The next batch
   * is fetched while the caller uses one; ending the iteration stops what is under way.
   *
   * Costs the Tracks' indexes, each once, then as {@link ArrayField.column}; two batches are in memory.
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`, `InvalidArgument` at once; when it comes to it, the codes of columns
   */
  batches(options: RowOptions = {}): AsyncGenerator<Batch<FieldColumn>, void, undefined> {
    return batchesOfRows<FieldColumn>(this.#cursors(options), options);
  }

  /**
   * The rows of a window, one by one: at each anchor what the fields have there, as {@link ArrayField.read} gives it. Some rows are fetched
   * ahead; ending the iteration stops that.
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`, `InvalidArgument` at once; when it comes to it, the codes of reads
   */
  rows(options: RowOptions = {}): AsyncGenerator<Row<ItemValue>, void, undefined> {
    return rowsOf<ItemValue>(this.#cursors(options), options);
  }

  /**
   * Reads and checks every stored Item, those of deleted rows included, and holds indexes against what they count. What is wrong is told, and
   * the audit goes on.
   *
   * Costs every object of the fields, once; a few Items are in memory at a time, or packs, and the Track's index.
   *
   * @param fields a name, or names; all fields that can be read, unless said otherwise
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`; the abort reason
   */
  async audit(fields?: string | readonly string[], options: AuditOptions = {}): Promise<Audit> {
    const names = typeof fields === "string" ? [fields] : (fields ?? this.fields.filter(isReadable).map(({ name }) => name));
    const bound = names.map((name) => this.#field(name));
    const found: FieldAudit[] = [];
    for (const { info, binding } of bound) found.push(await this.#audit({ info, binding }, options));
    return summed(found);
  }

  /**
   * The audit of one array field (0025 §14.1); as {@link audit} of it.
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`; the abort reason
   */
  async auditArrayField(name: string, options: AuditOptions = {}): Promise<FieldAudit> {
    const bound = this.#field(name);
    if (!isArrayField(bound.info)) throw wrongFamily(bound.info, "typed arrays");
    return this.#audit(bound, options);
  }

  /**
   * A field of dense arrays.
   *
   * @param narrow what the field must be: `{ dtype: "f32", shape: [4, 4] }` makes its data a Float32Array and its shape `[4, 4]` for the compiler too
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`, `WrongDtype`, `WrongShape`
   */
  array<D extends DType = DType, const S extends readonly U64[] = readonly U64[]>(name: string, narrow: Narrow<D, S> = {}): ArrayField<DenseArray<D, ShapeOf<S>>> {
    return this.#array(name, "dense-array", narrow);
  }

  /**
   * A field of ragged arrays (0025 §11.1).
   *
   * @throws {DreamDbError} as {@link array}
   */
  ragged<D extends DType = DType>(name: string, narrow: Narrow<D> = {}): RaggedField<D> {
    return new RaggedField<D>(...this.#arrayField(name, "ragged-array", narrow));
  }

  /**
   * A field of sparse matrices (0025 §11.2).
   *
   * @throws {DreamDbError} as {@link array}
   */
  csr<D extends DType = DType>(name: string, narrow: Narrow<D> = {}): CsrField<D> {
    return new CsrField<D>(...this.#arrayField(name, "sparse-csr", narrow));
  }

  /**
   * A field of images, audio or video.
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`
   */
  media(name: string): MediaField {
    const bound = this.#field(name);
    if (!isMediaField(bound.info)) throw wrongFamily(bound.info, "media");
    return new MediaField(bound.info, this.#access(bound));
  }

  /**
   * A field of scalar values: labels, numbers, times.
   *
   * @param narrow the type that the field must have, which the compiler then knows
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`, `WrongDtype`
   */
  scalar<T extends ScalarType = ScalarType>(name: string, narrow: { readonly valueType?: T } = {}): ScalarField<T> {
    const bound = this.#field(name);
    const { info } = bound;
    if (!isScalarField(info)) throw wrongFamily(info, "scalar values");
    const { valueType: expected = info.valueType } = narrow;
    if (expected !== info.valueType) {
      const message = `field ${JSON.stringify(name)} has values of type ${info.valueType}, not ${expected}`;
      throw new DreamDbError("WrongDtype", message, { field: name, expected, actual: info.valueType });
    }
    const field = this.#scalars.get(name) ?? new ScalarField(info, this.#access(bound), bound.scalarIndex);
    this.#scalars.set(name, field);
    return field as unknown as ScalarField<T>;
  }

  /**
   * A Constant: one value for the whole dataset (0025 §9).
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongKind` for a field with anchors
   */
  constant(name: string): ConstantField<Item<ArrayValue> | TextConstant> {
    const bound = this.#field(name);
    const { info } = bound;
    if (info.trackKind !== "constant") {
      const message = `field ${JSON.stringify(name)} has an Item per anchor, it is no Constant`;
      throw new DreamDbError("WrongKind", message, { field: name });
    }
    if (!isArrayField(info)) return new TextConstantField(info as TextConstantInfo, this.#access(bound));
    const array = new ArrayField(info, this.#access(bound));
    return { info, name, read: (options) => array.readConstant(options) };
  }

  /**
   * The Item of an array field of any family at an anchor (0025 §14.1); as `ds.array(name).read(anchor)` and its like.
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`; as {@link ArrayField.read}
   */
  async readArrayItem(name: string, anchor: U64, options?: ItemReadOptions): Promise<Item<ArrayValue> | undefined> {
    return this.#array<ArrayValue>(name, undefined, {}).read(anchor, options);
  }

  /**
   * The value of a typed-array Constant (0025 §14.1); as `ds.constant(name).read()`.
   *
   * @throws {DreamDbError} `NoSuchField`, `WrongFamily`, `WrongKind`; as {@link ArrayField.readConstant}
   */
  async getArrayConstant(name: string, options?: ItemReadOptions): Promise<Item<ArrayValue> | undefined> {
    return this.#array<ArrayValue>(name, undefined, {}).readConstant(options);
  }

  /** A field with an Item per anchor, of any kind that can be read. */
  #anchored(name: string): ArrayField | MediaField {
    return isMediaField(this.#field(name).info) ? this.media(name) : this.#array(name, undefined, {});
  }

  #readable(name: string): Readable<ItemValue> {
    if (isScalarField(this.#field(name).info)) {
      const scalar = this.scalar(name);
      return { prepare: (asked, signal) => scalar.prepare(asked, signal), valueOf: (read) => (read as { readonly value: ItemValue }).value };
    }
    const field = this.#anchored(name);
    return { prepare: (asked, signal) => field.prepare(asked, signal), valueOf: (read) => read as ItemValue };
  }

  #cursors({ fields }: RowOptions): OpenCursors {
    const anchored = this.fields.filter((info) => isReadable(info) && info.trackKind !== "constant");
    const names = fields ?? anchored.map(({ name }) => name);
    const readers = names.map((name) => (isScalarField(this.#field(name).info) ? this.scalar(name) : this.#anchored(name)));
    return (window, signal) => readers.map((reader) => reader.cursor(window, signal));
  }

  #audit(bound: BoundField, options: AuditOptions): Promise<FieldAudit> {
    const { info } = bound;
    if (!isReadable(info)) throw wrongFamily(info, "what an audit can read");
    if (isScalarField(info)) {
      const scalar = this.scalar(info.name);
      return auditField(info.name, () => scalar.auditPlan(options.signal), this.#objects.width, options);
    }
    const access = this.#access(bound);
    const judge: Judge = ({ bytes }) => {
      if (isArrayField(info)) checkPayload({ type: info.type, cbor: info.typeCbor }, bytes);
      else if (info.kind === "constant") decodeText(bytes);
    };
    return auditField(info.name, () => auditPlan(access, judge, options.signal), this.#objects.width, options);
  }

  #array<V extends ArrayValue>(name: string, family: Family | undefined, narrow: Narrow): ArrayField<V> {
    return new ArrayField<V>(...this.#arrayField(name, family, narrow));
  }

  #arrayField(name: string, family: Family | undefined, narrow: Narrow): [info: ArrayFieldInfo, access: FieldAccess] {
    const bound = this.#field(name);
    const { info } = bound;
    if (!isArrayField(info)) throw wrongFamily(info, family ?? "typed arrays");
    checkNarrow(info satisfies ArrayFieldInfo, family, narrow);
    return [info, this.#access(bound)];
  }

  #field(name: string): BoundField {
    const bound = this.#bound.get(name);
    if (bound !== undefined) return bound;
    const known = this.fields.map((info) => JSON.stringify(info.name)).join(", ");
    const asked = typeof name === "string" ? name : kindOf(name);
    throw new DreamDbError("NoSuchField", `the dataset has no field ${JSON.stringify(asked)}; it has ${known || "none"}`, { field: asked });
  }

  #access({ info: { name }, binding }: BoundField): FieldAccess {
    const track = this.#tracks.get(name) ?? new Track(this.#objects, binding);
    this.#tracks.set(name, track);
    return { objects: this.#objects, track, tombstones: this.#tombstones };
  }
}

/** Whether the Items of a field can be read. */
function isReadable(info: FieldInfo): boolean {
  return isArrayField(info) || isMediaField(info) || isScalarField(info) || info.kind === "constant";
}

function wrongFamily({ name, kind }: FieldInfo, expected: string): DreamDbError {
  const message = `field ${JSON.stringify(name)} is of kind ${kind}, it does not hold ${expected}`;
  return new DreamDbError("WrongFamily", message, { field: name, expected, actual: kind });
}
