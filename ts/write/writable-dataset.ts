/**
 * A dataset that is written to: a Ref, and the version that it names.
 *
 * Each write makes a version that follows this one, stores everything that it needs, and moves the Ref last, by compare-and-swap. What a crash can
 * leave behind are objects that nothing points to; docs/writing.md tells which. Calls on one dataset are carried out one after another.
 */
import { kindOf, refused, textArgument } from "../codec/arguments.js";
import { type ArrayInit, encodePayload } from "../codec/encode.js";
import { optionalU64, toU64, type U64 } from "../codec/integers.js";
import { decodeItemType, encodeItemType, type ItemTypeInit } from "../codec/item-type.js";
import { Dataset } from "../dataset/dataset.js";
import { type BoundField, boundFields } from "../dataset/bound-fields.js";
import { constantKey, manifestKey, placeOf } from "../dataset/keys.js";
import { checkRefName } from "../dataset/ref.js";
import { keepManifest } from "../dataset/registries.js";
import { withContext } from "../error-context.js";
import { DreamDbError } from "../errors.js";
import type { ObjectReader } from "../io/objects.js";
import { throwIfAborted } from "../store/abort.js";
import { sleep } from "../store/scope.js";
import { call } from "../wasm.js";
import { addedChange, appendChange, type Base, type Change, deletedChange } from "./changes.js";
import { type ColumnsInit, itemsOfColumns, listArgument } from "./column-items.js";
import { declare } from "./declare.js";
import { itemsOfRows, type NewRows, type RowInit } from "./items.js";
import { nextManifest, timelineOf, type WrittenManifest } from "./manifests/edit.js";
import { arrayField } from "./manifests/fields.js";
import { withoutOutboard } from "./objects.js";
import type { Recent } from "./recent.js";
import type { Attempt, RefState, Refs } from "./refs.js";
import type { FieldDeclaration } from "./schema.js";
import { constantTrack, emptyTrack } from "./tracks.js";
import type { Upload, UploadProgress, Uploads } from "./uploads.js";
import { type Authorship, writerText } from "./authorship.js";

/** Options of one write. */
export interface CommitOptions {
  /** Cancels the write, which then rejects with `signal.reason`; once the Ref is about to be moved, it may have been moved all the same. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each object that is stored. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Whether to go on from the newest version when another writer was first, as often as that happens. `false` unless said otherwise: `RefConflict`. */
  readonly rebase?: boolean | undefined;
  /** Whether the new version says of no Track which one it replaced: the way out when the manifest is full. `false` unless said otherwise. */
  readonly forgetLineage?: boolean | undefined;
}

/** Options of an append. */
export interface AppendOptions extends CommitOptions {
  /**
   * Bytes of a pack to aim at, for fields that pack: an Item that would take a pack beyond it begins the next one. Packs have `packItems` Items at most
   * all the same; 2 MiB are a good size for object stores. No limit unless said otherwise.
   */
  readonly targetPackBytes?: U64 | undefined;
}

/** What a write came to. */
export interface Commit {
  /** Address of the manifest that the Ref names now. */
  readonly manifest: string;
  /** Anchors of the rows that were written, in the caller's order; of those that were deleted. */
  readonly anchors: readonly bigint[];
  /** What was stored for it, objects that were there already included. */
  readonly stored: UploadProgress;
  /**
   * Bytes of the manifest's history of Tracks, of which 1,048,576 are the most: then `forgetLineage`, or `ManifestFull`. Absent if there was nothing to
   * write.
   */
  readonly tracksBytes?: number;
}

/** What a write is to do, if it is to do anything. */
interface Made {
  readonly anchors: readonly bigint[];
  readonly change: Change | undefined;
}

/** What all writes of a dataset share. */
export interface Workshop {
  readonly objects: ObjectReader;
  readonly uploads: Uploads;
  readonly refs: Refs;
  readonly recent: Recent;
  readonly authorship: Authorship;
}

/** A version, and the Ref's state in which it was found. */
interface Head {
  readonly state: RefState;
  readonly bytes: Uint8Array;
  readonly base: Base;
  readonly dataset: Dataset;
}

/** The longest wait in milliseconds before going on from a newer version, the first time; writers that wait alike would meet again. */
const REBASE_MS = 25;
/** How often it is doubled: many writers of one Ref get out of each other's way. */
const MOST_DOUBLINGS = 5;

/** A dataset that can be written to. Made by `Dataset.create` and `Dataset.open`. */
export class WritableDataset {
  /** Name of the Ref. */
  readonly name: string;
  readonly #workshop: Workshop;
  #head: Head;
  #last: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(name: string, workshop: Workshop, head: Head) {
    this.name = name;
    this.#workshop = workshop;
    this.#head = head;
  }

  /** @internal Opens the version that a Ref names. */
  static async at(name: string, workshop: Workshop, attempt: Attempt): Promise<WritableDataset> {
    return new WritableDataset(name, workshop, await loadHead(workshop, await workshop.refs.read(name, attempt), attempt.signal));
  }

  /** @internal The version that was just made. */
  static made(name: string, workshop: Workshop, written: WrittenManifest): WritableDataset {
    return new WritableDataset(name, workshop, writtenHead(workshop, written));
  }

  /** The version that was opened or written last, to be read. It stays as it is when more is written. */
  get current(): Dataset {
    return this.#head.dataset;
  }

  /**
   * Appends rows: all, or none.
   *
   * Costs per array Item an object and its outboard, per pack or single medium the same; the Track and pages of each field that has Items, read unless this
   * dataset wrote them, and written; a read of the Ref, and a write of manifest and Ref each. The batch is in memory twice at most.
   *
   * @param rows `{ anchor, values }` each, which must stay as they are until the call settles. Optional fields may be left out. Without anchors, the clock
   * places the rows a microsecond apart.
   * @returns without a new version if there is nothing to write
   * @throws {DreamDbError} before anything is stored: `NoSuchField`, `WrongKind`, `Unsupported`, `MissingValue`, `RepeatedAnchor`, `DeletedAnchor`,
   * `InvalidArgument`, the codes of `codec.encode…`, `ManifestFull`, `NotWritable`, `RefConflict` if the Ref has moved; later: the store's codes,
   * `RefConflict`, `RefUncertain`
   */
  append(rows: readonly RowInit[], options: AppendOptions = {}): Promise<Commit> {
    const now = this.#workshop.authorship.clock();
    return this.#appendItems((fields) => itemsOfRows(rows, fields, now), options);
  }

  /**
   * Appends whole columns: all rows, or none. Takes what `column()` and `batches()` of a dataset give. As {@link append}.
   *
   * @throws {DreamDbError} as {@link append}; `ShapeMismatch` for a column of another length
   */
  appendColumns(columns: ColumnsInit, options: AppendOptions = {}): Promise<Commit> {
    return this.#appendItems((fields) => itemsOfColumns(columns, fields), options);
  }

  /**
   * Adds a field, which no row has yet. If it is required, later rows must have it.
   *
   * @throws {DreamDbError} `InvalidArgument` for a name that is taken, the codes of item types; as {@link append}
   */
  addField(name: string, declaration: FieldDeclaration, options: CommitOptions = {}): Promise<Commit> {
    return this.#commit(options, async ({ timeline }) => {
      if (typeof declaration !== "object" || declaration === null) throw refused("declaration", "a declaration", declaration);
      const field = declare(textArgument("name", name), declaration);
      return { anchors: [], change: addedChange("add_field", field, emptyTrack(field, timeline), []) };
    });
  }

  /**
   * Adds a typed-array Constant: one value for the whole dataset, which stays (0025 §9).
   *
   * @throws {DreamDbError} `InvalidArgument` for a name or a type that is taken, the codes of item types and of `codec.encode…`; as {@link append}
   */
  addArrayConstant(name: string, type: ItemTypeInit, value: ArrayInit, options: CommitOptions = {}): Promise<Commit> {
    return this.#commit(options, async ({ timeline }) => {
      textArgument("name", name);
      try {
        const cbor = encodeItemType(type);
        const field = arrayField(name, false, "constant", cbor);
        const payload = encodePayload({ type: decodeItemType(cbor), cbor }, value);
        const place = placeOf({ timeline, modality: field.modality });
        const { address, objects } = withoutOutboard((own) => constantKey(place, own), payload);
        return { anchors: [], change: addedChange("add_array_constant", field, constantTrack(field, timeline, address), objects) };
      } catch (error) {
        throw withContext(error, { field: name });
      }
    });
  }

  /**
   * Deletes rows: readers pass over what all fields have at these anchors, now and later. The Items stay stored.
   *
   * Anchors at which nothing is may be deleted too; one that was deleted before gets the new reason. Costs the pages of tombstones on the way.
   *
   * @param reason for people, 256 bytes of UTF-8 at most
   * @throws {DreamDbError} `InvalidArgument` for no anchor; as {@link append}
   */
  delete(anchors: readonly U64[] | BigUint64Array, reason?: string, options: CommitOptions = {}): Promise<Commit> {
    return this.#commit(options, async (base) => {
      const all = Array.from(listArgument<U64>("anchors", anchors), (anchor, at) => toU64(`anchors[${at}]`, anchor));
      if (all.length === 0) throw refused("anchors", "a list of at least one anchor", "an empty one");
      if (reason !== undefined) textArgument("reason", reason);
      const nowMs = this.#workshop.authorship.clock() / 1_000_000n;
      return { anchors: all, change: await deletedChange(base, BigUint64Array.from(all), reason, nowMs, options.signal) };
    });
  }

  /**
   * Makes a Ref at the current version, to be written to by itself.
   *
   * @throws {DreamDbError} `RefName`; `RefExists`; `RefUncertain`; the store's codes
   */
  async branch(name: string, options: Pick<CommitOptions, "signal"> = {}): Promise<WritableDataset> {
    checkOwnName(name);
    return this.#inTurn(async () => {
      const head = this.#head;
      await this.#workshop.refs.create(name, head.state.address, this.#attempt(options.signal));
      // Nothing may fail any more: the Ref is there.
      return new WritableDataset(name, this.#workshop, head);
    });
  }

  /**
   * Names the current version for good: a Ref `name@label`, which nobody moves who does not open it to write.
   *
   * @returns the name of the Ref
   * @throws {DreamDbError} `RefName` for a label that is not of `a-z0-9_-`, and one with which the last segment of the name has more than 64; `RefExists`; `RefUncertain`; the store's codes
   */
  async snapshot(label: string, options: Pick<CommitOptions, "signal"> = {}): Promise<string> {
    const said: unknown = label;
    if (typeof said !== "string" || !/^[a-z0-9_-]+$/.test(said)) {
      throw new DreamDbError("RefName", `a snapshot's label is of a-z, 0-9, _ and -, not ${typeof said === "string" ? said : kindOf(said)}`, { subject: "label" });
    }
    const name = `${this.name}@${label}`;
    checkOwnName(name);
    return this.#inTurn(async () => {
      await this.#workshop.refs.create(name, this.#head.state.address, this.#attempt(options.signal));
      return name;
    });
  }

  /**
   * Goes on to the version that the Ref names now, after another writer has moved it.
   *
   * @throws {DreamDbError} `NotFound`, `RefBody`, `NoStrongTag`, the store's codes, those of a manifest
   */
  refresh(options: Pick<CommitOptions, "signal"> = {}): Promise<Dataset> {
    return this.#inTurn(async () => {
      const attempt = this.#attempt(options.signal);
      const state = await this.#workshop.refs.read(this.name, attempt);
      if (state.address !== this.#head.state.address) this.#head = await loadHead(this.#workshop, state, options.signal);
      return this.#head.dataset;
    });
  }

  #appendItems(take: (fields: ReadonlyMap<string, BoundField>) => NewRows, options: AppendOptions): Promise<Commit> {
    return this.#commit(options, async (base) => {
      // For each version that it is to follow: another writer may have added a field that is required.
      const { anchors, items } = take(base.fields);
      const targetPackBytes = optionalU64("`targetPackBytes`", options.targetPackBytes);
      return { anchors, change: await appendChange(base, items, { targetPackBytes }, options.signal) };
    });
  }

  /** One write after another: makes a change of the newest version, stores it, moves the Ref; begins anew when another was first, if it may. */
  #commit(options: CommitOptions, make: (base: Base) => Promise<Made>): Promise<Commit> {
    const { signal, onProgress, rebase = false, forgetLineage = false } = options;
    return this.#inTurn(async () => {
      throwIfAborted(signal);
      checkOwnName(this.name);
      const { uploads, refs, recent, authorship } = this.#workshop;
      const upload = uploads.begin(signal, onProgress);
      const attempt: Attempt = { budget: upload.budget, signal };
      for (let lost = 0; ; lost++) {
        const head = await this.#newest(attempt, rebase);
        const { anchors, change } = await make(head.base);
        if (change === undefined) return { manifest: head.state.address, anchors, stored: upload.sum };
        const timestamp = authorship.clock();
        const written = nextManifest(head.bytes, head.base.manifest, { ...change, timestamp, writer: writerText(authorship, change.operation), forgetLineage });
        await storeChange(upload, change, { key: manifestKey(written.address), bytes: written.bytes });
        recent.keep(change.indexes);
        if (await refs.move(this.name, head.state, written.address, (address) => this.#parentsOf(address, signal), attempt)) {
          this.#head = writtenHead(this.#workshop, written);
          return { manifest: written.address, anchors, stored: upload.sum, tracksBytes: written.tracksBytes };
        }
        if (!rebase) throw this.#conflict(head.state.address);
        await sleep(REBASE_MS * 2 ** Math.min(lost, MOST_DOUBLINGS) * Math.random(), signal);
      }
    });
  }

  /** The version to follow: the one at hand, if the Ref names it still. */
  async #newest(attempt: Attempt, rebase: boolean): Promise<Head> {
    const state = await this.#workshop.refs.read(this.name, attempt);
    const head = this.#head;
    if (state.address === head.state.address) return { ...head, state };
    if (!rebase) throw this.#conflict(head.state.address, state.address);
    this.#head = await loadHead(this.#workshop, state, attempt.signal);
    return this.#head;
  }

  async #parentsOf(address: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
    const bytes = await this.#workshop.objects.metadata({ key: manifestKey(address), address }, signal);
    return call((core) => core.decodeManifest(bytes)).parents;
  }

  #conflict(expected: string, actual?: string): DreamDbError {
    const message = `another writer moved Ref ${JSON.stringify(this.name)} first, and nothing was published; refresh() and try again, or write with { rebase: true }`;
    return new DreamDbError("RefConflict", message, { subject: this.name, expected, actual });
  }

  #attempt(signal: AbortSignal | undefined): Attempt {
    return { budget: this.#workshop.uploads.begin(signal, undefined).budget, signal };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

/** Stores a change so that nothing is there before what it points to is. */
export async function storeChange(upload: Upload, { items, indexes }: Pick<Change, "items" | "indexes">, manifest: { key: string; bytes: Uint8Array }): Promise<void> {
  await upload.store(items);
  await upload.store(indexes);
  await upload.store([manifest]);
}

async function loadHead(workshop: Workshop, state: RefState, signal: AbortSignal | undefined): Promise<Head> {
  const { address } = state;
  const key = manifestKey(address);
  const bytes = await workshop.objects.metadata({ key, address }, signal);
  try {
    return headOf(workshop, state, { bytes, manifest: call((core) => core.decodeManifest(bytes)) });
  } catch (error) {
    throw withContext(error, { key });
  }
}

/** What was written is known; where the Ref is by now is read at the next write. */
const writtenHead = (workshop: Workshop, written: WrittenManifest): Head => headOf(workshop, { address: written.address, tag: "" }, written);

function headOf({ objects, recent }: Workshop, state: RefState, { bytes, manifest }: Pick<WrittenManifest, "bytes" | "manifest">): Head {
  const timeline = timelineOf(manifest) ?? manifest.bindings[0]?.timeline ?? "";
  const read: Base["read"] = async (object, signal) => recent.get(object.key) ?? (await objects.metadata(object, signal));
  const base: Base = { objects, read, manifest, fields: boundFields(manifest), timeline };
  return { state, bytes, base, dataset: keepManifest(new Dataset(objects, state.address, manifest), bytes) };
}

/** Refuses what is no name of a Ref, and names that other tools of the protocol keep for themselves. */
export function checkOwnName(name: string): void {
  checkRefName(name);
  if (!name.startsWith("tags/")) return;
  throw new DreamDbError("RefName", `Refs below tags/ are those of archives, and not to be written to: ${JSON.stringify(name)}`, { subject: name });
}
